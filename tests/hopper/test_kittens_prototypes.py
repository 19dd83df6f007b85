"""porter/kittens/prototype.h: kernels on the templates lcf and lcsf, executed, against numpy."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from fragments import CHECKS, Array
from test_kittens import decoded, encoded, numbers

from porter.emu.device import Module, allow, forbid
from porter.emu.image import build_image
from porter.findings import Finding
from porter.frontend.unit import Options as ConvertOptions
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.toolchain.build import Options, device_assembly

ROOM = 62 * 1024  # what the source's launches ask for: MAX_SHARED_MEMORY - 2048


@pytest.fixture(scope="module", params=["", "PORTER_DEVICE_SHARED"], ids=["in LDS", "partly in device memory"])
def module(request: pytest.FixtureRequest) -> Iterator[Module]:
    source = Path(__file__).parent / "kittens_prototypes.hip"
    options = Options(std="gnu++20", level="1", defines=tuple(filter(None, [request.param])))
    with Module(build_image(device_assembly(source, options).read_text())) as loaded:
        yield loaded


def launch(module: Module, kernel: str, grid: int, threads: int, *tensors: tuple[Array, bytes]) -> None:
    """Each tensor with the sizes that its gl keeps."""
    words = b""
    for tensor, sizes in tensors:
        words += struct.pack("<Q", tensor.ctypes.data) + sizes
        allow(tensor.ctypes.data, tensor.nbytes)
    try:
        done = module.launch(kernel, grid, threads, words, dynamic_lds=ROOM, checks=CHECKS, threads=1)
    finally:
        for tensor, _ in tensors:
            forbid(tensor.ctypes.data)
    assert not done.findings, (kernel, done.findings[:3])


def kernel(prototype: str, template: str) -> str:
    """The symbol of a prototype's kernel."""
    return f"_ZN7kittens9prototype{len(prototype)}{prototype}6kernelI{len(template)}{template}EEvNT_6layout7globalsE"


def matrix(tensor: Array) -> tuple[Array, bytes]:
    """A gl with sizes of its own for rows and columns."""
    return tensor, struct.pack("<8x2Q", *tensor.shape)


@pytest.mark.parametrize("blocks", [1, 2])
def test_a_product_whose_blocks_take_turns(blocks: int, module: Module) -> None:
    """The second task loads while the first's finish block is stored from where a stage lies."""
    a, b = numbers("bf16", 128, 192), numbers("bf16", 192, 192, seed=2)
    c = np.full((128, 192), 7, np.float32)
    tensors = [matrix(t) for t in (encoded("bf16", a), encoded("bf16", b), c)]
    launch(module, kernel("lcf", "product"), blocks, 12 * 64, *tensors)
    np.testing.assert_allclose(c, a @ b.T, atol=1e-4)


@pytest.mark.parametrize("blocks", [1, 2])
def test_rows_that_are_stored_as_they_are_computed(blocks: int, module: Module) -> None:
    x, factors = numbers("bf16", 6 * 64, 128), numbers("f32", 128)
    y = encoded("bf16", np.full(x.shape, 7.0))
    rows = struct.pack("<8xQ8x", len(x))
    tensors = [(encoded("bf16", x), rows), (y, rows), (factors.astype(np.float32), struct.pack("<8xQ", 128))]
    launch(module, kernel("lcsf", "scaling"), blocks, 8 * 64, *tensors)
    np.testing.assert_allclose(decoded("bf16", y), x * factors, rtol=2**-8)


@pytest.mark.parametrize("define", ["", "PORTER_DEVICE_SHARED"])
def test_blocks_that_compute_beside_blocks_that_communicate(define: str) -> None:
    source = Path(__file__).parent / "kittens_lcsc.hip"
    options = Options(std="gnu++20", level="1", defines=tuple(filter(None, [define])))
    x, count = numbers("bf16", 7 * 64, 64), np.zeros(512, np.float32)
    given, y = encoded("bf16", x), encoded("bf16", np.full(x.shape, 7.0))
    words = b"".join(struct.pack("<Q8xQ8x", one.ctypes.data, len(x)) for one in (given, y))
    words += struct.pack("<Qii", count.ctypes.data, len(count), 1)
    symbol = "_ZN7kittens9prototype4lcsc11main_kernelI6config6arrays8doublingEEvT0_"
    for one in (given, y, count):
        allow(one.ctypes.data, one.nbytes)
    with Module(build_image(device_assembly(source, options).read_text())) as loaded:
        done = loaded.launch(symbol, 3, 8 * 64, words, dynamic_lds=0 if define else ROOM, checks=CHECKS, threads=1)
    for one in (given, y, count):
        forbid(one.ctypes.data)
    assert not done.findings, done.findings[:3]
    np.testing.assert_array_equal(decoded("bf16", y), 2 * x)
    assert (count == 1).all()


