"""What memory instructions must not touch, scalar memory, AGPRs, and atomics of several threads."""

from __future__ import annotations

import functools
import struct

import numpy as np
import pytest
from memory_machine import ALL, GLOBAL_SIZE, LANES, LDS_SIZE, SCRATCH_SIZE, Machine, State, random_state
from memory_model import atomic

from porter.emu.device import FaultKind, Module, allow, forbid, nearest
from porter.emu.image import build_image
from porter.emu.table import instructions

SHARED, PRIVATE = 1 << 48, 2 << 48


@functools.cache
def machine(text: str, scalar: bool = False) -> Machine:
    return Machine([text], scalar)


def fault(text: str, state: State):
    _, done = machine(text).run(text, state)
    assert done.faulted
    (finding,) = done.findings
    assert finding.instruction == text
    return finding


def addresses(state: State, values) -> None:
    values = np.asarray(values, np.uint64)
    state.registers[1] = values & np.uint64(0xFFFFFFFF)
    state.registers[2] = values >> np.uint64(32)


@pytest.fixture
def state():
    return random_state(np.random.default_rng(7))


# ---- bounds ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["global", "flat"])
@pytest.mark.parametrize(
    ("what", "size"), [("load_dword v12", 4), ("load_dwordx4 v[12:15]", 16), ("load_ubyte v12", 1)]
)
def test_one_lane_past_the_end(state, name, what, size):
    base = state.memory.ctypes.data
    values = np.full(LANES, base, np.uint64)
    values[37] = base + GLOBAL_SIZE - size + 1
    addresses(state, values)
    finding = fault(f"{name}_{what}, v[2:3]{', off' if name == 'global' else ''}", state)
    assert (finding.kind, finding.lane, finding.size) == (FaultKind.OUT_OF_BOUNDS, 37, size)
    assert finding.address == base + GLOBAL_SIZE - size + 1


@pytest.mark.parametrize("text", ["global_load_dword v12, v[2:3], off", "flat_store_dword v[2:3], v4"])
def test_one_lane_in_front(state, text):
    base = state.memory.ctypes.data
    values = base + 4 * np.arange(LANES)
    values[50] = base - 4
    addresses(state, values)
    finding = fault(text, state)
    assert (finding.kind, finding.lane, finding.address) == (FaultKind.OUT_OF_BOUNDS, 50, base - 4)


@pytest.mark.parametrize("wild", [0, 8, 1 << 47, (1 << 64) - 4, 5 << 48, SHARED, PRIVATE, 4 << 48])
@pytest.mark.parametrize("text", ["global_load_dwordx2 v[12:13], v[2:3], off", "global_atomic_add v[2:3], v4, off"])
def test_wild_pointer(state, text, wild):
    addresses(state, [wild] * LANES)
    finding = fault(text, state)
    assert (finding.kind, finding.lane, finding.address) == (FaultKind.OUT_OF_BOUNDS, 0, wild)


def test_inactive_lanes_may_point_anywhere(state):
    values = np.full(LANES, 12345, np.uint64)
    values[5] = state.memory.ctypes.data
    addresses(state, values)
    state.exec = 1 << 5
    _, done = machine("global_load_dword v12, v[2:3], off").run("global_load_dword v12, v[2:3], off", state)
    assert not done.faulted


def test_store_to_what_is_read_only(state):
    constant = np.zeros(64, np.uint32)
    allow(constant.ctypes.data, constant.nbytes, read_only=True)
    addresses(state, constant.ctypes.data + 4 * np.arange(LANES))
    _, done = machine("global_load_dword v12, v[2:3], off").run("global_load_dword v12, v[2:3], off", state)
    assert not done.faulted
    for text in ("global_store_dword v[2:3], v4, off", "flat_atomic_add v[2:3], v4", "flat_store_byte v[2:3], v4"):
        assert fault(text, state).kind is FaultKind.WRITE_TO_CONSTANT
    forbid(constant.ctypes.data)
    assert not constant.any()


