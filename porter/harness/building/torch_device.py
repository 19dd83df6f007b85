"""torch's cuda device in the emulator, for functions that take and return tensors: a library that is loaded beside torch."""

from __future__ import annotations

import ctypes
from pathlib import Path

import torch

from porter.emu.hostlib import host_library
from porter.errors import NotHere
from porter.harness.cases.compare import POISON
from porter.toolchain import Options, host_object, require_torch_build, shared_library, torch_rocm

__all__ = ["TorchDevice", "device_library"]

_SOURCE = Path(__file__).with_name("torch_device.cpp")


def device_library() -> Path:
    """The library, built once. Raises NotHere where torch is built for ROCm, whose runtime would be in porter's place."""
    rocm_torch = torch_rocm.installed()
    if rocm_torch is None:
        raise NotHere("no torch with headers", "pip install torch")
    require_torch_build()
    libraries = rocm_torch.folder / "lib"
    if (libraries / "libc10_hip.so").is_file():
        raise NotHere(
            "tensors do not lie in the emulator with a torch that is built for ROCm",
            "verify on the GPU, or pip install torch --index-url https://download.pytorch.org/whl/cpu elsewhere",
        )
    options = Options(
        std=rocm_torch.newer_standard(Options().std),
        level="1",
        includes=rocm_torch.includes,
        link=(
            *(str(libraries / f"lib{name}.so") for name in ("torch_cpu", "c10")),
            str(host_library()), f"-Wl,-rpath,{libraries}", f"-Wl,-rpath,{host_library().parent}",
        ),
    )  # fmt: skip
    made = host_object(_SOURCE, options, language="c++")
    return shared_library([made], None, options, library=host_library()).path


class TorchDevice:
    """The device, once it is there for the whole process."""

    def __init__(self, library: Path) -> None:
        loaded = ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
        loaded.porter_torch_poison(ctypes.c_uint32(int.from_bytes(POISON, "little")))

    def tensor(self, address: int, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        """A tensor of the cuda device over memory of the emulator that somebody else keeps."""
        made: torch.Tensor = torch.ops.porter.at_address(address, shape, dtype)
        return made
