"""Softmax of wide bf16 rows, each spread over a cluster of four blocks."""

import torch

ENTRY = "cluster_softmax"
SHAPES = [
    dict(rows=3, width=8192),
    dict(rows=2, width=4096),
    dict(rows=2, width=10000),
    dict(rows=3, width=1003),  # odd: an element at a time
    dict(rows=2, width=16),  # two blocks have nothing
    dict(rows=1, width=1),
]
BENCH = [dict(rows=4096, width=32768), dict(rows=4096, width=16384)]


def inputs(rows, width):
    return {"x": torch.randn(rows, width) * 3}


def reference(x):
    return {"out": x.softmax(-1)}
