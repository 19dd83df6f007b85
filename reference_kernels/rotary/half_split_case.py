"""Rotary embedding of q and k in place, pairs (i, i + rotary_dim / 2), 64-bit positions."""

import torch

ENTRY = "rotary_half_split"
POSITIONS = 4096
SHAPES = [
    dict(tokens=5, q_heads=8, k_heads=2, head_size=128, rotary_dim=128),
    dict(tokens=7, q_heads=6, k_heads=3, head_size=64, rotary_dim=32),
    dict(tokens=3, q_heads=5, k_heads=1, head_size=80, rotary_dim=20),
    dict(tokens=1, q_heads=1, k_heads=1, head_size=2, rotary_dim=2),
]
BENCH = [
    dict(tokens=16384, q_heads=32, k_heads=8, head_size=128, rotary_dim=128),
    dict(tokens=64, q_heads=64, k_heads=8, head_size=128, rotary_dim=128),
]
VALUES = ("normal", "large", "tiny", "denormal", "nan")
FIXED = ("cos_sin",)


def inputs(tokens, q_heads, k_heads, head_size, rotary_dim):
    half = rotary_dim // 2
    angles = torch.outer(torch.arange(POSITIONS), 10000.0 ** (-torch.arange(half) / half))
    positions = torch.randint(POSITIONS, (tokens,))
    return {
        "q": torch.randn(tokens, q_heads, head_size),
        "k": torch.randn(tokens, k_heads, head_size),
        "cos_sin": torch.cat((angles.cos(), angles.sin()), dim=1),
        "positions": positions,
    }


def turn(x, cos, sin):
    half = cos.shape[-1]
    a, b = x[..., :half], x[..., half : 2 * half]
    return torch.cat((a * cos - b * sin, b * cos + a * sin, x[..., 2 * half :]), dim=-1)


def reference(q, k, cos_sin, positions):
    cos, sin = cos_sin[positions.long()][:, None].chunk(2, dim=-1)
    return {"q": turn(q, cos, sin), "k": turn(k, cos, sin)}


def flops(tokens, q_heads, k_heads, rotary_dim):
    return 3 * tokens * (q_heads + k_heads) * rotary_dim
