"""`porter convert --build`: what was written is compiled, and each error comes to its site."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest
from test_cli import Run, private, run  # noqa: F401

from porter.cli.convert_run import exit_code
from porter.findings import PortReport
from porter.frontend.unit import Options
from porter.port.building.compiled import _errors, with_build
from porter.port.files.write import write_ports
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.report.facts.summary import summarize
from porter.toolchain import process

KERNEL = "#include <cuda_runtime.h>\n__global__ void k(int *p) { *p = 1; }\n"
BROKEN = (
    '#include "h.cuh"\n__global__ void b(int *p) { *p = twice(1); }\nvoid f() { cudaDeviceSynchronize(undeclared); }\n'
)
HEADER = "#pragma once\n#include <cuda_runtime.h>\n__device__ inline int twice(int a) { return a + nothing; }\n"


def converted(run: Run, folder: Path, *arguments: str) -> tuple[int, str, dict]:  # noqa: F811
    result = run("convert", *arguments, "--build", "--report", "r.json")
    return result.code, result.out, json.loads((folder / "r.json").read_text())


def test_errors_of_a_tree_are_at_their_sites(run: Run, tmp_path: Path) -> None:  # noqa: F811
    tree = tmp_path / "t"
    tree.mkdir()
    for name, text in {"a.cu": KERNEL, "b.cu": BROKEN, "h.cuh": HEADER, "host.cpp": "int unrelated(;\n"}.items():
        (tree / name).write_text(text)
    (tree / "c.cu").write_text('#include "not_here.h"\n' + KERNEL)
    code, _, report = converted(run, tmp_path, "t")
    assert code == 1
    assert report["headline"].startswith(
        "does not compile: 2 errors in 1 of 2 files, 1 file not compiled: headers are missing"
    )
    files = {Path(file["path"]).name: file for file in report["files"]}
    assert {name: file["build"] for name, file in files.items()} == {
        "a.cu": "compiles", "b.cu": "does not compile", "c.cu": "lacks headers", "h.cuh": "", "host.cpp": "",
    }  # fmt: skip
    assert "not_here.h" in files["c.cu"]["caveat"]
    (error,) = [site for site in files["h.cuh"]["findings"] if site["safety"] == "error"]
    assert (error["line"], error["rule"]) == (3, "does-not-compile") and "nothing" in error["message"]


@pytest.mark.slow
def test_a_source_that_another_includes_is_compiled_as_part_of_it(run: Run, tmp_path: Path) -> None:  # noqa: F811
    tree = tmp_path / "t"
    tree.mkdir()
    (tree / "part.cu").write_text("__global__ void k(int *p) { *p = kOfMain; }\n")
    (tree / "main.cu").write_text('#include <cuda_runtime.h>\nconstexpr int kOfMain = 1;\n#include "part.cu"\n')
    code, _, report = converted(run, tmp_path, "t")
    assert code == 0 and report["headline"].startswith("compiles. ")
    assert {Path(file["path"]).name: file["build"] for file in report["files"]} == {
        "main.cu": "compiles",
        "part.cu": "",
    }
    (tree / "part.cu").write_text("__global__ void k(int *p) { *p = kOfNobody; }\n")
    code, out, _ = converted(run, tmp_path, "t")
    assert code == 1 and "part.cu:1" in out and "kOfNobody" in out


@pytest.mark.slow
def test_what_a_stand_in_for_a_library_lacks_is_no_error_of_the_port(run: Run, tmp_path: Path) -> None:  # noqa: F811
    tree = tmp_path / "t"
    tree.mkdir()
    text = "#include <cuda_runtime.h>\n#include <cublas_v2.h>\nauto f = &cublasZgelsBatched;\n"
    (tree / "a.cu").write_text(text)
    code, out, report = converted(run, tmp_path, "t")
    assert code == 1 and report["headline"].startswith("1 file not compiled: headers are missing")
    assert "hipblasZgelsBatched is not in porter's stand-in for hipblas: compile with ROCm's headers" in out
    (tree / "a.cu").write_text(text + "int g = nothing;\n")
    code, _, report = converted(run, tmp_path, "t")
    assert code == 1 and report["headline"].startswith("does not compile: ")


def test_real_headers_of_rocm(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    texts = {
        "hipfft/hipfft.h": "#pragma once\ntypedef int hipfftHandle;\nvoid hipfftOfThisRelease();\n",
        "thrust/system/hip/config.h": "",
        "thrust/of_this_release.h": "#pragma once\n",
        "hip/hip_runtime.h": "#error of another release\n",
    }
    for name, text in texts.items():
        place = tmp_path / "rocm" / "include" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    (tmp_path / "a.cu").write_text(
        "#include <cufft.h>\n#include <thrust/of_this_release.h>\n" + KERNEL + "void f() { hipfftOfThisRelease(); }\n"
    )
    assert converted(run, tmp_path, "a.cu")[0] != 0
    monkeypatch.setenv("ROCM_PATH", str(tmp_path / "rocm"))
    code, out, _ = converted(run, tmp_path, "a.cu", "--force")
    assert code == 0, out


@pytest.mark.slow
def test_folders_for_headers_are_those_of_the_port(run: Run, tmp_path: Path) -> None:  # noqa: F811
    """A tree that is given as `.`, with a folder for headers that its Makefile names: the port's headers are meant."""
    tree = tmp_path / "t"
    (tree / "src").mkdir(parents=True)
    (tree / "main").mkdir()
    (tree / "Makefile").write_text("all:\n\tnvcc -Isrc -o a main/a.cu\n")
    (tree / "src/h.cuh").write_text("#pragma once\n#include <cublas_v2.h>\n")
    (tree / "main/a.cu").write_text("#include <h.cuh>\n" + KERNEL + "cublasHandle_t h;\n")
    result = run("convert", ".", "-o", "../out", "--build", "--report", "../r.json", cwd=tree)
    assert result.code == 0 and json.loads((tmp_path / "r.json").read_text())["headline"].startswith("compiles. ")


