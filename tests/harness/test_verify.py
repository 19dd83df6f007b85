"""porter verify from a source to its verdicts, in the emulator: entries of every kind, and everything that goes wrong."""

from __future__ import annotations

import json
import os
import re
import signal
import textwrap
from pathlib import Path

import pytest
from compiling import needs_torch_sources

from porter.harness.building import build
from porter.harness.cases.case import load_case
from porter.harness.sessions.session import Outcome, VerifyOptions, plan_tasks, verify
from porter.harness.verdict import Status, Verdict

SCALE = """
#include <cuda_runtime.h>
__global__ void scale_kernel(const float *x, float *y, int n, float a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
extern "C" cudaError_t scale(const float *x, float *y, int n, float a, cudaStream_t stream) {
  scale_kernel<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n, a);
  return cudaGetLastError();
}
"""
SCALE_CASE = """
import torch
SHAPES = [dict(n=100), dict(n=1), dict(n=300)]
VALUES = ("normal",)
def inputs(n): return {"x": torch.randn(n), "a": 2.5}
def reference(x, a): return {"y": a * x}
"""

# name: source, case, suffix of the source
ENTRIES = {
    "function": (SCALE, SCALE_CASE, ".cu"),
    "one_output": (SCALE, SCALE_CASE.replace('{"y": a * x}', "a * x"), ".cu"),
    "template": (
        """
        #include <cuda_fp16.h>
        namespace ops {
        template <class T, int N> __global__ void kernel(const T *x, T *y, int n, float a) {
          const int i = (blockIdx.x * blockDim.x + threadIdx.x) * N;
          for (int j = i; j < i + N && j < n; j++) y[j] = (T)((float)x[j] * a);
        }
        template <class T, int N = 4> void scale(const T *x, T *y, int n, float a, cudaStream_t stream = 0) {
          kernel<T, N><<<(n + 64 * N - 1) / (64 * N), 64, 0, stream>>>(x, y, n, a);
        }
        }
        """,
        'ENTRY = "ops::scale<__half>"' + SCALE_CASE, ".cu",
    ),
    "struct": (
        """
        #include <cuda_bf16.h>
        struct Size { short rows; int columns; };
        struct Params { const __nv_bfloat16 *x; float *sums; Size size; double eps; bool twice; };
        static __global__ void kernel(const Params p) {
          float sum = 0;
          for (int c = threadIdx.x; c < p.size.columns; c += 32) sum += __bfloat162float(p.x[blockIdx.x * p.size.columns + c]);
          for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
          if (threadIdx.x == 0) p.sums[blockIdx.x] = (p.twice ? 2 : 1) * sum + p.eps;
        }
        static void row_sums(const Params &p, cudaStream_t stream) { kernel<<<p.size.rows, 32, 0, stream>>>(p); }
        """,
        """
        import torch
        ENTRY = "row_sums"
        SHAPES = [dict(rows=3, columns=100)]
        def inputs(rows, columns): return {"x": torch.randn(rows, columns), "eps": 0.25, "twice": True}
        def reference(x, eps): return {"sums": 2 * x.sum(1) + eps}
        """, ".cu",
    ),
    "kernel": (
        """
        extern "C" __global__ void add(const float *a, const float *b, void *c, unsigned long long n) {
          extern __shared__ float staged[];
          const unsigned i = blockIdx.y * blockDim.x + threadIdx.x;
          staged[threadIdx.x] = i < n ? a[i] : 0;
          __syncthreads();
          if (i < n) ((float *)c)[i] = staged[threadIdx.x] + b[i];
        }
        """,
        """
        import torch
        SHAPES = [dict(n=100), dict(n=257)]
        DTYPES = {"c": torch.float32}
        def launch(n): return dict(grid=(1, -(-n // 64)), block=64, shared=256)
        def inputs(n): return {"a": torch.randn(n), "b": torch.randn(n)}
        def reference(a, b): return {"c": a + b}
        """, ".cu",
    ),
    "kernel_of_warps_with_roles": (
        """
        __global__ void reversed(const float *x, float *y) {
          __shared__ float staged[64];
          staged[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
          asm volatile("bar.sync 1, 64;" ::: "memory");
          y[blockIdx.x * blockDim.x + threadIdx.x] = staged[63 - threadIdx.x];
        }
        """,
        """
        import torch
        ENTRY, SHAPES = "reversed", [dict(n=64), dict(n=192)]
        def launch(n): return dict(grid=n // 64, block=64)
        def inputs(n): return {"x": torch.randn(n)}
        def reference(x): return {"y": x.view(-1, 64).flip(1).flatten()}
        """, ".cu",
    ),
    "port_alone": (
        SCALE.replace("cuda_runtime", "hip/hip_runtime").replace("cuda", "hip"), SCALE_CASE, ".hip",
    ),
    "first_guess": (
        """
        __global__ void kernel(const float *x, float *y, int n) {
          const int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i >= n) return;
          int *most = (int *)y, old = *most, assumed;
          do {
            assumed = old;
            old = atomicCAS(most, assumed, __float_as_int(fmaxf(x[i], __int_as_float(assumed))));
          } while (old != assumed);
        }
        void largest(const float *x, float *y, int n) {
          cudaMemset(y, 0, sizeof(float));
          kernel<<<(n + 127) / 128, 128>>>(x, y, n);
        }
        """,
        """
        import torch
        ENTRY, SHAPES = "largest", [dict(n=700)]
        def inputs(n): return {"x": torch.rand(n)}
        def reference(x): return {"y": x.max().reshape(1)}
        """, ".cu",
    ),
    "in_and_out": (
        """
        __global__ void kernel(float *x, int *count, int n) {
          const int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) { if (x[i] > 0) atomicAdd(count, 1); x[i] = fmaxf(x[i], 0.0f); }
        }
        void relu(float *x, int *count, int n) { kernel<<<(n + 63) / 64, 64>>>(x, count, n); }
        """,
        """
        import torch
        ENTRY = "relu"
        SHAPES = [dict(n=200)]
        VALUES = ("normal", "large", "zeros")
        def inputs(n): return {"x": torch.randn(n), "count": torch.tensor([5], dtype=torch.int32)}
        def reference(x, count): return {"x": x.clamp_(min=0), "count": count + (x > 0).sum()}
        """, ".cu",
    ),
    "python_module": (
        """
        #include <pybind11/pybind11.h>
        #include <stdexcept>
        namespace py = pybind11;
        __global__ void kernel(const float *x, float *y, int n) {
          const int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) y[i] = 2.5f * x[i];
        }
        void scale(py::object x, py::object y, int n) {
          auto address = [](py::object t) {
            if (t.attr("__class__").attr("__name__").cast<std::string>() != "Tensor") throw std::runtime_error("no tensor");
            if (t.attr("device").attr("type").cast<std::string>() == "cpu") throw std::runtime_error("not on the device");
            if (!t.attr("is_contiguous")().cast<bool>()) throw std::runtime_error("strided");
            return reinterpret_cast<float *>(t.attr("data_ptr")().cast<size_t>());
          };
          kernel<<<(n + 127) / 128, 128>>>(address(x), address(y), n);
          if (cudaGetLastError() != cudaSuccess) throw std::runtime_error("launch failed");
        }
        PYBIND11_MODULE(scaling, m) { m.def("scale", &scale); }
        """,
        """
        import torch
        ENTRY, ARGUMENTS, DTYPES = "scaling:scale", ("x", "y", "n"), {"y": torch.float32}
        SHAPES = [dict(n=100)]
        def inputs(n): return {"x": torch.randn(n)}
        def reference(x): return {"y": 2.5 * x}
        """, ".cu",
    ),
    "one_of_several": (
        SCALE.replace('extern "C" cudaError_t', "cudaError_t")
        + "int scale(const int *, int *, int, int, cudaStream_t) { return 1; }\n"
        + "int scale(const float *) { return 1; }\n",
        'ENTRY = "scale(const float *, float *, int, float, cudaStream_t)"' + SCALE_CASE, ".cu",
    ),
    "with_folder_of_headers": (
        '#include "scale.cuh"\n' + SCALE.replace("a * x[i]", "scaled(a, x[i])"),
        'INCLUDES = ("part",)' + SCALE_CASE, ".cu",
    ),
    "with_headers": (
        '#include "part/scale.cuh"\n' + SCALE.replace("a * x[i]", "scaled(a, x[i])"), SCALE_CASE, ".cu",
    ),
}  # fmt: skip

