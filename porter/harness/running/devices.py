"""Where a run's memory lies and its call happens: in the emulator, or on a GPU through torch."""

from __future__ import annotations

import contextlib
import ctypes
import importlib.machinery
import importlib.util
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch

from porter.errors import NotHere, PorterError
from porter.harness.building.python_functions import BOUND, FUNCTION
from porter.harness.building.torch_device import TorchDevice
from porter.harness.cases.compare import POISON, poison
from porter.harness.cases.entry import Entry, Parameter
from porter.toolchain.demangle import demangle

__all__ = ["Device", "Emulator", "Gpu", "Library", "Placed", "PythonFunction", "WrongReturn"]

GUARD = 512  # bytes of GUARDED on both sides of every tensor on a GPU; keeps the alignment of an allocation
GUARDED = 0xFF


@dataclass(slots=True)
class Placed:
    """A tensor in the device's memory."""

    name: str
    address: int
    shape: tuple[int, ...]
    dtype: torch.dtype
    owner: Any = None  # what keeps the memory
    returned: bool = False  # a result of the call: `owner` is the tensor that the last one gave
    checked: bool = True  # a result that is not is of any kind

    @property
    def bytes(self) -> int:
        count = 1
        for size in self.shape:
            count *= size
        return count * self.dtype.itemsize


class WrongReturn(PorterError):
    """The entry returned what the reference does not: another shape, type or number of tensors."""


class Device(Protocol):
    """What a worker needs of the place where a kernel runs."""

    name: str
    stream: int
    compute: torch.device  # where the reference is computed and results are compared

    def place(self, name: str, tensor: torch.Tensor) -> Placed: ...
    def reserve(self, name: str, shape: tuple[int, ...], dtype: torch.dtype) -> Placed: ...
    def refill(self, placed: Placed, tensor: torch.Tensor | None) -> None: ...
    def fetch(self, placed: Placed) -> torch.Tensor: ...
    def view(self, placed: Placed) -> torch.Tensor: ...
    def handed(self, placed: Placed) -> torch.Tensor: ...
    def synchronize(self) -> str: ...
    def overrun(self, placed: Placed) -> str: ...
    def release(self, placed: Sequence[Placed]) -> None: ...
    def error_text(self, code: int) -> str: ...


class Tensor(torch.Tensor):
    """A tensor of the emulator's memory, as a Python module sees it: on the device, which torch calls cuda on AMD too. Modules
    look for the class by its name, as pybind11 programs do that are built without torch's headers."""

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        return torch.device("cuda", 0)

    @property
    def is_cuda(self) -> bool:  # type: ignore[override]
        return True


class Emulator:
    """porter's stand-in for libamdhip64. Allocations are exact, so its bounds check sees one byte too many, and an
    output's memory counts as never written until the kernel writes it, though it holds the poison."""

    stream = 0
    compute = torch.device("cpu")

    def __init__(self, library: Path, torch_device: Path | None = None) -> None:
        self.name = "emulator"
        self._hip = ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
        self._hip.hipGetErrorString.restype = ctypes.c_char_p
        self._hip.hipGetErrorName.restype = ctypes.c_char_p
        self._hip.porter_poison_of_outputs(ctypes.c_uint32(int.from_bytes(POISON, "little")))
        self._torch = TorchDevice(torch_device) if torch_device else None

    def record_anew(self) -> None:
        """What was recorded for the model of time is not known any more: the next launches are, whatever their sizes."""
        self._hip.porter_record_anew()

    def _allocate(self, size: int) -> int:
        place = ctypes.c_void_p()
        code = self._hip.hipMalloc(ctypes.byref(place), ctypes.c_size_t(max(1, size)))
        if code:
            raise MemoryError(f"hipMalloc of {size:,} bytes: {self.error_text(code)}")
        return place.value or 0

    def place(self, name: str, tensor: torch.Tensor) -> Placed:
        placed = Placed(name, self._allocate(tensor.nbytes), tuple(tensor.shape), tensor.dtype)
        self.refill(placed, tensor)
        return placed

    def reserve(self, name: str, shape: tuple[int, ...], dtype: torch.dtype) -> Placed:
        placed = Placed(name, 0, shape, dtype)
        placed.address = self._allocate(placed.bytes)
        self.refill(placed, None)
        return placed

    def refill(self, placed: Placed, tensor: torch.Tensor | None) -> None:
        if placed.returned:
            return
        if tensor is None:
            self.view(placed).view(-1).view(torch.uint8).copy_(poison(placed.bytes))
        elif tensor.numel():
            source = ctypes.c_void_p(tensor.data_ptr())
            self._hip.hipMemcpy(ctypes.c_void_p(placed.address), source, ctypes.c_size_t(placed.bytes), 1)

    def fetch(self, placed: Placed) -> torch.Tensor:
        if placed.returned or not placed.bytes:
            return self.view(placed)
        data = bytearray(ctypes.string_at(placed.address, placed.bytes))
        return torch.frombuffer(data, dtype=torch.uint8).view(placed.dtype).view(placed.shape)

    def view(self, placed: Placed) -> torch.Tensor:
        """The memory itself as a tensor of the CPU, or what the call returned there."""
        if placed.returned:
            return _given(placed).cpu()
        if not placed.bytes:
            return torch.empty(placed.shape, dtype=placed.dtype)
        memory = (ctypes.c_uint8 * placed.bytes).from_address(placed.address)
        return torch.frombuffer(memory, dtype=torch.uint8).view(placed.dtype).view(placed.shape)

    def handed(self, placed: Placed) -> torch.Tensor:
        if self._torch is not None:
            address = placed.address if placed.bytes else 0  # as torch has it: extensions ask for nullptr
            return self._torch.tensor(address, placed.shape, placed.dtype)
        return self.view(placed).as_subclass(Tensor)

    def synchronize(self) -> str:
        code = self._hip.hipDeviceSynchronize() or self._hip.hipGetLastError()
        return self.error_text(code) if code else ""

    def overrun(self, placed: Placed) -> str:
        return ""  # the bounds check names the line that does it

    def release(self, placed: Sequence[Placed]) -> None:
        for one in placed:
            if one.returned:
                one.owner = None
            else:
                self._hip.hipFree(ctypes.c_void_p(one.address))

    def error_text(self, code: int) -> str:
        name, text = self._hip.hipGetErrorName(code), self._hip.hipGetErrorString(code)
        return f"{name.decode()} ({text.decode()})"


