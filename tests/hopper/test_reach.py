"""Roles of warps and clusters follow from what kernels reach, not from what headers have."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from porter.analysis.running.reach import reach
from porter.errors import PorterError
from porter.findings import FilePort, Safety
from porter.frontend.libclang import ParseOptions
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.files.write import write_ports
from porter.port.pipeline import Conversion, port_source
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.toolchain.build import Options as Compiler
from porter.toolchain.build import device_assembly

HEADER = """#pragma once
#include <cuda_runtime.h>
#include <cstdint>
namespace tiles {
struct sum { float x = 0; __device__ sum& operator+=(float y) { x += y; return *this; } };
template <class A, class B> struct to;
template <> struct to<float, int> { __device__ static float convert(int x) { return float(x); } };
__device__ static inline uint32_t place(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }
__device__ static inline void wait(uint64_t* bar, int phase) {
  asm volatile("{ .reg .pred P; L: mbarrier.try_wait.parity.shared::cta.b64 P, [%0], %1; @P bra.uni D; bra.uni L; D: }"
               :: "r"(place(bar)), "r"(phase));
}
template <int WARPS> struct group {
  __device__ static inline int lane() { return threadIdx.x % (32 * WARPS); }
  __device__ static inline void sync(int id) { asm volatile("bar.sync %0, %1;" :: "r"(id), "n"(32 * WARPS)); }
  template <int N> __device__ static inline void registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(N)); }
  __device__ static inline void load(float* to, const float* from) { to[lane()] = from[lane()]; }
  template <class T> __device__ static inline void multiply(T (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    if constexpr (WARPS == 1)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                   "{%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else
      committed<T>();
  }
  template <class T> __device__ static inline void committed() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
  struct copies {
    __device__ static inline void load(float* to, const float* from, uint64_t* bar) {
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];"
                   :: "r"(place(to)), "l"(from), "r"(place(bar)) : "memory");
      wait(bar, 0);
    }
  };
};
using warp = group<1>;
using warpgroup = group<4>;
template <bool CLUSTER> struct launch {
  cudaLaunchAttribute attribute[1];
  cudaLaunchConfig_t config = {};
  launch(dim3 grid, dim3 block) {
    if constexpr (CLUSTER) {
      attribute[0].id = cudaLaunchAttributeClusterDimension;
      attribute[0].val.clusterDim.x = 2; attribute[0].val.clusterDim.y = 1; attribute[0].val.clusterDim.z = 1;
    }
    config.gridDim = grid; config.blockDim = block; config.attrs = attribute; config.numAttrs = CLUSTER;
  }
};
}
"""
PLAIN = (
    "int i = threadIdx.x; tiles::warp::load(x, y); tiles::sum s; s += tiles::to<float, int>::convert(i); x[i] += s.x;"
)
PRODUCT = "float d[4] = {}; uint32_t a[4] = {}, b[2] = {}; tiles::GROUP::multiply(d, a, b); x[threadIdx.x] = d[0];"
COPY = "__shared__ uint64_t bar; __shared__ float s[32]; if (threadIdx.x == 0) tiles::warp::copies::load(s, y, &bar);"


def kernel(body: str, before: str = "", launch: str = "k<<<1, 128>>>(x, y);") -> str:
    head = f'#include "tiles.h"\n{before}__global__ void k(float* x, const float* y) {{ {body} }}\n'
    return head + f"void run(float* x, float* y) {{ {launch} }}\n"


def port(source: str, folder: Path, defines: tuple[str, ...] = (), header: str = HEADER) -> FilePort:
    (folder / "tiles.h").write_text(header)
    (folder / "a.cu").write_text(source)
    options = Options(runtime="include", standard="c++20", defines=defines)
    return port_source(Project(folder), folder / "a.cu", "a.hip", options, {})


def mirrored(port: FilePort) -> bool:
    return "#define PORTER_MIRRORED" in port.port


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (PLAIN, False),
        (PRODUCT.replace("GROUP", "warp"), True),
        (PRODUCT.replace("GROUP", "warpgroup"), True),
        ("tiles::warp::sync(1);", True),
        ("tiles::warpgroup::registers<232>();", True),
        (COPY, True),
        ("auto step = [&] { tiles::warp::sync(1); }; step();", True),
        ("auto step = &tiles::warp::sync; step(1);", True),
    ],
)  # fmt: skip
def test_what_a_kernel_calls_makes_its_warps_mirrored(body: str, expected: bool, tmp_path: Path) -> None:
    result = port(kernel(body), tmp_path)
    assert mirrored(result) == expected
    assert "PORTER_CLUSTERS" not in result.port and not result.notes


CLUSTER = "\n#ifdef BLACKWELL\n__cluster_dims__(2, 1, 1)\n#endif\n"
ROLE = '\n#ifdef BLACKWELL\nasm volatile("setmaxnreg.inc.sync.aligned.u32 232;");\n#endif\n'


@pytest.mark.parametrize(("defines", "expected"), [((), True), (("HOPPER",), False), (("BLACKWELL",), True)])
def test_macros_decide_conditions_of_the_unit_itself(defines: tuple[str, ...], expected: bool, tmp_path: Path) -> None:
    source = f"#include <cuda_runtime.h>\n__global__ {CLUSTER}void k(float* x) {{ {ROLE} x[0] = 1; }}\n"
    ported = port(source + "void run(float* x) { k<<<2, 128>>>(x); }\n", tmp_path, defines)
    assert mirrored(ported) == ("#define PORTER_CLUSTERS" in ported.port) == expected
    attributes = [
        f for f in ported.findings if f.rule == "cluster" and "__cluster_dims__" in ported.source[f.start : f.end]
    ]
    assert [f.safety for f in attributes] == [Safety.SLOWER if expected else Safety.REVIEW]


WMMA = """#pragma once
#include <mma.h>
template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class U, int M, int N, int K, class T, class L> struct plus<nvcuda::wmma::fragment<U, M, N, K, T, L>> {
  using Fragment = nvcuda::wmma::fragment<U, M, N, K, T, L>;
  __device__ Fragment operator()(Fragment a, Fragment b) const {
    for (int i = 0; i < Fragment::num_elements; ++i) a.x[i] += b.x[i];
    return a;
  }
};
using tile = nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float>;
__device__ inline void begin(tile& t) { nvcuda::wmma::fill_fragment(t, 0.0f); }
"""


@pytest.mark.parametrize(
    ("body", "expected"), [("x[0] = plus<float>()(x[0], y[0]);", False), ("tile t; begin(t);", True)]
)
def test_fragments_that_a_header_only_names_need_no_mirrors(body: str, expected: bool, tmp_path: Path) -> None:
    assert mirrored(port(kernel(body), tmp_path, header=WMMA)) == expected


def test_which_instance_runs_decides(tmp_path: Path) -> None:
    """`if constexpr` leaves the products of warpgroups out of a warp's."""
    counts = "porter::begin_warpgroups();"
    assert counts not in port(kernel(PRODUCT.replace("GROUP", "warp")), tmp_path).port
    assert counts in port(kernel(PRODUCT.replace("GROUP", "warpgroup")), tmp_path).port