# name: change of the source (old, new), change of the case (old, new), parts of the reason
FAILURES = {
    "does_not_compile": ("a * x[i]", "a * nothing[i]", "", "", ["nothing"]),
    "no_such_entry": ("", "", "SHAPES", 'ENTRY = "gone"\nSHAPES', ["no function gone", "scale"]),
    "several": (
        'extern "C" cudaError_t', "int scale(float *) { return 0; }\ncudaError_t", "SHAPES", 'ENTRY = "scale"\nSHAPES',
        ["which scale?", 'say ENTRY = "scale(float *)"'],
    ),
    "wrong_dtype": ("", "", "torch.randn(n)", "torch.randn(n).to(torch.complex64)", ["complex64", "float32"]),
    "missing_value": ("", "", ', "a": 2.5', "", ["a"]),
    "reference_raises": ("", "", "a * x}", "a * x.view(7, 7)}", ["RuntimeError"]),
    "unknown_output": ("", "", '{"y"', '{"z"', ["reference returns z", "the entry writes y"]),
    "output_is_const": ("", "", '{"y": a * x}', '{"y": a * x, "x": x}', ["reference returns x"]),
    "wrong_shape": ("", "", "a * x}", "(a * x)[:-1]}", []),
    "returns_an_error": ("return cudaGetLastError()", "return cudaErrorInvalidValue", "", "", ["hipErrorInvalidValue"]),
    "launch_fails": ("128, 0, stream", "4096, 0, stream", "", "", ["hipErrorInvalidConfiguration"]),
    "out_of_bounds": ("if (i < n) y", "if (i <= n) y", "", "", ["out-of-bounds at out_of_bounds.hip:"]),
    "host_crash": ("scale_kernel<<<", "*(volatile int *)8 = n; scale_kernel<<<", "", "", ["SIGSEGV"]),
    "host_exits": ("scale_kernel<<<", "if (n) exit(3); scale_kernel<<<", "", "", ["exit code 3"]),
    "hangs": ("if (i < n) y", "while (*(volatile const float *)x != 1e30f) ; if (i < n) y", "", "", []),
    "asserts": ("if (i < n) y", "assert(a < 1); if (i < n) y", "", "", ["assert"]),
    "past_the_end": ("x[i];", "x[i + 128];", "", "", ["out-of-bounds"]),  # where another tensor used to lie
    "before": ("x[i];", "x[i - 64];", "", "", ["out-of-bounds"]),
    "reads_its_output": ("] = a", "] += a", "", "", ["uninitialised", "hold poison, unwritten or computed from"]),
    "nothing_written": ("y[i] = a * x[i];", ";", "", "", ["were not written", "y[0]"]),
    "nan": ("a * x[i];", "a * x[i] * (0.0f / (x[i] - x[i]));", "", "", ["nan"]),
}  # fmt: skip


