"""A device's shared memory as a constant in a file that has nothing else of CUDA."""

from commands import porter


def test_a_file_with_the_limit_alone_is_ported(tmp_path):
    (tmp_path / "capacity.inl").write_text("constexpr int sm90_smem_capacity_bytes = 232448;\n")
    (tmp_path / "a.cu").write_text(
        '#include "capacity.inl"\n#include <cuda_runtime.h>\n'
        "__global__ void k() { extern __shared__ float x[]; x[threadIdx.x] = 0; }\n"
        "void launch() { k<<<1, 32, sm90_smem_capacity_bytes / 4>>>(); }\n"
    )
    porter("convert", tmp_path, "-o", tmp_path.parent / "out")
    assert "63488 /* 232448 */" in (tmp_path.parent / "out" / "capacity.inl").read_text()


IN_A_HELPER = """
#include <cuda_runtime.h>
constexpr int MAX_SHARED_MEMORY = 227 * 1024;
struct config { static constexpr int NAMES };
template <class C> struct stage { float a[C::M][C::K]; };
template <class C> __global__ void kernel(float *x) {
  extern __shared__ int memory[];
  static_assert(sizeof(stage<C>) <= MAX_SHARED_MEMORY - 1024, "a stage has to fit");
  auto &s = *reinterpret_cast<stage<C> *>(memory);
  float d[C::M / 64][4] = {};
  for (int k = 0; k < C::K; k += 8) d[0][0] += s.a[k][threadIdx.x % C::K];
  x[blockIdx.x * C::M + threadIdx.x % C::M] = d[0][0];
}
template <class C> void launch(float *x, int n) {
  kernel<C><<<n / C::M, 128, MAX_SHARED_MEMORY - 1024>>>(x);
}
void run(float *x, int n) {
  cudaFuncSetAttribute(kernel<config>, cudaFuncAttributeMaxDynamicSharedMemorySize, MAX_SHARED_MEMORY - 1024);
  launch<config>(x, n);
}
#ifdef OTHER
void other(float *x, int n) { kernel<config><<<1, 128, MAX_SHARED_MEMORY - 2048>>>(x); }
#endif
"""
ROWS = IN_A_HELPER.replace("C::M", "C::rows").replace("C::K", "C::width").replace("NAMES", "rows = 128, width = 128;")


def convert(folder, source, *options):
    (folder / "a.cu").write_text(source)
    return porter("convert", folder / "a.cu", "-o", folder / "a.hip", *options), (folder / "a.hip").read_text()


def test_a_launch_in_a_helper_that_does_not_compile_with_the_limit_is_left(tmp_path):
    done, _ = convert(tmp_path, ROWS, "--oversize", "refuse")
    assert done.returncode == 1
    assert (
        "left: 231,424 bytes of shared memory; a compute unit has 65,536. With a limit of that, line 8" in done.stdout
    )
    assert "a stage has to fit" in done.stdout and " 0 bytes" not in done.stdout


def test_its_limit_stays_where_its_shared_memory_lies_in_device_memory(tmp_path):
    done, port = convert(tmp_path, ROWS)
    assert done.returncode == 0, done.stdout
    assert "constexpr int MAX_SHARED_MEMORY = 227 * 1024;" in port
    assert "128, porter::device_shared(MAX_SHARED_MEMORY - 1024)>>>" in port


def test_members_of_a_configuration_are_lengths_of_tiles(tmp_path):
    done, port = convert(tmp_path, IN_A_HELPER.replace("NAMES", "M = 128, K = 128;"))
    assert done.returncode == 0, done.stdout
    assert "M = 64, K = 128;" in port and "MAX_SHARED_MEMORY = 63488" in port


def test_an_assertion_is_why_a_tile_is_not_applied(tmp_path):
    """Even where the source with the limit alone fails by another one."""
    source = IN_A_HELPER.replace("NAMES", "M = 128, K = 128;").replace(
        "  auto &s", '  static_assert(C::M == 128 && C::K == 128, "written for it");\n  auto &s'
    )
    done, _ = convert(tmp_path, source, "--oversize", "refuse")
    assert "It would fit with" in done.stdout and "written for it" in done.stdout
    assert "Not applied: it does not compile" not in done.stdout
