"""Build files: the rules' examples, whole files, and what make and CMake say about the ports."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porter.buildfiles import Renames, recognise
from porter.buildfiles.cmake_lexer import lex_cmake
from porter.buildfiles.flags import FlagContext, port_flags
from porter.buildfiles.make_lexer import lex_make
from porter.buildfiles.tables import tables
from porter.findings import Finding, Safety
from porter.port.edits.rewrite import rewrite
from porter.rules import builtin_rules_dir

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found,unused-ignore]

FILES = {"make": "Makefile", "cmake": "CMakeLists.txt", "python": "setup.py"}
RULES = {
    path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted((builtin_rules_dir() / "build").glob("*.toml"))
}


def port(name: str, text: str, renames: dict[str, str] | None = None, folder: str = "") -> tuple[str, list[Finding]]:
    porter = recognise(PurePath(name), text)
    assert porter is not None, name
    findings = porter(text, Renames("gfx942", renames or {}, folder))
    done = rewrite(text, findings)
    assert not [f for f in done.findings if "not applied" in f.message], "edits overlap"
    return done.text, findings


def ported(name: str, text: str, renames: dict[str, str] | None = None, folder: str = "") -> str:
    """The port, after the promises that hold for every file: settled, and only edited bytes differ."""
    result, findings = port(name, text, renames, folder)
    after = {new: new for new in (renames or {}).values()}
    again, more = port(name, result, after, folder)
    assert again == result
    assert not [f for f in more if f.edits]
    edits = sorted({e for f in findings for e in f.edits}, key=lambda e: (e.start, e.end))
    at = 0
    for edit in edits:  # every stretch between two edits must come out as it went in
        assert text[at : edit.start] in result
        at = max(at, edit.end)
    return result


def rules_of(findings: list[Finding], safety: Safety) -> set[str]:
    return {f.rule for f in findings if f.safety is safety}


# --- the rules


def examples(kind: str) -> list[tuple[str, dict[str, object], dict[str, object]]]:
    return [(name, rule, item) for name, rule in RULES.items() for item in rule.get(kind, ())]


def _setting(rule: dict[str, object], item: dict[str, object]) -> tuple[str, dict[str, str]]:
    options = item.get("options", {})
    assert isinstance(options, dict)
    return options.get("file", FILES[str(rule["language"])]), options.get("renames", {})


@pytest.mark.parametrize(("name", "rule", "item"), examples("example"))
def test_rule_example(name: str, rule: dict[str, object], item: dict[str, object]) -> None:
    file, renames = _setting(rule, item)
    before = str(item["before"])
    assert ported(file, before, renames) == item["after"]
    assert name in {f.rule for f in port(file, before, renames)[1]}


@pytest.mark.parametrize(("name", "rule", "item"), examples("unchanged"))
def test_rule_unchanged(name: str, rule: dict[str, object], item: dict[str, object]) -> None:
    file, renames = _setting(rule, item)
    source = str(item["source"])
    assert ported(file, source, renames) == source
    safeties = {f.safety for f in port(file, source, renames)[1]}
    assert safeties <= {Safety.LEFT, Safety.REVIEW}


def test_every_rule_id_is_a_rule() -> None:
    source = "".join(p.read_text("utf-8") for p in Path(recognise.__code__.co_filename).parent.glob("*.py"))
    used = set(re.findall(r'"(build-[\w-]+)"', source))
    assert used == set(RULES) == {r["id"] for r in RULES.values()}


def test_every_rule_says_what_it_must_not_touch() -> None:
    for name, rule in RULES.items():
        assert rule.get("unchanged"), name
        assert rule["safety"] == "left" or rule.get("example") or name == "build-dual", name


# --- flags: the facts shared by all


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("-arch=sm_90a -O3", "--offload-arch=gfx942 -O3"),
        ("-arch sm_80", "--offload-arch=gfx942"),
        ("-gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=compute_90", "--offload-arch=gfx942"),
        ("-Xcompiler -fPIC,-Wall", "-fPIC -Wall"),
        ("-Xcompiler=$(CXXFLAGS)", "$(CXXFLAGS)"),
        ("-Xptxas -v", "-Rpass-analysis=kernel-resource-usage"),
        ("-Xptxas=-O3,-dlcm=ca", ""),
        ("--ptxas-options=-v --resource-usage", "-Rpass-analysis=kernel-resource-usage"),
        ("--expt-relaxed-constexpr --extended-lambda", ""),
        ("-lineinfo -rdc=true", "-gline-tables-only -fgpu-rdc"),
        ("--default-stream per-thread", "-fgpu-default-stream=per-thread"),
        ("-fmad=false -prec-div=false", "-ffp-contract=off -fno-hip-fp32-correctly-rounded-divide-sqrt"),
        ("-ccbin g++ --threads 4 -std c++17 -x cu -m64", "-std=c++17 -x hip -m64"),
        ("-lcudart -lcublas -l cufft -lm", "-lamdhip64 -lhipblas -lhipfft -lm"),
        ("-Xlinker -rpath -Xlinker /x", "-Wl,-rpath -Wl,/x"),
        ("-diag-suppress 177 -Werror all-warnings", "-Werror"),
        ("-G -g -O0", "-g -O0"),
        ("-O3 -ftz=false -prec-div=true --prec-sqrt=true -fmad=true -rdc=false -default-stream legacy", "-O3"),
        (
            "-use_fast_math -ftz=false",
            "-fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt -fgpu-approx-transcendentals "
            "-fno-gpu-flush-denormals-to-zero",
        ),
        ("$(FLAGS) -fmad=true", "$(FLAGS) -ffp-contract=fast"),
        ("/usr/local/cuda/lib64/libcudart.so", "/opt/rocm/lib/libamdhip64.so"),
    ],
)
def test_flags(before: str, after: str) -> None:
    words = before.split()
    for change in reversed(port_flags(words, FlagContext("gfx942", nvcc=True))):
        assert change.words is not None
        words[change.first : change.last] = change.words
    assert " ".join(words) == after


def test_ambiguous_flags_wait_for_nvcc() -> None:
    assert not port_flags(["-t", "4", "-G", "-dc", "-x", "cu", "-keep"], FlagContext("gfx942"))


def test_flags_that_stay() -> None:
    changes = port_flags(
        ["-maxrregcount=32", "-Xptxas=-maxrregcount=64", "-lnvidia-ml", "-lnppig"], FlagContext("gfx942", nvcc=True)
    )
    assert [c.words for c in changes] == [None] * 4
    assert all(c.safety is Safety.LEFT for c in changes)
    assert "__launch_bounds__" in changes[0].message


def test_tables_are_consistent() -> None:
    for row in tables().libraries.values():
        assert row.target or row.safety is Safety.LEFT or not row.hip
        assert row.note
    for flag in (*tables().flags.values(), *tables().ptxas.values()):
        assert (flag.hipcc is None) == (flag.safety is Safety.LEFT), flag
        assert flag.note


def test_clang_knows_every_flag(tmp_path: Path) -> None:
    """One dry run with all of the table's right-hand sides: none is unknown."""
    pytest.importorskip("ziglang")
    rows = (*tables().flags.values(), *tables().ptxas.values())
    words = {
        " ".join(row.hipcc).replace("{}", VALUES.get(row.nvcc, "x"))
        for row in rows
        if row.hipcc and row.kind in ("switch", "value", "apart", "ptxas-word", "arch") and row.nvcc not in HIPCC_ALONE
    }
    source = tmp_path / "k.hip"
    source.write_text("")
    command = [sys.executable, "-m", "ziglang", "clang", "-###", "-nogpuinc", "-nogpulib"]
    flags = [part for word in sorted(words) for part in word.split()]
    done = subprocess.run([*command, *flags, "-x", "hip", "-c", str(source)], capture_output=True, text=True)
    assert not re.findall(r"(?:error|unknown|unsupported).*", "\n".join(
        line for line in done.stderr.splitlines() if line.startswith("zig:")
    ))  # fmt: skip