@pytest.mark.parametrize(
    ("launch", "expected"),
    [("tiles::launch<false> one(1, 128);", False), ("tiles::launch<true> one(1, 128);", True), ("", False)],
)  # fmt: skip
def test_a_launch_with_clusters_counts_where_it_is_made(launch: str, expected: bool, tmp_path: Path) -> None:
    ported = port(kernel(PLAIN, launch=launch), tmp_path, header=HEADER.replace("if constexpr (CLUSTER)", ""))
    assert ("#define PORTER_CLUSTERS" in ported.port) == (expected or "false" in launch)


def test_a_kernel_of_a_thousand_threads_keeps_them(tmp_path: Path) -> None:
    """No wave for each warp where no kernel asks for it: 32 of them are more than a block can have."""
    ported = port(kernel(PLAIN, launch="k<<<1, dim3(32, 32)>>>(x, y);"), tmp_path)
    assert "porter::mirrored" not in ported.port and not any(f.safety.needs_person for f in ported.findings)


@pytest.mark.parametrize("block", ["dim3(32, 32)", "1024"])
def test_a_mirrored_kernel_of_a_thousand_threads_is_left_at_its_launch(block: str, tmp_path: Path) -> None:
    ported = port(kernel("tiles::warp::sync(1);", launch=f"k<<<1, {block}>>>(x, y);"), tmp_path)
    (left,) = [f for f in ported.findings if f.safety is Safety.LEFT]
    assert "32 warps" in left.message and ported.source[left.start : left.end] == "<<<"


