"""C = A B in bf16 with f32 sums: cp.async, ldmatrix, mma.sync."""

import torch

ENTRY = "ampere_gemm_bf16"
VARIANTS = {"native": "ampere_gemm_mma_sync_native.hip"}
SHAPES = [
    dict(m=128, n=256, k=256),
    dict(m=128, n=128, k=32),  # one tile, one step
    dict(m=100, n=72, k=40),  # tails everywhere
    dict(m=1, n=8, k=512),
    dict(m=257, n=136, k=200),
    dict(m=17, n=24, k=8),
]
BENCH = [dict(m=4096, n=4096, k=4096), dict(m=8192, n=8192, k=8192)]


def inputs(m, n, k):
    return {"A": torch.randn(m, k), "B": torch.randn(k, n)}


def reference(A, B):
    return {"C": A @ B}


def flops(m, n, k):
    return 2 * m * n * k
