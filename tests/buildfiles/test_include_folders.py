"""The folders for headers that Makefiles and CMake files name."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.buildfiles.include_folders import folders_of_build_files, include_folders

MAKE = [
    ("a: a.cu\n\tnvcc -I include -Ilib/inc -c a.cu\n", ["include", "lib/inc"]),
    ("CFLAGS := -I../common -O3\na: a.cu\n\tnvcc $(CFLAGS) a.cu\n", ["../common"]),
    ("TOP = ..\nCFLAGS += -isystem $(TOP)/common\n", ["../common"]),
    ("CFLAGS = -I$(CURDIR)/include -I. -I$(CUDA_HOME)/include -I/usr/include\n", ["include", "."]),
    ("DIRS = include lib/inc\nCFLAGS = $(addprefix -I,$(DIRS))\n", ["include", "lib/inc"]),
    ("DIRS = include lib/inc\nCFLAGS = $(DIRS:%=-I%)\n", ["include", "lib/inc"]),
    ("CFLAGS = --include-path=include -Ino/such -MMD -std=c++17\n", ["include"]),
    ("CFLAGS = -I../cuda\n", []),  # a toolkit
]
CMAKE = [
    ("include_directories(include ../common)\n", ["include", "../common"]),
    (
        "target_include_directories(app SYSTEM PRIVATE include PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/lib/inc)",
        ["include", "lib/inc"],
    ),
    ("set(DIRS include lib/inc)\ntarget_include_directories(app PRIVATE ${DIRS})", ["include", "lib/inc"]),
    (
        "target_include_directories(app PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/common> $<INSTALL_INTERFACE:x>)",
        ["../common"],
    ),
    ('set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -Iinclude")\n', ["include"]),
    ("# include_directories(include)\ninclude_directories(${CUDA_INCLUDE_DIRS})\n", []),
]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for folder in ("common", "cuda", "app/include", "app/lib/inc"):
        (tmp_path / folder).mkdir(parents=True)
    for header in ("cuda.h", "cuda_runtime.h"):
        (tmp_path / "cuda" / header).touch()
    (tmp_path / "CMakeLists.txt").touch()
    return tmp_path / "app"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [("Makefile", *case) for case in MAKE] + [("CMakeLists.txt", *case) for case in CMAKE],
)
def test_include_folders(tree: Path, name: str, text: str, expected: list[str]) -> None:
    assert sorted(f.resolve() for f in include_folders(tree / name, text)) == sorted(
        (tree / e).resolve() for e in expected
    )


def test_of_a_relative_tree(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree.parent)
    (tree / "CMakeLists.txt").write_text("include_directories(${PROJECT_SOURCE_DIR}/common include)")
    files = [Path("app/CMakeLists.txt"), Path("app/none.txt"), Path("app/GNUmakefile.gone")]
    assert folders_of_build_files(files) == {Path("common"): (Path("app"),), Path("app/include"): (Path("app"),)}
