"""C = A B in bf16, in ThunderKittens: a producer, two consumers, 2 x 4 tiles of 64 x 64 a block, supergrouped blocks."""

import torch

SOURCE = "tk_matmul.cu"
ENTRY = "tk_matmul"
INCLUDES = ("$THUNDERKITTENS/include",)
DEFINES = ("KITTENS_HOPPER",)
FLAGS = ("-std=c++20",)
SHAPES = [
    dict(m=128, n=256, k=192),  # one block, as many steps as stages
    dict(m=256, n=512, k=64),  # four blocks of one step
    dict(m=200, n=320, k=448),  # tails of rows and of tiles; more steps than stages
    dict(m=1, n=64, k=128),
    dict(m=1100, n=320, k=64),  # nine rows of blocks: a group of eight, and one left
]
BENCH = [dict(m=4096, n=4096, k=4096), dict(m=8192, n=8192, k=8192)]


def inputs(m, n, k):
    return {"A": torch.randn(m, k), "B": torch.randn(k, n)}


def reference(A, B):
    return {"C": A @ B}


def flops(m, n, k):
    return 2 * m * n * k
