"""`porter run`: a whole program in the emulator, from the command line."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import commands
import pytest

PROGRAM = """
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>

__global__ void twice(const int *in, int *out, int n) {
  __shared__ int tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  BARRIER;
  out[i OFFSET] = 2 * tile[63 - threadIdx.x];
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 64;
  int *in, *out;
  hipMallocManaged(&in, n * sizeof(int));
  hipMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; i++) in[i] = i;
  twice<<<n / 64, 64>>>(in, out, n);
  const hipError_t error = hipDeviceSynchronize();
  if (error != hipSuccess) {
    printf("%s\\n", hipGetErrorName(error));
    return 3;
  }
  for (int i = 0; i < n; i++)
    if (out[i] != 2 * (i / 64 * 64 + 63 - i % 64)) return 4;
  printf("%d right\\n", n);
}
"""


def porter(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return commands.porter("run", *arguments)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run") / "twice.hip"
    path.write_text(PROGRAM)
    return path


CORRECT = ("-D", "BARRIER=__syncthreads()", "-D", "OFFSET=+0")


def test_runs_with_the_programs_arguments(source):
    done = porter(source, *CORRECT, "--", "256")
    assert (done.returncode, done.stdout) == (0, "256 right\n"), done.stderr


@pytest.mark.parametrize("seed", ["0", "5"])
def test_a_correct_program_has_no_findings(source, seed):
    done = porter(source, *CORRECT, "--check", "all", "--seed", seed)
    assert (done.returncode, done.stdout, done.stderr) == (0, "64 right\n", "")


def test_out_of_bounds_names_line_lane_and_allocation(source):
    done = porter(source, "-D", "BARRIER=__syncthreads()", "-D", "OFFSET=+1")
    assert done.returncode == 3
    assert done.stdout == "hipErrorIllegalAddress\n"
    assert "twice.hip:11" in done.stderr
    assert "lane 63" in done.stderr
    assert "0 bytes past the end of a 256-byte allocation" in done.stderr
    assert "1 finding: out-of-bounds 1" in done.stderr


def test_uninitialised_lds(source):
    """Half of the tile is never written, and read all the same; the program itself ends well."""
    broken = source.with_name("half.hip")
    broken.write_text(PROGRAM.replace("tile[threadIdx.x] =", "if (threadIdx.x < 32) tile[threadIdx.x] ="))
    done = porter(broken, *CORRECT, "--check", "uninit")
    assert done.returncode == 4  # the program's own
    assert "uninitialised" in done.stderr and "half.hip:11" in done.stderr


def test_findings_alone_give_exit_code_1(source):
    quiet = source.with_name("quiet.hip")
    quiet.write_text(PROGRAM.replace("return 4;", "continue;").replace("tile[threadIdx.x] =", "if (n < 0) tile[0] ="))
    done = porter(quiet, *CORRECT, "--check", "uninit")
    assert done.returncode == 1
    assert "uninitialised" in done.stderr


def test_counters_and_json(source, tmp_path):
    out = tmp_path / "run.json"
    done = porter(source, *CORRECT, "--counters", "--json", out, "--", "128")
    assert done.returncode == 0
    assert "counted in the emulator" in done.stderr and "twice.hip:9" in done.stderr
    report = json.loads(out.read_text())
    assert report["schema"] == "porter-run/1"
    (launch,) = report["launches"]
    assert launch["kernel"] == "twice(int const*, int*, int)"
    assert launch["grid"] == [2, 1, 1]
    assert sum(row[3] for row in launch["counts"]) == launch["instructions"]
    assert [row[3] for row in launch["counts"] if row[0].startswith("global_store")] == [2]
    assert "instructions are exact to the bit by their tests" in done.stderr
    assert report["fidelity"] == {"executed": launch["instructions"], "near": []}


LOOP = "for (int turn = 0; ((volatile int *)tile)[0] >= 0; turn++) ((volatile int *)tile)[1] = turn;"


def test_a_kernel_that_never_ends(source):
    endless = source.with_name("endless.hip")
    endless.write_text(PROGRAM.replace("BARRIER;", LOOP))
    done = porter(endless, *CORRECT, "--max-instructions", "100000")
    assert done.returncode == 3
    assert "too-many-instructions" in done.stderr and "endless.hip:10" in done.stderr


def test_a_deadlock(source):
    stuck = source.with_name("stuck.hip")
    stuck.write_text(PROGRAM.replace("BARRIER;", "while (((volatile int *)tile)[0] >= 0) __builtin_amdgcn_s_sleep(1);"))
    done = porter(stuck, *CORRECT)
    assert done.returncode == 3
    assert "deadlock" in done.stderr and "stuck.hip:10" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--check", "nosuch"], "unknown check"),
        (["missing.hip"], "missing.hip"),
        (["data.txt"], "not a HIP source"),
    ],
)
def test_bad_input(source, arguments, message):
    done = porter(source, *arguments, *CORRECT)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_compile_error(tmp_path):
    bad = tmp_path / "bad.hip"
    bad.write_text("#include <hip/hip_runtime.h>\n__global__ void k() { nosuch(); }\nint main() {}\n")
    done = porter(bad)
    assert done.returncode == 2
    assert "bad.hip:2" in done.stderr and "nosuch" in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("int f() { return 0; }", ["there is no main() in it", "half.hip --init FUNCTION"]),
        ("void f(); int main() { f(); }", ["undefined", "f()", "name the source, the object or the library (-l)"]),
    ],
    ids=["main", "function"],
)
@pytest.mark.sample(1)
def test_what_nothing_defines(tmp_path, text, said):
    path = tmp_path / "half.hip"
    path.write_text(text)
    done = porter(path)
    assert done.returncode == 2
    assert all(word in done.stderr for word in said), done.stderr
    assert "Traceback" not in done.stderr


def test_a_kernel_is_pointed_to_its_case(tmp_path):
    """A source without main() names the case beside it, or how to begin one; a case itself and a folder their command."""
    kernel, case = tmp_path / "scale.hip", tmp_path / "case.py"
    kernel.write_text('#include <hip/hip_runtime.h>\nextern "C" __global__ void scale(float *x) { x[0] = 1; }\n')
    done = porter(kernel)
    assert done.returncode == 2
    assert f"{kernel}: there is no main() in it" in done.stderr and f"porter verify {kernel} --init" in done.stderr
    case.write_text("SHAPES = [dict(n=1)]\n")
    for words, said in (((), f"porter verify {kernel} proves it"), (("--time",), f"porter verify {kernel} --bench")):
        done = porter(kernel, *words)
        assert done.returncode == 2
        assert "case.py beside it has its inputs" in done.stderr and said in done.stderr
    for path in (case, tmp_path):
        done = porter(path)
        assert done.returncode == 2 and f"cases are run by porter verify {path}" in done.stderr


def test_a_cuda_source_is_pointed_to_convert(tmp_path):
    cuda = tmp_path / "kernel.cu"
    cuda.write_text("#include <cuda_runtime.h>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n")
    done = porter(cuda)
    assert done.returncode == 2
    assert "porter convert" in done.stderr


def test_variables_of_one_file(tmp_path):
    """Those of zeros have a directive and no section; the last one's alignment is that of its type."""
    source = tmp_path / "own.hip"
    source.write_text("""
#include <hip/hip_runtime.h>
#include <cstdio>
namespace {
__device__ char byte;
__device__ int tickets[3];
__device__ double4 wide;
}
static __device__ int last;
__global__ void count(int *out) {
  byte += 2, tickets[threadIdx.x % 3] = 4, last += 3, wide.w += 2;
  out[0] = byte + tickets[1] + last + static_cast<int>(wide.w);
  out[1] = reinterpret_cast<unsigned long long>(&wide) % alignof(double4);
}
int main() {
  int *out;
  hipMallocManaged(&out, 2 * sizeof(int));
  count<<<1, 64>>>(out);
  const hipError_t error = hipDeviceSynchronize();
  printf("%d %d %s\\n", out[0], out[1], hipGetErrorName(error));
}
""")
    done = porter(source)
    assert (done.returncode, done.stdout) == (0, "11 0 hipSuccess\n"), done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--ranks", "-1"), "not a number of processes"),
        (("--ranks", "2", "--time"), "not predicted of several processes"),
    ],
)
def test_what_ranks_refuses(source, options, said):
    done = porter(source, *CORRECT, *options)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize(("flags", "said"), [((), "8 5"), (("--flag=-mprintf-kind=buffered",), "0 0")])
