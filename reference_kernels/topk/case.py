"""The k largest of each row and their columns; float."""

import torch

ENTRY = "topk_f32"
SHAPES = [
    dict(rows=6, columns=300, k=32),
    dict(rows=5, columns=64, k=8),
    dict(rows=3, columns=256, k=6),
    dict(rows=1, columns=1, k=1),
    dict(rows=6, columns=101, k=32),
    dict(rows=2, columns=2048, k=4),
    dict(rows=2, columns=2049, k=32),  # a block a row
    dict(rows=1, columns=8000, k=20),
]
BENCH = [
    *(dict(rows=rows, columns=256, k=8) for rows in (1, 128, 4096, 65536)),
    *(dict(rows=rows, columns=128256, k=32) for rows in (1, 32, 256)),
]
VALUES = ("normal", "large", "tiny", "denormal", "zeros", "nan")


def inputs(rows, columns):
    x = torch.randn(rows, columns)
    return {"logits": torch.where(torch.rand(rows, columns) < 0.5, (x * 4).round() / 4, x)}  # many equal numbers


def reference(logits, k):
    values, indices = torch.sort(logits, dim=-1, descending=True, stable=True)  # topk leaves open which of equals
    return {"values": values[:, :k], "indices": indices[:, :k].int()}


def bytes(rows, columns, k):
    return rows * (columns * 4 + k * 8)


def baseline(logits, k):
    values, indices = torch.topk(logits, k)
    return {"values": values, "indices": indices.int()}
