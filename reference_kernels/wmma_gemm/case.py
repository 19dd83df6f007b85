"""D = alpha A B + beta D: f16 in, f32 sums and results, with nvcuda::wmma."""

import torch

ENTRY = "wmma_gemm"
VARIANTS = {"native": "wmma_gemm_native.hip"}
SHAPES = [
    dict(m=128, n=192, k=128, alpha=1.0, beta=0.0),
    dict(m=64, n=64, k=32, alpha=0.5, beta=-2.0),
    dict(m=100, n=72, k=40, alpha=1.5, beta=1.0),  # tails in whole chunks
    dict(m=33, n=65, k=17, alpha=-1.0, beta=0.25),  # tails of single elements
    dict(m=2, n=3, k=127, alpha=2.0, beta=1.0),
    dict(m=7, n=129, k=256, alpha=1.0, beta=0.0),
]
BENCH = [dict(m=4096, n=4096, k=4096, alpha=1.0, beta=0.0)]
# Tensor cores cut off what f32 sums round: the error grows with k, and always towards zero.
TOLERANCE = {"D": dict(rtol=2.0**-12, atol=2.0**-13, norm=2.0**-14)}


def inputs(m, n, k):
    return {"A": torch.randn(m, k), "B": torch.randn(k, n), "D": torch.randn(m, n)}


def reference(A, B, D, alpha, beta):
    return {"D": alpha * (A @ B) + beta * D}


def flops(m, n, k):
    return 2 * m * n * k


def baseline(A, B, D, alpha, beta):
    return {"D": alpha * (A @ B).float() + beta * D}
