"""GEMM of few rows in fp8 with a scale for each row and column; fp16."""

import torch

ENTRY = "skinny_gemm_f16"
SHAPES = [
    dict(m=4, n=40, k=2064),
    dict(m=9, n=17, k=4096),
]
BENCH = [dict(m=m, n=n, k=k) for n, k in ((2304, 16384), (13312, 16384), (16384, 6656)) for m in (1, 8, 32)]
FIXED = ("scale_a", "scale_b")
VARIANTS = {"sparse-mfma": "skinny_gemm_sparse.hip"}


def inputs(m, n, k):
    return {
        "a": torch.randn(m, k) * 8,
        "b": torch.randn(n, k) * 8,
        "scale_a": torch.rand(m) * 0.01 + 0.001,
        "scale_b": torch.rand(n) * 0.01 + 0.001,
    }


def reference(a, b, scale_a, scale_b):
    return {"out": a @ b.T * scale_a[:, None] * scale_b}


def flops(m, n, k):
    return 2 * m * n * k
