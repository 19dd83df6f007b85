"""GEMM of few rows in fp8 with a scale for each row and column; bf16."""

import torch

ENTRY = "skinny_gemm_bf16"
SHAPES = [
    dict(m=8, n=48, k=4096),  # k in slices
    dict(m=1, n=64, k=512),
    dict(m=2, n=33, k=1040),  # columns and k with tails
    dict(m=3, n=16, k=64),
    dict(m=1, n=80, k=8192),
    dict(m=13, n=20, k=2048),  # two blocks of rows, the second not full
    dict(m=32, n=8, k=528),
    dict(m=5, n=7, k=333),  # rows that are not aligned
]
BENCH = [dict(m=m, n=n, k=k) for n, k in ((2304, 16384), (13312, 16384), (16384, 6656)) for m in (1, 2, 4, 8, 16, 32)]
# A library's kernel times, fp8 (a public article on custom kernels for vLLM)
PUBLISHED = [
    dict(m=m, n=n, k=k, board="MI300X", by="library", us=us)
    for m, *times in ((1, 14.9, 77.6, 31.1), (8, 16.3, 80.0, 31.6), (16, 16.7, 75.2, 31.7), (32, 16.8, 82.2, 35.6))
    for (n, k), us in zip(((2304, 16384), (13312, 16384), (16384, 6656)), times)
]
FIXED = ("scale_a", "scale_b")
VALUES = ("normal", "large", "tiny", "denormal", "zeros", "nan")
VARIANTS = {"sparse-mfma": "skinny_gemm_sparse.hip"}


def inputs(m, n, k):
    return {
        "a": torch.randn(m, k) * 8,
        "b": torch.randn(n, k) * 8,
        "scale_a": torch.rand(m) * 0.1 + 0.01,
        "scale_b": torch.rand(n) * 0.1 + 0.01,
    }


def reference(a, b, scale_a, scale_b):
    return {"out": a @ b.T * scale_a[:, None] * scale_b}


def flops(m, n, k):
    return 2 * m * n * k


def baseline(a, b, scale_a, scale_b):
    rows = a.shape[0]
    a = torch.nn.functional.pad(a.view(torch.uint8), (0, 0, 0, -rows % 16)).view(a.dtype)  # _scaled_mm wants 16
    scale_a = torch.nn.functional.pad(scale_a, (0, -rows % 16), value=1.0)
    out = torch._scaled_mm(a, b.T, scale_a[:, None], scale_b[None], out_dtype=torch.bfloat16)
    return {"out": out[:rows]}
