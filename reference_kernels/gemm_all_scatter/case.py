"""C = A B in bf16 over several GPUs, C whole on each of them, and the largest element of each row."""

import torch

SHAPES = [
    dict(gpus=2, m=128, n=128, k=96),
    dict(gpus=4, m=148, n=72, k=40),  # tails everywhere: 37 rows a GPU
    dict(gpus=8, m=512, n=64, k=64),
    dict(gpus=2, m=300, n=136, k=200),
    dict(gpus=1, m=64, n=64, k=32),
    dict(gpus=2, m=2, n=8, k=200),  # one row a GPU
]
VALUES = ("normal", "tiny", "zeros")


def inputs(gpus, m, n, k):
    return {"A": torch.randn(m, k), "B": torch.randn(k, n)}


def reference(A, B, gpus):
    c = A @ B
    return {"C": c.expand(gpus, *c.shape), "largest": c.amax(1).expand(gpus, -1)}


def flops(gpus, m, n, k):
    return 2 * m * n * k