def write(folder: Path, name: str, source: str, case: str, suffix: str) -> None:
    target = folder / name
    target.mkdir()
    (target / f"{name}{suffix}").write_text(textwrap.dedent(source))
    (target / "case.py").write_text(textwrap.dedent(case))


def run(folder: Path, **options: object) -> Outcome:
    given = VerifyOptions(seed=3, max_instructions=200_000, timeout=120, **options)  # type: ignore[arg-type]
    tasks, broken = plan_tasks([folder], given)
    outcome = verify(tasks, given)
    outcome.verdicts += broken
    return outcome


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Verdict]]:
    folder = tmp_path_factory.mktemp("entries")
    for name, (source, case, suffix) in ENTRIES.items():
        write(folder, name, source, case, suffix)
    for name in ("with_headers", "with_folder_of_headers"):
        (folder / name / "part").mkdir()
        (folder / name / "part" / "scale.cuh").write_text(
            "#pragma once\n#include <cuda_runtime.h>\n"
            "__device__ float scaled(float a, float x) { return __fmul_rn(a, x); }\n"
        )
    return by_case(run(folder))


@pytest.fixture(scope="module")
def failures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Verdict]]:
    folder = tmp_path_factory.mktemp("failures")
    for name, (old, new, case_old, case_new, _) in FAILURES.items():
        assert old in SCALE and case_old in SCALE_CASE, name
        source = "#include <assert.h>\n#include <stdlib.h>\n" + SCALE.replace(old, new, 1) if old else SCALE
        write(folder, name, source, SCALE_CASE.replace(case_old, case_new, 1) if case_old else SCALE_CASE, ".cu")
    return by_case(run(folder))


