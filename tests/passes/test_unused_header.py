"""Headers of libcu++ that HIP lacks, included for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import Safety
from tests.porting import port

INCLUDES = "#include <cuda/pipeline>\n#include <cuda/semaphore>\n#include <cuda/stream_ref>\n"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("cuda::pipeline<cuda::thread_scope_thread> *b;", []),
        ("cuda::binary_semaphore<cuda::thread_scope_system> *s;", ["cuda/semaphore"]),
        ("void f(cuda::stream_ref);", ["cuda/stream_ref"]),
        ("namespace cs = cuda::std;", []),
        ("namespace nv = cuda;", ["cuda/semaphore", "cuda/stream_ref"]),
        ("using namespace cuda;", ["cuda/semaphore", "cuda/stream_ref"]),
        ("struct binary_semaphore {};", []),
    ],
)
def test_only_what_is_used_is_left(text: str, kept: list[str], tmp_path: Path) -> None:
    result = port(f"{INCLUDES}{text}\n__global__ void k() {{}}\n", tmp_path)
    left = [
        f.message.split()[0] for f in result.findings if f.safety is Safety.LEFT and "counterpart: libcu" in f.message
    ]
    assert left == kept
    assert all(
        (f"#include <{name}>" in result.port) == (name in kept) for name in ("cuda/semaphore", "cuda/stream_ref")
    )
