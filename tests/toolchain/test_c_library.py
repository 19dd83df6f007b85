"""C++ files of one library that start from their header, precompiled."""

from __future__ import annotations

import ctypes

import pytest

from porter.errors import CompileError
from porter.toolchain import c_library, find_toolchain

pytestmark = pytest.mark.skipif(
    not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"
)


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "shared.h").write_text('#pragma once\n#include "deep.h"\ninline int twice(int x) { return 2 * x; }\n')
    (tmp_path / "deep.h").write_text("#pragma once\n#define BASE 20\n")
    (tmp_path / "a.cpp").write_text('#include "shared.h"\nextern "C" int first() { return twice(BASE) + PLUS; }\n')
    (tmp_path / "b.cpp").write_text('#include "shared.h"\nextern "C" int second() { return BASE; }\n')
    (tmp_path / "c.c").write_text("int third(void) { return 3; }\n")
    return [tmp_path / name for name in ("a.cpp", "b.cpp", "c.c")]


def values(path):
    library = ctypes.CDLL(str(path))
    return library.first(), library.second(), library.third()


def test_a_header_read_once(sources):
    header = sources[0].with_name("shared.h")
    made = c_library(sources, ["-DPLUS=2"], header=header)
    assert values(made) == (42, 20, 3)
    assert c_library(sources, ["-DPLUS=2"], header=header) == made
    assert values(c_library(sources, ["-DPLUS=3"], header=header)) == (43, 20, 3)


def test_a_change_of_what_the_header_includes_is_seen(sources):
    header = sources[0].with_name("shared.h")
    assert values(c_library(sources, ["-DPLUS=2"], header=header)) == (42, 20, 3)
    header.with_name("deep.h").write_text("#pragma once\n#define BASE 5 /* another length */\n")
    assert values(c_library(sources, ["-DPLUS=2"], header=header)) == (12, 5, 3)


def test_errors_of_the_header_name_it(sources):
    header = sources[0].with_name("shared.h")
    header.write_text("#pragma once\nint twice(int x) { return y; }\n")
    with pytest.raises(CompileError, match="use of undeclared identifier 'y'"):
        c_library(sources, ["-DPLUS=2"], header=header)