def by_case(outcome: Outcome) -> dict[str, list[Verdict]]:
    verdicts_by_case: dict[str, list[Verdict]] = {}
    for verdict in outcome.verdicts:
        verdicts_by_case.setdefault(verdict.case, []).append(verdict)
    return verdicts_by_case


@pytest.mark.parametrize(
    "name", [n if n != "python_module" else pytest.param(n, marks=needs_torch_sources) for n in ENTRIES]
)
def test_an_entry_of_this_kind_is_called_and_right(entries: dict[str, list[Verdict]], name: str) -> None:
    verdicts = entries[name]
    assert [(v.name, v.reason) for v in verdicts if v.status is not Status.PASS] == []
    assert all(v.outputs and v.backend == "emulator" for v in verdicts)


@pytest.mark.parametrize("name", FAILURES)
def test_what_goes_wrong_is_a_failure_with_its_reason(failures: dict[str, list[Verdict]], name: str) -> None:
    verdicts = failures[name]
    assert len(verdicts) == 3  # the other runs go on
    assert {v.status for v in verdicts} == {Status.FAIL}
    for verdict in verdicts:
        assert all(part in verdict.reason for part in FAILURES[name][4]), verdict.reason
        assert verdict.reason and "Traceback" not in verdict.reason


def test_a_finding_names_the_thread_and_the_tensor(failures: dict[str, list[Verdict]]) -> None:
    (first,) = failures["past_the_end"][0].findings
    said = r"thread \(\d+, 0, 0\) of workgroup \(0, 0, 0\): 4 bytes at 0x\w+, \d+ bytes past the end of x \(400 bytes\)"
    assert re.fullmatch(said, first["touched"]), first
    (before,) = failures["before"][1].findings
    assert "256 bytes before x (4 bytes)" in before["touched"]


def test_sources_and_headers_in_folders_beside_each_other(tmp_path: Path) -> None:
    case = 'SOURCE, INCLUDES, FLAGS = "src/scale.cu", ("include",), ("-std=c++20",)' + SCALE_CASE
    header = (
        "#pragma once\n#include <cuda_runtime.h>\n__device__ auto scaled(auto a, float x) { return __fmul_rn(a, x); }\n"
    )
    source = '#include "ops/scale.cuh"\n' + SCALE.replace("a * x[i]", "scaled(a, x[i])")
    for name, text in {"case.py": case, "include/ops/scale.cuh": header, "src/scale.cu": source}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert [(v.status, v.reason) for v in run(tmp_path).verdicts] == [(Status.PASS, "")] * 3


