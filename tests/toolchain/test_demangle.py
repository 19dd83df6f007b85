"""Kernels' names as reports show them."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from porter.perf.launch_report import print_counters
from porter.toolchain.demangle import brief_name, demangle, short_name

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


LONG = {
    "void n::kernel<Traits<cutlass::bfloat16_t>, Params<cute::tuple<int, int>, (3>2), void (*)(int), {lambda(int)#1}>>(Params<int>)": "n::kernel<...>",
    "void (anonymous namespace)::kernel<Traits<cutlass::bfloat16_t>, Params<cute::tuple<int, int>>>(int)": "kernel<...>",
    "ours::of<Traits<cutlass::bfloat16_t>, Params<cute::tuple<int, int>>>::kernel<4>(int)": "ours::of<...>::kernel<...>",
    "void each<(anonymous namespace)::Add<int>, (2>1)>(int)": "each<Add<int>, (2>1)>",
}


@pytest.mark.parametrize(("name", "brief"), LONG.items())
def test_brief_name(name: str, brief: str) -> None:
    assert brief_name(name) == brief


@pytest.mark.parametrize("width", [70, 80])
def test_counters_cut_no_number_off(width: int) -> None:
    row = ["global_load_dword v0, v1, s[0:1]", "a/file_with_a_very_long_name_indeed.hip", 3123]
    launch = {"kernel": next(iter(LONG)), "counts": [[*row, 123456, 123456, 64 * 123456, 2560000, 0, 0, 12300, 11000]]}
    console = Console(file=io.StringIO(), width=width)
    print_counters([launch], console)
    text = console.file.getvalue()
    assert "…" not in text and all(number in text for number in ("123.5k", "2.6M", "12.3k", "89%"))


def test_counters_name_templates_in_unnamed_namespaces() -> None:
    launch = {
        "kernel": "void (anonymous namespace)::transpose_tile<32>(float const*, float*, int, int)",
        "counts": [["global_load_dword v0, v1, s[0:1]", "a.hip", 3, 1, 64, 2, 256, 0, 0]],
    }
    console = Console(file=io.StringIO(), width=200)
    print_counters([launch], console)
    text = console.file.getvalue()
    assert "transpose_tile<32> " in text and "void" not in text


@pytest.mark.parametrize(
    "mangled, said",
    [
        ("_Z9mm_kernelPKDF16_S0_Pfiii", "mm_kernel(_Float16 const*, _Float16 const*, float*, int, int, int)"),
        ("_Z1kPDF16b", "k(__bf16*)"),
        ("_Z7kDF16_xPDv4_DF16_S0_", "kDF16_x(_Float16 __vector(4)*, _Float16 __vector(4)*)"),
        ("_Z1kIDF16_Li64EEvPT_", "void k<_Float16, 64>(_Float16*)"),
    ],
)
def test_types_that_older_libraries_do_not_know(mangled: str, said: str) -> None:
    assert demangle(mangled) == said
