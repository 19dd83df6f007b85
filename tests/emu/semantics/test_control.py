"""What moves the program counter or stops the wave; division as the compiler writes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from semantics_machine import rows_of, run_text
from semantics_values import draw, seeded
from test_modifiers import equal, f32, f64, words

from porter.emu.device import FaultKind

RANDOM = seeded("control")
NOTHING = np.zeros((64, 1), np.uint32)


def result(text: str) -> list[int]:
    return run_text(text, NOTHING)[0].tolist()


def stops(text: str) -> str:
    with pytest.raises(AssertionError) as caught:
        run_text(text, NOTHING)
    return str(caught.value)


def test_calls():
    """s_getpc gives the next instruction's address, s_swappc goes and remembers, s_setpc returns; s_call names a label."""
    text = """s_mov_b32 s40, 0
	s_getpc_b64 s[20:21]
	s_add_u32 s20, s20, double@rel32@lo+4
	s_addc_u32 s21, s21, double@rel32@hi+12
	s_movk_i32 s40, 21
	s_swappc_b64 s[30:31], s[20:21]
	v_mov_b32_e32 v40, s40
	s_call_b64 s[30:31], double
	v_mov_b32_e32 v41, s40
	s_branch over
double:
	s_lshl_b32 s40, s40, 1
	s_setpc_b64 s[30:31]
over:"""
    assert result(text)[:2] == [42, 84]


def test_jumps_further_than_a_branch_reaches():
    """The compiler adds how far two labels are apart to the address of one, forward and back."""

    def jump(number: int, to: str) -> str:
        return f"""s_getpc_b64 s[20:21]
.Lhere{number}:
	s_add_u32 s20, s20, ({to}-.Lhere{number})&4294967295
	s_addc_u32 s21, s21, ({to}-.Lhere{number})>>32
	s_setpc_b64 s[20:21]"""

    text = f"""s_movk_i32 s40, 1
	{jump(0, ".Lthere")}
.Lback:
	s_mul_i32 s40, s40, 3
	s_branch over
.Lthere:
	s_add_i32 s40, s40, 4
	{jump(1, ".Lback")}
over:
	v_mov_b32_e32 v40, s40"""
    assert result(text)[0] == 15


@pytest.mark.parametrize("target", ["0x1234", "0"])
def test_a_jump_to_nowhere(target):
    assert FaultKind.BAD_PC.name in stops(f"s_mov_b32 s20, {target}\n\ts_mov_b32 s21, 0\n\ts_setpc_b64 s[20:21]")


@pytest.mark.parametrize("branch, before, taken", [
    ("s_cbranch_scc0", "s_cmp_eq_u32 0, 1", True), ("s_cbranch_scc1", "s_cmp_eq_u32 0, 1", False),
    ("s_cbranch_vccz", "s_mov_b64 vcc, 0", True), ("s_cbranch_vccnz", "s_mov_b64 vcc, 0", False),
    ("s_cbranch_vccnz", "s_mov_b64 vcc, 4", True), ("s_cbranch_execz", "s_nop 0", False),
    ("s_cbranch_execnz", "s_nop 0", True), ("s_cbranch_execz", "s_mov_b64 exec, 0", True), ("s_branch", "s_nop 0", True),
    ("s_cbranch_cdbgsys", "s_nop 0", False), ("s_cbranch_cdbguser", "s_nop 0", False),
    ("s_cbranch_cdbgsys_or_user", "s_nop 0", False), ("s_cbranch_cdbgsys_and_user", "s_nop 0", False),
])  # fmt: skip
def test_branches(branch, before, taken):
    text = f"{before}\n\ts_movk_i32 s40, 1\n\t{branch} there\n\ts_movk_i32 s40, 2\nthere:\n\ts_mov_b64 exec, -1\n\tv_mov_b32_e32 v40, s40"
    assert result(text)[0] == (1 if taken else 2)


@pytest.mark.parametrize("condition", [0, -1, 7, ~7])
@pytest.mark.parametrize("kind", ["i", "g"])
def test_forks(condition, kind):
    """Both sides of a fork run, each with its lanes; the program itself takes up all lanes again."""
    jump = "s_cbranch_i_fork s[20:21], there" if kind == "i" else (
        "s_getpc_b64 s[22:23]\n\ts_add_u32 s22, s22, there@rel32@lo+4\n\ts_addc_u32 s23, s23, there@rel32@hi+12\n\t"
        "s_cbranch_g_fork s[20:21], s[22:23]"
    )  # fmt: skip
    text = f"""s_mov_b64 s[20:21], {condition}
	s_mov_b32 s8, 0
	s_mov_b64 s[36:37], s[0:1]
	s_mov_b64 s[38:39], s[2:3]
	v_mov_b32_e32 v40, 0
	{jump}
	v_add_u32_e32 v40, 1, v40
	s_branch join
there:
	v_add_u32_e32 v40, 2, v40
join:
	s_cbranch_join s8
	s_mov_b64 s[0:1], s[36:37]
	s_mov_b64 s[2:3], s[38:39]
	s_mov_b64 exec, -1
	v_add_u32_e32 v40, 4, v40"""
    lanes = run_text(text, NOTHING)[:, 0]
    passed = np.array([condition >> lane & 1 for lane in range(64)], bool)
    np.testing.assert_array_equal(lanes, np.where(passed, 6, 5))


