"""SwiGLU and quantisation to fp8; fp16."""

import torch

ENTRY = "swiglu_fp8_f16"
SHAPES = [
    dict(rows=5, width=4112),  # a block and a thread
    dict(rows=16, width=6656),
    dict(rows=1, width=16),
    dict(rows=7, width=1000),  # an element at a time
    dict(rows=2, width=1),
]
# The article's rows; 6656 is the width of its benchmark, a Llama 405B layer over eight GPUs.
BENCH = [
    dict(rows=rows, width=width) for width in (6656, 16384) for rows in (1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 2048)
]
FIXED = ("scale",)


def inputs(rows, width):
    return {"gate_up": torch.randn(rows, 2 * width) * 3, "scale": torch.rand(1) * 0.1 + 0.02}


def reference(gate_up, scale):
    gate, up = gate_up.chunk(2, dim=-1)
    return {"out": gate * torch.sigmoid(gate) * up / scale}


def bytes(rows, width):
    return rows * width * 5


def baseline(gate_up, scale):
    gate, up = gate_up.chunk(2, dim=-1)
    out = torch.nn.functional.silu(gate) * up / scale
    return {"out": out.clamp(-448, 448).to(torch.float8_e4m3fn)}