VALUES = {
    "std": "c++17", "default-stream": "per-thread", "machine": "64", "-m": "64", "-x": "hip", "arch": "gfx942",
    "gpu-architecture": "gfx942", "gencode": "gfx942", "generate-code": "gfx942", "optimize": "2",
}  # fmt: skip
# hipcc's own, a response file, and what needs ROCm's folders
HIPCC_ALONE = {"ptx", "cubin", "fatbin", "optf", "options-file", "stdpar=gpu", "output-file", "dlto", "dlink-time-opt"}


# --- Makefiles

SAMPLE_MAKEFILE = """\
# Compiler: nvcc for sm_70
CUDA_HOME ?= /usr/local/cuda
NVCC      := $(CUDA_HOME)/bin/nvcc
ARCH       = sm_80
SRC_DIR    = src
CU_SRCS   := $(wildcard $(SRC_DIR)/*.cu)
OBJS      := $(CU_SRCS:.cu=.o) host.o

NVCCFLAGS  = -std=c++17 -O3 -Xcompiler -Wall \\
             -arch=$(ARCH) \\
             --expt-relaxed-constexpr \\
             -I$(CUDA_HOME)/include
CXXFLAGS   = -O2 -I$(CUDA_HOME)/include
LDLIBS     = -L$(CUDA_HOME)/lib64 -lcudart -lcublas -lm

ifeq ($(DEBUG),1)
  NVCCFLAGS += -G -g -Xptxas -v
endif

app: $(OBJS)
\t$(NVCC) $(NVCCFLAGS) $^ -o $@ $(LDLIBS)

%.o: %.cu
\t$(NVCC) $(NVCCFLAGS) -c $< -o $@  # main.cu

host.o: host.cpp
\tg++ $(CXXFLAGS) -c $< -o $@
"""
SAMPLE_RENAMES = {"src/main.cu": "src/main.hip", "src/k.cu": "src/k.hip"}