class Gpu:
    """The GPU that torch sees: AMD's through ROCm, NVIDIA's through CUDA."""

    def __init__(self) -> None:
        self.name = torch.cuda.get_device_name()
        self.device = self.compute = torch.device("cuda")
        self.stream = torch.cuda.current_stream().cuda_stream

    def place(self, name: str, tensor: torch.Tensor) -> Placed:
        placed = self.reserve(name, tuple(tensor.shape), tensor.dtype)
        self.refill(placed, tensor)
        return placed

    def reserve(self, name: str, shape: tuple[int, ...], dtype: torch.dtype) -> Placed:
        placed = Placed(name, 0, shape, dtype)
        padded = (placed.bytes + 15) // 16 * 16
        placed.owner = torch.full((padded + 2 * GUARD,), GUARDED, dtype=torch.uint8, device=self.device)
        placed.address = placed.owner.data_ptr() + GUARD
        self.refill(placed, None)
        return placed

    def view(self, placed: Placed) -> torch.Tensor:
        return _given(placed) if placed.returned else self._bytes(placed).view(placed.dtype).view(placed.shape)

    def handed(self, placed: Placed) -> torch.Tensor:
        if not placed.bytes:  # without memory, as torch has it: extensions ask for nullptr
            return torch.empty(placed.shape, dtype=placed.dtype, device=self.device)
        return self.view(placed)

    def _bytes(self, placed: Placed) -> torch.Tensor:
        data: torch.Tensor = placed.owner[GUARD : GUARD + placed.bytes]
        return data

    def refill(self, placed: Placed, tensor: torch.Tensor | None) -> None:
        if placed.returned:
            return
        if tensor is None:
            self._bytes(placed).copy_(poison(placed.bytes, self.device))
        elif tensor.numel():
            self._bytes(placed).copy_(tensor.contiguous().view(-1).view(torch.uint8))

    def fetch(self, placed: Placed) -> torch.Tensor:
        return self.view(placed).cpu() if placed.bytes else torch.empty(placed.shape, dtype=placed.dtype)

    def synchronize(self) -> str:
        try:
            torch.cuda.synchronize()
        except RuntimeError as error:
            return str(error).splitlines()[0]
        return ""

    def overrun(self, placed: Placed) -> str:
        if placed.returned:
            return ""
        before = placed.owner[:GUARD]
        after = placed.owner[GUARD + placed.bytes :]
        for where, guard in (("before", before), ("past the end of", after)):
            changed = (guard != GUARDED).nonzero().flatten()
            if len(changed):
                offset = int(changed[0]) if where != "before" else GUARD - int(changed[-1])
                return f"{len(changed)} bytes {where} {placed.name} were overwritten, the nearest at {offset}"
        return ""

    def release(self, placed: Sequence[Placed]) -> None:
        for one in placed:
            one.owner = None

    def error_text(self, code: int) -> str:
        return f"error {code}"


_UNDEFINED = re.compile(r"undefined symbol: (\w+)")


@contextlib.contextmanager
def _missing_named() -> Iterator[None]:
    """A library that asks for what nobody has, in the words of its source."""
    try:
        yield
    except (ImportError, OSError) as error:
        undefined = _UNDEFINED.search(str(error))
        if undefined is None:
            raise
        name = demangle(undefined[1])
        if name.startswith(("at::", "c10::", "torch::")):
            problem = f"the port calls {name}, which torch has in its libraries for GPUs"
            raise NotHere(problem, "verify it where torch is built for ROCm") from None
        raise NotHere(
            f"the port calls {name}, which no library here has", "name its source in UNITS, or its library in FLAGS"
        ) from None


