"""Residual add, RMSNorm and quantisation to fp8; fp16."""

import torch

ENTRY = "rmsnorm_fp8_f16"
SHAPES = [
    dict(rows=3, width=2056),  # vectors, with a tail
    dict(rows=5, width=64),  # most threads have nothing
    dict(rows=2, width=6000),
    dict(rows=2, width=16384),  # the widest that stays in registers
    dict(rows=3, width=333),  # odd: an element at a time
    dict(rows=1, width=16392),  # too wide for registers
]
BENCH = [dict(rows=rows, width=16384) for rows in (1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 2048)]
# Kernel times of vLLM and of torch on fp16 rows of this width (a public article on custom kernels for vLLM)
PUBLISHED = [
    dict(rows=rows, width=16384, board="MI300X", by=by, us=us)
    for rows, vllm, torch_us in (
        (1, 5.51, 38.9), (2, 5.66, 43.2), (4, 5.69, 41.1), (8, 5.72, 43.9), (16, 5.86, 46.9), (32, 6.09, 55.2),
        (64, 6.46, 75.6), (128, 7.49, 98.1), (256, 11.9, 119.7), (1024, 44.8, 355.4), (2048, 81.2, 671.5),
    )
    for by, us in (("vLLM", vllm), ("torch", torch_us))
]
FIXED = ("scale", "weight")
EPSILON = 1e-5


def inputs(rows, width):
    return {
        "x": torch.randn(rows, width),
        "residual": torch.randn(rows, width),
        "weight": torch.randn(width),
        "scale": torch.rand(1) * 0.05 + 0.01,
        "epsilon": EPSILON,
    }


def reference(x, residual, weight, scale):
    kept = (x + residual).half().double()  # the norm is that of the rounded sum
    norm = kept * torch.rsqrt(kept.square().mean(-1, keepdim=True) + EPSILON)
    return {"residual": kept, "out": norm * weight / scale}


def bytes(rows, width):
    return rows * width * (3 * 2 + 1) + 2 * width


def baseline(x, residual, weight, scale):
    kept = x + residual
    norm = torch.nn.functional.rms_norm(kept.float(), kept.shape[-1:], weight.float(), EPSILON)
    return {"residual": kept, "out": (norm / scale).clamp(-448, 448).to(torch.float8_e4m3fn)}
