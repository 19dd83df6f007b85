"""Layer normalisation of bf16 rows, with weight, bias, and the row's mean and 1 / standard deviation."""

import torch

ENTRY = "layernorm"
SHAPES = [
    dict(rows=5, width=64),
    dict(rows=3, width=1000),
    dict(rows=2, width=4096),
    dict(rows=2, width=8192),
    dict(rows=9, width=1),
    dict(rows=7, width=77),
    dict(rows=3, width=4099),
    dict(rows=1, width=10008),
]
BENCH = [dict(rows=8192, width=8192), dict(rows=8192, width=4099), dict(rows=16384, width=1024)]
FIXED = ("weight", "bias")


def inputs(rows, width):
    x = torch.randn(rows, width) + torch.randn(rows, 1)
    return {"x": x, "weight": torch.randn(width), "bias": torch.randn(width), "epsilon": 1e-5}


def reference(x, weight, bias, epsilon):
    mean = x.mean(dim=1)
    rstd = torch.rsqrt(x.var(dim=1, unbiased=False) + epsilon)
    return {"out": (x - mean[:, None]) * rstd[:, None] * weight + bias, "mean": mean, "rstd": rstd}


def baseline(x, weight, bias, epsilon):
    out, mean, rstd = torch.native_layer_norm(x, weight.shape, weight, bias, epsilon)
    return {"out": out, "mean": mean, "rstd": rstd}


def flops(rows, width):
    return 8 * rows * width
