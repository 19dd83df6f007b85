"""C = A B^T in bf16 with f32 sums: clusters of two blocks, B by multicast, arrivals at the other block's barriers."""

import torch

ENTRY = "hopper_gemm_cluster"
VARIANTS = {"native": "hopper_gemm_cluster_native.hip"}
SHAPES = [
    dict(m=128, n=256, k=128),
    dict(m=128, n=128, k=320),  # one cluster, more steps than stages
    dict(m=64, n=128, k=64),  # the second block of the cluster has no rows
    dict(m=320, n=136, k=200),  # five rows of tiles: an odd number of blocks with work; tails
    dict(m=1, n=8, k=712),  # one row, many steps
    dict(m=65, n=131, k=264),  # an odd width: no stores in pairs
]
BENCH = [dict(m=4096, n=4096, k=4096), dict(m=8192, n=8192, k=8192)]
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
