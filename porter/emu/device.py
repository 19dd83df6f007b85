"""Running kernels from Python: an image, its kernels, launches, and what came of them."""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from porter.checks import CHECKS, FINDINGS
from porter.emu.build import core_library
from porter.emu.encoding import ARGUMENT_BYTES
from porter.errors import PorterError

__all__ = [
    "ARGUMENT_BYTES",
    "Check", "FaultKind", "Finding", "InstructionCount", "Launch", "Module", "Nearest", "RecordedWave", "Recording", "allow", "forbid", "nearest",
]  # fmt: skip

_MAX_FINDINGS = 256
_ACCESS_FIELDS = ("times", "lanes", "bytes", "lds_cycles", "lds_ideal", "lines", "lines_ideal")


_PAGE = 4096


class FaultKind(IntEnum):
    """What a finding is: the rows of porter.checks by number."""

    _ignore_ = "number row"
    NONE = 0
    for number, row in enumerate(FINDINGS, 1):
        locals()[row.symbol] = number


class Check(IntEnum):
    """The checks' bits."""

    _ignore_ = "row"
    for row in CHECKS:
        locals()[row.symbol] = row.bit


class _Options(ctypes.Structure):
    _fields_ = [
        ("grid", ctypes.c_uint32 * 3),
        ("block", ctypes.c_uint32 * 3),
        ("dynamic_lds", ctypes.c_uint32),
        ("threads", ctypes.c_uint32),
        ("checks", ctypes.c_uint32),
        ("device", ctypes.c_uint32),
        ("seed", ctypes.c_uint64),
        ("max_instructions", ctypes.c_uint64),
    ]


class _Finding(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_uint32),
        ("ins", ctypes.c_uint32),
        ("lane", ctypes.c_int32),
        ("wave", ctypes.c_uint32),
        ("size", ctypes.c_uint32),
        ("group", ctypes.c_uint32 * 3),
        ("address", ctypes.c_uint64),
        ("other", ctypes.c_int64),
        ("count", ctypes.c_uint64),
    ]


class _Result(ctypes.Structure):
    _fields_ = [
        ("instructions", ctypes.c_uint64),
        ("seconds_ns", ctypes.c_uint64),
        ("finding_count", ctypes.c_uint32),
        ("faulted", ctypes.c_uint32),
        ("findings", _Finding * _MAX_FINDINGS),
    ]


class _AccessCount(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in _ACCESS_FIELDS]


class _Counts(ctypes.Structure):
    _fields_ = [
        ("executed", ctypes.c_void_p),
        ("accesses", ctypes.c_void_p),
        ("recording", ctypes.c_void_p),
        ("touched", ctypes.c_void_p),
    ]


class RecordedWave(ctypes.Structure):
    _fields_ = [
        ("group", ctypes.c_uint64),
        ("words", ctypes.POINTER(ctypes.c_uint64)),
        ("length", ctypes.c_uint64),
        ("capacity", ctypes.c_uint64),
        ("open", ctypes.c_uint64),
        ("number", ctypes.c_uint32),
        ("ended", ctypes.c_uint32),
    ]


class _Recording(ctypes.Structure):
    _fields_ = [
        ("first", ctypes.c_uint64),
        ("stride", ctypes.c_uint64),
        ("count", ctypes.c_uint64),
        ("beside", ctypes.c_uint64),
        ("alone", ctypes.c_uint32),
        ("clusters", ctypes.c_uint32),
        ("runs", ctypes.c_uint64),
        ("waves_a_group", ctypes.c_uint32),
        ("waves", ctypes.POINTER(RecordedWave)),
        ("most_words", ctypes.c_uint64),
        ("words", ctypes.c_uint64),
    ]


