"""How rows of the table are read: rows of two forms, and what is refused."""

from __future__ import annotations

import pytest
from statements_float import ULPS

from porter.emu.table import TableError, instructions, load


def rows(tmp_path, text):
    path = tmp_path / "some.isa"
    path.write_text(text)
    return [(row.name, row.outs, row.ins, row.semantics, row.example, row.line) for row in load(path)]


def test_a_row_without_brackets_is_one_instruction(tmp_path):
    text = "# a comment\n\ns_barrier  -  native\nv_add_u32  u32 = u32 u32  a + b  1 2 -> 3\n"
    assert rows(tmp_path, text) == [
        ("s_barrier", (), (), "native", "", 3),
        ("v_add_u32", ("u32",), ("u32", "u32"), "a + b", "1 2 -> 3", 4),
    ]


def test_brackets_are_of_the_second_instruction(tmp_path):
    assert rows(tmp_path, "v_cmp[x]_lt_i32  mask [exec] = i32 i32  a < b  -1 2 -> 1 [1]") == [
        ("v_cmp_lt_i32", ("mask",), ("i32", "i32"), "a < b", "-1 2 -> 1", 1),
        ("v_cmpx_lt_i32", ("mask", "exec"), ("i32", "i32"), "a < b", "-1 2 -> 1 1", 1),
    ]
    assert rows(tmp_path, "ds_add[_rtn]_u32  [b32 =] u32 b32  native lds_atomic[_rtn] add, 32, 1") == [
        ("ds_add_u32", (), ("u32", "b32"), "native lds_atomic add, 32, 1", "", 1),
        ("ds_add_rtn_u32", ("b32",), ("u32", "b32"), "native lds_atomic_rtn add, 32, 1", "", 1),
    ]


def test_two_examples(tmp_path):
    assert rows(tmp_path, "v_add_u16[.clamp]  u16 = u16 u16  [to_u16](a + b)  0xfffe 3 -> 1; 0xffff 3 -> 0xffff") == [
        ("v_add_u16", ("u16",), ("u16", "u16"), "(a + b)", "0xfffe 3 -> 1", 1),
        ("v_add_u16.clamp", ("u16",), ("u16", "u16"), "to_u16(a + b)", "0xffff 3 -> 0xffff", 1),
    ]
    assert [row[4] for row in rows(tmp_path, "v_rcp[_iflag]_f32  f32 = f32  rcp32(a)  4.0 -> 0.25")] == [
        "4.0 -> 0.25"
    ] * 2


def test_rows_that_are_only_close(tmp_path):
    path = tmp_path / "some.isa"
    path.write_text(
        "v_a_f32  f32 = f32  a\n@near sums: by steps\nv_b_f32  f32 = f32  a\n@exact\nv_c_f32  f32 = f32  a\n"
    )
    assert [(row.name, row.near) for row in load(path)] == [
        ("v_a_f32", ""),
        ("v_b_f32", "sums: by steps"),
        ("v_c_f32", ""),
    ]


def test_rows_that_tests_let_differ_are_those_that_say_so():
    own = {name for name, row in instructions().items() if row.near.startswith("transcendental")}
    assert own == set(ULPS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("@near", "expected @near and words, or @exact"),
        ("@nearly so", "expected @near and words, or @exact"),
        ("v_mov_b32  u32 = u32", "expected mnemonic, signature, semantics and example"),
        ("v_mov_b32  u33 = u32  a", "unknown type 'u33'"),
        ("v_mov_b32  u32 = u32  [to_u32](a)", "no brackets in the mnemonic"),
        ("v_mov_b32  u32 = u32  a  1 -> 1; 2 -> 2", "no brackets in the mnemonic"),
        ("v_mov[_b32]  u32 = u32  a[  1 -> 1", "a bracket without its other one"),
        ("v_mov[_b32]  u32 = u32  [to[_u]32](a)  1 -> 1", "brackets in brackets"),
    ],
)
def test_refused(tmp_path, text, said):
    with pytest.raises(TableError, match="^some.isa:1: .*" + said):
        rows(tmp_path, text)


def test_both_instructions_of_a_row_are_in_the_table():
    table = instructions()
    names = list(table)
    for first, second in (
        ("v_cmp_lt_f64", "v_cmpx_lt_f64"),
        ("v_add_u32", "v_add_u32.clamp"),
        ("ds_add_u32", "ds_add_rtn_u32"),
    ):
        assert names.index(second) == names.index(first) + 1
        assert (table[first].family, table[first].line) == (table[second].family, table[second].line)
    assert not [name for name in names if "[" in name or "]" in name]
