"""porter/kittens/prototype.h: kernels on the templates lcf and lcsf, executed, against numpy."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fragments import CHECKS, Array
from test_kittens import decoded, encoded, numbers

from porter.emu.device import Module, allow, forbid
from porter.emu.image import build_image
from porter.toolchain.build import Options, device_assembly

ROOM = 62 * 1024  # what the source's launches ask for: MAX_SHARED_MEMORY - 2048


@pytest.fixture(scope="module")
def module() -> Iterator[Module]:
    source = Path(__file__).parent / "kittens_prototypes.hip"
    with Module(build_image(device_assembly(source, Options(std="gnu++20", level="1")).read_text())) as loaded:
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
