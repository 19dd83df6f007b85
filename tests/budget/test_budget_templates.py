"""Shared memory over 64 KiB where the constants are arguments of class templates, the templates often in headers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from test_budget import port, said

from porter.findings import FilePort, Safety
from porter.frontend.ast import Ast, ParseOptions
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source
from porter.port.sources import faithful_ports

TRAITS = """
template <int kM, int kN, int kS>
struct Traits {
  static constexpr int kBlockM = kM;
  static constexpr int kBlockN = kN;
  static constexpr int kStages = kS;
  static constexpr int kThreads = kM / 64 * 128;
  struct Shared { char a[kStages][kBlockM * 128], b[kStages][kBlockN * 128]; };
};
"""
KERNEL = """
template <class T> __global__ void __launch_bounds__(T::kThreads) k(int *x) {
  extern __shared__ char memory[];
  int d[64];
  for (int i = threadIdx.x; i < T::kBlockN; i += T::kThreads) d[0] += memory[i % T::kStages];
  *x = d[0];
}
"""
LAUNCH = """
template <class T> void launch(int *x) { k<T><<<1, T::kThreads, sizeof(typename T::Shared)>>>(x); }
void run(int *x) { launch<Traits<128, 160, 4>>(x); }
"""


@pytest.mark.parametrize("in_header", [False, True])
def test_parameters_are_called_what_the_class_calls_them(in_header: bool, tmp_path: Path) -> None:
    if in_header:
        result = port(tmp_path, '#include "traits.h"\n' + LAUNCH, traits="#pragma once" + TRAITS + KERNEL)
    else:
        result = port(tmp_path, TRAITS + KERNEL + LAUNCH)
    # threads follow from kM; nothing in registers does from kN
    assert sorted(said(result, Safety.SLOWER)) == ["kM is 64", "kS is 2"]
    assert "launch<Traits<64, 160, 2>>(x)" in result.port


SHAPE = """
template <int M_, int N_> struct TileShape { static constexpr int M = M_, N = N_; };
template <class Tile_, int kStages_> struct Policy {
  using Tile = Tile_;
  static constexpr int kStages = kStages_;
  struct Shared { char a[kStages][Tile::M * 128], b[kStages][Tile::N * 128]; };
  using Atom = ATOM;
};
template <class P> __global__ void k(float *x) {
  extern __shared__ char memory[];
  typename P::Atom atom;
  atom.multiply(memory[P::kStages - 1 + P::Tile::N]);
  *x = atom.r[0];
}
"""
ATOM = """
template <int N_> struct Registers { float r[N_ / 2]; };
template <int N> struct Atom;
template <> struct Atom<64> : Registers<64> { __device__ void multiply(int a) { asm volatile("wgmma.fence.sync.aligned;"); } };
template <> struct Atom<128> : Registers<128> { __device__ void multiply(int a) { asm volatile("wgmma.fence.sync.aligned;"); } };
"""


@pytest.mark.parametrize(
    ("atom", "free"), [("Atom<Tile::N>", True), ("Atom<128>", False)], ids=["a shape that follows", "another N"]
)
def test_shapes_of_instructions(atom: str, free: bool, tmp_path: Path) -> None:
    """The only register array has both of its sizes whatever N is; which one the kernel has, Atom's argument says."""
    header = "#pragma once\n" + ATOM + SHAPE.replace("ATOM", atom)
    main = """
#include "policy.h"
template <class P> void launch(float *x) { k<P><<<1, 128, sizeof(typename P::Shared)>>>(x); }
void run(float *x) { launch<Policy<TileShape<448, 128>, 1>>(x); }
"""
    result = port(tmp_path, main, policy=header)
    assert said(result, Safety.SLOWER) == (["N_ is 64"] if free else [])
    assert bool(said(result, Safety.LEFT)) == (not free)