SOURCE = """#include "kittens.cuh"
#include "prototype.cuh"
using namespace kittens;
using namespace kittens::prototype;
struct added_layout {
  using tile = st_bf<64, 64>;
  struct globals { gl<bf16, 1, 1, -1, 64, tile> x, y; };
  struct input_block { tile x; };
  struct output_block { tile y; };
  struct scratch_block { st_bf<SCRATCH> sums; };
};
struct added {
  using layout = added_layout;
  static constexpr int INPUT_PIPE_STAGES = 8, OUTPUT_PIPE_STAGES = 8, NUM_CONSUMER_WARPS = 4;
  __device__ static void common_setup(lcsf::common_setup_args<layout> args) { args.num_iters = args.task_iter == 0 ? 1 : -1; }
  struct producer {
    __device__ static void setup(lcsf::producer_setup_args<layout>) {}
    __device__ static void load(lcsf::producer_load_args<layout> args) {
      if (warpgroup::warpid() != 0) return;
      warp::tma::expect(args.inputs_arrived, args.input.x);
      warp::tma::load_async(args.input.x, args.globals.x, {int(blockIdx.x), 0}, args.inputs_arrived);
      if (laneid() == 0) arrive(args.inputs_arrived, 3);
    }
    __device__ static void store(lcsf::producer_store_args<layout> args) {
      if (warpgroup::warpid() == 0) warp::tma::store_async(args.globals.y, args.output.y, {int(blockIdx.x), 0});
      if (laneid() == 0) arrive(args.outputs_finished);
    }
  };
  struct consumer {
    __device__ static void setup(lcsf::consumer_setup_args<layout>) {}
    __device__ static void compute(lcsf::consumer_compute_args<layout> args) {
      rt_fl<16, 64> x;
      warpgroup::load(x, args.input.x);
      if (laneid() == 0) arrive(args.inputs_finished);
      warp::add(x, x, 1.0f);
      warpgroup::store(args.output.y, x);
      warpgroup::sync(1);
      if (laneid() == 0) arrive(args.outputs_arrived);
    }
    __device__ static void finish(lcsf::consumer_finish_args<layout> args) { if (laneid() == 0) arrive(args.finish_finished); }
  };
};
void run(added_layout::globals g, int blocks) {
  unsigned long shared = MAX_SHARED_MEMORY - 2048;
  dim3 block(prototype::detail::NUM_THREADS_v<added>);
  cudaFuncSetAttribute(lcsf::kernel<added>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  lcsf::kernel<added><<<blocks, block, shared>>>(g);
}
"""


@pytest.mark.parametrize(("scratch", "moved"), [("64, 64", False), ("256, 128", True)])
def test_a_template_is_ported_with_the_stages_that_fit(scratch: str, moved: bool, tmp_path: Path) -> None:
    port, findings = converted(SOURCE.replace("SCRATCH", scratch), tmp_path, "device-memory")
    assert '"porter/kittens/prototype.h"' in port and "<<<blocks, block, shared>>>" in port
    assert ("#define PORTER_DEVICE_SHARED 1" in port) is moved
    over = [f for f in findings if f.rule == "oversized-shared-memory" and "added wants 81,920 bytes" in f.message]
    assert len(over) == moved


@pytest.mark.parametrize(
    ("threads", "more", "taken"),
    [
        ("NUM_WARPGROUPS * WARPGROUP_THREADS", 16, True),
        ("NUM_WARPGROUPS * WARPGROUP_THREADS", 60 << 10, True),
        ("256", 16, False),
    ],
)
def test_a_prototype_that_launches_by_itself(threads: str, more: int, taken: bool, tmp_path: Path) -> None:
    """The library counts the block's threads by the configuration: a plain number of CUDA's threads is refused."""
    text = (Path(__file__).parent / "kittens_lcsc.hip").read_text()
    text = text.replace("#include <hip/hip_runtime.h>", '#include "kittens.cuh"').replace(
        "porter/kittens/lcsc.h", "prototype.cuh"
    )
    text = re.sub(r"template __global__.*", "", text.replace("NUM_WARPGROUPS * WARPGROUP_THREADS", threads))
    own = "if (threadIdx.x < 256) g.numbers[regs.task_id * 256 + threadIdx.x] += 1;"
    text = text.replace(
        own, "if (threadIdx.x == 0) for (int i = 0; i < 256; ++i) g.numbers[regs.task_id * 256 + i] += 1;"
    )
    port, findings = converted(text.replace("more = 16", f"more = {more}"), tmp_path, "device-memory")
    assert ('"porter/kittens/prototype.h"' in port) is taken
    assert ("#define PORTER_DEVICE_SHARED 1" in port) is (more > 16)
    assert taken or any("a block has whole warpgroups" in f.message for f in findings)


def test_a_template_that_may_not_use_device_memory(tmp_path: Path) -> None:
    port, findings = converted(SOURCE.replace("SCRATCH", "256, 128"), tmp_path, "refuse")
    assert '"prototype.cuh"' in port and "PORTER_DEVICE_SHARED" not in port
    assert any("lds_for<added, 81920, 63488>" in f.message for f in findings)


def converted(text: str, folder: Path, oversize: str) -> tuple[str, Sequence[Finding]]:
    (folder / "added.cu").write_text(text)
    conversion = Conversion(ConvertOptions(kittens="native", runtime="include", oversize=oversize))
    todo = plan([folder / "added.cu"], folder / "out", False, conversion)
    [port] = run_jobs(todo.jobs, conversion, 1)
    return port.port, port.findings
