"""nvcc's options in the Makefile beside a source, as far as its text says what make would run."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.buildfiles.make_flags import make_words
from porter.frontend.unit import Options
from porter.port.files.headers import with_compile_commands
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs

COMMON = """GPU ?= NOT_SET
ifeq ($(GPU),NOT_SET)
$(error GPU is not set)
endif
HERE := $(dir $(lastword $(MAKEFILE_LIST)))
ROOT := $(abspath $(HERE)/..)
FLAGS += -std=c++20 -O3 -I${ROOT}/include # all of them
ifeq ($(CONFIG),python)
FLAGS += $(shell python3 -m pybind11 --includes) -DPYTHON
endif
ifeq ($(GPU),B200)
FLAGS += -DBLACKWELL
else ifeq ($(GPU),H100)
FLAGS += -DHOPPER -gencode arch=compute_90a,code=sm_90a
else
$(error Unsupported GPU)
endif
all: $(OUT)
$(OUT): $(SRC)
	$(NVCC) $(SRC) $(FLAGS) -o $(OUT)
ptx: $(SRC)
	$(NVCC) $(SRC) $(FLAGS) -DPTX --ptx -o $(OUT)
NVCC := nvcc
"""
MAKE = [
    ("GPU := H100\nSRC := k.cu\nOUT := k.out\nCONFIG := standalone\ninclude ../common.mk\n", ["HOPPER"]),
    ("GPU := B200\nX := $(subst a,b,-DNO)\nSRC := k.cu\n# SRC := other.cu\nOUT := k\nCONFIG := python\ninclude ../common.mk\n", ["PYTHON", "BLACKWELL"]),
    ("GPU := H100\nSRC := other.cu\nOUT := k\ninclude ../common.mk\n", None),
    ("k: k.cu\n\tnvcc -DA -D B=2 '-DC=\"x y\"' -o k k.cu\n", ["A", "B=2", 'C="x y"']),
    ("CXX = /usr/local/cuda/bin/nvcc\nCUFLAGS = -DA\nifdef DEBUG\nCUFLAGS += -DDEBUG\nelse\nCUFLAGS += -DNDEBUG\nendif\n"
     "%.o: %.cu\n\t@$(CXX) $(CUFLAGS) -c $< -o $@\n", ["A", "NDEBUG"]),
    ("k.o: k.cu\n\tg++ -DHOST other.cpp && nvcc -DA -c k.cu\n", ["A"]),
    ("A = $(B)\nB := -DLATE\nC := $(A)\nB := -DLATER\nk: k.cu\n\tnvcc $(C) $(A) k.cu\n", ["LATE", "LATER"]),
    ("A = $(B) $(B)\nB = $(A) $(A)\nk: k.cu\n\tnvcc $(A) -DX k.cu\n", ["X"]),
    ("debug: FLAGS += -DDEBUG\nFLAGS = -DA\nk: k.cu\n\tnvcc $(FLAGS) $(unknown function,-DX) k.cu\n", ["A"]),
    ("FLAGS = $(addprefix -D,X Y)\nk: k.cu\n\tnvcc $(FLAGS) \\\n\t  -DZ k.cu\n", ["X", "Y", "Z"]),
    ("-include no/such.mk\nk: k.cu\n\tnvcc -DA k.cu\n", ["A"]),
    ("k: k.cu\n\tclang++ -DA k.cu\n", None),
    ("ifneq (,$(findstring x,$(Y)))\nF=-DNO\nelse\nF=-DB\nendif\nendif\nk: k.cu\n\tnvcc -DA $(F) 'k.cu\n", ["A", "B"]),
    ("Y=\nifeq (,$(Y))\nF=-DA\nendif\nifneq \"$(Y)\" 'x'\nF+=-DB\nendif\nifeq x\nF=-DNO\nendif\nk: k.cu\n\tnvcc $(F) k.cu\n", ["A", "B"]),
    ("nothing here", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), MAKE)
def test_the_macros_of_the_command_that_compiles_the_source(
    text: str, expected: list[str] | None, tmp_path: Path
) -> None:
    (tmp_path / "common.mk").write_text(COMMON)
    folder = tmp_path / "kernels"
    folder.mkdir()
    (folder / "Makefile").write_text(text)
    (folder / "k.cu").write_text("")
    words = make_words(folder / "k.cu")
    defines = None if words is None else [
        word[2:] or words[number + 1] for number, word in enumerate(words) if word.startswith("-D")
    ]  # fmt: skip
    assert defines == expected
    if "common.mk" in text and expected:
        assert words is not None and f"-I{tmp_path.parent / 'include'}" in words and "-std=c++20" in words


@pytest.mark.parametrize("name", ["Makefile.k", "k.mk", "makefile-k"])
def test_another_makefile_that_names_the_source_gives_its_macros(name: str, tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("o: o.cu\n\tnvcc -DOTHER o.cu\n")
    (tmp_path / name).write_text("k: k.cu\n\tnvcc -DMINE k.cu\n")
    (tmp_path / "k.cu").touch()
    assert "-DMINE" in (make_words(tmp_path / "k.cu") or ())


def test_a_source_that_no_makefile_names_has_the_folders_of_its_neighbour(tmp_path: Path) -> None:
    """`make SRC=k.cu`: the macros of the other source are not those of this one."""
    (tmp_path / "app").mkdir()
    (tmp_path / "include").mkdir()
    (tmp_path / "include/lib.cuh").write_text("inline int one() { return 1; }\n")
    for name in ("k.cu", "o.cu"):
        (tmp_path / "app" / name).write_text("#include <lib.cuh>\n")
    (tmp_path / "app/Makefile").write_text(
        "HERE := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))\nSRC = o.cu\nx:\n\tnvcc -DOTHER -I$(HERE)/../include $(SRC)\n"
    )
    conversion = Conversion(Options())
    (job, *_) = plan([tmp_path / "app/k.cu"], tmp_path / "out.hip", False, conversion).jobs
    assert job.flags is not None
    assert (job.flags.defines, job.flags.includes) == ((), (str(tmp_path / "include"),))


@pytest.mark.parametrize("defines", [(), ("OWN",)])
def test_a_note_says_what_a_makefile_gave(defines: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("k: k.cu\n\tnvcc -std=c++20 -DA=1 -DB k.cu\n")
    (tmp_path / "k.cu").write_text("#include <cuda_runtime.h>\n")
    conversion = Conversion(Options(defines=defines))
    todo = plan([tmp_path / "k.cu"], tmp_path / "out.hip", False, conversion)
    (port,) = with_compile_commands(todo, run_jobs(todo.jobs, conversion, 1), conversion)
    note = "-D A=1, -D B and -std c++20 are those of its Makefile; give -D to port it for others"
    assert port.notes == (() if defines else (note,))