def test_divisions_in_headers_have_to_come_out_even(tmp_path: Path) -> None:
    """With half of kM there would be threads for none of its rows."""
    header = "#pragma once\n" + TRAITS.replace("kM / 64 * 128", "kM / 128 * 256") + KERNEL
    result = port(tmp_path, '#include "traits.h"\n' + LAUNCH, traits=header)
    assert "kM is 64" not in said(result, Safety.SLOWER)
    assert said(result, Safety.REVIEW) == ["kS is 1"]


DEPENDENT = """#include <cuda_fp16.h>
#include <cuda_runtime.h>
template <int M_> struct Shape { static constexpr int M = M_; };
template <class Tile_, int kStages_> struct Policy {
  using Tile = Tile_;
  static constexpr int kStages = kStages_, kThreads = Tile::M / 64 * 128;
  struct Shared { char a[kStages][Tile::M * 256]; };
};
template <class P> __global__ void __launch_bounds__(P::kThreads) k(float *x) {
  extern __shared__ char memory[];
  float d[P::Tile::M] = {};
  for (int i = 0; i < 768; i += P::Tile::M) d[0] += memory[i % P::kStages];
  x[blockIdx.x * P::Tile::M] = d[0];
}
template <class P> void launch(float *x, int m) {
  k<P><<<m / P::Tile::M, P::kThreads, sizeof(typename P::Shared)>>>(x);
}
void run(float *x, int m) { launch<Policy<Shape<TILE>, 2>>(x, m); }
"""


@pytest.mark.parametrize(("tile", "becomes"), [(256, "Policy<Shape<128>, 2>"), (192, "Policy<Shape<192>, 1>")])
def test_divisions_whose_types_depend_on_a_template(tile: int, becomes: str, tmp_path: Path) -> None:
    """With operators of half in sight they are calls until the template is instantiated. 96 rows have no whole group."""
    result = port(tmp_path, DEPENDENT.replace("TILE", str(tile)))
    assert becomes in result.port


NAMESAKES = """#include <cuda_runtime.h>
struct Mma {
  template <int Add, int Turn> static __device__ void run() { asm volatile("wgmma.fence.sync.aligned;"); }
};
template <int BlockM, int BlockN, int Stages> struct Traits {
  static constexpr int kBlockM = BlockM, kStages = Stages, kThreads = BlockM / 64 * 128;
  struct Shared { char a[BlockM * 256], b[Stages][BlockN * 256]; };
};
template <class T> __global__ void __launch_bounds__(T::kThreads) k(float *x) {
  extern __shared__ char memory[];
  Mma::run<1, 0>();
  x[blockIdx.x * T::kBlockM] = memory[T::kStages];
}
template <class T> void run(float *x, int n) { k<T><<<n / T::kBlockM, T::kThreads, sizeof(typename T::Shared)>>>(x); }
void go(float *x, int n) { run<Traits<ROWS, 64, 3>>(x, n); }
"""


@pytest.mark.parametrize(("rows", "becomes"), [(128, "<128, 64, 2>"), (256, "<128, 64, 2>")])
def test_a_template_called_like_an_instruction(rows: int, becomes: str, tmp_path: Path) -> None:
    """A type that it is given is no shape."""
    result = port(tmp_path, NAMESAKES.replace("ROWS", str(rows)))
    assert f"run<Traits{becomes}>(x, n)" in result.port


def test_what_would_fit_has_to_come_out_even(tmp_path: Path) -> None:
    source = (
        NAMESAKES.replace("ROWS", "128").replace("BlockM * 256", "BlockM * 512").replace("n / T::kBlockM", "n / 128")
    )
    result = port(tmp_path, source)
    (message,) = {f.message for f in result.findings if f.safety is Safety.LEFT}
    assert "BlockM = 64 and Stages = 1" in message.replace("Stages = 1 and BlockM = 64", "BlockM = 64 and Stages = 1")
    assert "BlockM = 32" not in message  # for which there would be no thread


