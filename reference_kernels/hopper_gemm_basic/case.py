"""C = A B^T in bf16 with f32 sums: TMA and one warpgroup of wgmma."""

import torch

ENTRY = "hopper_gemm_basic"
VARIANTS = {"native": "hopper_gemm_basic_native.hip"}
SHAPES = [
    dict(m=128, n=256, k=128),
    dict(m=64, n=128, k=64),  # one tile, one step
    dict(m=100, n=72, k=40),  # tails everywhere
    dict(m=1, n=8, k=512),  # one row, more steps than stages
    dict(m=65, n=131, k=200),  # an odd width: no stores in pairs
    dict(m=3, n=1, k=8),
]
BENCH = [dict(m=4096, n=4096, k=4096), dict(m=8192, n=8192, k=8192)]


def inputs(m, n, k):
    return {"A": torch.randn(m, k), "B": torch.randn(n, k)}


def reference(A, B):
    return {"C": A @ B.T}


def flops(m, n, k):
    return 2 * m * n * k