CALLER = "template <class T> __device__ static inline void both(T x) { tiles::warp::sync(int(x)); }\n"


@pytest.mark.parametrize(
    ("before", "body", "expected"),
    [
        (CALLER, "", False),
        (CALLER, "both(1.f);", True),
        ("__device__ void one(int);\n", "one(1);", True),  # defined behind the kernel
        ("template <class T> __global__ void never(T x) { tiles::warp::sync(int(x)); }\n", "", True),  # who knows by whom
        ("template <class T> __device__ void apart(T x) { tiles::group<T::n>::sync(1); }\n", "", False),
        ("struct step { __device__ step() { tiles::warp::sync(1); } };\n", "step s;", True),
        ("struct step { __device__ ~step() { tiles::warp::sync(1); } };\n", "step s;", True),
        ("struct step { __device__ void operator()() { tiles::warp::sync(1); } };\n", "step{}();", True),
        ("#define STEP tiles::warp::sync(1)\n", "STEP;", True),
        ("#define STEP asm volatile(\"bar.sync 1, 64;\")\n", "", False),
        ("#define STEP asm volatile(\"bar.sync 1, 64;\")\n", "STEP;", True),
    ],
)  # fmt: skip
def test_the_way_from_a_kernel(before: str, body: str, expected: bool, tmp_path: Path) -> None:
    ported = port(
        kernel(body, before) + "__device__ void one(int n) { tiles::warp::sync(n); }\n" * ("one" in body), tmp_path
    )
    assert mirrored(ported) == expected


def test_what_another_unit_may_call_runs(tmp_path: Path) -> None:
    assert mirrored(port('#include "tiles.h"\n__device__ void step() { tiles::warp::sync(1); }\n', tmp_path))


MEMBERS = """struct plan {
  template <bool B> __device__ int place(int a) const { WAIT return B ? a : 0; }
  template <int N> __device__ static int scaled(int a) { return N * a; }
};
template <class P> __device__ int ask(const P &p, const P *q, int a) {
  constexpr bool many = sizeof(P) > 64;
  return max(p.place<many>(a), p.template place<false>(a)) + q->place<true>(a) + P::scaled<sizeof(P)>(a);
}
"""


@pytest.mark.parametrize(("wait", "expected"), [("", False), ("tiles::warp::sync(a);", True)])
def test_members_without_the_keyword_template_are_known(wait: str, expected: bool, tmp_path: Path) -> None:
    found = port(kernel("x[0] = ask(plan(), (plan *)0, 1);", MEMBERS.replace("WAIT", wait)), tmp_path)
    assert mirrored(found) == expected
    assert not any("which functions run is not known" in note for note in found.notes)


OBJECTS = """struct base {
  template <bool B> struct set { __device__ void operator()(float *to, int a) { WAIT *to = B; } };
};
template <class P> struct plan : P {
  template <bool B> __device__ void run(float *x) {
    P::template set<B>()(x, 1);
    if (B) return P::template set<true>()(x, 2);
  }
};
"""


@pytest.mark.parametrize(("wait", "expected"), [("", False), ("tiles::warp::sync(a);", True)])
def test_objects_of_member_classes_without_the_keyword_typename_are_known(
    wait: str, expected: bool, tmp_path: Path
) -> None:
    made = port(kernel("plan<base>().run<true>(x);", OBJECTS.replace("WAIT", wait)), tmp_path)
    assert mirrored(made) == expected
    assert not any("which functions run is not known" in note for note in made.notes)


CHOICE = "#ifdef WITH_ROLES\n  tiles::warp::sync(1);\n#else\n  x[0] = 1;\n#endif\n"


@pytest.mark.parametrize(
    ("defines", "expected"), [((), True), (("WITH_ROLES",), True), (("SOMETHING_ELSE",), False)]
)  # fmt: skip
def test_branches_count_unless_the_macros_are_known(defines: tuple[str, ...], expected: bool, tmp_path: Path) -> None:
    """Without any -D the build may give the one that lets the branch through."""
    assert mirrored(port(kernel(f"\n{CHOICE}"), tmp_path, defines)) == expected


