"""Softmax over rows; fp16."""

import torch

ENTRY = "softmax_f16"
SHAPES = [
    dict(rows=5, columns=200),
    dict(rows=3, columns=1000),
    dict(rows=4, columns=99),  # an element at a time
    dict(rows=2, columns=2056),  # a block a row
    dict(rows=2, columns=2057),
]
BENCH = [
    dict(rows=rows, columns=columns) for rows, columns in ((65536, 128), (16384, 1024), (4096, 8192), (256, 131072))
]
VALUES = ("normal", "large", "tiny", "denormal", "zeros", "nan")


def inputs(rows, columns):
    return {"x": torch.randn(rows, columns) * 4}


def reference(x):
    return {"out": torch.softmax(x, dim=-1)}


def bytes(rows, columns):
    return rows * columns * 4
