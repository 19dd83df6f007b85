"""Sources that are cut off, half typed or in no known encoding: each is ported as far as it can be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from porting import port

from porter.findings import FilePort, FileStatus, Safety

BUDGET = "extern __shared__ float q[];\n"  # so that the search for tiles and stages reads the file
CUT = [
    "template<int N> __global__ void k(",
    "template<int N> __global__ void __launch_bounds__(",
    "template<int N> __global__ void k(int x) { {",
    "template<int N> __global__ void k(int x) { f(",
    "template<int N> struct",
    "__global__ void k(float *x, int",
]


@pytest.mark.parametrize("source", CUT)
def test_a_source_that_is_cut_off(source: str, tmp_path: Path) -> None:
    opted = "int n = cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);\n"
    result = port(BUDGET + opted + source, tmp_path)
    assert result.status is FileStatus.PORTED
    assert result.port.endswith(source)


WHOLE = "#include <cuda_runtime.h>\n__device__ float g(float a) { return a; }\n#define F(x) x\n"
UNFINISHED = {
    "__global__": "__global__",
    "__global__ void": "__global__",
    "__global__ void second": "__global__",
    "__global__ void second(": "(",
    "__global__ void second(float *y, ": "(",
    "__global__ void second(float *y) {\n  y[0] = g(y[1]);\n": "{",
    "void launch(float *y, const": "(",
    "template <typename": "template",
    "template <typename T>\n": "template",
    "namespace a {\nint x;\n": "{",
    "#if defined(HALF)\nint x;\n": "if",
    "/* a comment\n": "/*",
    "int y = F(1\n#include <cuda_runtime.h>\n": "F",
    'const char *s = R"(\nint x;\n': 'R"(',
    'void f() { printf("ab': "{",
}


@pytest.mark.parametrize("ending", UNFINISHED)
def test_what_ends_within_what_it_began_needs_a_person(ending: str, tmp_path: Path) -> None:
    result = port(WHOLE + ending, tmp_path, parse=True)
    unfinished = [f for f in result.findings if f.rule == "unfinished-source"]
    assert [(f.safety, WHOLE.count("\n") == result.source.count("\n", 0, f.start)) for f in unfinished] == [
        (Safety.LEFT, True)
    ]
    assert result.source[unfinished[0].start :].startswith(UNFINISHED[ending])
    assert port(result.port, tmp_path).port == result.port


def test_a_header_that_is_cut_off_is_named_and_its_includer_is_not(tmp_path: Path) -> None:
    (tmp_path / "cut.cuh").write_text(
        "__device__ inline float half(float x) { return x / 2; }\n__device__ float g(float a"
    )
    main = tmp_path / "main.cu"
    main.write_text('#include "cut.cuh"\n__global__ void k(float *y) { *y = half(*y); }\n')
    by_file = {path.name: _ported(path, includer=main) for path in (main, tmp_path / "cut.cuh")}
    unfinished = [name for name, one in by_file.items() if any(f.rule == "unfinished-source" for f in one.findings)]
    assert unfinished == ["cut.cuh"]


def test_an_include_with_more_on_its_line_keeps_the_line(tmp_path: Path) -> None:
    """As a damaged file has it: the line cannot go, since brackets on it have their partners elsewhere."""
    source = "#include <cuda_runtime.h>\n#define CHECK(...) do { cudaError_t\n#include <cuda_runtime.h> e = (1); } while (0)\n"
    first = port(source, tmp_path)
    assert "#include <hip/hip_runtime.h> e = (1); }" in first.port
    assert port(first.port, tmp_path).port == first.port


@pytest.mark.parametrize(
    ("operands", "problem"),
    [
        (': "=r"(a) : , "r"(a)', "an operand is empty"),
        (': "=r"(a) : "r"(a), , "r"(a)', "an operand is empty"),
        (': "=r"()', "the operand '\"=r\"()' cannot be read"),
        (': "=r"', "the operand '\"=r\"' cannot be read"),
        (': [] "=r"(a)', "the operand name in '[] \"=r\"(a)' cannot be read"),
    ],
)
def test_operands_that_are_half_typed(operands: str, problem: str, tmp_path: Path) -> None:
    source = f'__global__ void k(int *x) {{ int a; asm("mov.u32 %0, 3;" {operands}); *x = a; }}'
    (finding,) = (f for f in port(source, tmp_path).findings if f.rule == "ptx-unread")
    assert finding.safety is Safety.LEFT
    assert finding.message.endswith(problem)


def test_names_in_latin_1(tmp_path: Path) -> None:
    """libclang hands on names of files and declarations as bytes."""
    named = "__device__ int f\xe9(int x) { return __shfl_sync(~0u, x, 0); }\n"
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/h\xe9.h")).write_bytes(named.encode("latin-1"))
    caller = '#include "h\xe9.h"\nstruct S\xe9 { int x; };\n__global__ void k(S\xe9 *s) { s->x = __shfl_sync(~0u, f\xe9(s->x), 0); }\n'
    main = Path(os.fsdecode(os.fsencode(tmp_path) + b"/m\xe9.cu"))
    main.write_bytes(caller.encode("latin-1"))
    result = _ported(main)
    assert result.status is FileStatus.PORTED
    assert result.port.endswith(
        caller.split("\n", 1)[1].replace("__shfl_sync(~0u, f\xe9(s->x), 0)", "__shfl(f\xe9(s->x), 0, 32)")
    )


def _ported(path: Path, includer: Path | None = None) -> FilePort:
    from porter.frontend.project import Project
    from porter.frontend.unit import Options
    from porter.port.pipeline import port_source

    return port_source(Project(path.parent), path, "m.hip", Options(runtime="include"), {}, includer)


def test_a_comment_that_never_ends(tmp_path: Path) -> None:
    """What it swallows is no code, and a header behind it would be swallowed too."""
    first = port("// one\n/* k<<<1, 32>>>(x);\nint d = warpSize; cudaMalloc(&d, 4);\n", tmp_path)
    again = port(first.port, tmp_path)
    assert again.port == first.port
    assert "#include" not in first.port or first.port.index("#include") < first.port.index("/*")


def test_comments_of_an_earlier_port_are_not_repeated(tmp_path: Path) -> None:
    """Though a comment for what is no site any more stands between."""
    above = "// porter[name-driver]: seen\n// porter[atomic-type]: seen\n"
    text = f"{above}int f() {{ return CUDA_VERSION; }}\n"
    assert port(text, tmp_path).port.count("porter[name-driver]") == 1
    assert port(text.replace(above, "int g();\n"), tmp_path).port.count("porter[name-driver]") == 1


@pytest.mark.parametrize("behind", ["", "\nint a;\n#endif\n"])
def test_a_condition_that_ends_with_its_operator(behind: str, tmp_path: Path) -> None:
    made = port(f"#if !defined(__CUDA_ARCH__) ||{behind}", tmp_path)
    assert made.status is FileStatus.PORTED and made.port.endswith(f"#if !defined(__HIP_DEVICE_COMPILE__) ||{behind}")