LAGGING = """#include <cuda_runtime.h>
template <class T, int kStages> struct Kernel;
template <class T, int kStages> struct Kernel {
  struct Shared { T tile[kStages][16384]; };
  static __device__ void run(Shared &s, float *x) {
    for (int i = 0; i < 8; i++) x[0] += s.tile[i % kStages][0] + s.tile[BEFORE][1];
  }
};
template <class K> __global__ void k(float *x) {
  extern __shared__ char memory[];
  K::run(*reinterpret_cast<typename K::Shared *>(memory), x);
}
template <class K> void launch(float *x) { k<K><<<1, 128, sizeof(typename K::Shared)>>>(x); }
void run(float *x) { launch<Kernel<TYPE, 4>>(x); }
"""


@pytest.mark.parametrize(
    ("before", "element", "stages"),
    [
        ("i / kStages % kStages", "float", 1),
        ("(i - 1) % kStages", "float", 4),
        ("(i - 1) % kStages", "short", 2),
        ("(i + kStages - 1) % kStages", "float", 4),
        ("(i + kStages - 2) / 8", "float", 4),  # how many copies may be under way, say
        ("(i + kStages - 1) / 8", "float", 1),
    ],
)
def test_a_stage_and_the_one_before_are_two(before: str, element: str, stages: int, tmp_path: Path) -> None:
    """With one stage a block that gives the stage before back after the next has come waits for itself. (That the template
    is declared first hides nothing.)"""
    result = port(tmp_path, LAGGING.replace("BEFORE", before).replace("TYPE", element))
    assert f"launch<Kernel<{element}, {stages}>>(x)" in result.port
    left = [f.message for f in result.findings if f.safety is Safety.LEFT]
    assert len(left) == (stages == 4) and all("One stage would not do" in message for message in left)


COLUMNS = """#include <cuda_runtime.h>
template <int BlockM, int BlockN> struct Kernel {
  struct Shared { char a[BlockM * 384], b[BlockN][256]; };
  static constexpr int kThreads = BlockM / 64 * 128;
  static __device__ void run(Shared &s, float *x) {
    REGISTERS
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 ..." : "+f"(x[0]));
    x[blockIdx.x * BlockM + blockIdx.y * BlockN] = s.a[0];
  }
};
template <class K> __global__ void __launch_bounds__(K::kThreads) k(float *x) {
  extern __shared__ char memory[];
  K::run(*reinterpret_cast<typename K::Shared *>(memory), x);
}
template <int BlockM, int BlockN> void launch(float *x, int m, int n) {
  using K = Kernel<BlockM, BlockN>;
  k<K><<<dim3(m / BlockM, n / BlockN), K::kThreads, sizeof(typename K::Shared)>>>(x);
}
void run(float *x, int m, int n) { launch<128, 128>(x, m, n); }
"""


@pytest.mark.parametrize("registers", ["", "float d[BlockN / 2];"])
def test_columns_that_an_instruction_says_stay(registers: str, tmp_path: Path) -> None:
    """Neither the shared memory of a class with device code says that the product follows, nor do its registers where the
    instruction is of 128 columns. Rows are cut off by whole groups of warps."""
    result = port(tmp_path, COLUMNS.replace("REGISTERS", registers))
    assert "launch<64, 128>(x, m, n)" in result.port


WIDTHS = """#include <cuda_runtime.h>
template <int N> __device__ void multiply(float (&d)[N / 2], unsigned long long a) {
  if constexpr (N == 256) asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 %0, %1;" : "+f"(d[0]) : "l"(a));
  if constexpr (N == 128) asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 %0, %1;" : "+f"(d[0]) : "l"(a));
  if constexpr (N == 64) asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 %0, LAST;" : "+f"(d[0]) : "l"(a));
}
template <int BlockN> __global__ void k(float *x) {
  extern __shared__ char memory[];
  float d[BlockN / 2] = {};
  multiply<BlockN>(d, *reinterpret_cast<unsigned long long *>(memory));
  x[blockIdx.x * BlockN] = d[0];
}
template <int BlockN> void launch(float *x, int n) { k<BlockN><<<n / BlockN, 128, BlockN * 1024>>>(x); }
void run(float *x, int n) { launch<256>(x, n); }
"""


