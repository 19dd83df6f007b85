"""A filter of nine taps along rows and the rows' sums of squares: loading and filtering warps at named barriers."""

import torch

ENTRY = "filter_rows"
SHAPES = [
    dict(rows=3, width=4096, blocks=0),
    dict(rows=5, width=1024, blocks=2),  # a tile a row, several rows a block
    dict(rows=2, width=3000, blocks=1),  # a last tile that is not full
    dict(rows=4, width=1027, blocks=0),  # rows that do not start on 16 bytes
    dict(rows=3, width=1, blocks=1),
    dict(rows=7, width=2049, blocks=3),
]
BENCH = [dict(rows=8192, width=16384, blocks=0), dict(rows=8192, width=16384, blocks=1056)]
FIXED = ("taps",)


def inputs(rows, width):
    return {"x": torch.randn(rows, width), "taps": torch.randn(9)}


def reference(x, taps):
    padded = torch.nn.functional.pad(x, (4, 4))
    y = sum(taps[t] * padded[:, t : t + x.shape[1]] for t in range(9))
    return {"y": y, "energy": y.square().sum(1)}


def flops(rows, width):
    return 20 * rows * width


def baseline(x, taps):
    y = torch.nn.functional.conv1d(x[:, None], taps[None, None], padding=4)[:, 0]
    return {"y": y, "energy": y.square().sum(1)}
