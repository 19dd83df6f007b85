"""A histogram whose bins are spread over the shared memory of a cluster."""

import torch

ENTRY = "cluster_histogram"
SHAPES = [
    dict(count=5000, bins=1000, blocks=4, clusters=3),
    dict(count=777, bins=100, blocks=8, clusters=1),
    dict(count=3000, bins=5, blocks=2, clusters=5),
    dict(count=1, bins=1, blocks=1, clusters=1),
    dict(count=4000, bins=4097, blocks=3, clusters=3),
]
BENCH = [
    dict(count=1 << 22, bins=8192, blocks=4, clusters=76),
    dict(count=1 << 26, bins=65536, blocks=8, clusters=38),
]


def inputs(count, bins):
    return {"values": torch.randint(0, bins, (count,), dtype=torch.int32), "out": torch.zeros(bins, dtype=torch.int32)}


def reference(values, bins):
    return {"out": torch.bincount(values.long(), minlength=bins).int()}
