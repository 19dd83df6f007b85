"""Row sums, and how many elements of each row are below zero."""

import torch

ENTRY = "warp_reduce_rows"
SHAPES = [
    dict(rows=1, columns=1),
    dict(rows=3, columns=31),
    dict(rows=7, columns=257),
    dict(rows=16, columns=1024),
    dict(rows=5, columns=4099),
]
BENCH = [dict(rows=16384, columns=8192), dict(rows=131072, columns=1000)]
VALUES = ("normal", "large", "tiny", "denormal", "nan")


def inputs(rows, columns):
    return {"matrix": torch.randn(rows, columns)}


def reference(matrix):
    return {"out": matrix.sum(dim=1), "negatives": (matrix < 0).sum(dim=1, dtype=torch.int32)}
