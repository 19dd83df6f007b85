"""Kernels' names as reports show them."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from porter.perf.launch_report import print_counters
from porter.toolchain.demangle import short_name

NAMES = {
    "twice(int const*, int*, int)": "twice",
    "twice": "twice",
    "void (anonymous namespace)::transpose_tile<32>(float const*, float*, int, int)": "transpose_tile<32>",
    "(anonymous namespace)::fill(float*)": "fill",
    "void ours::(anonymous namespace)::sum<float, (ours::Mode)1>(float*)": "ours::sum<float, (ours::Mode)1>",
    "void each<main::{lambda(int)#1}>(main::{lambda(int)#1}, int)": "each<main::{lambda(int)#1}>",
    "void each<(anonymous namespace)::Add<int>, (2>1)>(int)": "each<Add<int>, (2>1)>",
    "void call<void (*)(int)>(void (*)(int))": "call<void (*)(int)>",
}


@pytest.mark.parametrize(("name", "short"), NAMES.items())
def test_short_name(name: str, short: str) -> None:
    assert short_name(name) == short


def test_counters_name_templates_in_unnamed_namespaces() -> None:
    launch = {
        "kernel": "void (anonymous namespace)::transpose_tile<32>(float const*, float*, int, int)",
        "counts": [["global_load_dword v0, v1, s[0:1]", "a.hip", 3, 1, 64, 2, 256, 0, 0]],
    }
    console = Console(file=io.StringIO(), width=200)
    print_counters([launch], console)
    text = console.file.getvalue()
    assert "transpose_tile<32> " in text and "void" not in text