def test_a_parse_with_errors_takes_everything_and_says_so(tmp_path: Path) -> None:
    ported = port(kernel(PLAIN + " unknown_thing(x);"), tmp_path)
    assert mirrored(ported)
    assert any("which functions run is not known" in note for note in ported.notes)


WAYS = """#define HD __host__ __device__
#define IF_CONSTEXPR constexpr
template <class T> HD int choice(T) { if IF_CONSTEXPR (sizeof(T) == 4) { return 1; } return 0; }
template <class T, class = void>
#if !defined(QUIET)
  [[deprecated("say it")]]
#endif
HD int old(T) { return 2; }
template <class T> HD decltype(auto) same(T const& x) { return (x); }
template <class T>
HD
IF_CONSTEXPR
T one_of(T a) { return a != T{0} ? T(a + T{1}) : T{}; }
HD inline unsigned short half_of(float x) {
  unsigned short h = 0;
#if defined(__CUDA_ARCH__)
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(x));
#endif
  return h;
}
struct Byte { unsigned char bits; HD Byte() : bits(0) {} };
template <class T> __device__ unsigned char shared_bits(int i) { __shared__ T all[32]; return all[i].bits; }
__device__ inline unsigned char bits_of(int i) { return shared_bits<Byte>(i); }
inline int used() { return choice(1) + old(1) + same(2) + one_of(3) + half_of(4.f); }
"""


def test_how_libraries_write_functions_is_no_error(tmp_path: Path) -> None:
    ported = port(kernel(PLAIN, WAYS), tmp_path)
    assert not mirrored(ported) and not ported.notes


@pytest.mark.parametrize(
    ("include", "body", "expected"),
    [
        ("<omp_of_another.h>", PLAIN, False),
        ("<omp_of_another.h>", PLAIN + " other(x);", True),
        ('"missing.h"', PLAIN, True),
    ],
)
def test_a_library_that_is_not_here(include: str, body: str, expected: bool, tmp_path: Path) -> None:
    """A header of the project may decide conditions; what is used of a library's is an error of its own."""
    assert mirrored(port(f"#include {include}\n" + kernel(body), tmp_path)) == expected


@pytest.mark.parametrize("defines", [("QUICK",), ("OTHER",)])
def test_conditions_in_front_of_a_kernels_name(defines: tuple[str, ...], tmp_path: Path) -> None:
    bounds = "\n#ifdef QUICK\n__launch_bounds__(128)\n#else\n__launch_bounds__(256, 1)\n#endif\n    void k("
    source = kernel(PRODUCT.replace("GROUP", "warpgroup")).replace("void k(", bounds, 1)
    assert mirrored(port(source, tmp_path, defines))


ROWS = """
template <int N> struct row {
  static constexpr int length = N;
  int data[N];
  template <int M> using part = row<M>;
};
template <int M, class R> __device__ typename R::part<M>& piece(R& from, int at) {
  return *reinterpret_cast<typename R::part<M>*>(&from.data[at * M]);
}
template <class A, class B> __device__ int copied(A& to, B& from) {
  static_assert(from.length == to.length * 2);
  return piece<to.length>(from, 1).data[0];
}
"""


def test_constants_of_references_are_known(tmp_path: Path) -> None:
    """nvcc takes them; libclang leaves out the call that they are arguments of, and what it leads to."""
    found = port(kernel(PLAIN + " row<2> a{}; row<4> b{}; x[0] = copied(a, b);", ROWS), tmp_path)
    assert not mirrored(found) and not any("is not known" in note for note in found.notes)


def test_one_standard_is_enough(tmp_path: Path) -> None:
    (tmp_path / "tiles.h").write_text(
        HEADER.replace("template <int WARPS>", "template <int WARPS> requires(WARPS > 0)")
    )
    (tmp_path / "a.cu").write_text(kernel(PLAIN))
    assert not mirrored(port_source(Project(tmp_path), tmp_path / "a.cu", "a.hip", Options(runtime="include"), {}))


def test_what_was_asked_before_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tiles.h").write_text(HEADER)
    (tmp_path / "a.cu").write_text(kernel(PLAIN))
    members, options = Project(tmp_path).members(tmp_path / "a.cu"), ParseOptions(standard="c++20")
    first = reach(members, options)
    monkeypatch.setattr("porter.analysis.running.reach.translation_unit", lambda *_, **__: pytest.fail("asked again"))
    assert reach(members, options) == first and first is not None and any(first.idle.values())