@pytest.mark.parametrize("text, kind", [
    ("s_trap 2", FaultKind.TRAP), ("s_sethalt 1", FaultKind.TRAP), ("s_sendmsghalt 1", FaultKind.TRAP),
    ("s_setkill 1", FaultKind.UNKNOWN_INSTRUCTION), ("s_rfe_b64 s[20:21]", FaultKind.UNKNOWN_INSTRUCTION),
    ("s_rfe_restore_b64 s[20:21], s22", FaultKind.UNKNOWN_INSTRUCTION),
    ("s_setvskip s20, 1", FaultKind.UNKNOWN_INSTRUCTION), ("ds_gws_init v0 gds", FaultKind.UNKNOWN_INSTRUCTION),
    ("ds_gws_barrier v0 gds", FaultKind.UNKNOWN_INSTRUCTION),
])  # fmt: skip
def test_what_stops_a_wave(text, kind):
    assert kind.name in stops(text)


QUIET = [
    "s_nop 3", "s_setprio 1", "s_wakeup", "s_sleep 1", "s_trap 3", "s_sethalt 0", "s_sendmsg sendmsg(MSG_INTERRUPT)",
    "s_incperflevel 1", "s_decperflevel 1", "s_ttracedata", "s_code_end", "s_barrier", "s_waitcnt vmcnt(0) lgkmcnt(0)",
]  # fmt: skip


@pytest.mark.parametrize("text", QUIET)
def test_what_changes_nothing(text):
    assert result(f"s_movk_i32 s40, 5\n\t{text}\n\tv_mov_b32_e32 v40, s40")[0] == 5


@pytest.mark.parametrize("name", ["s_endpgm", "s_endpgm_saved", "s_endpgm_ordered_ps_done"])
def test_the_end(name):
    assert result(f"{name}\n\tv_mov_b32_e32 v40, 1") == [0, 0, 0, 0]  # nothing was stored


@pytest.mark.parametrize("clock", ["s_memtime", "s_memrealtime"])
def test_clocks_advance(clock):
    waiting = "\n\t".join(["v_add_u32_e32 v45, 1, v45"] * 400)
    text = f"{clock} s[20:21]\n\ts_waitcnt lgkmcnt(0)\n\t{waiting}\n\t{clock} s[22:23]\n\ts_waitcnt lgkmcnt(0)\n\ts_sub_u32 s20, s22, s20\n\ts_subb_u32 s21, s23, s21\n\tv_mov_b32_e32 v40, s20\n\tv_mov_b32_e32 v41, s21"
    low, high, *_ = result(text)
    assert high == 0 and (low >= 1600 if clock == "s_memtime" else low < 1 << 30)


@pytest.mark.parametrize(
    "name, first, second", [("s_set_gpr_idx_mode", 0xF, 0xF000), ("s_set_gpr_idx_idx", 0x5A, 0x5A)]
)
def test_index_registers(name, first, second):
    argument = "gpr_idx(SRC0,SRC1,SRC2,DST)" if name.endswith("mode") else "s20"
    text = f"s_mov_b32 m0, 0\n\ts_movk_i32 s20, {first}\n\t{name} {argument}\n\tv_mov_b32_e32 v40, m0"
    assert result(text)[0] == second


def test_every_row_of_control_is_tried():
    """By name in this folder."""
    text = "\n".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    missing = [row.name for row in rows_of(["control"]) if row.name not in text]
    assert not missing


# ---- division -------------------------------------------------------------------------------------------------------

DIVIDE32 = """v_div_scale_f32 v20, s[20:21], v11, v11, v10
	v_div_scale_f32 v21, vcc, v10, v11, v10
	v_rcp_f32_e32 v22, v20
	v_fma_f32 v23, -v20, v22, 1.0
	v_fmac_f32_e32 v22, v23, v22
	v_mul_f32_e32 v24, v21, v22
	v_fma_f32 v25, -v20, v24, v21
	v_fmac_f32_e32 v24, v25, v22
	v_fma_f32 v20, -v20, v24, v21
	v_div_fmas_f32 v20, v20, v22, v24
	v_div_fixup_f32 v40, v20, v11, v10"""
DIVIDE64 = """v_div_scale_f64 v[20:21], s[20:21], v[12:13], v[12:13], v[10:11]
	v_div_scale_f64 v[22:23], vcc, v[10:11], v[12:13], v[10:11]
	v_rcp_f64_e32 v[24:25], v[20:21]
	v_fma_f64 v[26:27], -v[20:21], v[24:25], 1.0
	v_fmac_f64_e32 v[24:25], v[24:25], v[26:27]
	v_fma_f64 v[26:27], -v[20:21], v[24:25], 1.0
	v_fmac_f64_e32 v[24:25], v[24:25], v[26:27]
	v_mul_f64 v[26:27], v[22:23], v[24:25]
	v_fma_f64 v[20:21], -v[20:21], v[26:27], v[22:23]
	v_div_fmas_f64 v[20:21], v[20:21], v[24:25], v[26:27]
	v_div_fixup_f64 v[40:41], v[20:21], v[12:13], v[10:11]"""


def test_division_is_correctly_rounded():
    """The sequence that the compiler writes for a / b, over all sizes of both."""
    with np.errstate(all="ignore"):
        random = seeded("division")
        a, b = draw("f32", 64 * 60, random), draw("f32", 64 * 60, random)
        equal(f32(run_text(DIVIDE32, words(a, b))[:, 0]), a / b)
        x, y = draw("f64", 64 * 60, random), draw("f64", 64 * 60, random)
        done = run_text(DIVIDE64, words(x, y))
        equal(f64(done[:, 0], done[:, 1]), x / y)
