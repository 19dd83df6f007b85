"""The runtime's functions called directly, where no device code is needed."""

from __future__ import annotations

import ctypes
import itertools
import os
import re
import subprocess
import sys
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p

import pytest

from porter.chip import DEFAULT_CHIP
from porter.emu.hostlib import host_library, stubs
from porter.toolchain import find_pip_clang, find_toolchain

pytestmark = pytest.mark.skipif(
    not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"
)

SUCCESS, INVALID_VALUE, OUT_OF_MEMORY, INVALID_CONFIGURATION, INVALID_PITCH = 0, 1, 2, 9, 12
INVALID_POINTER, INVALID_DIRECTION, INVALID_DEVICE, INVALID_IMAGE, NO_BINARY, UNSUPPORTED_LIMIT = (
    17,
    21,
    101,
    200,
    209,
    215,
)
INVALID_HANDLE, NOT_FOUND, ALREADY_REGISTERED, NOT_REGISTERED, NOT_SUPPORTED, NOT_READY = 400, 500, 712, 713, 801, 600
TO_HOST, DEFAULT = 2, 4
POISON = bytes.fromhex("a5a5a57f")


@pytest.fixture(scope="module")
def hip():
    library = ctypes.CDLL(str(host_library()))
    for name in ("hipGetErrorName", "hipGetErrorString"):
        getattr(library, name).restype = c_char_p
    return library


@pytest.fixture
def memory(hip):
    """hipMalloc that cleans up after itself."""
    taken = []

    def malloc(size: int) -> c_void_p:
        pointer = c_void_p()
        assert hip.hipMalloc(byref(pointer), c_size_t(size)) == SUCCESS
        taken.append(pointer)
        return pointer

    yield malloc
    for pointer in taken:
        hip.hipFree(pointer)
    hip.hipGetLastError()


def test_headers_functions_are_all_there(hip):
    include = find_pip_clang().parts[-1].path.parent.parent
    names = re.findall(r"MISSING\((hip\w+)\)", stubs(include))
    assert len(names) > 400
    assert [name for name in names if not hasattr(hip, name)] == []
    for name in ("hipMemcpy_spt", "hipLaunchKernel_spt", "hipGetDevicePropertiesR0600", "__hipRegisterFatBinary"):
        assert hasattr(hip, name)


def test_nothing_else_is_exported(hip):
    for name in ("image_load", "launch_kernel", "fault", "memory_add", "handlers", "_ZN4host4doneE10hipError_t"):
        assert not hasattr(hip, name)


def test_a_missing_function_says_so_and_fails():
    code = f"import ctypes; l = ctypes.CDLL({str(host_library())!r}); print(l.hipDestroyExternalMemory(0), l.hipDestroyExternalMemory(0))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(NOT_SUPPORTED)] * 2
    assert done.stderr == "porter: hipDestroyExternalMemory is not part of the emulator's HIP runtime\n"


@pytest.mark.parametrize("call", ["hipCreateTextureObject(1, 1, 1, 0)", "hipMalloc3DArray(1, 1, 8, 8, 8, 0)"])
def test_what_the_chip_has_no_instructions_for_is_told_as_that(call):
    """AMD's runtime refuses it there, too: nobody should look for the reason in the emulator."""
    code = f"import ctypes; l = ctypes.CDLL({str(host_library())!r}); print(l.{call})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(NOT_SUPPORTED)]
    assert re.fullmatch(
        rf"porter: {call.split('(')[0]}: {DEFAULT_CHIP.target} has no image instructions, .*\n", done.stderr
    )


def test_every_error_code_has_its_name(hip):
    include = find_pip_clang().parts[-1].path.parent
    text = (include / "hip_runtime_api.h").read_text()
    enum = text[text.index("typedef enum __HIP_NODISCARD hipError_t") : text.index("} hipError_t;")]
    names: dict[int, set[str]] = {}
    for name, value in re.findall(r"^\s*(hipError\w+|hipSuccess) = (\d+)", enum, re.MULTILINE):
        names.setdefault(int(value), set()).add(name)
    assert len(names) > 70
    for value, allowed in names.items():
        assert hip.hipGetErrorName(value).decode() in allowed
        assert hip.hipGetErrorString(value)
    assert hip.hipGetErrorString(719) == b"unspecified launch failure"
    assert hip.hipGetErrorString(12345) == b"unknown error"


