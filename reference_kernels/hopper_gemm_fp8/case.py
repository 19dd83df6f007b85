"""C = A B^T in fp8 (e4m3) with a scale a tensor; bf16 out."""

import torch

ENTRY = "hopper_gemm_fp8"
VARIANTS = {"native": "hopper_gemm_fp8_native.hip"}
SHAPES = [
    dict(m=128, n=256, k=256),
    dict(m=256, n=128, k=1024),  # more steps than stages
    dict(m=100, n=72, k=48),  # less than one step of k
    dict(m=1, n=8, k=512),
    dict(m=70, n=131, k=208),  # an odd width: no stores in pairs
    dict(m=5, n=3, k=16),
]
BENCH = [dict(m=4096, n=4096, k=4096), dict(m=8192, n=8192, k=8192)]
# e4m3 of the chip's own encoding in, f16 out, TFLOP/s: hipBLASLt in short loops, its inputs not said (hibagus/SC25_AMD_CDNA3_Artifact,
# 2025). This case converts CUDA's encoding on its way, and its sums get a scale.
PUBLISHED = [
    dict(m=n, n=n, k=n, board=board, by="hipBLASLt", us=2 * n**3 / tflops / 1e6)
    for n, board, tflops in ((4096, "MI300X", 1189), (8192, "MI300X", 1597), (4096, "MI325X", 1206), (8192, "MI325X", 1710))
]
FIXED = ("scale_a", "scale_b")
VALUES = ("normal", "large", "tiny", "denormal", "zeros", "nan")  # e4m3 has NaN, 0x7f and 0xff


def inputs(m, n, k):
    return {
        "A": torch.randn(m, k) * 8,
        "B": torch.randn(n, k) * 8,
        "scale_a": torch.rand(1) * 0.1 + 0.01,
        "scale_b": torch.rand(1) * 0.1 + 0.01,
    }


def reference(A, B, scale_a, scale_b):
    return {"C": A @ B.T * (scale_a * scale_b)}


def flops(m, n, k):
    return 2 * m * n * k


def baseline(A, B, scale_a, scale_b):
    return {"C": torch._scaled_mm(A, B.T, scale_a, scale_b, out_dtype=torch.bfloat16)}
