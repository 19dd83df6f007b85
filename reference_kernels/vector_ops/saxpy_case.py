"""y += alpha x in f32, in place."""

import torch

ENTRY = "vector_saxpy"
SHAPES = [dict(n=1), dict(n=7), dict(n=2048), dict(n=4098), dict(n=50_001)]
BENCH = [dict(n=1 << 28), dict(n=(1 << 20) + 3)]
VALUES = ("normal", "large", "tiny", "denormal", "nan")


def inputs(n):
    return {"x": torch.randn(n), "y": torch.randn(n), "alpha": 0.75}


def reference(alpha, x, y):
    return {"y": y + alpha * x}


def flops(n):
    return 2 * n
