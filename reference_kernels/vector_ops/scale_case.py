"""out = factor x in f16, the product rounded once."""

import torch

ENTRY = "vector_scale"
SHAPES = [dict(n=1), dict(n=7), dict(n=4096), dict(n=10_009)]
BENCH = [dict(n=1 << 29), dict(n=(1 << 20) + 5)]
VALUES = ("normal", "large", "tiny", "denormal", "nan")


def inputs(n):
    return {"x": torch.randn(n), "factor": 0.3125}


def reference(x, factor):
    return {"out": x * factor}


def flops(n):
    return n
