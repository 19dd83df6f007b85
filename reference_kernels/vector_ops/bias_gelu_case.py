"""gelu(x + bias), tanh form, f16 in and out, f32 between."""

import torch

ENTRY = "bias_gelu"
SHAPES = [
    dict(rows=1, columns=8),
    dict(rows=5, columns=4096),
    dict(rows=3, columns=1025),
    dict(rows=17, columns=72),
]
BENCH = [dict(rows=16384, columns=16384), dict(rows=1, columns=16384)]
VALUES = ("normal", "large", "tiny", "denormal", "nan")


def inputs(rows, columns):
    return {"x": 2 * torch.randn(rows, columns), "bias": torch.randn(columns)}


def reference(x, bias):
    return {"out": torch.nn.functional.gelu(x + bias, approximate="tanh")}


def flops(rows, columns):
    return 10 * rows * columns
