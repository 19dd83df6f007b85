"""Thread-block clusters: what is ported and how, and programs that check themselves in the emulator, all checks on."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import porter

from porter.findings import FilePort, Safety
from porter.frontend.unit import Options
from porter.port.files.write import write_ports
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.toolchain.check import syntax_check

KERNELS = Path(__file__).parent / "kernels"


def port(source: Path, to: Path) -> FilePort:
    options = Options(runtime="include")
    conversion = Conversion(options)
    todo = plan([source], to, False, conversion)
    (result,) = run_jobs(todo.jobs, conversion, 1)
    write_ports(todo.jobs, [result], options.runtime, todo.runtime_dirs)
    return result


def ported(text: str, folder: Path) -> FilePort:
    source = folder / "unit.cu"
    source.write_text(text)
    return port(source, folder / "unit.hip")


def left(result: FilePort) -> list[str]:
    return [f.message for f in result.findings if f.safety is Safety.LEFT]


@pytest.fixture(
    scope="module",
    params=[
        "cluster_ops",
        "cluster_leave",
        "cluster_ptx",
        "cluster_grid",
        "cluster_members",
        "cluster_intrinsics",
        "remote_arrivals",
        "cluster_deduced",
    ],
)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    to: Path = tmp_path_factory.mktemp("clusters") / f"{request.param}.hip"
    assert left(port(KERNELS / f"{request.param}.cu", to)) == []
    return to


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
@pytest.mark.sample(6)
def test_programs_that_check_themselves(program: Path, seed: int) -> None:
    done = porter("run", program, "--emulate", "--check", "all", "--seed", seed)
    assert (done.stdout, done.stderr, done.returncode) == ("right\n", "", 0)


@pytest.mark.parametrize(
    "say",
    [
        "using namespace cooperative_groups;",
        "namespace cg = cooperative_groups; using cg::this_cluster, cg::cluster_group;",
    ],
)
def test_clusters_without_their_namespace(say: str, tmp_path: Path) -> None:
    text = "__global__ void __cluster_dims__(2) k(int *x) { cluster_group c = this_cluster(); *x = c.block_rank(); }\n"
    result = ported(f"#include <cooperative_groups.h>\n{say}\n{text}", tmp_path)
    assert left(result) == []
    assert '#include "porter/cluster_groups.h"' in result.port
    assert porter("asm", tmp_path / "unit.hip").returncode == 0


@pytest.mark.parametrize("first", ["", "// of a block\n"])
@pytest.mark.parametrize("mirrored", [False, True])
def test_headers_see_the_switch(first: str, mirrored: bool, tmp_path: Path) -> None:
    wait = 'asm volatile("bar.sync 1, 64;");' if mirrored else ""
    text = f"""{first}#include "own.h"
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) k(int *x) {{ cooperative_groups::this_cluster().sync(); {wait} }}
"""
    (tmp_path / "own.h").write_text("")
    lines = ported(text, tmp_path).port.splitlines()
    includes = [number for number, line in enumerate(lines) if line.startswith("#include")]
    switches = ["#define PORTER_CLUSTERS 1"] + ["#define PORTER_MIRRORED 1"] * mirrored
    assert all(lines.index(switch) < includes[0] for switch in switches)


POOL = """
#include <cooperative_groups.h>
__device__ int part(int skipped, int *out) {
  extern __shared__ char raw[];
  int *a = (int *)raw;
  int *b = (int *)(2 * skipped + a);
CHAIN  auto sum = [&](int rank) { return *cooperative_groups::this_cluster().map_shared_rank(last, rank); };
  return sum(1) + out[skipped];
}
__global__ void __cluster_dims__(2, 1, 1) k(int skipped, int *out) { *out = part(skipped, out); }
"""


@pytest.mark.parametrize("parts", [0, 12])
def test_a_pool_that_is_cut_into_parts(parts: int, tmp_path: Path) -> None:
    chain = "".join(f"  int *b{n} = skipped + {'b' if n == 0 else f'b{n - 1}'};\n" for n in range(parts))
    chain += f"  int *last = {f'b{parts - 1}' if parts else 'b'} + skipped;\n"
    result = ported(POOL.replace("CHAIN", chain), tmp_path)
    assert left(result) == []
    assert "auto *const raw = porter::relocated(raw_lds);" in result.port


@pytest.mark.slow
def test_two_units_with_clusters_in_one_program(tmp_path: Path) -> None:
    source = (KERNELS / "cluster_two_files.cu").read_text()
    for name, text in (("a", source), ("b", "#define SECOND\n" + source)):
        (tmp_path / f"{name}.cu").write_text(text)
        assert left(port(tmp_path / f"{name}.cu", tmp_path / f"{name}.hip")) == []
    programs = [str(tmp_path / "a.hip"), str(tmp_path / "b.hip")]
    done = porter("run", *programs, "--emulate", "--check", "all")
    assert (done.stdout, done.stderr, done.returncode) == ("right\n", "", 0)


FAILS = """#include <cooperative_groups.h>
#include <cstdio>
__global__ void __cluster_dims__(2, 1, 1) k(int *x) { cooperative_groups::this_cluster().sync(); x[blockIdx.x] = 1; }
int main() {
  int *x;
  cudaStream_t s;
  cudaMalloc(&x, 8), cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  k<<<2, 32, 0, s>>>(x);
  std::puts(cudaGetLastError() == cudaSuccess ? "no error" : "an error");
}
"""


def test_an_error_of_a_launch_is_the_last_error(tmp_path: Path) -> None:
    """Memory for clusters is not made while a stream is captured: the launch fails, with the memory of the first one."""
    assert left(ported(FAILS, tmp_path)) == []
    assert porter("run", tmp_path / "unit.hip", "--emulate").stdout == "an error\n"


def test_launches_from_another_file_are_left(tmp_path: Path) -> None:
    kernel = '__global__ void __cluster_dims__(2, 1, 1) k(float *x) { asm volatile("barrier.cluster.arrive;"); }\n'
    (tmp_path / "a.cu").write_text(kernel + "void f(float *x) { k<<<4, 32>>>(x); }\n")
    (tmp_path / "b.cu").write_text("__global__ void k(float *x);\nvoid g(float *x) { k<<<4, 32>>>(x); }\n")
    options = Options(runtime="include")
    conversion = Conversion(options)
    todo = plan([tmp_path], tmp_path / "out", False, conversion)
    ports = {Path(result.path).name: result for result in run_jobs(todo.jobs, conversion, 1)}
    assert left(ports["a.cu"]) == []
    assert [message.partition(":")[0] for message in left(ports["b.cu"])] == [
        "k is defined in a.cu, whose kernels run in clusters"
    ]


CG = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"


def test_variables_are_found_through_locals_parameters_and_casts(tmp_path: Path) -> None:
    result = ported(
        CG
        + """
