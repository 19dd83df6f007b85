"""porter/checks.py is the one list of the emulator's checks and findings: C, help, docs and reports have its rows."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from families import family

from porter.checks import CHECKS, COUNTING_CHECKS, DEFAULT_CHECKS, FINDINGS, check_table, finding_table, help_text
from porter.emu.device import Check, FaultKind
from porter.emu.headers import findings_header
from porter.errors import UsageError
from porter.execute import check_bits
from porter.paths import PACKAGE
from porter.report.facts.causes import FINDINGS as CAUSES

DOCS = Path(__file__).parents[2] / "docs" / "guides" / "running.md"
CODE = "".join(
    path.read_text()
    for folder in ("core", "host")
    for path in sorted((PACKAGE / "emu" / folder).rglob("*"))
    if path.suffix in (".c", ".h", ".cpp")
)
NAMES = {row.name for row in (*CHECKS, *FINDINGS)}


def test_names() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS) and len({kind.name for kind in FINDINGS}) == len(
        FINDINGS
    )
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in NAMES)


def test_docs_have_the_tables() -> None:
    text = DOCS.read_text()
    assert check_table() in text and finding_table() in text


def test_the_first_rows_keep_their_numbers() -> None:
    """Recorded reports and PORTER_EMU_CHECKS of older scripts have them."""
    assert [check.value for check in Check] == [1 << n for n in range(len(CHECKS))]
    assert (Check.BOUNDS, Check.UNINIT, Check.COALESCING) == (1, 16, 256)
    assert (FaultKind.NONE, FaultKind.OUT_OF_BOUNDS, FaultKind.WRITE_TO_CONSTANT) == (0, 2, 17)


@family("kind", FINDINGS, ids=lambda kind: kind.name)
def test_c_code_detects_it(kind) -> None:
    assert re.search(rf"\bFAULT_{kind.symbol}\b", CODE)
    # note() lets a kernel run on; a deadlock is noted for every wave, and then ends the launch. A race of streams is found
    # when both operations are done, by the runtime.
    noted = re.search(rf"\bnote\([^;]*\bFAULT_{kind.symbol}\b", CODE) is not None
    assert noted == (not kind.stops) or kind.name in ("deadlock", "stream-race")


@family("check", CHECKS, ids=lambda check: check.name)
def test_c_code_asks_for_it(check) -> None:
    kinds = [kind for kind in FINDINGS if kind.check == check.name]
    assert bool(kinds) != check.counts
    assert check.always or re.search(rf"\bCHECK_{check.symbol}\b", CODE)


def test_the_header() -> None:
    text = findings_header()
    for line in ("CHECK_UNINIT = 16,", "CHECK_DEFAULT = 1,", "CHECK_WITH_SHADOW = 990,", "FAULT_BAD_PC,"):
        assert f"  {line}" in text
    rows = re.findall(r"^  X\((FAULT_\w+), ", text, re.M)
    assert rows == re.findall(r"^  (FAULT_\w+),$", text, re.M)[1:] and len(rows) == len(FINDINGS)
    assert 'X(FAULT_UNINITIALISED, "uninitialised", "read of what was never written", 0, ABOUT_ANY, ' in text


def test_help_and_reports_have_every_row() -> None:
    assert re.findall(r"^  ([a-z-]+) ", help_text(), re.M) == [check.name for check in CHECKS]
    assert list(CAUSES) == [kind.name for kind in FINDINGS] and all(words and fix for words, fix in CAUSES.values())


def test_names_on_the_command_line() -> None:
    assert check_bits(DEFAULT_CHECKS) == Check.BOUNDS and check_bits(["none"]) == 0
    assert check_bits(COUNTING_CHECKS) == Check.BANKS | Check.COALESCING
    assert check_bits(["wait", "lds-race", "wait"]) == Check.WAIT | Check.LDS_RACE
    assert check_bits(["all"]) == sum(Check)
    with pytest.raises(UsageError, match="unknown check"):
        check_bits(["race"])


@family("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_second_list(path) -> None:
    """One name may decide something; two would be a list. Names that are plain words may be anything."""
    if path.name == "checks.py":
        return
    strings = {n.value for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Constant)}
    assert len({name for name in NAMES if "-" in name} & {text for text in strings if isinstance(text, str)}) < 2
