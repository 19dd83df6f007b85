"""Rows of rules/ptx/*.tbl: their examples, those of what is refused, and all other spellings of their forms."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import ptx_samples
import pytest
from families import family

from porter.findings import Safety
from porter.ptx.match import Match, Refusal, fitting
from porter.ptx.rows import PtxExample
from porter.toolchain.verdict import Verdict

OF_ROWS = [example for row in ptx_samples.rows() for example in row.examples]
EXAMPLES = [*OF_ROWS, *ptx_samples.table().refused]


@family("example", EXAMPLES, ids=lambda example: example.ptx)
def test_example(example: PtxExample) -> None:
    block = ptx_samples.cpp(example.ptx)
    assert isinstance(block, Refusal) == example.refused, (example.where, block)
    actual = block.reason if isinstance(block, Refusal) else " ".join(block.lines) or "nothing"
    assert actual == example.expected, example.where


def test_examples_stand_once() -> None:
    texts = [example.ptx for example in EXAMPLES]
    assert sorted(texts) == sorted(set(texts))


def test_every_row_has_examples_that_are_its_own() -> None:
    for row in ptx_samples.rows():
        assert row.examples, f"{row.where}: {row.form} has no example"
        for example in row.examples:
            match = ptx_samples.row_of(example.ptx)
            if example.refused:
                assert row in [one for one, _ in fitting(ptx_samples.instruction(example.ptx), ptx_samples.table())[0]]
            else:
                assert isinstance(match, Match) and match.row == row, (example.where, match)


def test_every_instruction_says_what_is_refused() -> None:
    """Those without a row, too; of branches porter/ptx/flow.py makes if and while."""
    table = ptx_samples.table()
    refused = {ptx_samples.instruction(example.ptx).opcode for example in EXAMPLES if example.refused}
    assert {*table.rows, *table.opcodes} - refused == {"bra"}


def test_every_spelling_of_every_row_is_ported() -> None:
    for row in ptx_samples.rows():
        spellings = list(ptx_samples.instructions(row))
        for ptx in spellings[:: max(1, len(spellings) // 40)]:
            block = ptx_samples.cpp(ptx)
            assert isinstance(block, Refusal) == (row.safety is Safety.LEFT), (row.where, ptx, block)


@pytest.fixture(scope="module")
def ptxas() -> str:
    program = shutil.which("ptxas")
    if program is None:
        pytest.skip("ptxas is not installed")
    return program


def test_examples_are_ptx(ptxas: str, tmp_path: Path) -> None:
    """NVIDIA's own assembler takes the examples of rows: the forms are spelled as PTX spells them."""
    some = [e for row in ptx_samples.rows() for n, e in enumerate(row.examples) if n == 0 or not e.refused]
    chosen = [e.ptx for e in some if not e.ptx.startswith(ptx_samples.NOT_ASSEMBLED)]
    for target in ("sm_90a", "sm_100a"):  # wgmma is Hopper's alone
        of_target = [ptx for ptx in chosen if ptx.startswith("wgmma") == (target == "sm_90a")]
        assert ptx_samples.not_assembled(ptxas, target, of_target, tmp_path) == []


# The assembler takes them, the PTX ISA does not have them.
LENIENT = ("ldmatrix.sync.aligned.m8n8.x8.", "wgmma.commit_group.sync;")


@pytest.mark.parametrize("target", ["sm_90a", "sm_100a"])
@pytest.mark.sample(1)
def test_what_is_refused_as_no_ptx_is_none(ptxas: str, target: str, tmp_path: Path) -> None:
    chosen = [e.ptx for e in EXAMPLES if e.refused and e.expected.startswith("PTX 9.0 has no such form")]
    chosen = [ptx for ptx in chosen if not ptx.startswith(LENIENT)]
    assert len(chosen) > 100
    # Errors of syntax keep the assembler from all others: what it does not name is assembled by itself.
    named = ptx_samples.not_assembled(ptxas, target, chosen, tmp_path)
    rest = [ptx for ptx in chosen if ptx not in named]
    assert [ptx for ptx in rest if not ptx_samples.not_assembled(ptxas, target, [ptx], tmp_path)] == []


@pytest.mark.slow
def test_examples_compile_to_machine_code(compile_hip: Callable[..., Verdict], tmp_path: Path) -> None:
    """One of each row: what the compiler's back end refuses, nothing else shows."""
    chosen = [row.examples[0].ptx for row in ptx_samples.rows()]
    blocks = [b for ptx in chosen if not isinstance(b := ptx_samples.cpp(ptx), Refusal)]
    assert len(blocks) > 800
    for text in ptx_samples.units(blocks):
        done = compile_hip(text, "-O1", "-S", "-o", "/dev/null", "-Wall", "-Wno-unused-variable")
        assert done.status == 0, done.err[:3000]
        assert not done.err.strip(), done.err[:3000]


def test_all_types_of_all_rows_compile(compile_hip: Callable[..., Verdict]) -> None:
    chosen = {example.ptx: None for example in OF_ROWS}
    for row in ptx_samples.rows():
        spellings = list(ptx_samples.instructions(row))
        chosen |= dict.fromkeys(spellings[:: max(1, len(spellings) // 8)])
    blocks = [b for ptx in chosen if not isinstance(b := ptx_samples.cpp(ptx), Refusal)]
    for text in ptx_samples.units(blocks):
        done = compile_hip(text, "-fsyntax-only")
        assert done.status == 0, done.err[:3000]


def test_special_registers_compile(compile_hip: Callable[..., Verdict]) -> None:
    specials = [s for s in ptx_samples.table().specials.values() if s.safety is not Safety.LEFT]
    assert len(specials) >= 30
    registers = {"u64": "l", "pred": "p"}
    blocks = [ptx_samples.cpp(f"mov.{s.type} {registers.get(s.type, 'r')}0, {s.name};") for s in specials]
    assert not any(isinstance(b, Refusal) for b in blocks)
    done = compile_hip(ptx_samples.unit(blocks), "-O1", "-S", "-o", "/dev/null")  # type: ignore[arg-type]
    assert done.status == 0, done.err[:3000]