@pytest.mark.parametrize(("last", "becomes"), [("%1", 64), ("%2", 256)])
def test_columns_for_which_no_instruction_is_made(last: str, becomes: int, tmp_path: Path) -> None:
    """An asm statement that asks for an operand which it does not have is in a template that nobody instantiates."""
    result = port(tmp_path, WIDTHS.replace("LAST", last))
    assert f"launch<{becomes}>(x, n)" in result.port


@pytest.mark.parametrize(
    ("parity", "becomes"), [("i / Tiles & 1", 2), ("(i / Tiles) % 2", 2), ("i / Tiles", 4), ("i / Tiles % 4", 4)]
)
def test_a_ring_without_a_name(parity: str, becomes: int, tmp_path: Path) -> None:
    """What the parity of a phase is worked out with counts stages, whatever it is called."""
    source = LAGGING.replace("kStages", "Tiles").replace("BEFORE", "0")
    source = source.replace("template <class K> void launch", "template <class T, int Count> void launch")
    source = source.replace("k<K><<<1", "using K = Kernel<T, Count>; k<K><<<1").replace(
        "launch<Kernel<TYPE, 4>>", "launch<TYPE, 4>"
    )
    source = source.replace("s.tile[0][1]", f"({parity})")
    result = port(tmp_path, source.replace("TYPE", "short"))
    assert f"launch<short, {becomes}>(x)" in result.port


TURNS = """#include <cuda_runtime.h>
constexpr int BLOCK_Q = 128, GROUPS = BLOCK_Q / 64, THREADS = 128 * GROUPS;
constexpr int BLOCK_KV = 96, STAGES = 4;
struct Shared { char q[BLOCK_Q * ROW], kv[STAGES][BLOCK_KV * 128]; };
__global__ void __launch_bounds__(THREADS) k(float *x) {
  extern __shared__ char memory[];
  float o[32] = {};
  const int group = threadIdx.x / 128;
  asm volatile("TURN %0, %1;" ::"r"(2 + (group + 1) % GROUPS), "n"(THREADS) : "memory");
  for (int i = 0; i < 8; i++) o[0] += memory[i % STAGES];
  x[blockIdx.x * BLOCK_Q] = o[0];
}
void run(float *x, int n) { k<<<n / BLOCK_Q, THREADS, sizeof(Shared)>>>(x); }
"""


@pytest.mark.parametrize(
    ("row", "turn", "expected"),
    [
        (352, "bar.sync", ["BLOCK_Q is 64", "STAGES is 3"]),
        (352, "bar.arrive", ["STAGES is 1"]),
        (512, "bar.sync", ["BLOCK_Q is 64", "STAGES is 2"]),
        (512, "barrier.cta.arrive", ["BLOCK_Q is 64", "STAGES is 2"]),
    ],
)
@pytest.mark.sample(2)
def test_groups_that_pass_turns_stay_where_others_may_go(
    row: int, turn: str, expected: list[str], tmp_path: Path
) -> None:
    """One group has no other to wait for: its arrivals and its waits would be at one barrier."""
    result = port(tmp_path, TURNS.replace("ROW", str(row)).replace("TURN", turn))
    safety = Safety.REVIEW if "arrive" in turn else Safety.SLOWER
    assert sorted(said(result, safety)) == expected


NEWER = """#include <cuda_runtime.h>
template <class T> concept Small = sizeof(T) < 8;
template <Small T, int kStages> struct Ring { T a[kStages][4096]; };
template <int kStages> __global__ void k(float *x) {
  extern __shared__ char memory[];
  x[0] = memory[kStages];
}
cudaError_t run(float *x) {
  k<6><<<1, 128, sizeof(Ring<float, 6>)>>>(x);
  return cudaGetLastError();
}
"""


