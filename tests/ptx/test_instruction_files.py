"""One file for each PTX instruction, tests/ptx/NAME.toml: what it becomes, and the forms that are refused, with the reason.

Registers are named by kind: b 8-bit, h 16-bit, r 32-bit, l 64-bit, q 128-bit, f f32, d f64, p predicate.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import ptx_samples
import pytest

from porter.frontend.ptx import Instruction, instructions, parse_ptx
from porter.ptx.match import Refusal, fitting

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).parent / "instructions"
FILES = sorted(FOLDER.glob("*.toml"))


@dataclass(frozen=True)
class Sample:
    file: str
    ptx: str
    expected: str  # C++, or the reason
    refused: bool


def _samples(path: Path) -> list[Sample]:
    data = tomllib.loads(path.read_text("utf-8"))
    assert set(data) <= {"supported", "refused"}, path
    return [Sample(path.stem, *pair, kind == "refused") for kind, pairs in data.items() for pair in pairs]


SAMPLES = [sample for path in FILES for sample in _samples(path)]


def _instruction(sample: Sample) -> Instruction:
    """The last one: those before it set a carry."""
    parsed = parse_ptx(sample.ptx)
    assert not parsed.problems, sample
    return list(instructions(parsed.statements))[-1]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.ptx)
def test_sample(sample: Sample) -> None:
    block = ptx_samples.cpp(sample.ptx)
    assert isinstance(block, Refusal) == sample.refused, block
    found = block.reason if isinstance(block, Refusal) else " ".join(block.lines) or "nothing"
    assert found == sample.expected


def test_files_hold_their_own_instruction() -> None:
    names = {path.stem for path in FILES}
    for sample in SAMPLES:
        mnemonic = _instruction(sample).mnemonic
        fitting = [name for name in names if mnemonic == name or mnemonic.startswith(f"{name}.")]
        assert max(fitting, key=len, default="") == sample.file, sample


def test_every_file_says_what_is_refused() -> None:
    for path in FILES:
        assert any(sample.refused for sample in SAMPLES if sample.file == path.stem), path.name


def test_every_row_of_the_table_is_met() -> None:
    table, met = ptx_samples.table(), set()
    for sample in SAMPLES:
        instruction = _instruction(sample)
        rows, policy = fitting(instruction, table)
        count = len(instruction.operands) - policy
        met |= {row.where for row, _ in rows if row.required <= count <= len(row.slots)}
    assert [row.where for row in ptx_samples.rows() if row.where not in met] == []


def test_what_is_supported_is_ptx(tmp_path: Path) -> None:
    """NVIDIA's own assembler takes it, for Hopper or for the next one."""
    ptxas = shutil.which("ptxas")
    if ptxas is None:
        pytest.skip("ptxas is not installed")
    chosen = [s.ptx for s in SAMPLES if not s.refused and not s.ptx.startswith(ptx_samples.NOT_ASSEMBLED)]
    refused: set[str] = set(chosen)
    for target in ("sm_90a", "sm_100a"):
        refused &= set(ptx_samples.not_assembled(ptxas, target, [ptx for ptx in chosen if ptx in refused], tmp_path))
    assert refused == set()


# The assembler takes them, the PTX ISA does not have them.
LENIENT = ("ldmatrix.sync.aligned.m8n8.x8.", "wgmma.commit_group.sync;")


def test_what_is_refused_as_no_ptx_is_none(tmp_path: Path) -> None:
    ptxas = shutil.which("ptxas")
    if ptxas is None:
        pytest.skip("ptxas is not installed")
    chosen = [s.ptx for s in SAMPLES if s.refused and s.expected.startswith("PTX 9.0 has no such form")]
    chosen = [ptx for ptx in chosen if not ptx.startswith(LENIENT)]
    for target in ("sm_90a", "sm_100a"):
        assert [ptx for ptx in chosen if ptx_samples.assembled(ptxas, target, ptx, tmp_path)] == []