struct Sums { float a, b; };
__device__ float *remote(cg::cluster_group &c, float *from, int rank) { return c.map_shared_rank(from, rank); }
__global__ void __cluster_dims__(2, 1, 1) k(float *x) {
  __shared__ float plain[32];
  __shared__ float direct, beside;
  extern __shared__ char raw[];
  cg::cluster_group c = cg::this_cluster();
  Sums &sums = *reinterpret_cast<Sums *>(raw);
  float *middle = plain + 16;
  c.sync();
  x[0] = *remote(c, middle, 1) + c.map_shared_rank(&sums, 0)->a + *c.map_shared_rank(&direct, 1) + beside;
  c.sync();
}
""",
        tmp_path,
    )
    assert left(result) == []
    for line in (
        "__shared__ float plain_lds[32]; auto &plain = porter::relocated(plain_lds);",
        "__shared__ float direct_lds, beside; auto &direct = porter::relocated(direct_lds);",
        "struct Sums { float a_lds, b; };",
        "porter::relocated_member(c.map_shared_rank(&sums, 0)->a_lds)",
    ):
        assert line in result.port


def test_structures_whose_members_are_not_known_are_moved_whole(tmp_path: Path) -> None:
    result = ported(
        CG
        + """
template <class Sums> __device__ void add(Sums *to);
template <class Sums> __global__ void __cluster_dims__(2, 1, 1) k() {
  extern __shared__ __align__(16) char raw[];
  Sums &sums = *reinterpret_cast<Sums *>(raw);
  add(cg::this_cluster().map_shared_rank(&sums, 0));
}
""",
        tmp_path,
    )
    assert left(result) == []
    assert (
        "extern __align__(1024) __shared__ __align__(16) char raw_lds[]; auto *const raw = porter::relocated(raw_lds);"
        in result.port
    )


@pytest.mark.parametrize(
    "use", ["y += plain[1]", "y -= plain[1]", "y = y < plain[1] ? y : plain[1]", "y *= 2.0f | plain[1]"]
)
def test_uses_are_no_declarations(use: str, tmp_path: Path) -> None:
    body = """
