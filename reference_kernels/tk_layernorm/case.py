"""Layer normalisation of bf16 rows with weight and bias, in ThunderKittens: a warp a row, cp.async, register vectors."""

import torch

ENTRY = "tk_layernorm"
INCLUDES = ("$THUNDERKITTENS/include",)
DEFINES = ("KITTENS_HOPPER",)
FLAGS = ("-std=c++20",)
SHAPES = [
    dict(rows=8, width=1024, blocks=0),
    dict(rows=19, width=512, blocks=2),  # a warp's third row: both buffers, and the first once more
    dict(rows=5, width=2048, blocks=1),
    dict(rows=1, width=1024, blocks=0),  # three warps without a row
]
BENCH = [dict(rows=16384, width=1024, blocks=0), dict(rows=8192, width=2048, blocks=0)]
FIXED = ("weight", "bias")


def inputs(rows, width):
    x = torch.randn(rows, width) + torch.randn(rows, 1)
    return {"x": x, "weight": torch.randn(width), "bias": torch.randn(width), "epsilon": 1e-5}


def reference(x, weight, bias, epsilon):
    return {"out": torch.nn.functional.layer_norm(x, weight.shape, weight, bias, epsilon)}


def flops(rows, width):
    return 8 * rows * width
