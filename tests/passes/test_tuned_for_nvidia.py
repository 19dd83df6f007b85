"""Hints: numbers that were chosen for NVIDIA's chips."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import FileStatus, Safety
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source

KERNEL = "#include <cuda_runtime.h>\n__global__ void k(int *p) { p[0] = 1; }\n"


def hints(text: str, folder: Path) -> list[str]:
    """The texts at the sites that hints are about."""
    path = folder / "a.cu"
    path.write_text(KERNEL + text)
    port = port_source(Project(folder), path, "a.hip", Options(), {})
    assert port.status is FileStatus.PORTED
    of_rule = [f for f in port.findings if f.rule == "tuned-for-nvidia"]
    assert all(f.safety is Safety.HINT and not f.needs_person for f in of_rule)
    return [port.source[f.start : f.end] for f in of_rule]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("#define NUM_SMS 132\n", ["132"]),
        ("static const int kNumSMs{108};\n", ["108"]),
        ("int sm_count = 144;\n", ["144"]),
        ("void f(int *p) { k<<<132 * 2, 64>>>(p); }\n", ["132"]),
        ("bool f(int n) { return n > 49152u; }\n", ["49152u"]),
        ("bool f(int n) { return (48 << 10) < n; }\n", ["48"]),
        ("void f(int *p) { k<<<1, 132>>>(p); }\n", []),
        ("#define ITEMS 132\nint smooth = 132, sms_sent = 132, n = 48 * 1024;\n", []),
        ("__device__ bool d(int n) { return n > 48 * 1024; }\n", []),
    ],
)
def test_sites(text: str, numbers: list[str], tmp_path: Path) -> None:
    assert hints(text, tmp_path) == numbers