def test_what_is_written_in_a_newer_standard_is_read_in_it(tmp_path: Path) -> None:
    """As C++17 its sizes come to nothing, and nothing would be said of them."""
    result = port(tmp_path, NEWER)
    assert "k<4><<<1, 128, sizeof(Ring<float, 4>)>>>" in result.port
    assert result.notes == ("read as c++20, since it has errors as c++17: compile the port with -std=c++20",)
    assert result.parser == "libclang"  # no errors are left, cudaGetLastError's two kinds among what is known


OLDER = NEWER.replace("template <class T> concept Small = sizeof(T) < 8;", "").replace("Small T", "class T")
CONDITION = f"#if __cplusplus > 201703L\ntemplate <class T> concept Small = sizeof(T) < 8;\n#endif\n{OLDER}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [(NEWER, ["c++20"]), (CONDITION, ["c++17"]), (f"// A concept Small = less than 8 bytes.\n{OLDER}", ["c++17"])],
    ids=["concept", "on condition", "in words"],
)
def test_what_has_concepts_is_not_read_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: list[str]
) -> None:
    asked: list[str] = []
    known = faithful_ports.parse

    def parse(main: Path, path: Path, options: ParseOptions, together: Sequence[Path] = ()) -> Ast | None:
        asked.append(options.standard)
        return known(main, path, options, together)

    monkeypatch.setattr(faithful_ports, "parse", parse)
    assert "k<4><<<" in port(tmp_path, text).port
    assert asked == expected


LAUNCHING = """#pragma once
#include <cuda_runtime.h>
template <int BM, int BK, int STAGES> struct Tiles { float a[STAGES][BM * BK]; };
template <int BM, int BK, int STAGES> __global__ void k(float *x, int n) {
  extern __shared__ char memory[];
  auto &s = *reinterpret_cast<Tiles<BM, BK, STAGES> *>(memory);
  float d[BM / 16] = {};
  for (int i = 0; i < n; i += BK) d[0] += s.a[i / BK % STAGES][0];
  x[blockIdx.x * BM] = d[0];
}
template <int BM, int BK, int STAGES> void launch(float *x, int m, int n) {
  const int bytes = sizeof(Tiles<BM, BK, STAGES>);
  cudaFuncSetAttribute(k<BM, BK, STAGES>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  k<BM, BK, STAGES><<<m / BM, 128, bytes>>>(x, n);
}
"""


def both(folder: Path, header: str, source: str) -> tuple[FilePort, FilePort]:
    """The header and the file that includes it."""
    (folder / "launch.cuh").write_text(header)
    (folder / "kernel.cu").write_text(f'#include "launch.cuh"\n{source}\n')
    project, how = Project(folder), Options(runtime="include", oversize="refuse")
    main = folder / "kernel.cu"
    below = port_source(project, folder / "launch.cuh", "launch.cuh", how, {}, main)
    return below, port_source(project, main, "kernel.hip", how, {})


def test_literals_of_a_file_with_which_its_header_launches(tmp_path: Path) -> None:
    below, above = both(tmp_path, LAUNCHING, "void run(float *x, int m, int n) { launch<128, 64, 4>(x, m, n); }")
    assert "launch<128, 64, 2>(x, m, n)" in above.port
    assert not said(below, Safety.LEFT)
    assert "hipFuncAttributeMaxDynamicSharedMemorySize, bytes)" in below.port
    assert not [f for f in below.findings if f.safety is not Safety.EXACT]


def test_literals_of_a_file_that_its_header_refuses(tmp_path: Path) -> None:
    header = LAUNCHING.replace("  float d[", '  static_assert(STAGES == 4 && BK == 64 && BM == 128, "");\n  float d[')
    below, above = both(tmp_path, header, "void run(float *x, int m, int n) { launch<128, 64, 4>(x, m, n); }")
    assert "launch<128, 64, 4>(x, m, n)" in above.port
    assert len(said(below, Safety.LEFT)) == 2


