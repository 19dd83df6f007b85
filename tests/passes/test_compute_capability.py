"""The compute capability that a program reads from the device: gfx942 says 9.4, the source was written for Hopper's 9.0."""

from __future__ import annotations

from pathlib import Path

import pytest
from porting import port

SOURCE = """#include <cstdio>
#include <cuda_runtime.h>
int f(int device, char *text) {{
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);
  int least = 9;
  {statement}
  return 0;
}}
"""


def ported(statement: str, folder: Path) -> tuple[str, bool]:
    """The statement's line in the port, and whether a person must look at it."""
    result = port(SOURCE.format(statement=statement), folder, parse=True)
    line = next(line for line in result.port.splitlines() if "prop.m" in line and "porter[" not in line)
    return line.strip(), any(finding.needs_person for finding in result.findings)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("if (prop.major < 1) return 1;", "if (prop.major < 1) return 1;"),
        ("if (prop.major < least) return 1;", "if (prop.major < least) return 1;"),
        ("if (prop.major == 9 && prop.minor == 0) return 1;", "if (prop.major == 9 && 0 /* prop.minor */ == 0) return 1;"),
        ("least = prop.major * 10 + prop.minor;", "least = prop.major * 10 + 0 /* prop.minor */;"),
        ("return f(prop.major * 100 + prop.minor * 10, text);", "return f(prop.major * 100 + 0 /* prop.minor */ * 10, text);"),
        ("printf(\"%d.%d\", prop.major, prop.minor);", "printf(\"%d.%d\", prop.major, prop.minor);"),
        ("fprintf(stderr, \"%d\", prop.minor);", "fprintf(stderr, \"%d\", prop.minor);"),
    ],
)  # fmt: skip
def test_the_port_decides_as_the_source_does_on_hopper(statement: str, expected: str, tmp_path: Path) -> None:
    assert ported(statement, tmp_path) == (expected, False)


@pytest.mark.parametrize(
    "statement",
    [
        "least = prop.minor;",
        "if (prop.minor < least) return 1;",
        "sprintf(text, \"sm_%d\", prop.minor);",
        "least = prop.minor + 10 * device;",
    ],
)  # fmt: skip
def test_another_use_of_the_minor_number_is_for_review(statement: str, tmp_path: Path) -> None:
    assert ported(statement, tmp_path) == (statement, True)
