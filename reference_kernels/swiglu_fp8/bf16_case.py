"""SwiGLU and quantisation to fp8; bf16."""

import torch

ENTRY = "swiglu_fp8_bf16"
SHAPES = [
    dict(rows=3, width=6656),
    dict(rows=7, width=999),  # an element at a time
]
BENCH = [dict(rows=rows, width=6656) for rows in (1, 16, 256, 2048)]
FIXED = ("scale",)


def inputs(rows, width):
    return {"gate_up": torch.randn(rows, 2 * width) * 3, "scale": torch.rand(1) * 0.1 + 0.02}


def reference(gate_up, scale):
    gate, up = gate_up.chunk(2, dim=-1)
    return {"out": gate * torch.sigmoid(gate) * up / scale}


def bytes(rows, width):
    return rows * width * 5