@pytest.mark.slow
def test_a_host_source_with_device_headers_is_for_hipcc(run: Run, tmp_path: Path) -> None:  # noqa: F811
    tree = tmp_path / "t"
    tree.mkdir()
    (tree / "a.cu").write_text(KERNEL)
    (tree / "b.cpp").write_text("#include <cuda_bf16.h>\n__nv_bfloat16 b;\n")
    code, out, report = converted(run, tmp_path, "t")
    assert code == 0 and report["headline"].startswith("compiles. ") and "b.cpp: note: compiles as HIP only" in out
    (tree / "b.cpp").write_text("#include <cuda_bf16.h>\n__nv_bfloat16 b = nothing;\n")
    code, out, report = converted(run, tmp_path, "t")
    assert code == 1 and "nothing" in out and "as HIP only" not in out


def test_nothing_compiled_is_no_success(run: Run, tmp_path: Path) -> None:  # noqa: F811
    for name in ("t", "u"):
        (tmp_path / name).mkdir()
    (tmp_path / "t/h.cuh").write_text(HEADER)
    code, _, report = converted(run, tmp_path, "t")
    assert code == 1 and report["headline"].startswith("nothing compiled")
    (tmp_path / "u/h.cuh").write_text(HEADER)
    (tmp_path / "u/host.cpp").write_text('#include "h.cuh"\n')
    code, _, report = converted(run, tmp_path, "u")
    assert code == 1 and report["headline"].startswith("does not compile")


def test_a_compiler_that_does_not_finish_refuses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "TIMEOUT", 0.01)
    path = tmp_path / "slow.cu"
    path.write_text("// slow\n" + KERNEL)
    conversion = Conversion(Options())
    todo = plan([path], None, False, conversion)
    ports = run_jobs(todo.jobs, conversion, 1)
    write_ports(todo.jobs, ports, "copy", todo.runtime_dirs)
    (built,) = with_build(todo, ports, conversion, {}, 1)
    assert built.build == "not finished" and "not finished in" in built.problem
    assert not any(finding.rule == "does-not-compile" for finding in built.findings)
    assert exit_code([built], check=False) == 1
    headline = summarize(PortReport((built,), built=True), {}).headline
    assert headline.startswith("1 file not compiled: the compiler did not finish")


def test_a_port_that_compiles_says_so(run: Run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "a.cu").write_text(KERNEL)
    code, output, report = converted(run, tmp_path, "a.cu")
    assert code == 0 and report["headline"].startswith("compiles. ")
    assert output.splitlines()[-1].startswith("compiles. ")