def test_headers_behind_a_variable_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them the case is NOT RUN, on either side: never a pass, and no failure of the port."""
    case = 'INCLUDES = ("$OUR_HEADERS/include",)' + SCALE_CASE
    (tmp_path / "cases").mkdir()
    write(
        tmp_path / "cases",
        "scale",
        '#include "factor.cuh"\n' + SCALE.replace("a * x[i]", "FACTOR(a, x[i])"),
        case,
        ".cu",
    )
    folder = tmp_path / "headers" / "include"
    folder.mkdir(parents=True)
    (folder / "factor.cuh").write_text("#define FACTOR(a, x) (a * __ldcs(&x))\n")
    for value in (None, "", str(tmp_path), "folder-that-does-not-exist"):
        monkeypatch.delenv("OUR_HEADERS", raising=False) if value is None else monkeypatch.setenv("OUR_HEADERS", value)
        for backend in ("emulator", "nvidia"):
            verdicts = run(tmp_path / "cases", backend=backend).verdicts
            assert [v.status for v in verdicts] == [Status.NOT_RUN] * 3
            assert {v.reason for v in verdicts} == {
                "$OUR_HEADERS/include, which case.py takes headers from, is not here; "
                "set OUR_HEADERS to the folder that holds include"
            }
    monkeypatch.setenv("OUR_HEADERS", str(folder.parent))
    assert [(v.status, v.reason) for v in run(tmp_path / "cases").verdicts] == [(Status.PASS, "")] * 3


def test_a_port_follows_the_rules_of_its_project(tmp_path: Path) -> None:
    """Those that porter convert reads from pyproject.toml: a port that was made with them is not called edited."""
    (tmp_path / "pyproject.toml").write_text('[tool.porter]\nrules = ["own"]\n')
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "ours.tbl").write_text(
        "@rule     name-ours\n@library  our wrappers\nourLastError     hipGetLastError     func    exact\n"
    )
    write(tmp_path, "scale", SCALE.replace("return cudaGetLastError", "return ourLastError"), SCALE_CASE, ".cu")
    made, reports, _ = build.convert(load_case(tmp_path / "scale" / "case.py"))
    assert "return hipGetLastError();" in made.read_text()
    assert "name-ours" in {f.rule for port in reports for f in port.findings}


def test_one_bad_shape_leaves_the_others(tmp_path: Path) -> None:
    write(tmp_path, "late", SCALE.replace("if (i < n) y", "if (i < n + (n == 1)) y"), SCALE_CASE, ".cu")
    verdicts = run(tmp_path).verdicts
    assert [v.status for v in verdicts] == [Status.PASS, Status.FAIL, Status.PASS]


def test_a_run_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    source = "#include <unistd.h>\n" + SCALE.replace("scale_kernel<<<", "if (n == 1) sleep(600); scale_kernel<<<")
    write(tmp_path, "slow", source, SCALE_CASE, ".cu")
    given = VerifyOptions(seed=3, timeout=4)
    outcome = verify(plan_tasks([tmp_path], given)[0], given)
    assert [v.status for v in outcome.verdicts] == [Status.PASS, Status.FAIL, Status.PASS]
    assert outcome.verdicts[1].reason == "did not end within 4 s"


def test_an_interrupt_keeps_the_results_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "scale", SCALE, SCALE_CASE, ".cu")
    given = VerifyOptions(seed=3)

    def interrupt(verdict: Verdict) -> None:
        signal.raise_signal(signal.SIGINT)

    outcome = verify(plan_tasks([tmp_path], given)[0], given, interrupt)
    assert outcome.interrupted
    assert outcome.verdicts and all(v.status is Status.PASS for v in outcome.verdicts)


def test_what_cannot_run_here_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porter.harness.building.build.find_nvcc", lambda: None)
    write(tmp_path, "scale", SCALE, SCALE_CASE, ".cu")
    outcome = run(tmp_path, backend="nvidia")
    assert {v.status for v in outcome.verdicts} == {Status.NOT_RUN}
    assert all("nvcc" in v.reason for v in outcome.verdicts)
    assert outcome.count(Status.PASS) == 0


@pytest.mark.parametrize(
    ("said", "wanted"), [("9.0", "90a"), ("8.6\n9.0", "86"), ("10.0", "100a"), ("[N/A]", "90a"), ("", "90a")]
)
def test_originals_are_compiled_for_the_gpu_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, wanted: str
) -> None:
    tool = tmp_path / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\nprintf '%s\\n' '{said}'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    build._sm.cache_clear()
    assert build._sm() == wanted
    build._sm.cache_clear()


def test_the_same_seed_gives_the_same_run(tmp_path: Path) -> None:
    write(tmp_path, "scale", SCALE, SCALE_CASE, ".cu")
    first, second = (run(tmp_path).verdicts for _ in range(2))
    assert json.dumps([v.outputs[0].norm_error for v in first]) == json.dumps([v.outputs[0].norm_error for v in second])


def test_a_reference_may_be_a_backward_pass(tmp_path: Path) -> None:
    backward = """
def reference(x, a):
    x = x.detach().clone().requires_grad_()
    (a * x * x / 2).sum().backward()
    return {"y": x.grad}
"""
    case = SCALE_CASE[: SCALE_CASE.index("def reference")].replace("dict(n=1), dict(n=300)", "") + backward
    write(tmp_path, "scale", SCALE, case, ".cu")
    assert [v.status for v in run(tmp_path).verdicts] == [Status.PASS]
