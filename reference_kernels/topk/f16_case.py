"""The k largest of each row and their columns; fp16."""

import torch

ENTRY = "topk_f16"
SHAPES = [
    dict(rows=3, columns=128, k=8),
    dict(rows=5, columns=77, k=3),
    dict(rows=2, columns=4000, k=32),  # a block a row
]
BENCH = [dict(rows=4096, columns=256, k=8), dict(rows=32, columns=128256, k=32)]
VALUES = ("normal", "large", "tiny", "denormal", "zeros", "nan")


def inputs(rows, columns):
    return {"logits": torch.randn(rows, columns)}  # so few digits that many are equal


def reference(logits, k):
    values, indices = torch.sort(logits, dim=-1, descending=True, stable=True)
    return {"values": values[:, :k], "indices": indices[:, :k].int()}


def bytes(rows, columns, k):
    return rows * (columns * 2 + k * 8)


def baseline(logits, k):
    values, indices = torch.topk(logits, k)
    return {"values": values.float(), "indices": indices.int()}