def test_nearest_allocation():
    block = np.zeros(1 << 20, np.uint8)
    start = block.ctypes.data + (1 << 19)
    allow(start, 1000)
    assert (nearest(start + 999).start, nearest(start + 999).distance) == (start, 0)
    past = nearest(start + 1000)
    assert (past.start, past.size, past.distance, past.freed) == (start, 1000, 1, False)
    assert nearest(start - 4).distance == -4
    forbid(start)
    gone = nearest(start + 8)
    assert (gone.start, gone.size, gone.distance, gone.freed) == (start, 1000, 0, True)


def test_overlapping_ranges():
    block = np.zeros(4096, np.uint8)
    start = block.ctypes.data
    allow(start, 4096)
    allow(start + 1024, 16)
    assert nearest(start + 2048).size == 4096
    forbid(start + 1024)
    assert nearest(start + 1030).size == 4096
    forbid(start)


def test_use_after_free_is_a_fault_at_once(state):
    """The range that an instruction remembers is not used when the table has changed."""
    text = "global_load_dword v12, v[2:3], off"
    addresses(state, [state.other.ctypes.data] * LANES)
    _, done = machine(text).run(text, state)
    assert not done.faulted
    gone = state.other.ctypes.data
    state.other = np.zeros(256, np.uint8)
    finding = fault(text, state)
    assert finding.kind is FaultKind.OUT_OF_BOUNDS
    assert nearest(gone).freed


@pytest.mark.parametrize(
    ("text", "address", "size"),
    [
        ("ds_read_b32 v12, v1", LDS_SIZE - 3, 4),
        ("ds_read_b128 v[12:15], v1 offset:16", LDS_SIZE - 24, 16),
        ("ds_write_b8 v1, v4", LDS_SIZE, 1),
        ("ds_write_b64 v1, v[4:5] offset:65528", 0, 8),
        ("ds_add_u32 v1, v4", 0x7FFFFFF0, 4),
        ("ds_read_u16 v12, v1", 0xFFFFFFFF, 2),
        ("ds_read2_b64 v[12:15], v1 offset1:255", LDS_SIZE - 2040, 8),
        ("ds_write2st64_b32 v1, v4, v5 offset0:15 offset1:16", 0, 4),
    ],
)
def test_lds_bounds(state, text, address, size):
    state.registers[0] = 0
    state.registers[0][11] = address
    state.exec = 1 << 11
    finding = fault(text, state)
    offset = {"offset:16": 16, "offset:65528": 65528, "offset1:255": 2040, "offset1:16": 4096}.get(text.split()[-1], 0)
    assert (finding.kind, finding.lane, finding.size) == (FaultKind.LDS_BOUNDS, 11, size)
    assert finding.address == address + offset
    state.exec = ALL
    if offset < LDS_SIZE and "write2st64" not in text:
        assert fault(text, state).lane == 11


@pytest.mark.parametrize("text", ["scratch_load_dwordx2 v[12:13], v1, off", "scratch_store_dwordx2 v1, v[4:5], off"])
def test_scratch_bounds(state, text):
    state.registers[0] = np.arange(LANES) % 4 * 4
    state.registers[0][9] = SCRATCH_SIZE - 4
    finding = fault(text, state)
    assert (finding.kind, finding.lane, finding.address) == (FaultKind.SCRATCH_BOUNDS, 9, SCRATCH_SIZE - 4)


@pytest.mark.parametrize(
    ("base", "limit", "kind"),
    [(SHARED, LDS_SIZE, FaultKind.LDS_BOUNDS), (PRIVATE, SCRATCH_SIZE, FaultKind.SCRATCH_BOUNDS)],
)
def test_flat_apertures_have_ends(state, base, limit, kind):
    values = np.full(LANES, state.memory.ctypes.data, np.uint64)
    values[3] = base + limit - 4
    values[4] = base + limit - 3
    addresses(state, values)
    finding = fault("flat_load_dword v12, v[2:3]", state)
    assert (finding.kind, finding.lane, finding.address) == (kind, 4, limit - 3)