def test_the_build_says_which_files_and_with_what(run: Run, tmp_path: Path) -> None:  # noqa: F811
    needs = KERNEL + "static_assert(WIDTH == 3);\n"
    for name in ("a.cu", "b.cu"):
        (tmp_path / name).write_text(needs)
    entry = {"directory": str(tmp_path), "file": "a.cu", "command": "nvcc -DWIDTH=3 -c a.cu"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    code, _, report = converted(run, tmp_path, "a.cu", "b.cu", "-o", "out", "-p", ".")
    assert code == 0 and report["headline"].startswith("1 file compiles, 1 file not in the build")


def test_a_build_of_an_older_standard(run: Run, tmp_path: Path) -> None:  # noqa: F811
    """porter's headers are C++17, whatever the original is compiled as."""
    source = '__device__ void f(int *p) { asm volatile("ld.global.u32 %0, [%1];" : "=r"(*p) : "l"(p)); }\n'
    (tmp_path / "a.cu").write_text(KERNEL + source)
    (tmp_path / "Makefile").write_text("a: a.cu\n\tnvcc -std=c++14 a.cu\n")
    code, _, report = converted(run, tmp_path, "a.cu", "-o", "out.hip")
    assert code == 0 and report["headline"].startswith("compiles"), report["headline"]


def test_a_change_by_hand_moves_the_line_but_not_the_site(run: Run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "a.cu").write_text(KERNEL + "void f() { cudaFree(0); }\n")
    assert converted(run, tmp_path, "a.cu")[0] == 0
    port = tmp_path / "a.hip"
    port.write_text("// mine\n// mine\n" + port.read_text().replace("*p = 1", "*p = one"))
    code, _, report = converted(run, tmp_path, "a.cu")
    (error,) = [site for site in report["files"][0]["findings"] if site["safety"] == "error"]
    assert code == 1 and error["line"] == 2


def test_an_accepted_error_does_not_fail(run: Run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "a.cu").write_text(KERNEL.replace("= 1", "= one"))
    assert converted(run, tmp_path, "a.cu", "--ignore", "does-not-compile")[0] == 0


def files_of(folder: Path) -> dict[str, tuple[bytes, float]]:
    return {str(path): (path.read_bytes(), path.stat().st_mtime) for path in folder.rglob("*") if path.is_file()}


def test_what_would_be_written_is_compiled(run: Run, tmp_path: Path) -> None:  # noqa: F811
    """In a tree whose files include those of a folder beside it; nothing is written but the report."""
    tree = tmp_path / "t"
    (tree / "src").mkdir(parents=True)
    (tmp_path / "common").mkdir()
    (tmp_path / "common/c.h").write_text("#pragma once\n#define C 1\n")
    (tree / "h.cuh").write_text(HEADER.replace("nothing", "a"))
    source = '#include "../../common/c.h"\n#include "../h.cuh"\n' + KERNEL.replace("*p = 1", "*p = twice(C)")
    (tree / "src/a.cu").write_text(source + "__global__ void v(int *p) { *p = __ballot_sync(~0u, *p); }\n")
    before = files_of(tmp_path)
    code, _, report = converted(run, tmp_path, "t", "--check")
    assert code == 1 and report["headline"].startswith("compiles. "), report["headline"]
    (tree / "src/a.cu").write_text(source.replace("twice(C)", "thrice(C)"))
    before |= {str(tree / "src/a.cu"): files_of(tree)[str(tree / "src/a.cu")]}
    code, output, report = converted(run, tmp_path, "t", "--check")
    assert code == 1 and report["headline"].startswith("does not compile: 1 error. ")
    (error,) = [site for file in report["files"] for site in file["findings"] if site["safety"] == "error"]
    assert error["line"] == 4 and "thrice" in error["message"]
    assert "porter-check-" not in output + json.dumps(report)
    (tmp_path / "r.json").unlink()
    assert files_of(tmp_path) == before


def test_a_port_that_is_there_is_checked_as_it_would_become(run: Run, tmp_path: Path) -> None:  # noqa: F811
    """Changes by hand count, what porter did not write is refused by its own name, and nothing goes through a link."""
    (tmp_path / "a.cu").write_text(KERNEL + "__global__ void v(int *p) { *p = __ballot_sync(~0u, *p); }\n")
    assert converted(run, tmp_path, "a.cu")[0] == 0
    port = tmp_path / "a.hip"
    port.write_text(port.read_text().replace("*p = 1", "*p = one"))
    (tmp_path / "a.cu").write_text("// newer\n" + (tmp_path / "a.cu").read_text())
    before = files_of(tmp_path)
    code, _, report = converted(run, tmp_path, "a.cu", "--check")
    (error,) = [site for site in report["files"][0]["findings"] if site["safety"] == "error"]
    assert code == 1 and "one" in error["message"] and error["line"] == 3
    (tmp_path / "r.json").unlink()
    assert files_of(tmp_path) == {path: data for path, data in before.items() if not path.endswith("r.json")}
    (tmp_path / "b.cu").write_text(KERNEL)
    (tmp_path / "b.hip").write_text("int mine;\n")
    code, _, report = converted(run, tmp_path, "b.cu", "--check")
    assert code == 2 and report["files"][0]["caveat"].startswith(
        "not ported: b.hip exists, and is not what porter wrote"
    )
    assert (tmp_path / "b.hip").read_text() == "int mine;\n"


def test_an_extension_is_compiled_as_torchs_builder_does(run: Run, tmp_path: Path) -> None:  # noqa: F811
    """After torch's own hipify, which renames headers, and with its headers for AMD's GPUs; errors come to the original."""
    tree = tmp_path / "ext"
    for folder in ("csrc", "include"):
        (tree / folder).mkdir(parents=True)
    (tree / "setup.py").write_text(
        "from setuptools import setup\nfrom torch.utils.cpp_extension import BuildExtension, CUDAExtension\n"
        'setup(ext_modules=[CUDAExtension("x", ["csrc/a.cu", "csrc/b.cu"], include_dirs=["include"])],\n'
        '      cmdclass={"build_ext": BuildExtension})\n'
    )
    (tree / "include/checked.h").write_text("#pragma once\n#include <c10/cuda/CUDAException.h>\n")
    (tree / "csrc/h.cuh").write_text(
        '#pragma once\n#include <cooperative_groups.h>\n#include "checked.h"\n'
        "__device__ inline float sum(float v) { return v + __shfl_xor_sync(~0u, v, 1); }\n"
    )
    good = (
        '#include "h.cuh"\n__global__ void k(float *p) { *p = sum(*p); }\n'
        "void f(float *p, cudaStream_t s) {\n  k<<<1, 32, 0, s>>>(p);\n  C10_CUDA_KERNEL_LAUNCH_CHECK();\n}\n"
    )
    (tree / "csrc/a.cu").write_text(good)
    (tree / "csrc/b.cu").write_text(good.replace("(*p)", "(*q)"))
    code, out, report = converted(run, tmp_path, "ext", "-o", "port")
    files = {Path(file["path"]).name: file for file in report["files"]}
    assert code == 1
    assert {name: files[name]["build"] for name in ("a.cu", "b.cu")} == {
        "a.cu": "compiles",
        "b.cu": "does not compile",
    }, out
    (error,) = [site for site in files["b.cu"]["findings"] if site["safety"] == "error"]
    assert error["line"] == 2 and "'q'" in error["message"]
    assert any(f"torch {version('torch')}'s extension builder" in note for note in files["a.cu"]["notes"])
    assert not list((tmp_path / "port").rglob("*_hip*")), "hipify wrote into the port"


def test_a_module_for_python_without_torch_is_compiled_without_its_hipify(run: Run, tmp_path: Path) -> None:  # noqa: F811
    """Which makes a second copy of a header for some of those that include it."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/once.cuh").write_text(
        "#pragma once\n#include <cuda_runtime.h>\nstruct Once { cudaStream_t s; };\n"
    )
    (tmp_path / "lib/part.inl").write_text('#pragma once\n#include "once.cuh"\n')
    (tmp_path / "a.cu").write_text(
        '#include <pybind11/pybind11.h>\n#include "once.cuh"\n#include "part.inl"\n'
        + KERNEL
        + "PYBIND11_MODULE(a, m) {}\n"
    )
    code, out, report = converted(run, tmp_path, "a.cu", "-I", "lib", "-o", "port")
    assert (code, report["files"][0]["build"]) == (0, "compiles"), out
    assert not any("hipify" in note for note in report["files"][0]["notes"])


@pytest.mark.slow
def test_an_extension_whose_sources_lie_in_one_folder_below(run: Run, tmp_path: Path) -> None:  # noqa: F811
    """porter's headers lie above them, and the builder sees those too."""
    (tmp_path / "ext/csrc").mkdir(parents=True)
    (tmp_path / "ext/csrc/a.cu").write_text(
        "#include <c10/cuda/CUDAException.h>\n__global__ void k(float *p) { *p = __shfl_xor_sync(~0u, *p, 1); }\n"
        "void f(float *p) {\n  k<<<1, 32>>>(p);\n  C10_CUDA_KERNEL_LAUNCH_CHECK();\n}\n"
    )
    code, out, report = converted(run, tmp_path, "ext", "-o", "port")
    assert (code, report["files"][0]["build"]) == (0, "compiles"), out


def test_a_header_that_torchs_hipify_copies_for_some_of_its_includes(run: Run, tmp_path: Path) -> None:  # noqa: F811
    """It changes the header, what includes it, and no `#include` of part.inl."""
    (tmp_path / "ext").mkdir()
    (tmp_path / "ext/plain.h").write_text('#pragma once\n#include "once.h"\nstruct Plain { Once once; };\n')
    (tmp_path / "ext/once.h").write_text("#pragma once\n// for cudaMalloc\nstruct Once {};\n")
    (tmp_path / "ext/part.inl").write_text('#pragma once\n#include "once.h"\n#include "plain.h"\n')
    (tmp_path / "ext/a.cu").write_text(
        '#include <c10/cuda/CUDAException.h>\n#include "once.h"\n#include "plain.h"\n#include "part.inl"\n' + KERNEL
    )
    code, out, report = converted(run, tmp_path, "ext", "-o", "port")
    files = {Path(file["path"]).name: file for file in report["files"]}
    assert (code, files["a.cu"]["build"]) == (0, "compiles"), out


def test_a_value_that_no_enumerator_has(run: Run, tmp_path: Path) -> None:  # noqa: F811
    """nvcc takes it in a constant expression; clang does so where the enumeration has a type."""
    none = "static_assert(CU_TENSOR_MAP_DATA_TYPE_UINT8 != CUtensorMapDataType(-1));\n"
    (tmp_path / "a.cu").write_text(f"#include <cuda.h>\n{none}{KERNEL}")
    code, out, report = converted(run, tmp_path, "a.cu")
    assert (code, report["files"][0]["build"]) == (0, "compiles"), out
    assert not any("error" in note for note in report["files"][0]["notes"]), out


def test_what_torchs_hipify_cannot_read(run: Run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "a.cu").write_bytes(b"#include <c10/cuda/CUDAException.h>\n// \xe9\n" + KERNEL.encode())
    code, _, report = converted(run, tmp_path, "a.cu")
    (error,) = [site for site in report["files"][0]["findings"] if site["safety"] == "error"]
    assert code == 1 and error["message"].startswith("torch's hipify fails: UnicodeDecodeError")


def test_a_missing_header_with_the_last_name_of_the_projects_own(run: Run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/a.cu").write_text('#include "util.h"\n#include <vendor/util.h>\n' + KERNEL)
    (tmp_path / "tree/util.h").write_text("#pragma once\n")
    _, out, report = converted(run, tmp_path, "tree", "-o", "port")
    assert {Path(file["path"]).name: file["build"] for file in report["files"]}["a.cu"] == "lacks headers", out


def test_an_include_of_torchs_that_macros_leave_out_makes_no_extension(run: Run, tmp_path: Path) -> None:  # noqa: F811
    bindings = b"#ifdef WITH_TORCH\n#include <c10/cuda/CUDAException.h>\n#endif\n// \xe9\n"
    (tmp_path / "a.cu").write_bytes(bindings + KERNEL.encode())
    code, out, report = converted(run, tmp_path, "a.cu")
    assert (code, report["files"][0]["build"], report["files"][0]["notes"]) == (0, "compiles", []), out
    code, _, report = converted(run, tmp_path, "a.cu", "-DWITH_TORCH", "--force")
    (error,) = [site for site in report["files"][0]["findings"] if site["safety"] == "error"]
    assert code == 1 and error["message"].startswith("torch's hipify fails")


def test_a_difference_is_not_compiled(run: Run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "a.cu").write_text(KERNEL)
    assert run("convert", "a.cu", "--build", "--diff").code == 2 and not (tmp_path / "a.hip").exists()


def test_the_places_of_an_error() -> None:
    text = (
        "In file included from /t/a.hip:1:\n/t/h.h:3:5: error: first\n    3 | code: here\n"
        "/t/a.hip:9:2: note: in instantiation of function template\nerror: illegal copy\n"
    )
    errors = [(error.text, error.places) for error in _errors(text)]
    assert errors == [("first", (("/t/h.h", 3), ("/t/a.hip", 1), ("/t/a.hip", 9))), ("illegal copy", ())]