__global__ void __cluster_dims__(2, 1, 1) k(float *x) {
  __shared__ float plain[32];
  cg::cluster_group c = cg::this_cluster();
  float y = 1;
  for (int i = 0; i < 2; i++) USE;
  y += *c.map_shared_rank(&plain[1], 1);
  *x = y;
}
"""
    result = ported(CG + body.replace("USE", use), tmp_path)
    assert left(result) == []
    assert "__shared__ float plain_lds[32];" in result.port


STORAGE = "struct Storage { alignas(16) float tile[64]; float sums[32]; float *where; unsigned long long full; };"


@pytest.mark.parametrize(
    ("body", "moved"),
    [
        ("s.sums[0] = *c.map_shared_rank(&s.sums[threadIdx.x], 1);", "sums"),
        ("Storage *const p = &s; p->sums[0] = c.map_shared_rank(p, 1)->sums[3];", "sums"),
        ("auto &peer = *c.map_shared_rank(&s, 1); peer.sums[2] = s.tile[1] + s.sums[1];", "sums"),
        ("auto get = [&](int i) { return *c.map_shared_rank(&s.tile[i], 1); }; s.sums[0] = get(1);", "tile"),
        ("mbarrier_wait(c.map_shared_rank(&s.full, 1)); /* an mbarrier */", ""),
        ("s.full += *c.map_shared_rank(&s.full, 1); /* no mbarrier */", "full"),
        ("s.sums[0] = *c.map_shared_rank(reinterpret_cast<float *>(&s.sums), 1);", "sums"),
    ],
)
@pytest.mark.sample(3)
def test_members_are_moved_by_themselves(body: str, moved: str, tmp_path: Path) -> None:
    for variable in ("__shared__ Storage s;", "extern __shared__ alignas(16) char raw[]; auto &s = *(Storage *)raw;"):
        text = (
            STORAGE + "__global__ void __cluster_dims__(2) k() { auto c = cg::this_cluster(); " + variable + body + "}"
        )
        result = ported(CG + text, tmp_path)
        assert left(result) == []
        names = {name for name in ("tile", "sums", "where", "full") if f"{name}_lds" in result.port}
        assert names == ({moved} if moved else set())
        assert "porter::relocated(" not in result.port


RECORDS = """
struct Pair { float first, second; };
template <int N> struct Reduction {
  struct Storage { Pair own[N]; Pair peers[2][N]; unsigned long long arrived; };
  Storage &s;
  Pair *const direct;
  __device__ Reduction(Storage &storage, Pair *pairs) : s(storage), direct{pairs} {}
  __device__ ~Reduction() { cg::this_cluster().sync(); }
  __device__ Pair operator()(cg::cluster_group &c, int rank) {
    float *to = c.map_shared_rank(&s.peers[0][rank].first, 1);
    send(to, s.own[0], c.map_shared_rank(&s.arrived, 1)); // an mbarrier
    to = c.map_shared_rank(&direct[rank].first, 1);
    Pair sum = s.peers[0][0];
    return sum;
  }
};
__global__ void __cluster_dims__(2) k() {
  __shared__ typename Reduction<4>::Storage storage;
  __shared__ Pair pairs[4], others[4];
  auto c = cg::this_cluster();
  Reduction<4> reduction(storage, pairs);
  reduction(c, 1);
}
"""


def test_a_class_that_was_given_its_storage_and_structures_that_stay_together(tmp_path: Path) -> None:
    result = ported(CG + RECORDS, tmp_path)
    assert left(result) == []
    for line in (
        "Pair peers_lds[2][N];",
        "c.map_shared_rank(&porter::relocated_member(s.peers_lds)[0][rank].first, 1);",
        "Pair sum = porter::relocated_member(s.peers_lds)[0][0];",
        "__shared__ Pair pairs_lds[4], others[4]; auto &pairs = porter::relocated(pairs_lds);",
        "struct Pair { float first, second; };",
    ):
        assert line in result.port
    assert "own_lds" not in result.port and "arrived_lds" not in result.port


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("*c.map_shared_rank(s.where, 1) = 0;", "not known"),
        (
            "float *flat = reinterpret_cast<float *>(raw); flat[0] = *c.map_shared_rank(&s.sums[0], 1);",
            "sums cannot be moved to global memory: line 6 reaches the bytes of its structure as plain elements",
        ),
        ("raw[threadIdx.x] = 0; *c.map_shared_rank(&s.sums[0], 1) = 0;", "as plain elements"),
        ("*c.map_shared_rank(&s.tile[0], 1) = 0; use(__cvta_generic_to_shared(&s.tile[1]));", "one memory only"),
        ("*c.map_shared_rank(&s.twice, 1) = 0;", "not known"),
    ],
)
def test_members_that_cannot_be_moved_are_left(body: str, reason: str, tmp_path: Path) -> None:
    text = (
        "struct A { int twice; }; struct B { int twice; };\n" + STORAGE + "__global__ void __cluster_dims__(2) k() {\n"
        "extern __shared__ char raw[]; Storage &s = *(Storage *)raw; auto c = cg::this_cluster();\n" + body + "}"
    )
    (message,) = left(ported(CG + text, tmp_path))
    assert reason in message


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("*c.map_shared_rank(&v, 1) = 0;", True),
        ("atomicAdd(c.map_shared_rank(&v, 1), 1);", True),
        ("unsigned long long *there = c.map_shared_rank(&v, 1);", False),
        ("v = 3; unsigned long long *there = c.map_shared_rank(&v, 1); x[0] = *there;", True),
        ("atomicAdd(&v, 3ull); unsigned long long *there = c.map_shared_rank(&v, 1); x[0] = *there;", True),
        ("init(&v, 3); unsigned long long *there = c.map_shared_rank(&v, 1); wait(there);", False),
    ],
)
def test_64_bits_are_an_mbarrier_unless_they_are_used_as_data(text: str, moved: bool, tmp_path: Path) -> None:
    body = f"auto c = cg::this_cluster(); __shared__ unsigned long long v; /* an mbarrier? */ {text}"
    result = ported(CG + "__global__ void __cluster_dims__(2) k(int *x) {" + body + "}", tmp_path)
    assert left(result) == []
    assert ("porter::relocated(v_lds)" in result.port) == moved


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("*cg::this_cluster().map_shared_rank(x, 1) = 0;", "which shared variable other blocks reach"),
        (
            "__shared__ float v[32]; *cg::this_cluster().map_shared_rank(v, 1) = 0;"
            'asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(x[0]) : "r"(__cvta_generic_to_shared(v)));',
            "one memory only",
        ),
    ],
)
def test_what_cannot_be_moved_is_left(body: str, reason: str, tmp_path: Path) -> None:
    result = ported(CG + "__global__ void __cluster_dims__(2) k(int *x) {" + body + "}", tmp_path)
    assert len(left(result)) == 1
    assert reason in left(result)[0]


def test_launches_of_every_form_bring_memory(tmp_path: Path) -> None:
    result = ported(
        """