def test_constants_of_the_header_come_first(tmp_path: Path) -> None:
    header = LAUNCHING.replace("template <int BM, int BK, int STAGES> void launch", "constexpr int STAGES = 4;\ntemplate <int BM, int BK> void launch")  # fmt: skip
    below, above = both(tmp_path, header, "void run(float *x, int m, int n) { launch<128, 64>(x, m, n); }")
    assert "launch<128, 64>(x, m, n)" in above.port
    assert "constexpr int STAGES = 2;" in below.port


CUT = """
template <int M, int N> struct Both { float a[M * 64], b[N * 64]; };
template <int M, int N> __global__ void k(float *x) {
  extern __shared__ char memory[];
  auto &s = *reinterpret_cast<Both<M, N> *>(memory);
  float d[M / 16][N / 16] = {};
  d[0][0] = s.a[0] + s.b[0];
  x[DEVICE] = d[0][0];
}
constexpr int kRows = 256, kBits = 8;
template <int M, int N> void launch(float *x, int n) { k<M, N><<<HOST, 128, sizeof(Both<M, N>)>>>(x); }
void run(float *x, int n) { launch<256, 128>(x, n); }
"""


@pytest.mark.parametrize(
    ("name", "host", "device", "changes"),
    [
        ("BM", "n / BM", "blockIdx.x * BM", True),
        ("BM", "n / 256", "blockIdx.x * BM", False),
        ("BM", "(n + kRows - 1) / kRows", "blockIdx.x * BM", False),
        ("BM", "ceil_div(n, 256)", "blockIdx.x * BM", False),
        ("BM", "n / BM", "blockIdx.x * 256", False),
        ("BM", "n / BM", "256 * blockIdx.x", False),
        ("BM", "n", "blockIdx.x * BM", True),
        ("BM", "(n + 255) >> 8", "blockIdx.x * BM", False),
        ("BM", "n >> kBits", "blockIdx.x * BM", False),
        ("BM", "((n + 255) & ~255) / BM", "blockIdx.x * BM", False),
        ("BM", "n >> 3", "blockIdx.x * BM", True),
        ("BM", "n / BM", "(blockIdx.x << 8)", False),
        ("kM", "n / kM", "blockIdx.x * kM", True),
        ("kM", "n", "blockIdx.x * kM", False),  # nothing says that it is no whole matrix
        ("M", "(n + M - 1) / M", "blockIdx.x * M", True),
        ("M", "n / 256", "blockIdx.x * M", False),
        ("M_", "(n + M_ - 1) / M_", "blockIdx.x * M_", True),
        ("M_", "n / 256", "blockIdx.x * M_", False),
    ],
)
@pytest.mark.sample(5)
def test_a_tile_is_what_the_grid_is_cut_into(name: str, host: str, device: str, changes: bool, tmp_path: Path) -> None:
    """Else a block would make half of its part, and nobody the other half."""
    source = "constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }" + CUT.replace("DEVICE", device)
    source = source.replace("HOST", host).replace("int M,", f"int {name},").replace("<M,", f"<{name},")
    source = source.replace("a[M * 64]", f"a[{name} * 64]").replace("d[M / 16]", f"d[{name} / 16]")
    result = port(tmp_path, "#include <cuda_runtime.h>\n" + source)
    assert ("launch<128, 128>(x, n)" in result.port) == changes
    assert bool(said(result, Safety.LEFT)) != changes


def test_sizes_that_are_numbers_and_the_native_level_are_hinted_at(tmp_path: Path) -> None:
    source = """#include <cuda_runtime.h>
__global__ void k(float *x) {
  extern __shared__ char memory[];
  PRODUCT
  x[0] = memory[0];
}
void run(float *x) { k<<<1, 128, 96 * 1024>>>(x); }
"""
    for product, hinted in (("", False), ('asm volatile("wgmma.fence.sync.aligned;");', True)):
        result = port(tmp_path, source.replace("PRODUCT", product))
        (message,) = (f.message for f in result.findings if f.rule == "shared-memory-budget")
        assert "98,304 bytes of shared memory; a compute unit has 65,536, and the number does not say" in message
        assert ("--schedule native" in message) == hinted
