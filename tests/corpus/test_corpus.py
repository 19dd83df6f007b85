"""The corpus runner: programs and their units, causes of failure, whole runs, and CHECK scoring."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from porter.corpus import (
    build_units,
    causes,
    classify,
    converters,
    find_converter,
    find_programs,
    measure,
    program,
    runner,
    score_checks,
)
from porter.corpus.__main__ import main
from porter.corpus.converters import Conversion, Converter, copy_tree
from porter.corpus.tables import load_run, run_json, runs_markdown, runs_table
from porter.errors import InputError, UsageError
from porter.port.files.headers import is_included_as
from porter.toolchain import Diagnostic, find_toolchain

needs_compiler = pytest.mark.skipif(
    not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"
)
needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="NOT RUN: no make")

MAKEFILE = """
FLAGS = -std=c++14 -Xcompiler -Wall -arch=sm_80 -I../shared -Iinclude -DN=4 -D NAME="two words"
main: main.o host.o tool.o
\tnvcc $(FLAGS) main.o host.o tool.o -o main
main.o: main.cu
\tnvcc $(FLAGS) -c main.cu -o main.o
host.o: host.cpp
\tg++ -c host.cpp -o host.o
tool.o: sub/tool.cxx
\tcd sub && nvcc -x cu -include pre.h --std=c++11 -c tool.cxx -o ../tool.o
other.o: other.cu
\tnvcc -c other.cu
"""
CUDA = """#include <cuda_runtime.h>
#include "../shared/size.h"
__global__ void fill(int *x) { x[threadIdx.x] = SIZE; }
int main() { int *x; cudaMalloc(&x, SIZE * sizeof(int)); fill<<<1, SIZE>>>(x); cudaFree(x); return 0; }
"""


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def to_hip(text: str) -> str:
    return re.sub(r"\bcuda([A-Z])", r"hip\1", text).replace("cuda_runtime.h", "hip/hip_runtime.h")


def renaming(source: Path, target: Path) -> Conversion:
    """A converter for these tests: names only, and .cu becomes .hip."""
    copy_tree(source, target)
    moved = {}
    for file in target.rglob("*.cuh"):
        file.write_text(to_hip(file.read_text()))
    for file in sorted(target.rglob("*.cu")):
        file.with_suffix(".hip").write_text(to_hip(file.read_text()))
        file.unlink()
        moved[file.relative_to(target)] = file.with_suffix(".hip").relative_to(target)
    return Conversion(0.5, moved)


# ---------------------------------------------------------------- programs and units


def test_programs_are_found_with_their_twins(tmp_path: Path) -> None:
    write(tmp_path, {"a-cuda/m.cu": "", "a-hip/m.cu": "", "b-cuda/m.cu": "", "z-cuda/m.cu": "", "include/x.h": ""})
    programs = find_programs(tmp_path, match="[a-m]*", source_suffix="-cuda", twin_suffix="-hip")
    assert [(p.name, p.twin and p.twin.name) for p in programs] == [("a-cuda", "a-hip"), ("b-cuda", None)]
    assert [p.name for p in find_programs(tmp_path)] == ["a-cuda", "a-hip", "b-cuda", "z-cuda"]
    assert [p.name for p in find_programs(tmp_path / "a-cuda")] == ["a-cuda"]


@needs_make
def test_units_and_flags_are_what_make_would_run(tmp_path: Path) -> None:
    text = {"main.cu": CUDA, "host.cpp": "int f();", "sub/tool.cxx": "#include <cuda.h>", "other.cu": CUDA}
    units = build_units(write(tmp_path, {"Makefile": MAKEFILE, **text}))
    assert [str(unit.source) for unit in units] == ["main.cu", "sub/tool.cxx"]
    assert units[0].includes == ("../shared", "include")
    assert units[0].defines == ("N=4", "NAME=two words")
    assert units[0].std == "c++14"
    assert (units[1].cwd, units[1].forced, units[1].std) == (Path("sub"), ("pre.h",), "c++11")


@needs_make
def test_a_makefile_below_and_a_makefile_that_calls_another(tmp_path: Path) -> None:
    inner = "all:\n\tnvcc -I. -c k.cu\n"
    for name, files in {
        "below": {"src/Makefile": inner, "src/k.cu": CUDA},
        "absolute": {"src/Makefile": inner.replace("-I.", "-I$(CURDIR)"), "src/k.cu": CUDA},
        "calls": {"Makefile": "all:\n\t$(MAKE) -C src\n", "src/Makefile": inner, "src/k.cu": CUDA},
    }.items():
        (unit,) = build_units(write(tmp_path / name, files))
        assert (unit.source, unit.cwd, unit.includes) == (Path("src/k.cu"), Path("src"), (".",))


@pytest.mark.parametrize("with_make", [True, False])
def test_without_a_build_the_tree_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_make: bool) -> None:
    if not with_make:
        monkeypatch.setattr(program.shutil, "which", lambda name: None)
    write(
        tmp_path,
        {
            "CMakeLists.txt": "# -DNO\nadd_compile_options(-DYES=1 -Iinc)\n",
            "main.cu": '#include "part.cu"\n',
            "part.cu": "",
            "uses.cpp": '#include "inc/api.h"\n',
            "inc/api.h": "#include <cublas_v2.h>\n",
            "plain.cpp": "#include <vector>\n",
        },
    )
    units = build_units(tmp_path)
    assert [str(unit.source) for unit in units] == ["main.cu", "uses.cpp"]
    assert units[0].defines == ("YES=1",)
    assert "inc" in units[0].includes


# ---------------------------------------------------------------- causes

EXAMPLES = {
    "CUDA header left in the port": "'cuda_fp16.h' file not found",
    "library header missing on this machine": "'hipcub/hipcub.hpp' file not found",
    "lane mask is not 64 bits wide": "static assertion failed due to requirement 'sizeof(int) == 8': "
    "The mask must be a 64-bit integer. Implicitly promoting",
    "warp primitive that HIP lacks": "use of undeclared identifier '__reduce_add_sync'",
    "warp primitive with other arguments": "no matching function for call to '__shfl_down_sync'",
    "warpSize is no constant in HIP": "constexpr variable 'warpSize' must be initialized by a constant expression",
    "CUDA type left": "unknown type name 'cudaGraph_t'",
    "CUDA name left": "use of undeclared identifier 'cudaMalloc'",
    "CUDA C++ library left": "use of undeclared identifier 'nvcuda'",
    "cooperative groups": "no member named 'tiled_partition_x' in namespace 'c'; did you mean 'tiled_partition'",
    "texture or surface reference": "no template named 'texture'",
    "half or bfloat16 type": "unknown type name '__half2'",
    "CUDA math or intrinsic": "use of undeclared identifier '__vadd4'",
    "HIP API called with other arguments": "no matching function for call to 'hipMemcpyToSymbol'",
    "HIP API with a type that does not match": "cannot initialize a parameter of type 'hipDeviceptr_t' with an rvalue",
    "kernel launch": "no matching function for call to kernel 'k'",
    "inline assembly": "invalid output constraint '=h' in asm",
    "host and device code mixed": "reference to __host__ function 'f' in __device__ function",
    "vector operator defined twice": "use of overloaded operator '+' is ambiguous (operator+ here)",
    "redefinition": "redefinition of 'float4'",
    "ambiguous call": "call to 'abs' is ambiguous",
    "dynamic shared memory or device variable": "dynamic initialization is not supported for __shared__ variables",
    "unknown identifier": "use of undeclared identifier 'abc'",
    "unknown function": "call to undeclared function 'abc'",
    "unknown type": "unknown type name 'abc'",
    "no such member": "no member named 'abc' in 'S'",
    "no matching function": "no matching function for call to 'abc'",
    'C++ header inside extern "C"': "templates must have C++ linkage",
    "not allowed by the C++ standard in use": "ISO C++17 does not allow 'register' storage class [-Wregister]",
    "narrowing conversion": "constant expression evaluates to -1 which cannot be narrowed to type 'unsigned int'",
    "#error in the source": '"needs sm_80"',
    "converter failed": "converter: wrote no such file",
    "syntax broken": "expected ';' after expression",
    "compiler gave up": "the compiler did not finish in 300 s",
}


def test_every_row_of_the_table_has_an_example() -> None:
    assert list(EXAMPLES) == [name for name, _ in causes.CAUSES]


@pytest.mark.parametrize("name", EXAMPLES)
def test_cause(name: str) -> None:
    assert classify([Diagnostic(EXAMPLES[name])]).name == name


def test_details_and_order() -> None:
    cause = classify([Diagnostic("unknown type name 'abc'"), Diagnostic("'omp.h' file not found")])
    assert (cause.name, cause.detail) == ("library header missing on this machine", "omp.h")
    assert classify([Diagnostic("'mine.h' file not found")], {"mine.h"}.__contains__).name == (
        "header of the project not reached"
    )


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("b.h", True),
        ("a/b.h", True),
        ("../a/b.h", True),
        ("./b.h", True),
        ("cub/b.h", False),
        ("b.hpp", False),
        ("a", False),
    ],
)
def test_headers_are_compared_by_all_that_an_include_says(name: str, meant: bool) -> None:
    assert is_included_as(Path("/work/a/b.h"), name) == meant


def test_an_unknown_message_is_its_own_cause() -> None:
    assert classify([Diagnostic("never seen before")]).name == "never seen before"


# ---------------------------------------------------------------- whole runs


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(runner, "cache_dir", lambda: tmp_path / "cache")
    make = "all:\n\tnvcc -c main.cu\n"
    hip = to_hip(CUDA)
    bad = CUDA.replace("fill<<<", "cuda_unknown(); fill<<<")
    lacking = "#include <no_such_library/x.h>\n"
    return write(
        tmp_path / "corpus",
        {
            "shared/size.h": "#define SIZE 64\n",
            "good-cuda/main.cu": CUDA,
            "good-cuda/Makefile": make,
            "good-hip/main.cu": hip,
            "bad-cuda/main.cu": bad,
            "bad-hip/main.cu": hip,
            "lacks-cuda/main.cu": lacking + CUDA,
            "lacks-hip/main.cu": lacking + hip,
            # uses a neighbour's CUDA header, which must be the neighbour's port
            "near-cuda/main.cu": '#include "../lib-cuda/lib.cuh"\nint main() { return twice(); }\n',
            "near-hip/main.cu": hip,
            "lib-cuda/lib.cuh": "#include <cuda_runtime.h>\ninline int twice() { return cudaFree(0); }\n",
            "lib-cuda/main.cu": CUDA,
        },
    )


OPTIONS = {"source_suffix": "-cuda", "twin_suffix": "-hip"}


@needs_compiler
@pytest.mark.slow
def test_a_run_from_end_to_end(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {path: path.read_bytes() for path in corpus.rglob("*") if path.is_file()}
    programs = find_programs(corpus, **OPTIONS)
    converter = Converter("renaming", renaming)
    run = measure(programs, converter, tmp_path / "work", base=corpus, siblings=programs, jobs=2)
    assert [p.name for p in run.programs] == ["bad-cuda", "good-cuda", "lacks-cuda", "lib-cuda", "near-cuda"]
    states = {p.name: (p.assessable, p.outcome.passed) for p in run.programs}
    assert states == {
        "bad-cuda": (True, False),
        "good-cuda": (True, True),
        "lacks-cuda": (False, False),
        "lib-cuda": (True, True),
        "near-cuda": (True, True),
    }
    bad = run.programs[0].outcome.first
    assert bad is not None
    assert (bad.source, bad.file, bad.line, bad.detail) == ("main.hip", "main.hip", 4, "cuda_unknown")
    assert (run.passed, run.twins_passed, len(run.assessable)) == (3, 3, 4)
    assert run.seconds_per_kloc > 0
    assert before == {path: path.read_bytes() for path in corpus.rglob("*") if path.is_file()}

    # The tables say the same, also after the way through JSON.
    path = tmp_path / "run.json"
    path.write_text(run_json(run))
    assert load_run(path) == run
    assert re.search(r"^passed +3 +3$", runs_table([run]), re.MULTILINE)
    assert "| bad-cuda | CUDA name left |" in runs_markdown([run])

    # Nothing changed, so nothing is compiled again, wherever the work folder is.
    monkeypatch.setattr(runner, "syntax_check", lambda *a, **k: pytest.fail("compiled again"))
    again = measure(programs, converter, tmp_path / "elsewhere", base=corpus, siblings=programs)
    assert again.programs == run.programs

    # A change is seen.
    write(corpus, {"shared/size.h": "#define SIZE 32\n"})
    with pytest.raises(pytest.fail.Exception, match="compiled again"):
        measure(programs, converter, tmp_path / "work", base=corpus, siblings=programs)


@needs_compiler
def test_a_file_the_converter_did_not_write_is_its_failure(corpus: Path, tmp_path: Path) -> None:
    def losing(source: Path, target: Path) -> Conversion:
        copy_tree(source, target)
        (target / "main.cu").unlink()
        return Conversion(0.0, {}, "out of breath")

    (program_,) = find_programs(corpus, match="good*", **OPTIONS)
    run = measure([program_], Converter("losing", losing), tmp_path / "work", base=corpus)
    failure = run.programs[0].outcome.first
    assert failure is not None
    assert (failure.cause, failure.detail) == ("converter failed", "out of breath")


@needs_compiler
def test_the_command_line(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "r.json"
    words = [str(corpus), "--source-suffix=-cuda", "--twin-suffix=-hip", "--match", "lacks*"]
    assert main([*words, "--converter", "none", "--only-assessable", "--json", str(out)]) == 0
    assert json.loads(out.read_text())["totals"]["assessable"] == 0
    capsys.readouterr()
    assert main(["tabulate", str(out), str(out), "--markdown", str(tmp_path / "r.md")]) == 0
    assert "programs assessable" in capsys.readouterr().out
    assert "| none | none |" in (tmp_path / "r.md").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no-such-folder"], "is no folder"),
        ([".", "--match", "nothing-like-this"], "holds no program"),
        ([".", "--twin-suffix=-hip"], "needs --source-suffix"),
        (["checks", ".", "--converter", "nothing"], "unknown converter"),
        (["tabulate", "no.json"], "is no result"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


# ---------------------------------------------------------------- converters


def test_converters_are_found_by_name(tmp_path: Path) -> None:
    assert find_converter("none").name == "none"
    assert find_converter("porter").runtime
    with pytest.raises(UsageError):
        find_converter("hipify-perl:/no/such/file")
    script = tmp_path / "hipify-perl"
    script.touch()
    assert find_converter(f"hipify-perl:{script}").name == "hipify-perl"


def test_torch_goes_on_after_a_file_it_cannot_read(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    source = write(tmp_path / "in", {"a.cu": CUDA, "b.cu": CUDA})
    (source / "b.cu").write_bytes(CUDA.encode() + b"// \x92\n")
    done = find_converter("torch").convert(source, tmp_path / "out")
    assert "b.cu: UnicodeDecodeError" in done.problem
    assert "hipMalloc" in (tmp_path / "out" / done.moved[Path("a.cu")]).read_text()


def test_porters_output_is_completed_with_what_it_did_not_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write(tmp_path / "in", {"a.cu": CUDA, "b.cpp": "", "data.txt": "1"})

    def fake(command: list[str], **options: object) -> converters.subprocess.CompletedProcess[bytes]:
        write(Path(command[-1]), {"a.hip": "ported"})
        return converters.subprocess.CompletedProcess(command, 2, b"", b"first\nlast words\n")

    monkeypatch.setattr(converters.subprocess, "run", fake)
    done = find_converter("porter").convert(source, tmp_path / "out")
    assert done.moved == {Path("a.cu"): Path("a.hip")}
    assert done.problem == "last words"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.hip", "b.cpp", "data.txt"]


# ---------------------------------------------------------------- CHECK lines

TEST = """// RUN: %run "%s" --some-option %args
// CHECK: #include <hip/hip_runtime.h>
// CHECK-NEXT: #include   "other.h"  // said aside
#include <cuda_runtime.h>
#include "other.h"
// CHECK: hipMalloc( &x, {{[0-9]+}} );
  cudaMalloc( &x,   12 );
