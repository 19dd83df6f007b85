"""Gradient descent with momentum, in place: bulk copies in, bulk copies out, a ring of mbarriers."""

import torch

ENTRY = "sgd_momentum"
SHAPES = [
    dict(n=8192, blocks=0),
    dict(n=20000, blocks=2),  # ten stages a block, the last not full
    dict(n=1024, blocks=0),
    dict(n=9999, blocks=1),  # and elements outside of any copy
    dict(n=5, blocks=0),  # no copy at all
    dict(n=3080, blocks=3),
]
BENCH = [dict(n=1 << 28, blocks=0), dict(n=1 << 24, blocks=0)]


def inputs(n):
    return {
        "param": torch.randn(n),
        "momentum": torch.randn(n),
        "grad": torch.randn(n),
        "rate": 0.1,
        "mu": 0.9,
        "decay": 0.01,
    }


def reference(param, momentum, grad, rate, mu, decay):
    momentum = mu * momentum + grad + decay * param
    return {"param": param - rate * momentum, "momentum": momentum}


def bytes(n):
    return n * (4 * 4 + 2)


def flops(n):
    return 6 * n
