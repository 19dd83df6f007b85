"""Softmax over rows; float."""

import torch

ENTRY = "softmax_f32"
SHAPES = [
    dict(rows=9, columns=500),  # a warp a row
    dict(rows=6, columns=77),  # an element at a time
    dict(rows=5, columns=1),
    dict(rows=3, columns=32),
    dict(rows=2, columns=1024),
    dict(rows=2, columns=1025),  # a block a row
    dict(rows=2, columns=4100),
]
BENCH = [
    dict(rows=rows, columns=columns) for rows, columns in ((65536, 128), (16384, 1024), (4096, 8192), (256, 131072))
]
VALUES = ("normal", "large", "tiny", "denormal", "zeros", "nan")


def inputs(rows, columns):
    x = torch.randn(rows, columns) * 4
    if columns > 4:
        x[0, : columns // 2] = -torch.inf  # masked
        x[-1, columns // 3 :] = -torch.inf
    return {"x": x}


def reference(x):
    return {"out": torch.softmax(x, dim=-1)}


def bytes(rows, columns):
    return rows * columns * 8