def test_makefile_whole() -> None:
    result = ported("Makefile", SAMPLE_MAKEFILE, SAMPLE_RENAMES)
    assert result == (
        SAMPLE_MAKEFILE.replace("CUDA_HOME ?= /usr/local/cuda", "ROCM_PATH ?= /opt/rocm")
        .replace("$(CUDA_HOME)/bin/nvcc", "$(ROCM_PATH)/bin/hipcc")
        .replace("ARCH       = sm_80", "ARCH       = gfx942")
        .replace("*.cu)", "*.hip)")
        .replace(":.cu=.o", ":.hip=.o")
        .replace("-Xcompiler -Wall", "-Wall")
        .replace("-arch=$(ARCH)", "--offload-arch=$(ARCH)")
        .replace("             --expt-relaxed-constexpr \\\n", "")
        .replace("-O2 -I$(CUDA_HOME)/include", "-O2 -I$(ROCM_PATH)/include -D__HIP_PLATFORM_AMD__")
        .replace("-I$(CUDA_HOME)/include", "-I$(ROCM_PATH)/include")
        .replace("-L$(CUDA_HOME)/lib64 -lcudart -lcublas", "-L$(ROCM_PATH)/lib -lamdhip64 -lhipblas")
        .replace("-G -g -Xptxas -v", "-O0 -g -Rpass-analysis=kernel-resource-usage")
        .replace("%.o: %.cu", "%.o: %.hip")
    )


@pytest.mark.parametrize(
    "before",
    [
        "a.o: a.cpp\n\t$(CXX) -O2 -I$(CUDA)/include{} -c $<\n",
        "a.o: a.cpp\n\t@g++ -I /usr/local/cuda/include{} -c $<\n",
        "FLAGS = -I/usr/local/cuda/include{}\na.o: a.cpp\n\t$(CXX) $(FLAGS) -c $<\n",
        "CXXFLAGS += -isystem $(CUDA)/include{}\n",  # make's own rule for %.o
    ],
)
def test_a_host_compiler_is_told_the_platform(before: str) -> None:
    root = "CUDA = /usr/local/cuda\n"
    result = ported("Makefile", root + before.format(""))
    expected = before.format(" -D__HIP_PLATFORM_AMD__").replace("/usr/local/cuda", "/opt/rocm")
    assert result.split("\n", 1)[1] == expected.replace(
        "$(CUDA)", "$(ROCM_PATH)" if "ROCM_PATH" in result else "$(CUDA)"
    )
    assert ported("Makefile", result) == result


@pytest.mark.parametrize(
    "text",
    [
        "a.o: a.cu\n\tnvcc -I/usr/local/cuda/include -c $<\n",
        "CXX = nvcc\nCXXFLAGS = -I/usr/local/cuda/include\n",
        "a.o: a.cpp\n\techo -I/usr/local/cuda/include\n",
        "a.o: a.cpp\n\t$(CXX) -I/usr/local/cuda/include/thrust -c $<\n",
        "a.o: a.cpp\n\t$(CXX) -D__HIP_PLATFORM_AMD__ -I/usr/local/cuda/include -c $<\n",
    ],
)
def test_the_platform_is_said_where_it_is_not_known(text: str) -> None:
    result = ported("Makefile", text)
    assert "/opt/rocm/include" in result
    assert result.count("__HIP_PLATFORM_AMD__") == text.count("__HIP_PLATFORM_AMD__")