def test_last_error_stays_until_it_is_asked_for(hip):
    hip.hipGetLastError()
    assert hip.hipSetDevice(77) == INVALID_DEVICE
    assert hip.hipSetDevice(0) == SUCCESS
    assert hip.hipPeekAtLastError() == INVALID_DEVICE
    assert hip.hipGetLastError() == INVALID_DEVICE
    assert hip.hipGetLastError() == SUCCESS


@pytest.mark.parametrize("size", [1, 256, 5000, 40000, (64 << 20) + 12345])
def test_fresh_memory_is_poisoned(hip, memory, size):
    pointer = memory(size)
    assert pointer.value % 256 == 0
    count = min(size, 4096) & ~3
    for at in (0, (size - count) & ~3):
        assert ctypes.string_at(pointer.value + at, count) == POISON * (count // 4)


def test_zero_bytes_and_null(hip):
    pointer = c_void_p(5)
    assert hip.hipMalloc(byref(pointer), c_size_t(0)) == SUCCESS and pointer.value is None
    assert hip.hipFree(None) == SUCCESS
    assert hip.hipMalloc(None, c_size_t(4)) == INVALID_VALUE


def test_out_of_memory_and_what_is_left(hip):
    free, total, later = c_size_t(), c_size_t(), c_size_t()
    pointer = c_void_p()
    assert hip.hipMemGetInfo(byref(free), byref(total)) == SUCCESS
    assert total.value == 196592 << 20 and 0 < free.value <= total.value
    assert hip.hipMalloc(byref(pointer), c_size_t(free.value + 1)) == OUT_OF_MEMORY
    assert hip.hipMalloc(byref(pointer), c_size_t(free.value // 2)) == SUCCESS
    hip.hipMemGetInfo(byref(later), None)
    assert later.value == free.value - free.value // 2
    assert hip.hipFree(pointer) == SUCCESS
    hip.hipMemGetInfo(byref(later), None)
    assert later.value == free.value


def test_copies_are_checked(hip, memory):
    a, b = memory(100), memory(100)
    room = ctypes.create_string_buffer(200)
    assert hip.hipMemset(a, 7, c_size_t(100)) == SUCCESS
    assert hip.hipMemcpy(b, a, c_size_t(100), DEFAULT) == SUCCESS
    assert hip.hipMemcpy(room, b, c_size_t(100), TO_HOST) == SUCCESS
    assert room.raw == b"\7" * 100 + bytes(100)
    assert hip.hipMemcpy(room, b, c_size_t(101), TO_HOST) == INVALID_VALUE
    assert hip.hipMemcpy(room, None, c_size_t(1), TO_HOST) == INVALID_VALUE
    assert hip.hipMemcpy(None, None, c_size_t(0), TO_HOST) == SUCCESS
    assert hip.hipMemcpy(room, b, c_size_t(1), 9) == INVALID_DIRECTION
    assert hip.hipMemset(a, 0, c_size_t(101)) == INVALID_VALUE
    assert hip.hipMemset(room, 0, c_size_t(1)) == INVALID_VALUE
    assert hip.hipMemcpy2D(room, c_size_t(8), a, c_size_t(4), c_size_t(5), c_size_t(2), TO_HOST) == INVALID_PITCH
    assert hip.hipMemcpyPeer(a, 0, b, 3, c_size_t(4)) == INVALID_DEVICE


def test_what_was_freed_cannot_be_used(hip):
    for size in (64, 1 << 20):
        pointer, room = c_void_p(), ctypes.create_string_buffer(4)
        hip.hipMalloc(byref(pointer), c_size_t(size))
        assert hip.hipFree(c_void_p(pointer.value + 4)) == INVALID_VALUE
        assert hip.hipFree(pointer) == SUCCESS
        assert hip.hipFree(pointer) == INVALID_VALUE
        assert hip.hipMemcpy(room, pointer, c_size_t(4), TO_HOST) == INVALID_VALUE
        again = c_void_p()
        hip.hipMalloc(byref(again), c_size_t(size))
        assert again.value != pointer.value  # so that a late access is not hidden
        hip.hipFree(again)


class Box(ctypes.Structure):
    """hipMemcpy3DParms"""

    _fields_ = [
        *[("src_array", c_void_p), ("src_pos", c_size_t * 3), ("src", c_size_t * 4)],
        *[("dst_array", c_void_p), ("dst_pos", c_size_t * 3), ("dst", c_size_t * 4)],
        *[("extent", c_size_t * 3), ("kind", c_int)],
    ]


def test_three_dimensions(hip, memory):
    source = bytes(range(240))  # 4 slices of 6 rows of 10 bytes
    host = ctypes.create_string_buffer(source, 240)
    target = memory(1000)
    hip.hipMemset(target, 0, c_size_t(1000))
    box = Box(
        None, (2, 1, 1), (ctypes.addressof(host), 10, 10, 6), None, (0, 0, 0), (target.value, 16, 5, 4), (5, 3, 2), 1
    )
    assert hip.hipMemcpy3D(byref(box)) == SUCCESS
    got = ctypes.string_at(target.value, 160)
    for z in range(2):
        for y in range(3):
            at = (z + 1) * 60 + (y + 1) * 10 + 2
            assert got[(z * 4 + y) * 16 :][:6] == source[at : at + 5] + b"\0"
    box.extent[2] = 40
    assert hip.hipMemcpy3D(byref(box)) == INVALID_VALUE
    hip.hipGetLastError()


def test_registered_memory(hip):
    room, device = ctypes.create_string_buffer(4096), c_void_p()
    assert hip.hipHostGetDevicePointer(byref(device), room, 0) == INVALID_VALUE
    size, size_attribute = c_uint(), 12  # HIP_POINTER_ATTRIBUTE_RANGE_SIZE
    for registered, known in ((2048, 2048), (4096, 4096), (100, 4096)):  # again
        assert hip.hipHostRegister(room, c_size_t(registered), 0) == SUCCESS
        assert hip.hipPointerGetAttribute(byref(size), size_attribute, room) == SUCCESS and size.value == known
    assert hip.hipHostRegister(c_void_p(ctypes.addressof(room) + 64), c_size_t(64), 0) == ALREADY_REGISTERED
    assert hip.hipHostGetDevicePointer(byref(device), room, 0) == SUCCESS
    assert device.value == ctypes.addressof(room)
    assert hip.hipFree(room) == INVALID_VALUE
    assert hip.hipHostUnregister(room) == SUCCESS
    assert hip.hipHostUnregister(room) == NOT_REGISTERED
    hip.hipGetLastError()


class Attributes(ctypes.Structure):
    """hipPointerAttribute_t"""

    _fields_ = [
        *[("type", c_int), ("device", c_int), ("device_pointer", c_void_p), ("host_pointer", c_void_p)],
        *[("managed", c_int), ("flags", c_uint)],
    ]


def test_pointer_attributes(hip, memory):
    about, pinned, managed = Attributes(), c_void_p(), c_void_p()
    inside = c_void_p(memory(100).value + 50)
    assert hip.hipPointerGetAttributes(byref(about), inside) == SUCCESS
    assert (about.type, about.device, about.device_pointer, about.host_pointer) == (2, 0, inside.value, None)
    hip.hipHostMalloc(byref(pinned), c_size_t(64), 0)
    hip.hipPointerGetAttributes(byref(about), pinned)
    assert (about.type, about.host_pointer) == (1, pinned.value)
    hip.hipMallocManaged(byref(managed), c_size_t(64), 1)
    hip.hipPointerGetAttributes(byref(about), managed)
    assert (about.type, about.managed) == (3, 1)
    assert hip.hipPointerGetAttributes(byref(about), ctypes.create_string_buffer(4)) == SUCCESS
    assert about.type == 0
    flags, flags_attribute, plain = c_uint(7), 16, ctypes.create_string_buffer(4)  # HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS
    assert hip.hipPointerGetAttribute(byref(flags), flags_attribute, managed) == SUCCESS and flags.value == 1
    assert hip.hipPointerGetAttribute(byref(flags), flags_attribute, plain) == SUCCESS and flags.value == 0
    on, waits, waits_attribute = c_int(1), ctypes.c_bool(False), 6  # HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS
    assert hip.hipPointerSetAttribute(byref(on), waits_attribute, inside) == SUCCESS
    assert hip.hipPointerGetAttribute(byref(waits), waits_attribute, inside) == SUCCESS and waits.value
    assert hip.hipPointerSetAttribute(byref(on), waits_attribute, ctypes.create_string_buffer(4)) == INVALID_POINTER
    base, size = c_void_p(), c_size_t()
    assert hip.hipMemGetAddressRange(byref(base), byref(size), inside) == SUCCESS
    assert (base.value, size.value) == (inside.value - 50, 100)
    assert hip.hipHostFree(inside) == INVALID_VALUE
    assert hip.hipHostFree(pinned) == SUCCESS
    assert hip.hipFree(managed) == SUCCESS


def test_device(hip):
    room = ctypes.create_string_buffer(8192)
    assert hip.hipGetDevicePropertiesR0600(room, 0) == SUCCESS
    assert room.value.startswith(b"AMD Instinct MI300X")
    assert b"gfx942:sramecc+:xnack-" in room.raw
    assert hip.hipGetDevicePropertiesR0600(room, 1) == INVALID_DEVICE
    value = c_int()
    include = find_pip_clang().parts[-1].path.parent
    text = (include / "hip_runtime_api.h").read_text()
    enum = text[text.index("hipDeviceAttributeCudaCompatibleBegin") : text.index("hipDeviceAttributeCudaCompatibleEnd")]
    enum = re.sub(r"//[^\n]*", "", enum)
    numbers: dict[str, int] = {}
    for part in enum.split(","):
        name, _, alias = (word.strip() for word in part.partition("="))
        if name:
            numbers[name] = numbers.get(alias, len(set(numbers.values())) if alias != "0" else 0)
    expected = {
        "WarpSize": 64,
        "MultiprocessorCount": 304,
        "MaxThreadsPerBlock": 1024,
        "MaxSharedMemoryPerBlock": 65536,
    }
    for name, wanted in expected.items():
        assert hip.hipDeviceGetAttribute(byref(value), numbers["hipDeviceAttribute" + name], 0) == SUCCESS
        assert value.value == wanted
    assert hip.hipDeviceGetAttribute(byref(value), 9000, 0) == INVALID_VALUE
    size = c_size_t()
    assert hip.hipDeviceGetLimit(byref(size), 0x77) == UNSUPPORTED_LIMIT
    assert hip.hipDeviceSetLimit(0xFFFF, c_size_t(1)) == UNSUPPORTED_LIMIT
    assert hip.hipDeviceSetLimit(2, c_size_t(1 << 24)) == SUCCESS
    assert hip.hipDeviceGetLimit(byref(size), 2) == SUCCESS and size.value == 1 << 24
    hip.hipGetLastError()


def test_events(hip):
    first, second, plain = c_void_p(), c_void_p(), c_void_p()
    ms = c_float(-1)
    assert hip.hipEventCreate(byref(first)) == hip.hipEventCreate(byref(second)) == SUCCESS
    assert hip.hipEventCreateWithFlags(byref(plain), 2) == SUCCESS
    assert hip.hipEventCreateWithFlags(byref(plain), 0x1000) == INVALID_VALUE
    assert hip.hipEventQuery(first) == SUCCESS  # never recorded: nothing to wait for
    assert hip.hipEventRecord(first, None) == hip.hipEventRecord(second, None) == SUCCESS
    assert hip.hipEventSynchronize(second) == SUCCESS
    assert hip.hipEventElapsedTime(byref(ms), first, second) == SUCCESS and ms.value >= 0
    assert hip.hipEventElapsedTime(byref(ms), first, plain) == INVALID_HANDLE
    assert hip.hipEventRecord(None, None) == INVALID_HANDLE
    assert hip.hipEventDestroy(first) == SUCCESS
    assert hip.hipEventRecord(first, None) == INVALID_HANDLE
    hip.hipGetLastError()


def test_stream_values(hip, memory):
    flag = memory(8)
    assert hip.hipStreamWriteValue64(None, flag, c_uint64(5), 0) == SUCCESS
    assert hip.hipStreamSynchronize(None) == SUCCESS
    assert ctypes.c_uint64.from_address(flag.value).value == 5
    assert hip.hipStreamWaitValue64(None, flag, c_uint64(5), 0, c_uint64(2**64 - 1)) == SUCCESS
    assert hip.hipStreamSynchronize(None) == SUCCESS
    assert hip.hipStreamWaitValue64(None, flag, c_uint64(6), 0, c_uint64(2**64 - 1)) == SUCCESS
    assert hip.hipStreamQuery(None) == NOT_READY
    ctypes.c_uint64.from_address(flag.value).value = 7
    assert hip.hipStreamSynchronize(None) == SUCCESS


def test_pools(hip):
    pool, pointer, used = c_void_p(), c_void_p(), c_uint64()
    assert hip.hipDeviceGetDefaultMemPool(byref(pool), 0) == SUCCESS
    assert hip.hipMallocAsync(byref(pointer), c_size_t(1000), None) == SUCCESS
    assert hip.hipMemPoolGetAttribute(pool, 7, byref(used)) == SUCCESS and used.value == 1000
    assert hip.hipFreeAsync(pointer, None) == SUCCESS
    assert hip.hipFreeAsync(pointer, None) == INVALID_VALUE
    assert hip.hipStreamSynchronize(None) == SUCCESS
    assert hip.hipMemPoolGetAttribute(pool, 7, byref(used)) == SUCCESS and used.value == 0
    assert hip.hipMemPoolDestroy(pool) == INVALID_VALUE
    hip.hipGetLastError()


class Location(ctypes.Structure):
    _fields_ = [("type", c_int), ("id", c_int)]


class PoolProperties(ctypes.Structure):
    _fields_ = [
        *[("type", c_int), ("handle_types", c_int), ("location", Location), ("win32", c_void_p)],
        *[("limit", c_size_t), ("reserved", ctypes.c_uint8 * 56)],
    ]


def own_pool(hip, limit: int = 0):
    """A new pool, and functions that take memory from it and ask for a number of it."""
    pool = c_void_p()
    props = PoolProperties(type=1, location=Location(1, 0), limit=limit)
    assert hip.hipMemPoolCreate(byref(pool), byref(props)) == SUCCESS

    def take(size: int, stream=None, expected: int = SUCCESS):
        pointer = c_void_p()
        assert hip.hipMallocFromPoolAsync(byref(pointer), c_size_t(size), pool, stream) == expected
        return pointer

    def sizes() -> tuple[int, ...]:
        """What is reserved and used, each now and at most."""
        values = [c_uint64() for _ in range(4)]
        for which, value in enumerate(values, 5):
            assert hip.hipMemPoolGetAttribute(pool, which, byref(value)) == SUCCESS
        return tuple(value.value for value in values)

    return pool, take, sizes


def test_what_is_freed_stays_reserved_until_the_host_waits(hip):
    event = c_void_p()
    assert hip.hipEventCreate(byref(event)) == SUCCESS
    pool, take, sizes = own_pool(hip)
    for wait in (
        hip.hipDeviceSynchronize,
        lambda: hip.hipStreamSynchronize(None),
        lambda: hip.hipEventSynchronize(event),
    ):
        for which in (6, 8):
            assert hip.hipMemPoolSetAttribute(pool, which, byref(c_uint64(0))) == SUCCESS
        assert sizes() == (0, 0, 0, 0)
        first, second = take(1000), take(100_000)
        assert sizes() == (101_000, 101_000, 101_000, 101_000)
        assert hip.hipFreeAsync(second, None) == SUCCESS
        assert sizes() == (101_000, 101_000, 1000, 101_000)
        assert hip.hipEventRecord(event, None) == SUCCESS and wait() == SUCCESS
        assert sizes() == (1000, 101_000, 1000, 101_000)
        for which in (6, 8):
            assert hip.hipMemPoolSetAttribute(pool, which, byref(c_uint64(0))) == SUCCESS
            assert hip.hipMemPoolSetAttribute(pool, which, byref(c_uint64(1))) == INVALID_VALUE
        assert sizes() == (1000, 0, 1000, 0)  # high-water marks of what is allocated from now on
        assert hip.hipFree(first) == SUCCESS
    assert sizes() == (0, 0, 0, 0)
    assert hip.hipMemPoolDestroy(pool) == SUCCESS and hip.hipEventDestroy(event) == SUCCESS
    hip.hipGetLastError()


def test_a_pool_keeps_what_is_below_its_threshold(hip):
    pool, take, sizes = own_pool(hip)
    assert hip.hipMemPoolSetAttribute(pool, 4, byref(c_uint64(250_000))) == SUCCESS
    blocks = [take(100_000) for _ in range(4)]
    for block in blocks:
        assert hip.hipFreeAsync(block, None) == SUCCESS
    assert sizes()[0] == 400_000 and hip.hipDeviceSynchronize() == SUCCESS and sizes()[0] == 200_000
    assert take(100_000).value == blocks[2].value  # the oldest were given back
    assert sizes() == (200_000, 400_000, 100_000, 400_000)
    assert hip.hipMemPoolTrimTo(pool, c_size_t(150_000)) == SUCCESS and sizes()[0] == 100_000
    assert hip.hipMemPoolTrimTo(pool, c_size_t(0)) == SUCCESS and sizes()[0] == 100_000  # what is used stays
    assert hip.hipMemPoolDestroy(pool) == SUCCESS


@pytest.mark.parametrize("size", [1000, 100_000])
def test_a_block_is_used_again(hip, size):
    streams = [c_void_p(), c_void_p()]
    for stream in streams:
        assert hip.hipStreamCreateWithFlags(byref(stream), 1) == SUCCESS
    pool, take, sizes = own_pool(hip)
    assert hip.hipMemPoolSetAttribute(pool, 4, byref(c_uint64(2**40))) == SUCCESS
    first = take(size, streams[0])
    assert hip.hipMemsetAsync(first, 1, c_size_t(size), streams[0]) == SUCCESS
    assert hip.hipFreeAsync(first, streams[0]) == SUCCESS
    assert hip.hipFreeAsync(first, streams[0]) == INVALID_VALUE  # twice
    again = take(size, streams[0])
    assert again.value == first.value and sizes() == (size,) * 4
    held = (ctypes.c_uint8 * 4)()
    assert hip.hipMemcpyAsync(held, again, c_size_t(4), TO_HOST, streams[0]) == SUCCESS
    assert hip.hipStreamSynchronize(streams[0]) == SUCCESS and bytes(held) == POISON  # what it held is gone
    assert hip.hipFreeAsync(again, streams[0]) == SUCCESS and hip.hipStreamSynchronize(streams[0]) == SUCCESS
    assert hip.hipMemcpy(held, again, c_size_t(4), TO_HOST) == INVALID_VALUE  # kept by the pool, and freed
    assert take(size, streams[1]).value == first.value  # the other stream is done with it
    assert hip.hipMemcpy(held, first, c_size_t(4), TO_HOST) == SUCCESS and bytes(held) == POISON
    assert sizes() == (size,) * 4
    for stream in streams:
        assert hip.hipStreamDestroy(stream) == SUCCESS
    assert hip.hipMemPoolDestroy(pool) == SUCCESS
    hip.hipGetLastError()


def test_a_full_pool_is_one_whose_high_water_mark_leaves_no_room(hip):
    pool, take, sizes = own_pool(hip, 1000)
    first = take(600)
    assert hip.hipFreeAsync(first, None) == SUCCESS
    take(601, expected=OUT_OF_MEMORY)
    assert hip.hipDeviceSynchronize() == SUCCESS and sizes() == (0, 600, 0, 600)
    take(500, expected=OUT_OF_MEMORY)
    second = take(400)
    assert sizes() == (400, 600, 400, 600)
    assert hip.hipMemPoolSetAttribute(pool, 6, byref(c_uint64(0))) == SUCCESS  # the mark of what is reserved
    assert hip.hipFreeAsync(second, None) == SUCCESS and hip.hipDeviceSynchronize() == SUCCESS
    take(1000)
    assert sizes() == (1000, 1000, 1000, 1000)
    assert hip.hipMemPoolDestroy(pool) == SUCCESS
    hip.hipGetLastError()


@pytest.mark.parametrize("waits", [False, True])
def test_a_larger_kept_block_makes_room_for_a_smaller_one(hip, waits):
    pool, take, sizes = own_pool(hip, 1000)
    assert hip.hipMemPoolSetAttribute(pool, 4, byref(c_uint64(2**40))) == SUCCESS
    first = take(900)
    assert hip.hipFreeAsync(first, None) == SUCCESS and (not waits or hip.hipDeviceSynchronize() == SUCCESS)
    second = take(500)
    assert sizes() == (500, 900, 500, 900)
    assert hip.hipFreeAsync(first, None) == INVALID_VALUE  # twice
    assert hip.hipMemsetAsync(second, 1, c_size_t(501), None) == INVALID_VALUE
    assert hip.hipDeviceSynchronize() == SUCCESS
    assert hip.hipMemcpy((ctypes.c_uint8 * 4)(), first, c_size_t(4), TO_HOST) == INVALID_VALUE  # it is given back
    take(200, expected=OUT_OF_MEMORY)
    take(100)
    assert sizes() == (600, 900, 600, 900)
    assert hip.hipMemPoolDestroy(pool) == SUCCESS
    hip.hipGetLastError()


@pytest.mark.parametrize("follows", [0, 1])
@pytest.mark.parametrize("early", [False, True])
def test_a_kept_block_follows_events(hip, follows, early):
    streams, event = [c_void_p() for _ in range(3)], c_void_p()
    for stream in streams:
        assert hip.hipStreamCreateWithFlags(byref(stream), 1) == SUCCESS
    assert hip.hipEventCreate(byref(event)) == SUCCESS
    pool, take, _ = own_pool(hip)
    assert hip.hipMemPoolSetAttribute(pool, 1, byref(c_int(follows))) == SUCCESS
    assert hip.hipMemPoolSetAttribute(pool, 2, byref(c_int(0))) == SUCCESS  # not because the work is done
    first = take(5000, streams[0])
    if early:
        assert hip.hipEventRecord(event, streams[0]) == SUCCESS
    assert hip.hipMemsetAsync(first, 1, c_size_t(5000), streams[0]) == hip.hipFreeAsync(first, streams[0]) == SUCCESS
    for before, after in itertools.pairwise(streams):  # from one to the next, and on
        if not early:
            assert hip.hipEventRecord(event, before) == SUCCESS
        assert hip.hipStreamWaitEvent(after, event, 0) == SUCCESS
    second = take(5000, streams[2])
    assert (second.value == first.value) == (follows == 1 and not early)
    assert hip.hipMemsetAsync(second, 2, c_size_t(5000), streams[2]) == SUCCESS
    assert hip.hipStreamSynchronize(streams[2]) == SUCCESS and ctypes.string_at(second.value, 5000) == 5000 * b"\2"
    for stream in streams:
        assert hip.hipStreamDestroy(stream) == SUCCESS
    assert hip.hipMemPoolDestroy(pool) == SUCCESS and hip.hipEventDestroy(event) == SUCCESS


class Access(ctypes.Structure):
    _fields_ = [("location", Location), ("flags", c_int)]


class Properties(ctypes.Structure):
    """hipMemAllocationProp"""

    _fields_ = [
        *[("type", c_int), ("handle_type", c_int), ("location", Location), ("win32", c_void_p)],
        ("flags", ctypes.c_uint8 * 4),
    ]


def test_memory_mapped_in_pieces(hip):
    granule, start = c_size_t(), c_void_p()
    properties = Properties(1, 0, Location(1, 0), None)
    assert hip.hipMemGetAllocationGranularity(byref(granule), byref(properties), 0) == SUCCESS
    size = granule.value
    assert hip.hipMemAddressReserve(byref(start), c_size_t(3 * size), c_size_t(0), None, c_uint64(0)) == SUCCESS
    assert start.value % size == 0
    pieces = []
    for i in range(2):
        handle, place = c_void_p(), c_void_p(start.value + i * size)
        assert hip.hipMemCreate(byref(handle), c_size_t(size), byref(properties), c_uint64(0)) == SUCCESS
        assert hip.hipMemMap(place, c_size_t(size), c_size_t(0), handle, c_uint64(0)) == SUCCESS
        assert hip.hipMemMap(place, c_size_t(size), c_size_t(0), handle, c_uint64(0)) == INVALID_VALUE
        assert hip.hipMemRelease(handle) == SUCCESS  # the mapping keeps the memory
        pieces.append(handle)
    assert hip.hipMemset(start, 1, c_size_t(4)) == INVALID_VALUE  # not opened yet
    access = Access(Location(1, 0), 3)
    assert hip.hipMemSetAccess(start, c_size_t(2 * size), byref(access), c_size_t(1)) == SUCCESS
    assert ctypes.string_at(start.value, 4) == POISON
    room = ctypes.create_string_buffer(64)
    seam = c_void_p(start.value + size - 32)
    assert hip.hipMemcpy(seam, bytes(range(64)), c_size_t(64), DEFAULT) == SUCCESS
    assert hip.hipMemcpy(room, seam, c_size_t(64), TO_HOST) == SUCCESS
    assert room.raw == bytes(range(64))
    assert hip.hipMemcpy(room, c_void_p(start.value + 2 * size - 32), c_size_t(64), TO_HOST) == INVALID_VALUE
    assert hip.hipMemAddressFree(start, c_size_t(3 * size)) == INVALID_VALUE  # still mapped
    assert hip.hipMemUnmap(start, c_size_t(2 * size)) == SUCCESS
    assert hip.hipMemRelease(pieces[0]) == INVALID_VALUE
    assert hip.hipMemAddressFree(start, c_size_t(3 * size)) == SUCCESS
    hip.hipGetLastError()


def test_contexts(hip):
    context, same = c_void_p(), c_void_p()
    assert hip.hipDevicePrimaryCtxRetain(byref(context), 0) == SUCCESS
    assert hip.hipCtxPushCurrent(context) == SUCCESS
    assert hip.hipCtxGetCurrent(byref(same)) == SUCCESS and same.value == context.value
    assert hip.hipCtxPopCurrent(byref(same)) == SUCCESS and same.value == context.value
    assert hip.hipCtxPopCurrent(byref(same)) != SUCCESS
    hip.hipGetLastError()


def test_bad_modules(hip):
    module = c_void_p()
    assert hip.hipModuleLoadData(byref(module), b"\x7fELF" + bytes(100)) == INVALID_IMAGE
    assert hip.hipModuleLoadData(byref(module), b"what is this" + bytes(100)) == INVALID_IMAGE
    assert hip.hipModuleLoadData(byref(module), b"__CLANG_OFFLOAD_BUNDLE__" + bytes(100)) == NO_BINARY
    assert hip.hipModuleUnload(None) == INVALID_HANDLE
    hip.hipGetLastError()


def test_entry_points_by_name(hip):
    entry, status = c_void_p(), c_int(-1)
    assert hip.hipGetProcAddress(b"hipMalloc", byref(entry), 600, c_uint64(0), byref(status)) == SUCCESS
    assert entry.value == ctypes.cast(hip.hipMalloc, c_void_p).value and status.value == 0
    assert hip.hipGetProcAddress(b"hipNoSuchThing", byref(entry), 600, c_uint64(0), byref(status)) == NOT_FOUND
    assert status.value == 1
    hip.hipGetLastError()


def test_bad_settings_are_named():
    code = f"import ctypes; l = ctypes.CDLL({str(host_library())!r}); n = ctypes.c_int(); l.hipGetDeviceCount(ctypes.byref(n)); print(n.value)"
    environment = {**os.environ, "PORTER_EMU_DEVICES": "two"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "1\n"
    assert done.stderr == "porter: PORTER_EMU_DEVICES=two is not a number\n"


def test_attributes_of_a_pointer_write_as_many_bytes_as_amds_runtime(hip, memory):
    """The size and the number of an allocation have 32 bits there: what lies behind the variable stays as it is."""
    pointer = memory(1024)
    named = c_void_p()
    assert hip.hipGetProcAddress(b"hipPointerGetAttribute", byref(named), 0, c_uint64(0), None) == SUCCESS
    called = ctypes.CFUNCTYPE(c_int, c_void_p, c_int, c_void_p)(named.value)
    for ask in (
        lambda out, which: hip.hipPointerGetAttribute(out, which, pointer),
        lambda out, which: called(out, which, pointer),
    ):
        size, number = (c_uint * 2)(0, 0x5A5A5A5A), (c_uint * 2)(0, 0x5A5A5A5A)
        assert ask(size, 12) == SUCCESS and ask(number, 7) == SUCCESS
        assert list(size) == [1024, 0x5A5A5A5A]
        assert number[0] and number[1] == 0x5A5A5A5A
