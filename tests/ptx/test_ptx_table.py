"""Reading tables of PTX instructions: what rows need, their two forms, and what is no table."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.errors import RuleError
from porter.ptx.rows import Mirrored, Needs, PtxExample, PtxRow
from porter.ptx.table import PtxTable, load_ptx_table

ROW = "foo.{T:u32,s32} d=T [a] n:imm | porter::foo{kept:_kept}<{T.c}>({kept:pairs, }{a}, {n}) | exact | a note\n"


def table(folder: Path, text: str) -> PtxTable:
    (folder / "ptx").mkdir()
    (folder / "ptx" / "t.tbl").write_text(text)
    return load_ptx_table((folder,))


def needs(folder: Path, text: str) -> list[Needs]:
    return [row.needs for row in table(folder, text).rows["foo"]]


def test_needs_are_of_the_rows_that_follow(tmp_path: Path) -> None:
    text = f"{ROW}@include a.h\n@mirrored\n{ROW}@mirrored apart\n@waits\n@needs warpgroups named-barriers\n{ROW}"
    text += f"@mirrored no\n@waits no\n@needs\n{ROW}"
    assert needs(tmp_path, text) == [
        Needs(),
        Needs("a.h", Mirrored.YES),
        Needs("a.h", Mirrored.APART, waits=True, named_barriers=True, warpgroups=True),
        Needs("a.h"),
    ]


def test_indented_needs_are_of_one_row(tmp_path: Path) -> None:
    assert needs(tmp_path, f"{ROW}    @waits\n    @mirrored apart\n{ROW}") == [Needs("", Mirrored.APART, True), Needs()]


def test_a_row_has_a_second_form_for_kept_accumulators(tmp_path: Path) -> None:
    read = table(tmp_path, ROW + "bar | porter::bar() | exact |\n")

    def cpp(table: PtxTable) -> list[str]:
        return [row.cpp for rows in table.rows.values() for row in rows]

    assert cpp(read) == ["porter::foo<{T.c}>({a}, {n})", "porter::bar()"]
    assert cpp(read.keeping) == ["porter::foo_kept<{T.c}>(pairs, {a}, {n})", "porter::bar()"]


def test_examples_are_of_the_row_above(tmp_path: Path) -> None:
    read = table(tmp_path, f"{ROW}    foo.u32 r0, [l0], 1;  =>  r0 = porter::foo<uint32_t>(l0, 1);\n{ROW}")
    first, second = read.rows["foo"]
    assert first.examples == (
        PtxExample("foo.u32 r0, [l0], 1;", "r0 = porter::foo<uint32_t>(l0, 1);", False, "t.tbl:2"),
    )
    assert second.examples == ()


def test_examples_of_what_is_refused(tmp_path: Path) -> None:
    text = "foo d=u32 | | left | a note\n    foo r0;  =>  refused\n@left bar .x | a reason\n    bar;  =>  refused\n"
    read = table(tmp_path, text + "@refused foo.u8 r0;  =>  no such form\n")
    assert read.rows["foo"][0].examples == (PtxExample("foo r0;", "a note", True, "t.tbl:2"),)
    assert read.refused == (
        PtxExample("bar;", "a reason", True, "t.tbl:4"),
        PtxExample("foo.u8 r0;", "no such form", True, "t.tbl:5"),
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("@mirrored sometimes\n", "'@mirrored sometimes' is no directive"),
        ("@needs shared-memory\n", "'@needs shared-memory' is no directive"),
        ("@include\n", "'@include' is no directive"),
        (f"{ROW}    @wait\n", "'@wait' is no directive"),
        ("    foo.u32 r0;  =>  nothing\n", "nothing above that this indented line may belong to"),
        (f"{ROW}    foo.u32 r0;\n", "an example reads `PTX  =>  C++`"),
        ("@refused foo.u32 r0;\n", "an example reads `PTX  =>  C++`"),
        (f"{ROW}    foo.u32 r0, [l0], 1;  =>  refused\n", "examples of what is left are `refused`"),
        ("foo d=u32 | | left | \n    foo r0;  =>  nothing\n", "examples of what is left are `refused`"),
        ("foo d=u32 | bar() | exact\n", "3 columns, a row has 4"),
        ("foo d=u32 | bar() | sure | \n", "'sure' is no safety level"),
        ("foo d=u32 | bar({e}) | exact | \n", "the form has no {e}"),
        ("foo.{T:u32 d=u32 | bar() | exact | \n", "names no instruction"),
        ("foo d-u32 | bar() | exact | \n", "the operand 'd-u32' cannot be read"),
    ],
)
def test_what_is_no_table(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(RuleError) as caught:
        table(tmp_path, text)
    assert problem in str(caught.value)
    assert f"t.tbl:{text.count(chr(10))}: " in str(caught.value)


def test_a_pattern_is_of_the_whole_mnemonic(tmp_path: Path) -> None:
    row: PtxRow = table(tmp_path, ROW).rows["foo"][0]
    assert row.pattern.fullmatch("foo.s32") and not row.pattern.fullmatch("foo.s32.x")