def folder_of(units: dict[str, str], folder: Path, header: str = HEADER) -> Path:
    """The ports of a folder with these units and the header, written beside it."""
    source = folder / "in"
    source.mkdir()
    (source / "tiles.h").write_text(header)
    for name, text in units.items():
        (source / name).write_text(text)
    options = Options(standard="c++20")
    conversion = Conversion(options)
    todo = plan([source], folder / "out", False, conversion)
    write_ports(todo.jobs, run_jobs(todo.jobs, conversion, 1), options.runtime, todo.runtime_dirs)
    return folder / "out"


@pytest.mark.slow
def test_units_with_and_without_share_a_header_and_compile(tmp_path: Path) -> None:
    units = {"plain.cu": kernel(PLAIN), "roles.cu": kernel(PRODUCT.replace("GROUP", "warp"))}
    out = folder_of(units, tmp_path)
    for name in ("plain", "roles"):
        assert ".amdhsa_kernel" in device_assembly(out / f"{name}.hip", Compiler(std="c++20")).read_text()


FAR = """
__device__ static inline void arrive_far(uint64_t* bar, uint32_t rank) {
  uint32_t there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(place(bar)), "r"(rank));
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(there));
}
template <bool CLUSTER>"""
WAITS = """#include "tiles.h"
#include <cstdio>
__global__ void k(float* x, const float* y) {
  __shared__ uint64_t bar;
  __shared__ __align__(128) float s[32];
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(tiles::place(&bar)));
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" :: "r"(tiles::place(&bar)));
    tiles::warp::copies::load(s, y, &bar);
  }
  tiles::wait(&bar, 0);
  x[threadIdx.x] = s[threadIdx.x];
}
int main() {
  float *x, *y, got[32], sent[32];
  for (int i = 0; i < 32; ++i) sent[i] = float(i);
  cudaMalloc(&x, 128), cudaMalloc(&y, 128);
  cudaMemcpy(y, sent, 128, cudaMemcpyHostToDevice);
  k<<<1, 32>>>(x, y);
  cudaMemcpy(got, x, 128, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) if (got[i] != sent[i]) return 1;
  puts("right");
}
"""


@pytest.mark.slow
def test_waits_look_for_messages_of_other_blocks_in_units_with_clusters_alone(tmp_path: Path) -> None:
    """The header's port includes what clusters need for the other unit."""
    units = {"near.cu": WAITS, "far.cu": kernel("__shared__ uint64_t bar; tiles::arrive_far(&bar, 1);")}
    out = folder_of(units, tmp_path, HEADER.replace("\ntemplate <bool CLUSTER>", FAR, 1))
    assert "cluster" in (out / "tiles.h").read_text() and "PORTER_CLUSTERS" not in (out / "near.hip").read_text()
    words = [
        sys.executable,
        "-m",
        "porter",
        "run",
        str(out / "near.hip"),
        "--emulate",
        "--check",
        "all",
        "--std",
        "c++20",
    ]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.stderr, done.returncode) == ("right\n", "", 0)


def test_a_product_that_runs_without_mirrors_does_not_compile(tmp_path: Path) -> None:
    """Where the port was made of other macros than it is compiled with: no wrong results in silence."""
    out = folder_of({"roles.cu": kernel(PRODUCT.replace("GROUP", "warp"))}, tmp_path) / "roles.hip"
    out.write_text(out.read_text().replace("#define PORTER_MIRRORED 1\n", ""))
    with pytest.raises(PorterError, match="must define PORTER_MIRRORED"):
        device_assembly(out, Compiler(std="c++20"))


def test_a_kernel_whose_mark_is_a_macro_of_another_header(tmp_path: Path) -> None:
    """CUTLASS's `CUTLASS_GLOBAL void device_kernel(...)`: what warps wait with is cleared before it begins."""
    (tmp_path / "marks.h").write_text("#pragma once\n#define KERNEL __global__ static\n")
    text = (
        '#include "marks.h"\n#include "tiles.h"\ntemplate <class T>\nKERNEL\nvoid k(T* x) { tiles::warp::sync(1); }\n'
    )
    ported = port(text + "void run(float* x) { k<float><<<1, 128>>>(x); }\n", tmp_path)
    assert "void k(T* x) { porter::begin_block();" in ported.port