@pytest.mark.parametrize(
    "text",
    [
        "global_atomic_add_x2 v[2:3], v[4:5], off",
        "flat_atomic_swap v[2:3], v4",
        "global_atomic_add_f32 v[2:3], v4, off",
    ],
)
def test_misaligned_atomic(state, text):
    values = np.full(LANES, state.memory.ctypes.data, np.uint64)
    values[20] += 2
    addresses(state, values)
    finding = fault(text, state)
    assert (finding.kind, finding.lane, finding.address) == (FaultKind.MISALIGNED, 20, values[20])


def test_misaligned_lds_atomic(state):
    state.registers[0] = 8
    state.registers[0][2] = 12
    finding = fault("ds_add_u64 v1, v[4:5]", state)
    assert (finding.kind, finding.lane, finding.address) == (FaultKind.MISALIGNED, 2, 12)


def test_load_to_lds_stays_inside(state):
    state.m0 = LDS_SIZE - 128
    state.saddr = state.memory.ctypes.data
    state.registers[0] = 0
    finding = fault("global_load_lds_dword v1, s[24:25]", state)
    assert (finding.kind, finding.lane, finding.address) == (FaultKind.LDS_BOUNDS, 32, LDS_SIZE)


def test_buffer_descriptor_over_too_little_memory(state):
    base = state.memory.ctypes.data
    state.rsrc = (base & 0xFFFFFFFF, base >> 32, 0xFFFFFFFF, 0x20000)
    state.registers[0] = 4 * np.arange(LANES)
    state.registers[0][50] = GLOBAL_SIZE
    finding = fault("buffer_load_dword v12, v1, s[28:31], 0 offen", state)
    assert (finding.kind, finding.lane, finding.address) == (FaultKind.OUT_OF_BOUNDS, 50, base + GLOBAL_SIZE)