@pytest.mark.sample(1)
def test_what_printf_returns(tmp_path: Path, flags: tuple[str, ...], said: str) -> None:
    source = tmp_path / "prints.hip"
    source.write_text(
        "#include <hip/hip_runtime.h>\n#include <cstdio>\n"
        '__global__ void k(int *x) { x[0] = printf("seven %d\\n", 7); x[1] = printf("none\\n"); }\n'
        "int main() {\n  int *x, h[2];\n  if (hipMalloc(&x, 8)) return 2;\n  k<<<1, 1>>>(x);\n"
        '  if (hipMemcpy(h, x, 8, hipMemcpyDeviceToHost)) return 2;\n  printf("%d %d\\n", h[0], h[1]);\n}\n'
    )
    done = porter(source, *flags)
    assert (done.stdout.splitlines(), done.returncode) == (["seven 7", "none", said], 0), done.stderr


BUFFERED = """
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void fill(const char *text, int *results) {
  results[blockIdx.x * 64 + threadIdx.x] = printf("%s%d %f\\n", text, 7, 1.5);
}
int main() {
  // 12 bytes of each call, 64 of the text with its end, 8 of each number: 4096 bytes for 1024 threads hold 45590 of them
  char *text;
  int *results;
  if (hipHostMalloc(&text, 64) || hipHostMalloc(&results, 4 * 64 * 720)) return 2;
  for (int i = 0; i < 64; i++) text[i] = i < 57 ? 'a' : 0;
  for (int round = 0; round < 2; round++) {
    fill<<<720, 64>>>(text, results);
    if (hipDeviceSynchronize()) return 2;
    int counts[3] = {};
    for (int i = 0; i < 720 * 64; i++) counts[results[i] == 0 ? 0 : results[i] == -1 ? 1 : 2]++;
    fprintf(stderr, "%d %d %d\\n", counts[0], counts[1], counts[2]);
  }
}
"""


