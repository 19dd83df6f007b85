"""Residual add, RMSNorm and quantisation to fp8; bf16."""

import torch

ENTRY = "rmsnorm_fp8_bf16"
SHAPES = [
    dict(rows=3, width=2056),  # vectors, with a tail
    dict(rows=5, width=64),  # most threads have nothing
    dict(rows=2, width=6000),
    dict(rows=2, width=16384),  # the widest that stays in registers
    dict(rows=3, width=333),  # odd: an element at a time
    dict(rows=1, width=16392),  # too wide for registers
]
BENCH = [dict(rows=rows, width=16384) for rows in (1, 16, 256, 2048)]
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
    kept = (x + residual).bfloat16().double()  # the norm is that of the rounded sum
    norm = kept * torch.rsqrt(kept.square().mean(-1, keepdim=True) + EPSILON)
    return {"residual": kept, "out": norm * weight / scale}


def bytes(rows, width):
    return rows * width * (3 * 2 + 1) + 2 * width


def baseline(x, residual, weight, scale):
    kept = x + residual
    norm = torch.nn.functional.rms_norm(kept.float(), kept.shape[-1:], weight.float(), EPSILON)
    return {"residual": kept, "out": (norm / scale).clamp(-448, 448).to(torch.float8_e4m3fn)}