@pytest.mark.parametrize("exec_mask", [ALL, ALL ^ 1 << 40])
@pytest.mark.parametrize(("name", "size"), [("ubyte", 1), ("ushort", 2), ("dword", 4), ("dwordx2", 8), ("dwordx4", 16)])
def test_buffer_ends_where_the_descriptor_says(state, name, size, exec_mask):
    """Whole dwords are in or out; lanes step over the end one element at a time."""
    base, end, step = state.memory.ctypes.data, 200, min(size, 4)
    state.rsrc = (base & 0xFFFFFFFF, base >> 32, end + 16, 0x20000)
    state.soffset = 16
    state.exec = exec_mask
    offsets = end + step * (np.arange(LANES) - 32)
    state.registers[0] = offsets
    count = max(1, size // 4)
    result = f"v[12:{11 + count}]" if count > 1 else "v12"
    text = f"buffer_load_{name} {result}, v1, s[28:31], s23 offen"
    data = np.concatenate([state.memory[16 : 16 + end], np.zeros(1024, np.uint8)])
    after, done = machine(text).run(text, state)
    assert not done.faulted
    for lane in np.flatnonzero([exec_mask >> n & 1 for n in range(LANES)]):
        got = b"".join(int(after.registers[11 + i, lane]).to_bytes(4, "little") for i in range(count))[:size]
        assert got == data[offsets[lane] : offsets[lane] + size].tobytes(), f"lane {lane}"


# ---- scalar memory --------------------------------------------------------------------------------------------------

_WIDTHS = {"": 1, "x2": 2, "x4": 4, "x8": 8, "x16": 16}


def _scalar_rows(start: str) -> list[str]:
    return [name for name, row in instructions().items() if row.family == "scalar_memory" and name.startswith(start)]


def _register(first: int, count: int) -> str:
    return f"s{first}" if count == 1 else f"s[{first}:{first + count - 1}]"


@pytest.mark.parametrize("name", _scalar_rows("s_load") + _scalar_rows("s_store"))
@pytest.mark.parametrize(("offset", "value"), [("0x40", 64), ("s23", 92), ("s23 offset:0x10", 108), ("-0x8", -8)])
def test_scalar_memory(state, name, offset, value):
    count = _WIDTHS[name.partition("dword")[2]]
    state.saddr = state.memory.ctypes.data + 16
    state.soffset = 93  # its two low bits do not count
    text = f"{name} {_register(48, count)}, s[24:25], {offset}"
    before = state.memory.view(np.uint32).copy()
    scalars = state.registers.reshape(-1)[:16].copy()
    after, done = machine(text, True).run(text, state)
    assert not done.faulted
    at = (16 + value) // 4
    if "load" in name:
        scalars[:count] = before[at : at + count]
    else:
        before[at : at + count] = scalars[:count]
    np.testing.assert_array_equal(after.registers[:, 17], scalars)
    np.testing.assert_array_equal(after.memory.view(np.uint32), before)


@pytest.mark.parametrize("name", _scalar_rows("s_buffer_load") + _scalar_rows("s_buffer_store"))
@pytest.mark.parametrize(("stride", "records"), [(0, 96), (16, 6), (0, 1000), (0, 32)])
def test_scalar_buffer(state, name, stride, records):
    count = _WIDTHS[name.partition("dword")[2]]
    base = state.memory.ctypes.data
    state.rsrc = (base & 0xFFFFFFFF, base >> 32 | stride << 16, records, 0x20000)
    text = f"{name} {_register(48, count)}, s[28:31], 0x30"
    before = state.memory.view(np.uint32).copy()
    scalars = state.registers.reshape(-1)[:16].copy()
    after, done = machine(text, True).run(text, state)
    assert not done.faulted
    inside = min(count, max(0, (records * (stride or 1) - 0x30) // 4))
    if "load" in name:
        scalars[:count] = 0
        scalars[:inside] = before[12 : 12 + inside]
    else:
        before[12 : 12 + inside] = scalars[:inside]
    np.testing.assert_array_equal(after.registers[:, 40], scalars)
    np.testing.assert_array_equal(after.memory.view(np.uint32), before)


@pytest.mark.parametrize("name", _scalar_rows("s_atomic") + _scalar_rows("s_buffer_atomic"))
def test_scalar_atomic(state, name):
    operation, wide = name.removesuffix(".rtn").removesuffix("_x2").rpartition("_")[2], "_x2" in name
    bits = 64 if wide else 32
    count = bits // 32 * (2 if operation == "cmpswap" else 1)
    base = state.memory.ctypes.data
    state.saddr, state.soffset = base, 8
    state.rsrc = (base & 0xFFFFFFFF, base >> 32, 64, 0x20000)
    register = _register(48, count)
    where = "s[28:31]" if "buffer" in name else "s[24:25]"
    glc = " glc" if name.endswith(".rtn") else ""
    text = f"{name.removesuffix('.rtn')} {register}, {where}, s23{glc}"
    outside = f"{name.removesuffix('.rtn')} {register}, {where}, 0x40{glc}"
    for text_of, inside in ((text, True), (outside, "buffer" not in name)):
        at = 8 if text_of is text else 64
        before = state.memory.copy()
        scalars = state.registers.reshape(-1)[:16].copy()
        data = int.from_bytes(scalars.tobytes(), "little")
        a, b = data & (1 << bits) - 1, data >> bits & (1 << bits) - 1
        old = int.from_bytes(before[at : at + bits // 8].tobytes(), "little")
        if inside:
            new = atomic(operation, bits, old, a, b)
            before[at : at + bits // 8] = np.frombuffer(new.to_bytes(bits // 8, "little"), np.uint8)
        if glc:
            scalars[: bits // 32] = [(old if inside else 0) >> 32 * i & 0xFFFFFFFF for i in range(bits // 32)]
        after, done = Machine([text_of], True).run(text_of, state)
        assert not done.faulted
        np.testing.assert_array_equal(after.registers[:, 3], scalars)
        np.testing.assert_array_equal(after.memory, before)


def test_scalar_out_of_bounds(state):
    state.saddr = state.memory.ctypes.data + GLOBAL_SIZE - 4
    finding = fault("s_load_dwordx2 s[48:49], s[24:25], 0x0", state)
    assert (finding.kind, finding.address) == (FaultKind.OUT_OF_BOUNDS, state.saddr)


def test_every_row_is_tested():
    """test_memory_rows makes its cases of the tables; scalar memory has them here, cache operations do nothing."""
    rest = [name for name, row in instructions().items() if row.family == "scalar_memory"]
    nothing = {"s_dcache_inv", "s_dcache_inv_vol", "s_dcache_wb", "s_dcache_wb_vol", "s_icache_inv"}
    tested = {
        *_scalar_rows("s_load"),
        *_scalar_rows("s_store"),
        *_scalar_rows("s_atomic"),
        *_scalar_rows("s_buffer"),
        *nothing,
    }
    assert set(rest) == tested


CACHES = ["buffer_wbl2 sc1", "buffer_inv sc0 sc1", "buffer_inv sc1", "ds_nop", "s_dcache_inv", "s_dcache_inv_vol",
          "s_dcache_wb", "s_dcache_wb_vol", "s_icache_inv"]  # fmt: skip


@pytest.mark.parametrize("text", CACHES)
def test_cache_operations_change_nothing(state, text):
    before = state.copy()
    after, done = machine(text).run(text, state)
    assert not done.faulted
    for part in ("registers", "memory", "lds", "scratch"):
        np.testing.assert_array_equal(getattr(after, part), getattr(before, part))


# ---- accumulation registers -----------------------------------------------------------------------------------------

AGPRS = """
	.text
agprs:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32 v1, 4, v0
	global_load_dwordx4 a[0:3], v1, s[4:5]
	ds_write_b128 v1, a[0:3]
	ds_read2_b64 a[4:7], v1 offset1:1
	global_store_dwordx4 v1, a[4:7], s[6:7]
	s_endpgm
	.section .rodata,"a",@progbits
	.amdhsa_kernel agprs
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_accum_offset 8
	.end_amdhsa_kernel
	.set agprs.num_agpr, 8
	.set agprs.num_vgpr, 2
"""


def test_agprs_are_loaded_and_stored():
    source = np.arange(256, dtype=np.uint32)
    target = np.zeros_like(source)
    for array in (source, target):
        allow(array.ctypes.data, array.nbytes)
    with Module(build_image(AGPRS)) as module:
        done = module.launch("agprs", 1, 64, struct.pack("<QQ", source.ctypes.data, target.ctypes.data))
    for array in (source, target):
        forbid(array.ctypes.data)
    assert not done.faulted
    np.testing.assert_array_equal(source, target)


# ---- several threads ------------------------------------------------------------------------------------------------

COUNTING = """
	.text
counting:
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	v_mov_b32 v1, 0
	v_mov_b32 v2, 1
	v_mov_b32 v3, 0
	v_mov_b32 v4, 1.0
	s_movk_i32 s8, 20
.Lloop:
	global_atomic_add v1, v2, s[4:5]
	global_atomic_add_x2 v1, v[2:3], s[4:5] offset:8
	global_atomic_add_f32 v1, v4, s[4:5] offset:16
	global_atomic_inc v5, v1, v6, s[4:5] offset:20 sc0
	s_sub_i32 s8, s8, 1
	s_cmp_gt_i32 s8, 0
	s_cbranch_scc1 .Lloop
	s_endpgm
	.section .rodata,"a",@progbits
	.amdhsa_kernel counting
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 8
	.end_amdhsa_kernel
"""


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_sums_of_several_threads_are_exact(threads):
    memory = np.zeros(8, np.uint32)
    allow(memory.ctypes.data, memory.nbytes)
    groups, steps = 100, 20
    with Module(build_image(COUNTING.replace("v6,", "v2,"))) as module:
        done = module.launch("counting", groups, 64, struct.pack("<Q", memory.ctypes.data), threads=threads)
    forbid(memory.ctypes.data)
    assert not done.faulted
    total = groups * steps * LANES
    assert memory[0] == total
    assert memory.view(np.uint64)[1] == total
    assert memory.view(np.float32)[4] == total
    assert memory[5] in (0, 1)