class Recording:
    """What some workgroups of a launch do, for the model of time: `count` of them from `first` on, each `stride`-th,
    and `beside` of their neighbours. With `alone` no others run, and what the kernel writes is not whole. From `most_words` on (eight bytes each; 0: no
    limit) no more are begun."""

    def __init__(
        self, first: int, stride: int, count: int, *, beside: int = 0, alone: bool, most_words: int = 0
    ) -> None:
        self.raw = _Recording(first, stride, count, beside, alone=int(alone), most_words=most_words)

    @property
    def groups(self) -> int:
        return int(self.raw.count)

    @property
    def beside(self) -> int:
        return int(self.raw.beside)

    @property
    def waves_a_group(self) -> int:
        return int(self.raw.waves_a_group)

    @property
    def waves(self) -> int:
        """The address of the records (core/record.h): wave after wave, workgroup after workgroup."""
        return ctypes.addressof(self.raw.waves.contents)

    def close(self) -> None:
        if self.raw.waves:
            _core().recording_free(ctypes.byref(self.raw))

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _SourcePlace(ctypes.Structure):
    _fields_ = [
        ("file", ctypes.c_char_p),
        ("inner_file", ctypes.c_char_p),
        ("text", ctypes.c_char_p),
        ("line", ctypes.c_uint32),
        ("inner_line", ctypes.c_uint32),
        ("column", ctypes.c_uint32),
    ]


@dataclass(frozen=True, slots=True)
class InstructionCount:
    """How often one instruction ran, and what it did to memory (zeros where it does none)."""

    text: str
    file: str
    line: int
    executed: int  # by waves
    times: int = 0  # as a memory access
    lanes: int = 0
    bytes: int = 0
    lds_cycles: int = 0
    lds_ideal: int = 0
    lines: int = 0
    lines_ideal: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    kind: FaultKind
    instruction: str
    file: str
    line: int
    group: tuple[int, int, int]
    wave: int
    lane: int
    address: int
    size: int
    count: int
    other: str = ""  # a second place, as text
    other_line: int = 0
    inner_file: str = ""  # where in a library's header, when that was inlined at `line`
    inner_line: int = 0


@dataclass(frozen=True, slots=True)
class Launch:
    """What came of one launch."""

    instructions: int  # executed, a wave's instruction counting once
    seconds: float
    findings: tuple[Finding, ...]
    faulted: bool
    counts: tuple[InstructionCount, ...] = ()  # of the instructions that ran, when they were asked for


@functools.cache
def _core() -> ctypes.CDLL:
    core = ctypes.CDLL(str(core_library()))
    core.image_load.restype = ctypes.c_void_p
    core.image_load.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_uint64]
    core.image_free.argtypes = [ctypes.c_void_p]
    core.image_find_kernel.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    core.image_symbol.restype = ctypes.c_uint64
    core.image_symbol.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64)]
    core.image_instruction_count.argtypes = [ctypes.c_void_p]
    core.image_place.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p]
    core.kernel_arguments.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_void_p,
    ]
    core.launch_kernel.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p,
    ]  # fmt: skip
    core.memory_add.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint32]
    core.memory_remove.argtypes = [ctypes.c_uint64]
    core.memory_near.argtypes = [ctypes.c_uint64, ctypes.c_void_p]
    return core


def allow(address: int, size: int, *, read_only: bool = False, elsewhere: bool = False) -> None:
    """Lets device code touch this memory (a tensor's, for instance). `elsewhere`: how far from other memory is not said by who
    launches, so a recording puts it at a place of its own."""
    _core().memory_add(address, size, int(read_only) | int(elsewhere) << 1)


def forbid(address: int) -> None:
    _core().memory_remove(address)


@dataclass(frozen=True, slots=True)
class Nearest:
    """The allocation at or next to an address. `distance`: 0 inside, n for the n-th byte past its end, negative in
    front of it; `freed` when the address lies in memory that was given back."""

    start: int
    size: int
    distance: int
    freed: bool