def make_n(folder: Path, text: str, files: list[str], *arguments: str) -> str:
    (folder / "Makefile").write_bytes(text.encode("latin-1"))
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    done = subprocess.run(
        ["make", "-n", "-B", *arguments], cwd=folder, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@needs_make
def test_make_runs_the_port(tmp_path: Path) -> None:
    result = ported("Makefile", SAMPLE_MAKEFILE, SAMPLE_RENAMES)
    said = make_n(tmp_path, result, ["src/main.hip", "src/k.hip", "host.cpp"], "app")
    assert "/opt/rocm/bin/hipcc -std=c++17 -O3 -Wall --offload-arch=gfx942 -I/opt/rocm/include -c src/main.hip" in said
    assert "-o app -L/opt/rocm/lib -lamdhip64 -lhipblas -lm" in said
    assert "g++ -O2 -I/opt/rocm/include -D__HIP_PLATFORM_AMD__ -c host.cpp" in said
    assert not re.search(r"nvcc|sm_\d|\.cu\b", said.replace("# main.cu", ""))


@needs_make
@pytest.mark.parametrize(
    ("text", "files", "renames", "expected"),
    [
        # suffix rule, and a variable in front of the name
        (
            ".SUFFIXES: .cu .o\nNVCC=nvcc\nS=src\nall: $S/a.o\n.cu.o:\n\t$(NVCC) -dc -o $*.o $*.cu\n",
            ["src/a.hip"],
            {"src/a.cu": "src/a.hip"},
            "hipcc -fgpu-rdc -c -o src/a.o src/a.hip",
        ),
        # objects named after the whole source name
        (
            "NVCC=nvcc\nSRCS=a.cu\nOBJS=$(SRCS:=.o)\nall: $(OBJS)\n%.cu.o: %.cu\n\t$(NVCC) -c $< -o $@\n",
            ["a.hip"],
            {"a.cu": "a.hip"},
            "hipcc -c a.hip -o a.hip.o",
        ),
        # the samples' way to name GPUs
        (
            "SMS ?= 80 90\n$(foreach sm,$(SMS),$(eval GEN += -gencode arch=compute_$(sm),code=sm_$(sm)))\n"
            "all: a.cu\n\tnvcc $(GEN) a.cu $(addprefix -Xcompiler ,-Wall -O2) $(addprefix -l,$(L))\nL = cufft m\n",
            ["a.hip"],
            {"a.cu": "a.hip"},
            "hipcc --offload-arch=gfx942 --offload-arch=gfx942 a.hip -Wall -O2 -lhipfft -lm",
        ),
        # relocatable device code must be linked so
        (
            "CC=nvcc\nall: app\napp: a.o\n\t$(CC) -arch=sm_70 a.o -o app\na.o: a.cu\n\t$(CC) -dc a.cu -o a.o\n",
            ["a.hip"],
            {"a.cu": "a.hip"},
            "hipcc -fgpu-rdc --hip-link --offload-arch=gfx942 a.o -o app",
        ),
        # C, for which clang refuses C++'s standard
        (
            "NVCC=nvcc\nFLAGS=-O3 -std=c++17\nall: a.o\n%.o: %.c\n\t$(NVCC) $(FLAGS) -c $< -o $@\n",
            ["a.c"],
            {},
            "hipcc -O3 -c a.c -o a.o",
        ),
        ("all: a.c\n\tnvcc -std=c++17 -c a.c\n", ["a.c"], {}, "hipcc -c a.c"),
        ("all: a.cpp\n\tnvcc -std=c++17 -c a.cpp\n", ["a.cpp"], {}, "hipcc -std=c++17 -c a.cpp"),
        # two names of the toolkit's folder, and two of its folders, that are one
        (
            "CUDA_PATH ?= /usr/local/cuda\nCUDA_HOME ?= $(CUDA_PATH)\nL=-L$(CUDA_HOME)/lib -L$(CUDA_PATH)/lib64 -L/lib64\n"
            "all: a.cu\n\t$(CUDA_HOME)/bin/nvcc a.cu $(L) -lcudart\n",
            ["a.hip"],
            {"a.cu": "a.hip"},
            "/opt/rocm/bin/hipcc a.hip -L/opt/rocm/lib -L/lib64 -lamdhip64",
        ),
        # a source outside of the tree keeps its name; hipcc takes .cu
        (
            "all: a.cu ../b.cu\n\tnvcc -arch=$(ARCH) $^\nARCH ?= sm_60\n",
            ["a.hip", "../b.cu"],
            {"a.cu": "a.hip"},
            "hipcc --offload-arch=gfx942 a.hip ../b.cu",
        ),
    ],
)
def test_make_runs(tmp_path: Path, text: str, files: list[str], renames: dict[str, str], expected: str) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    assert expected in make_n(folder, ported("Makefile", text, renames), files)


def test_c_and_cuda_in_one_command_are_left() -> None:
    result, findings = port("Makefile", "all: a.c b.cu\n\tnvcc -std=c++17 $^ -o all\n")
    assert "hipcc -std=c++17 $^" in result
    (left,) = (f for f in findings if f.safety is Safety.LEFT)
    assert "hipcc compiles a.c as C, where clang refuses -std=c++17" in left.message


def test_the_folder_of_the_toolkit_is_set_once() -> None:
    text = "CUDA_PATH ?= /usr/local/cuda\nCUDA_HOME ?= $(CUDA_PATH)\nN = $(CUDA_HOME)/bin/nvcc -I$(CUDA_PATH)/include\n"
    assert ported("Makefile", text) == "ROCM_PATH ?= /opt/rocm\nN = $(ROCM_PATH)/bin/hipcc -I$(ROCM_PATH)/include\n"
    either = "ifdef A\nCUDA_PATH = /usr/local/cuda\nelse\nCUDA_PATH = /opt/cuda\nendif\nN = $(CUDA_PATH)/bin/nvcc\n"
    assert ported("Makefile", either).count("ROCM_PATH = /opt/rocm\n") == 2


def test_makefile_of_a_subfolder() -> None:
    renames = {"lib/k.cu": "lib/k.hip", "common/c.cu": "common/c.hip"}
    assert ported("Makefile", "S = k.cu ../common/c.cu\n", renames, "lib") == "S = k.hip ../common/c.hip\n"


def test_makefile_mixed_pattern_is_for_review() -> None:
    text = "%.o: %.cu\n\tnvcc -c $<\n"
    result, findings = port("Makefile", text, {"a.cu": "a.hip", "b.cu": "b.cu"})
    assert "%.cu" in result
    assert "build-renamed-source" in rules_of(findings, Safety.REVIEW)


def test_makefile_keeps_a_root_that_is_used_otherwise() -> None:
    text = (
        "CUDA_PATH ?= /usr/local/cuda\nall:\n\t$(MAKE) -C sub CUDA_PATH=$(CUDA_PATH)\n\tcc -I$(CUDA_PATH)/include x.c\n"
    )
    result, findings = port("Makefile", text)
    assert result.startswith("CUDA_PATH ?= /opt/rocm\n")
    assert "CUDA_PATH=$(CUDA_PATH)" in result
    assert "build-cuda-path" in rules_of(findings, Safety.REVIEW)


def test_makefile_left_and_named() -> None:
    text = (
        "NVCC = nvcc\nV := $(shell $(NVCC) --version | grep release)\nCC = nvc++\n"
        "IMAGE = nvcr.io/nvidia/pytorch:25.09\n"
        "app: a.o\n\t$(NVCC) -dlink a.o -o d.o\n\tnsys profile ./app\n\tcuobjdump app\n"
        "ifeq ($(SM),sm_80)\nendif\n"
    )
    left = rules_of(port("Makefile", text)[1], Safety.LEFT)
    assert {"build-nvcc", "build-cuda-tool", "build-nvcc-flag", "build-nvcc-arch"} <= left


def test_makefile_line_endings_and_bytes() -> None:
    text = "# \xe9\xff\r\nCC = nvcc\r\nS = m\xe9.cu\r\nCFLAGS = -O3 \\\r\n   -arch=sm_60 \\\r\n   -Wall\r\n"
    result = ported("Makefile", text, {"m\xe9.cu": "m\xe9.hip"})
    assert result == (
        "# \xe9\xff\r\nCC = hipcc\r\nS = m\xe9.hip\r\nCFLAGS = -O3 \\\r\n   --offload-arch=gfx942 \\\r\n   -Wall\r\n"
    )


def test_makefile_with_a_hip_branch_is_left() -> None:
    text = "ifdef HIP\nCC = hipcc\nelse\nCC = nvcc -arch=sm_60\nendif\nS = a.cu\n"
    result, findings = port("Makefile", text, {"a.cu": "a.hip"})
    assert result == text.replace("a.cu", "a.hip")
    assert rules_of(findings, Safety.REVIEW) == {"build-dual"}


# --- CMake

SAMPLE_CMAKE = """\
# A project with CUDA; -arch=sm_80 in a comment
cmake_minimum_required(VERSION 3.18 FATAL_ERROR)
project(demo VERSION 1.0 LANGUAGES CXX CUDA)
#[==[ enable_language(CUDA) ]==]
find_package(CUDAToolkit 11.0 REQUIRED)
set(CMAKE_CUDA_STANDARD 17)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 70 80 90a CACHE STRING "GPUs")
endif()
set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} --expt-relaxed-constexpr -Xcompiler -fPIC -lineinfo")
add_library(k STATIC src/k.cu src/util.cpp)
target_compile_options(k PRIVATE
  $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda -Xptxas=-v>
  "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Release>>:-Xcompiler=-Wall,-Wextra;--threads;4>"
  $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-O3>
  $<$<COMPILE_LANGUAGE:CXX>:-Wall>)
set_target_properties(k PROPERTIES
  CUDA_SEPARABLE_COMPILATION ON # device code calls across files
  CUDA_ARCHITECTURES "70;80"
  POSITION_INDEPENDENT_CODE ON)
target_link_libraries(k PUBLIC CUDA::cudart CUDA::cuda_driver $<BUILD_INTERFACE:CUDA::cublas>)
add_custom_command(OUTPUT k.co COMMAND nvcc -cubin -arch=sm_80 ${SRC}/src/k.cu -o k.co)
"""
CMAKE_PORT = """\
# A project with CUDA; -arch=sm_80 in a comment
cmake_minimum_required(VERSION 3.21 FATAL_ERROR)
project(demo VERSION 1.0 LANGUAGES CXX HIP)
#[==[ enable_language(CUDA) ]==]
find_package(hip REQUIRED)
find_package(hipblas REQUIRED)
set(CMAKE_HIP_STANDARD 17)
if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)
  set(CMAKE_HIP_ARCHITECTURES gfx942 CACHE STRING "GPUs")
endif()
set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -fPIC -gline-tables-only")
add_library(k STATIC src/k.hip src/util.cpp)
target_compile_options(k PRIVATE
  $<$<COMPILE_LANGUAGE:HIP>:-Rpass-analysis=kernel-resource-usage>
  "$<$<AND:$<COMPILE_LANGUAGE:HIP>,$<CONFIG:Release>>:-Wall;-Wextra>"
  $<$<COMPILE_LANG_AND_ID:HIP,Clang>:-O3>
  $<$<COMPILE_LANGUAGE:CXX>:-Wall>)
set_target_properties(k PROPERTIES # device code calls across files
  HIP_ARCHITECTURES "gfx942"
  POSITION_INDEPENDENT_CODE ON)
target_compile_options(k PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>)
target_link_options(k PRIVATE -fgpu-rdc --hip-link)
target_link_libraries(k PUBLIC hip::host $<BUILD_INTERFACE:roc::hipblas>)
add_custom_command(OUTPUT k.co COMMAND hipcc --genco --offload-arch=gfx942 ${SRC}/src/k.hip -o k.co)
"""


def cmake_reads(text: str, tmp_path: Path) -> None:
    """CMake parses a whole script before it runs the first command, which is to return."""
    commands = lex_cmake(text)
    assert all(c.closed for c in commands)
    if shutil.which("cmake"):
        script = tmp_path / "port.cmake"
        script.write_bytes(b"return()\n" + text.encode("latin-1"))
        done = subprocess.run(["cmake", "-P", str(script)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_cmake_whole(tmp_path: Path) -> None:
    assert ported("CMakeLists.txt", SAMPLE_CMAKE, SAMPLE_RENAMES) == CMAKE_PORT
    cmake_reads(CMAKE_PORT, tmp_path)


def test_cmake_with_crlf(tmp_path: Path) -> None:
    text = SAMPLE_CMAKE.replace("\n", "\r\n")
    result = ported("CMakeLists.txt", text, SAMPLE_RENAMES)
    assert result == CMAKE_PORT.replace("\n", "\r\n")
    cmake_reads(result, tmp_path)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("enable_language(CUDA)\n", "enable_language(HIP)\n"),
        (
            "check_language(CUDA)\nif(CMAKE_CUDA_COMPILER)\nendif()\n",
            "check_language(HIP)\nif(CMAKE_HIP_COMPILER)\nendif()\n",
        ),
        ("if(CUDA_FOUND)\nendif()\n", "if(hip_FOUND)\nendif()\n"),
        ('if("CUDA" IN_LIST langs)\nendif()\n', 'if("HIP" IN_LIST langs)\nendif()\n'),
        (
            "set_source_files_properties(a.cpp PROPERTIES LANGUAGE CUDA)\n",
            "set_source_files_properties(a.cpp PROPERTIES LANGUAGE HIP)\n",
        ),

        ("set(CMAKE_CUDA_SEPARABLE_COMPILATION OFF)\nx()\n", "x()\n"),
        ("file(GLOB K *.cu)\n", "file(GLOB K *.cu)\nset_source_files_properties(${K} PROPERTIES LANGUAGE HIP)\n"),
        ("add_compile_options(--expt-relaxed-constexpr)\nx()\n", "x()\n"),
        ("target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda>) # host\n", " # host\n"),
        (
            "target_compile_options(a PRIVATE -Wall $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr --extended-lambda>)\n",
            "target_compile_options(a PRIVATE -Wall)\n",
        ),
        (
            "target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo;--extended-lambda>)\n",
            "target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-gline-tables-only>)\n",
        ),
        ("set_target_properties(a PROPERTIES COMPILE_OPTIONS --extended-lambda)\nx()\n", "x()\n"),
        (
            'set_target_properties(a PROPERTIES COMPILE_OPTIONS "--extended-lambda" OUTPUT_NAME b)\n',
            "set_target_properties(a PROPERTIES OUTPUT_NAME b)\n",
        ),
        ('set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} --extended-lambda")\nx()\n', "x()\n"),
        ('string(APPEND CMAKE_CUDA_FLAGS " --extended-lambda")\nx()\n', "x()\n"),
        ("target_compile_options(a PRIVATE)\n", "target_compile_options(a PRIVATE)\n"),
        ('add_compile_options("SHELL:-Xcompiler -fPIC")\n', 'add_compile_options("SHELL:-fPIC")\n'),
        ("set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS}; -O3 -G)\n", 'set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -O3 -g -O0")\n'),
        (
            "find_library(B cublas HINTS ${CUDA_TOOLKIT_ROOT_DIR}/lib64)\n",
            "find_library(B hipblas HINTS ${ROCM_PATH}/lib)\n",
        ),

        (
            "my_bench(SOURCES a.cpp LINK_LIBRARIES cublas)\n",
            "find_package(hipblas REQUIRED)\nmy_bench(SOURCES a.cpp LINK_LIBRARIES roc::hipblas)\n",
        ),
        ("find_package(CUDAToolkit)\nset(LIBS ${CUDA_LIBRARIES} m)\n", "find_package(hip)\nset(LIBS hip::host m)\n"),
        (
            "function(f)\n  target_link_libraries(a PRIVATE cudart)\nendfunction()\n",
            "function(f)\n  find_package(hip REQUIRED)\n  target_link_libraries(a PRIVATE hip::host)\nendfunction()\n",
        ),
    ],
)  # fmt: skip
def test_cmake(before: str, after: str, tmp_path: Path) -> None:
    assert ported("x.cmake", before) == after
    cmake_reads(after, tmp_path)


def test_cmake_left_and_named() -> None:
    text = (
        "if(CUDAToolkit_VERSION VERSION_LESS 12)\nendif()\nfind_package(CUDNN REQUIRED)\ncuda_compile_ptx(P k.cpp)\n"
        "target_link_libraries(a CUDA::nvml CUDA::made_up)\n"
        "set_target_properties(a PROPERTIES CUDA_PTX_COMPILATION ON)\n"
        "target_compile_options(a PRIVATE -maxrregcount=64)\nset(X ${CMAKE_CUDA_COMPILER_ID})\nset(CMAKE_CUDA_FOO 1)\n"
    )
    result, findings = port("CMakeLists.txt", text)
    assert result == text
    assert rules_of(findings, Safety.LEFT) == {
        "build-cmake-variable",
        "build-cmake-package",
        "build-cmake-command",
        "build-cuda-library",
        "build-cmake-property",
        "build-nvcc-flag",
    }


def test_cmake_with_a_hip_branch_is_left() -> None:
    text = "if(HIP)\nenable_language(HIP)\nelse()\nenable_language(CUDA)\nendif()\nadd_library(a a.cu)\n"
    result, findings = port("CMakeLists.txt", text, {"a.cu": "a.hip"})
    assert result == text.replace("a.cu", "a.hip")
    assert rules_of(findings, Safety.REVIEW) == {"build-dual"}


def test_cmake_lexer() -> None:
    text = 'set(A [=[ ) ]] ]=] "q\\"x;)" b\\ c -Da="1 2" # )\n #[[ ) ]] (d AND e))\nX ( )'
    first, second = lex_cmake(text)
    assert first.values == ["A", " ) ]] ", 'q\\"x;)', "b\\ c", '-Da="1 2"', "(", "d", "AND", "e", ")"]
    assert (second.name, second.arguments, second.closed) == ("x", (), True)
    assert not lex_cmake("set(A")[0].closed


def test_make_lexer() -> None:
    text = (
        "A = 1 # c\nexport B ?= $(A)\nx: y ; run\n\tcmd \\\n\t\tmore\nifeq (a,b)\nendif\n"
        "define D\n z\nendef\nt: C += 2\n"
    )
    kinds = [line.kind for line in lex_make(text)]
    wanted = "assign assign rule recipe recipe conditional conditional define recipe endef assign"
    assert " ".join(kinds) == wanted
    assert text[slice(*lex_make(text)[0].value)].strip() == "1"


# --- Python

SAMPLE_SETUP = '''\
"""Builds main.cu with a CUDAExtension."""
import os
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension, CUDA_HOME
os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0;9.0a"
cc, name = 90, "\u00e9"
nvcc_flags = ["-O3", "-gencode", "arch=compute_80,code=sm_80", f"-gencode=arch=compute_{cc},code=sm_{cc}", "-t", "4"]
nvcc_flags += ['-lineinfo']; nvcc_flags.append("--extended-lambda")
setup(ext_modules=[CUDAExtension("x", [os.path.join("csrc", "k.cu"), "csrc/a.cpp"],
    extra_compile_args={"cxx": ["-O3"], "nvcc": nvcc_flags + [
        "-Xcompiler", "-fPIC",  # position independent
        "-maxrregcount=64",
    ]}, libraries=["cublas", "m"], include_dirs=["/usr/local/cuda/include"])],
    cmdclass={"build_ext": BuildExtension})
'''
SETUP_PORT = '''\
"""Builds main.cu with a CUDAExtension."""
import os
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension, ROCM_HOME
os.environ["PYTORCH_ROCM_ARCH"] = "gfx942"
cc, name = 90, "\u00e9"
nvcc_flags = ["-O3", "--offload-arch=gfx942"]
nvcc_flags += ['-gline-tables-only']; nvcc_flags.extend([])
setup(ext_modules=[CUDAExtension("x", [os.path.join("csrc", "k.hip"), "csrc/a.cpp"],
    extra_compile_args={"cxx": ["-O3"], "nvcc": nvcc_flags + [
        "-fPIC",  # position independent
        "-maxrregcount=64",
    ]}, libraries=["hipblas", "m"], include_dirs=["/opt/rocm/include"])],
    cmdclass={"build_ext": BuildExtension})
'''


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-8-sig"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_setup_py_whole(encoding: str, newline: str) -> None:
    """Offsets are right in whatever encoding the file is."""

    def read(text: str) -> str:
        return text.replace("\n", newline).encode(encoding).decode("latin-1")

    text = read(SAMPLE_SETUP)
    assert ported("setup.py", text, {"csrc/k.cu": "csrc/k.hip"}) == read(SETUP_PORT)
    findings = port("setup.py", text)[1]
    assert rules_of(findings, Safety.REVIEW) == {"build-torch-extension"}
    assert rules_of(findings, Safety.LEFT) == {"build-nvcc-flag"}


def test_setup_py_left_and_named() -> None:
    text = (
        "import os, subprocess, torch\nfrom torch.utils.cpp_extension import load_inline\n"
        "subprocess.check_call(['nvcc', '-c', 'k.c'])\nos.environ['CUDA_HOME']\nif torch.version.cuda: pass\n"
        "load_inline('x', cuda_sources=['__global__ void k() {}'])\n"
    )
    result, findings = port("setup.py", text)
    assert result == text
    assert rules_of(findings, Safety.LEFT) == {"build-nvcc", "build-python-cuda", "build-torch-extension"}


def test_setup_py_with_a_hip_branch_is_left() -> None:
    text = "import torch\nflags = ['-O3'] if torch.version.hip else ['--use_fast_math']\nsources = ['k.cu']\n"
    result, findings = port("setup.py", text, {"k.cu": "k.hip"})
    assert result == text.replace("k.cu", "k.hip")
    assert rules_of(findings, Safety.REVIEW) == {"build-dual"}


# --- all of them


def test_recognise() -> None:
    for name in (
        "Makefile",
        "makefile",
        "GNUmakefile",
        "Makefile.gpu",
        "rules.mk",
        "CMakeLists.txt",
        "x.cmake",
        "setup.py",
    ):
        assert recognise(PurePath("a") / name, "") is not None, name
    for name in ("main.cu", "README.md", "run.py", "Makefile-notes.txt"):
        assert recognise(PurePath(name), "") is None, name
    assert recognise(PurePath("build.py"), "from torch.utils.cpp_extension import load") is not None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Makefile", "CC = gcc\nall: main.c\n\t$(CC) -O2 -Wall $< -lm -o a # comment\n"),
        ("CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(a CXX)\nadd_executable(a a.cpp)\n"),
        ("setup.py", "from setuptools import setup\nsetup(name='a')\n"),
    ],
)
def test_without_cuda_there_is_nothing_to_say(name: str, text: str) -> None:
    assert port(name, text, {"k.cu": "k.hip"}) == (text, [])


@pytest.mark.parametrize(
    ("name", "text"),
    [("Makefile", SAMPLE_MAKEFILE), ("CMakeLists.txt", SAMPLE_CMAKE), ("setup.py", SAMPLE_SETUP)],
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_mutated_files_do_not_crash(name: str, text: str, data: st.DataObject) -> None:
    text = text.encode("utf-8").decode("latin-1")
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    junk = data.draw(st.text(alphabet="\"'()[]{}$<>\\;,:=#%\n\t\r aA-\xe9\x00", max_size=6))
    mutated = text[:start] + junk + text[end:]
    porter = recognise(PurePath(name), mutated)
    assert porter is not None
    findings = porter(mutated, Renames("gfx942", SAMPLE_RENAMES))
    assert all(0 <= f.start <= f.end <= len(mutated) for f in findings)
    assert all(0 <= e.start <= e.end <= len(mutated) for f in findings for e in f.edits)
    rewrite(mutated, findings)
