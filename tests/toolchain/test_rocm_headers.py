"""ROCm's libraries of headers alone: found in an installation and in clones, and taken in place of the stand-ins."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import porter

from porter.errors import UsageError
from porter.paths import RUNTIME_INCLUDE
from porter.toolchain import Options, device_assembly, find_toolchain
from porter.toolchain.rocm_headers import found_rocm_headers, rocm_header_flags, rocm_headers

TEMPLATE = "#define {0}_VERSION @{1}_VERSION_MAJOR@ * 100000 + @{1}_VERSION_MINOR@ * 100 + @{1}_VERSION_PATCH@\n"


def put(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    include = tmp_path / "rocm" / "include"
    put(include / "rocprim" / "rocprim.hpp", "#define ROCMS_OWN 1\n")
    put(include / "rocprim" / "rocprim_version.hpp", "#define ROCPRIM_VERSION 4 * 100000 + 1 * 100 + 2\n")
    put(include / "thrust" / "system" / "hip" / "config.h")
    put(include / "thrust" / "sort.h", "#define SORT_IS_ROCMS 1\n")
    put(include / "hip" / "hip_runtime.h", "#error of another release\n")
    return tmp_path / "rocm"


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    folder = tmp_path / "clones"
    put(folder / "rocPRIM" / "CMakeLists.txt", 'cmake_minimum_required(VERSION 3.16)\nset(VERSION_STRING "3.3.1")\n')
    put(
        folder / "rocPRIM" / "rocprim" / "include" / "rocprim" / "rocprim.hpp",
        "#include <rocprim/rocprim_version.hpp>\n",
    )
    put(
        folder / "rocPRIM" / "rocprim" / "include" / "rocprim" / "rocprim_version.hpp.in",
        TEMPLATE.format("ROCPRIM", "rocprim"),
    )
    put(folder / "rocThrust" / "CMakeLists.txt", 'rocm_setup_version(VERSION "3.2.0")\n')
    put(folder / "rocThrust" / "thrust" / "system" / "hip" / "config.h")
    put(folder / "rocThrust" / "thrust" / "rocthrust_version.hpp.in", TEMPLATE.format("ROCTHRUST", "rocthrust"))
    return folder


def test_an_installation_and_its_folder_of_headers(installed: Path) -> None:
    for folder in (installed, installed / "include"):
        assert [str(library) for library in rocm_headers(folder)] == ["rocprim 4.1.2", "thrust"]
        assert rocm_header_flags(folder)[2:] == ()


def test_clones_get_the_headers_that_cmake_would_write(clones: Path) -> None:
    assert [str(library) for library in rocm_headers(clones)] == ["rocprim 3.3.1", "thrust 3.2.0"]
    _, tree, *older = rocm_header_flags(clones)
    assert "3 * 100000 + 3 * 100 + 1" in Path(tree, "rocprim", "rocprim_version.hpp").read_text()
    assert (
        Path(tree, "rocprim", "rocprim.hpp").is_file() and Path(tree, "thrust", "system", "hip", "config.h").is_file()
    )
    assert older == ["-include", "chrono"]
    assert not list(clones.rglob("*_version.hpp"))
    assert rocm_header_flags(clones)[1] == tree


def test_porters_own_headers_are_no_library_of_rocm(tmp_path: Path) -> None:
    for folder in (tmp_path, RUNTIME_INCLUDE, RUNTIME_INCLUDE.parent):
        with pytest.raises(UsageError, match="no library of ROCm that is headers alone"):
            rocm_headers(folder)


def test_they_are_found_where_rocm_is(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROCM_PATH", str(installed))
    assert [library.name for library in found_rocm_headers()] == ["rocprim", "thrust"]
    monkeypatch.setenv("PORTER_ROCM_HEADERS", str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="nowhere"):
        rocm_header_flags()


@pytest.mark.skipif(not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}")
def test_the_libraries_are_taken_and_nothing_else_of_the_folder(installed: Path, tmp_path: Path) -> None:
    source = tmp_path / "a.hip"
    source.write_text(
        "#include <hip/hip_runtime.h>\n#include <rocprim/rocprim.hpp>\n#include <thrust/sort.h>\n#include <hipcub/hipcub.hpp>\n"
        "static_assert(ROCMS_OWN && SORT_IS_ROCMS);\nusing Standin = hipcub::BlockReduce<int, 64>;\n"
    )
    assert device_assembly(source, Options(level="0", flags=rocm_header_flags(installed))).is_file()


def test_commands_take_the_folder(installed: Path, tmp_path: Path) -> None:
    source = tmp_path / "main.hip"
    source.write_text("#include <rocprim/rocprim.hpp>\nint main() { return ROCMS_OWN + 4; }\n")
    assert porter("run", "--emulate", "--rocm-headers", installed, source).returncode == 5
    refused = porter("run", "--emulate", "--rocm-headers", tmp_path / "none", source)
    assert refused.returncode == 2 and "no library of ROCm that is headers alone" in refused.stderr
    told = porter("doctor", env={"ROCM_PATH": str(installed)})
    assert f"rocprim 4.1.2, thrust ({installed}/include)" in told.stdout
