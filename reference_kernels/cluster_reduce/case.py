"""RMS norm of wide bf16 rows, each spread over a cluster whose size is given at launch."""

import torch

ENTRY = "cluster_rmsnorm"
SHAPES = [
    dict(rows=3, width=8192, blocks=4),
    dict(rows=2, width=4096, blocks=2),
    dict(rows=2, width=10000, blocks=8),
    dict(rows=3, width=1003, blocks=4),  # odd: an element at a time
    dict(rows=2, width=16, blocks=4),  # two blocks have nothing
    dict(rows=2, width=520, blocks=1),
]
BENCH = [dict(rows=4096, width=32768, blocks=blocks) for blocks in (4, 8)] + [dict(rows=256, width=65536, blocks=8)]
FIXED = ("weight",)


def inputs(rows, width):
    return {"x": torch.randn(rows, width), "weight": torch.randn(width), "epsilon": 1e-5}


def reference(x, weight, epsilon):
    return {"out": x * torch.rsqrt(x.square().mean(-1, keepdim=True) + epsilon) * weight}


def baseline(x, weight, epsilon):
    return {"out": torch.nn.functional.rms_norm(x, weight.shape, weight, epsilon)}