class _MemoryNear(ctypes.Structure):
    _fields_ = [
        ("state", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("start", ctypes.c_uint64),
        ("size", ctypes.c_uint64),
        ("distance", ctypes.c_int64),
    ]


def nearest(address: int) -> Nearest | None:
    """What a report says about an address; None when nothing was ever allocated."""
    near = _MemoryNear()
    _core().memory_near(address, ctypes.byref(near))
    return Nearest(near.start, near.size, near.distance, near.state == 2) if near.size else None


class Module:
    """A loaded image. Arguments of a launch are ints (pointers and integers), floats, or bytes as they lie in memory."""

    def __init__(self, image: bytes) -> None:
        error = ctypes.create_string_buffer(512)
        self._handle = _core().image_load(image, len(image), error, len(error))
        if not self._handle:
            raise PorterError(f"the emulator cannot load this program: {error.value.decode()}")

    def close(self) -> None:
        if self._handle:
            _core().image_free(self._handle)
            self._handle = None

    def __enter__(self) -> Module:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def symbol(self, name: str) -> tuple[int, int]:
        """Address and size of a `__device__` variable; address 0 when there is none of that name."""
        size = ctypes.c_uint64()
        return _core().image_symbol(self._handle, name.encode(), ctypes.byref(size)), size.value

    def launch(
        self,
        kernel: str,
        grid: Sequence[int] | int,
        block: Sequence[int] | int,
        arguments: bytes | Iterable[bytes],
        *,
        dynamic_lds: int = 0,
        threads: int | None = None,
        checks: Iterable[Check] = (),
        seed: int = 0,
        max_instructions: int = 0,
        count: bool = False,
        recording: Recording | None = None,
        arguments_at: int = 0,
    ) -> Launch:
        """Runs `kernel`. `arguments` is the packed explicit part of the kernarg segment, or each argument's bytes.

        `count` adds how often each instruction ran; its memory traffic too where BANKS or COALESCING are checked.
        `recording` is filled with what its workgroups did. `arguments_at`: ARGUMENT_BYTES of memory for the arguments; 0: anywhere.
        """
        number = _core().image_find_kernel(self._handle, kernel.encode())
        if number < 0:
            raise PorterError(f"the program has no kernel named {kernel}")
        options = _Options(
            _three(grid), _three(block), dynamic_lds, threads or os.cpu_count() or 1, sum(set(checks)), 0, seed,
            max_instructions,
        )  # fmt: skip
        # At the begin of a page: scalar loads of the arguments have their lines at the same place in every launch.
        room = ctypes.create_string_buffer(ARGUMENT_BYTES + _PAGE)
        place = arguments_at or ctypes.addressof(room) + -ctypes.addressof(room) % _PAGE
        segment = (ctypes.c_char * ARGUMENT_BYTES).from_address(place)
        if isinstance(arguments, bytes):
            _core().kernel_arguments(self._handle, number, ctypes.byref(options), None, segment)
            ctypes.memmove(segment, arguments, len(arguments))
        else:
            buffers = [ctypes.create_string_buffer(part, len(part)) for part in arguments]
            pointers = (ctypes.c_void_p * len(buffers))(*(ctypes.addressof(buffer) for buffer in buffers))
            _core().kernel_arguments(self._handle, number, ctypes.byref(options), pointers, segment)
        allow(ctypes.addressof(segment), len(segment), read_only=True, elsewhere=True)
        result = _Result()
        size = _core().image_instruction_count(self._handle) if count else 0
        executed = (ctypes.c_uint64 * size)()
        accesses = (_AccessCount * size)()
        counts = _Counts(
            ctypes.addressof(executed) if size else None,
            ctypes.addressof(accesses) if size and checks else None,
            ctypes.addressof(recording.raw) if recording else None,
        )
        try:
            _core().launch_kernel(
                self._handle, number, ctypes.byref(options), segment, ctypes.byref(result),
                ctypes.byref(counts) if count or recording else None,
            )  # fmt: skip
        finally:
            forbid(ctypes.addressof(segment))
        findings = tuple(self._finding(result.findings[i]) for i in range(result.finding_count))
        ran = tuple(self._count(i, executed[i], accesses[i]) for i in range(size) if executed[i])
        return Launch(result.instructions, result.seconds_ns / 1e9, findings, bool(result.faulted), ran)

    def _count(self, index: int, executed: int, access: _AccessCount) -> InstructionCount:
        place = self._place(index)
        counts = (getattr(access, name) for name in _ACCESS_FIELDS)
        return InstructionCount(place.text.decode(), place.file.decode(), place.line, executed, *counts)

    def _place(self, index: int) -> _SourcePlace:
        place = _SourcePlace()
        _core().image_place(self._handle, index, ctypes.byref(place))
        return place

    def _finding(self, raw: _Finding) -> Finding:
        place = self._place(raw.ins)
        other = self._place(raw.other) if raw.other >= 0 else None
        return Finding(
            FaultKind(raw.kind), place.text.decode(), place.file.decode(), place.line, tuple(raw.group), raw.wave,
            raw.lane, raw.address, raw.size, raw.count, other.text.decode() if other else "",
            other.line if other else 0, place.inner_file.decode(), place.inner_line,
        )  # fmt: skip


def _three(size: Sequence[int] | int) -> ctypes.Array[ctypes.c_uint32]:
    values = [size] if isinstance(size, int) else list(size)
    return (ctypes.c_uint32 * 3)(*values, *[1] * (3 - len(values)))