def test_a_buffer_of_printf_is_full(tmp_path: Path) -> None:
    source = tmp_path / "full.hip"
    source.write_text(BUFFERED)
    done = porter(source, "--flag=-mprintf-kind=buffered", "--threads=2")
    assert (done.stderr, done.returncode) == (2 * "45590 490 0\n", 0)
    assert done.stdout == 2 * 45590 * f"{57 * 'a'}7 1.500000\n"


@pytest.mark.slow
def test_a_kernel_that_lasts_says_how_far_it_is(tmp_path):
    source = tmp_path / "many.hip"
    source.write_text(
        "#include <hip/hip_runtime.h>\n"
        "__global__ void first(int *p) { if (blockIdx.x == 0) p[0] = 1; }\n"
        "int main() {\n  int *d;\n  hipMalloc(&d, 4);\n  first<<<100000000, 1>>>(d);\n"
        "  return hipDeviceSynchronize();\n}\n"
    )
    done = porter(source)
    assert done.returncode == 0, done.stderr
    line = re.compile(
        r"porter: kernel first\(int\*\) has run for (\d+) s: ([\d,]+) of 100,000,000 workgroups have begun; "
        r"at this pace the rest takes \d+ (?:s|min)"
    )
    told = [line.fullmatch(said) for said in done.stderr.splitlines()]
    assert told and all(told), done.stderr
    assert [int(one[1]) // 10 for one in told] == [2**n for n in range(len(told))]
    begun = [int(one[2].replace(",", "")) for one in told]
    assert begun == sorted(begun) and begun[0] > 0