// CHECK: hipblasHandle_t handle;
cublasHandle_t handle;
// CHECK-NOT: cudaMalloc
// CHECK-NOT: cublasHandle_t
const char *text = "// CHECK";
"""


def test_scoring(tmp_path: Path) -> None:
    write(
        tmp_path / "in",
        {"a.cu": TEST, "sub/b.cpp": TEST.replace("--some-option", "-roc"), "c.cu": "int x;", "d.txt": TEST},
    )
    score = score_checks(tmp_path / "in", Converter("r", renaming), tmp_path / "work", excluded=["--roc"])
    assert (score.hits, score.total, score.excluded) == (3, 4, ("sub/b.cpp",))
    (file,) = score.files
    assert [(miss.line, miss.cause) for miss in file.misses] == [(8, "name not produced: BLAS")]
    assert (file.forbidden, [miss.text for miss in file.present]) == (2, ["cublasHandle_t"])
    assert score.by_option == {"--some-option": (4, 1)}


def test_what_is_only_in_a_comment_is_no_hit(tmp_path: Path) -> None:
    write(tmp_path / "in", {"a.cu": "// CHECK: hipFree(x);\n/* hipFree(x); */ cudaFree(y);\n"})
    score = score_checks(tmp_path / "in", Converter("r", renaming), tmp_path / "work")
    assert (score.hits, score.total) == (0, 1)
    assert score.percent == 0.0


def test_scores_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "in", {"a.cu": TEST})
    files = ["--json", str(tmp_path / "s.json"), "--markdown", str(tmp_path / "s.md")]
    assert main(["checks", str(tmp_path / "in"), "--converter", "none", *files]) == 0
    assert "none: 1 of 4 CHECK lines (25.0%)" in capsys.readouterr().out
    assert json.loads((tmp_path / "s.json").read_text())["hits"] == 1
    assert "| hit | 1 (25.0%) |" in (tmp_path / "s.md").read_text()


def test_a_folder_without_check_lines_is_refused(tmp_path: Path) -> None:
    assert main(["checks", str(tmp_path), "--converter", "none"]) == 2
    with pytest.raises(InputError):
        load_run(tmp_path / "none.json")