#include <cuda_runtime.h>
template <int N> __global__ void __cluster_dims__(N) k(float *x) { x[blockIdx.x] = 0; }
namespace a { namespace b { __global__ void plain() {} } }
void run(float *x, cudaStream_t s, cudaLaunchConfig_t *config, void **arguments) {
  k<4><<<8, 32>>>(x);
  a::b::plain<<<dim3(8, 2), 32, 128>>>();
  auto f = k<(2 > 1)>;
  f<<<8, 32, 0, s>>>(x);
  cudaLaunchKernelEx(config, k<2>, x);
  cudaLaunchKernelExC(config, (const void *)f, arguments);
  cudaLaunchKernel((const void *)f, dim3(8), dim3(32), arguments, 0, s);
  cudaFuncSetAttribute(k<2>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  cudaFuncSetAttribute(k<2>, cudaFuncAttributeClusterSchedulingPolicyPreference, 0);
}
""",
        tmp_path,
    )
    assert left(result) == []
    for line in (
        "const porter::cluster_member cluster_member(N, 1, 1); x[blockIdx.x] = 0;",
        "porter::launch_clusters(k<4>, 8, 32, 0, nullptr, x);",
        "porter::launch_clusters(a::b::plain, dim3(8, 2), 32, 128, nullptr);",
        "porter::launch_clusters(f, 8, 32, 0, s, x);",
        "porter::launch_kernel_ex(config, k<2>, x);",
        "porter::launch_kernel_exc(config, (const void *)f, arguments);",
        "porter::launch_clusters_with((const void *)f, dim3(8), dim3(32), arguments, 0, s);",
        "  hipSuccess;\n  hipSuccess;",
    ):
        assert line in result.port


@pytest.mark.parametrize(
    ("dims", "macro"),
    [("2", False), ("4, 1, 1", False), ("kBlocks, 1", False), ("1, 2", True), ("2, 1, kBlocks", True)],
)
def test_blocks_get_new_numbers_where_clusters_leave_x(dims: str, macro: bool, tmp_path: Path) -> None:
    text = (
        f"constexpr int kBlocks = 2;\n__global__ void __cluster_dims__({dims}) k(float *x) {{ x[blockIdx.x] = 0; }}\n"
    )
    result = ported(text, tmp_path)
    assert ("#define PORTER_CLUSTERS_IN_Y_OR_Z 1\n" in result.port) == macro


def test_clusters_of_one_block_are_no_clusters(tmp_path: Path) -> None:
    result = ported("__global__ void __cluster_dims__(1, 1, 1) k(float *x) { x[blockIdx.x] = 0; }", tmp_path)
    assert "PORTER_CLUSTERS" not in result.port
    assert "__cluster_dims__" not in result.port


LAUNCH = """
#include <cuda_runtime.h>
__global__ void k(int *x) { asm volatile("barrier.cluster.arrive.aligned;"); *x = 0; }
cudaError_t run(int *x) {
  cudaLaunchAttribute some[3];
  some[0].id = cudaLaunchAttributePreferredClusterDimension;
  some[0].val.preferredClusterDim.x = 4, some[0].val.preferredClusterDim.y = some[0].val.preferredClusterDim.z = 1;
  some[1].id = cudaLaunchAttributeClusterDimension;
  some[1].val.clusterDim.x = 2, some[1].val.clusterDim.y = some[1].val.clusterDim.z = 1;
  some[2].id = cudaLaunchAttributePreferredSharedMemoryCarveout;
  some[2].val.sharedMemCarveout = 50;
  cudaLaunchConfig_t config = {};
  config.gridDim = 8, config.blockDim = 32, config.attrs = some, config.numAttrs = 3;
  return cudaLaunchKernelEx(&config, k, x);
}
"""


def test_wishes_of_a_launch_are_kept_and_mean_nothing(tmp_path: Path) -> None:
    result = ported(LAUNCH, tmp_path)
    assert left(result) == []
    assert any("no more than a wish" in f.message for f in result.findings)
    assert syntax_check(tmp_path / "unit.hip", runtime=True).passed


def test_addresses_that_only_messages_use_need_no_shadow(tmp_path: Path) -> None:
    text = (KERNELS / "remote_arrivals.cu").read_text()
    assert "PORTER_CLUSTERS_SHADOW" not in ported(text, tmp_path).port
    kept = text.replace("ptx::mbarrier_arrive(", "auto kept = (").replace(
        "ptx::sem_release, ptx::scope_cluster, ptx::", "ptx::"
    )
    assert "PORTER_CLUSTERS_SHADOW" in ported(kept, tmp_path).port
