"""Transpose by a 32 x 33 tile: the padding spreads a column over all banks."""

import torch

ENTRY = "transpose_padded"
SHAPES = [
    dict(rows=64, columns=128),
    dict(rows=33, columns=65),
    dict(rows=100, columns=36),
    dict(rows=1, columns=7),
    dict(rows=130, columns=97),
]
BENCH = [dict(rows=8192, columns=8192), dict(rows=4095, columns=8193)]
VALUES = ("normal", "large", "tiny", "denormal", "nan")  # bits are moved, nothing is computed


def inputs(rows, columns):
    return {"matrix": torch.randn(rows, columns)}


def reference(matrix):
    return {"out": matrix.T}


def baseline(matrix):
    return {"out": matrix.T.contiguous()}
