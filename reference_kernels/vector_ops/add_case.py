"""out = a + b in f32: two streams in, one out, nothing used twice."""

import torch

ENTRY = "vector_add"
SHAPES = [dict(n=1), dict(n=3), dict(n=1024), dict(n=4099), dict(n=100_003)]
BENCH = [dict(n=1 << 28), dict(n=(1 << 20) + 3)]
VALUES = ("normal", "large", "tiny", "denormal", "nan")


def inputs(n):
    return {"a": torch.randn(n), "b": torch.randn(n)}


def reference(a, b):
    return {"out": a + b}


def flops(n):
    return n
