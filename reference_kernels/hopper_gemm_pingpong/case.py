"""C = A B^T in bf16 with f32 sums: a producer, two consumers that take turns, persistent blocks, TMA stores."""

import torch

ENTRY = "hopper_gemm_pingpong"
VARIANTS = {"native": "hopper_gemm_pingpong_native.hip"}
SHAPES = [
    dict(m=384, n=256, k=192, blocks=2),  # three tiles a block: both consumers, and the first once more
    dict(m=128, n=128, k=64, blocks=0),  # one tile, one step: the second consumer has nothing
    dict(m=200, n=136, k=328, blocks=1),  # tails; more steps than stages, and their number odd
    dict(m=1, n=8, k=512, blocks=0),
    dict(m=300, n=392, k=72, blocks=1),  # twelve tiles a block, two steps each
    dict(m=1300, n=72, k=8, blocks=3),  # more rows of tiles than a band has
]
BENCH = [dict(m=4096, n=4096, k=4096, blocks=0), dict(m=8192, n=8192, k=8192, blocks=0)]
# bf16, TFLOP/s: hipBLASLt in short loops, its inputs not said (hibagus/SC25_AMD_CDNA3_Artifact, 2025); random values: torch 2.8
# with ROCm 6.4 (gau-nernst/learn-cuda), and torch in loops of 100 (HazyResearch/HipKittens, branch cdna3)
PUBLISHED = [
    dict(m=n, n=n, k=n, board=board, by=by, us=2 * n**3 / tflops / 1e6)
    for n, board, by, tflops in (
        (4096, "MI300X", "hipBLASLt", 657), (8192, "MI300X", "hipBLASLt", 837), (4096, "MI300X", "torch", 548),
        (4096, "MI325X", "hipBLASLt", 688), (8192, "MI325X", "hipBLASLt", 903),
        (4096, "MI325X", "torch", 751), (8192, "MI325X", "torch", 786),
    )
]  # fmt: skip


def inputs(m, n, k):
    return {"A": torch.randn(m, k), "B": torch.randn(n, k)}


def reference(A, B):
    return {"C": A @ B.T}


def flops(m, n, k):
    return 2 * m * n * k