class Library:
    """A compiled entry (porter.harness.building.shim), with its arguments packed as the entry takes them."""

    def __init__(self, path: Path, entry: Entry) -> None:
        with _missing_named():
            self._call = ctypes.CDLL(str(path)).porter_call
        self._call.restype = ctypes.c_int
        self._call.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
        self._entry = entry

    def bind(
        self, values: Mapping[str, int | float | bool], stream: int, launch: Mapping[str, Any] | None = None
    ) -> Call:
        """`values` has the address of each pointer and the value of each number, by name."""
        blobs = [ctypes.create_string_buffer(max(1, size)) for size in self._entry.sizes]
        for parameter in self._entry.parameters:
            value = stream if parameter.kind == "stream" else values[parameter.name]
            data = _packed(parameter, value)
            ctypes.memmove(ctypes.addressof(blobs[parameter.argument]) + parameter.offset, data, len(data))
        return Call(self._call, blobs, launch, stream)


class PythonFunction:
    """A function of a compiled Python module, called with tensors that lie where the device has them."""

    def __init__(self, path: Path, entry: Entry) -> None:
        loader = importlib.machinery.ExtensionFileLoader(entry.module, str(path))
        spec = importlib.util.spec_from_loader(entry.module, loader)
        assert spec is not None
        with _missing_named():
            module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
        self._function = getattr(module, FUNCTION if entry.module == BOUND else entry.name)
        self._entry = entry

    def bind(
        self,
        values: Mapping[str, Any],
        stream: int,
        launch: Mapping[str, Any] | None = None,
        results: Sequence[Placed] = (),
    ) -> Call:
        """`results` get what the function returns, in its order; None is nothing."""
        arguments = [values[parameter.name] for parameter in self._entry.parameters]

        def function(*_: Any) -> int:
            returned = self._function(*arguments)
            if results:
                self._keep(returned, results)
            return 0

        return Call(function, (), None, stream)

    def _keep(self, returned: Any, results: Sequence[Placed]) -> None:
        parts = tuple(returned) if isinstance(returned, (tuple, list)) else (returned,)
        if len(parts) != len(results):
            parts = tuple(part for part in parts if part is not None)
        if len(parts) != len(results):
            wanted = ", ".join(one.name for one in results)
            raise WrongReturn(f"{self._entry.name} returned {_words(parts)}, the reference has {wanted}")
        for part, one in zip(parts, results, strict=True):
            if one.checked:
                one.owner = _like(one, part)


def _like(result: Placed, part: Any) -> torch.Tensor:
    """What was returned in the place of a result, where it has the kind that the reference has."""
    tensor = part
    if isinstance(part, (bool, int, float)) and isinstance(part, float) == result.dtype.is_floating_point:
        tensor = torch.tensor(part, dtype=result.dtype)
    if not isinstance(tensor, torch.Tensor) or tuple(tensor.shape) != result.shape or tensor.dtype != result.dtype:
        wanted = f"{list(result.shape)} {str(result.dtype).removeprefix('torch.')}"
        raise WrongReturn(f"{result.name} is {_words((part,))}, the reference has {wanted}")
    return tensor


def _words(parts: Sequence[Any]) -> str:
    words = [
        f"{list(one.shape)} {str(one.dtype).removeprefix('torch.')}"
        if isinstance(one, torch.Tensor)
        else type(one).__name__
        for one in parts
    ]  # fmt: skip
    return " and ".join(words) or "nothing"


def _given(placed: Placed) -> torch.Tensor:
    """What the last call returned."""
    given: torch.Tensor = placed.owner
    return given


@dataclass(slots=True)
class Call:
    """A call that can be made again and again: `call()` gives the entry's own code."""

    _function: Any
    _blobs: Sequence[Any]
    launch: Mapping[str, Any] | None
    stream: int

    def __call__(self) -> int:
        pointers = (ctypes.c_void_p * max(1, len(self._blobs)))(*(ctypes.addressof(blob) for blob in self._blobs))
        dims = (ctypes.c_uint * 6)(*self._dims())
        shared = int(self.launch.get("shared", 0)) if self.launch else 0
        code: int = self._function(pointers, dims, shared, self.stream)
        return code

    def _dims(self) -> tuple[int, ...]:
        if not self.launch:
            return (1,) * 6
        sizes: list[int] = []
        for name in ("grid", "block"):
            given = self.launch.get(name, 1)
            given = (given,) if isinstance(given, int) else tuple(int(size) for size in given)
            sizes += (*given, *(1,) * (3 - len(given)))
        return tuple(sizes)


def _packed(parameter: Parameter, value: int | float | bool) -> bytes:
    if parameter.kind != "scalar":
        return struct.pack("<Q", value)
    if parameter.code == "bf16":
        return struct.pack("<h", torch.tensor(float(value)).to(torch.bfloat16).view(torch.int16).item())
    if parameter.code in "efd":
        return struct.pack("<" + parameter.code, float(value))
    if parameter.code == "?":
        return struct.pack("<?", bool(value))
    return struct.pack("<" + parameter.code, int(value))
