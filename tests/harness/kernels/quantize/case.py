"""Residual, RMSNorm and fp8."""

import torch

SHAPES = [dict(rows=3, columns=300), dict(rows=1, columns=1), dict(rows=2, columns=1024)]


def inputs(rows, columns):
    return {
        "x": torch.randn(rows, columns),
        "residual": torch.randn(rows, columns),
        "weight": 1 + 0.1 * torch.randn(columns),
        "scale": 16.0,
        "eps": 1e-5,
    }


def reference(x, residual, weight, scale, eps):
    total = x + residual
    normal = total * torch.rsqrt(total.square().mean(1, keepdim=True) + eps)
    return {"residual": total, "out": normal * weight * scale}
