"""The merge of a port that a person has changed with the port that porter makes now, by its properties."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from porter.port.files.merge import MARKS, conflict_lines, merge

hypothesis = pytest.importorskip("hypothesis")
st = hypothesis.strategies

TEXT = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "{\n", "}\n", "\n", "x\r\n", "\ry\n"]), max_size=12).map(
    lambda lines: "".join(lines).encode()
)
SPOTS = st.dictionaries(st.integers(0, 9), st.sampled_from([b"", b"A\n", b"B\nmore\n"]), max_size=4)
BASE = b"".join(b"line %d\n" % n for n in range(40))


def test_changes_in_different_places_are_both_there() -> None:
    ours = BASE.replace(b"line 3\n", b"mine\nand mine\n").replace(b"line 30\n", b"")
    theirs = b"// new\n" + BASE.replace(b"line 12\n", b"porter's\n")
    merged = merge(BASE, ours, theirs)
    wanted = b"// new\n" + ours.replace(b"line 12\n", b"porter's\n")
    assert (merged.data, merged.kept, merged.conflicts) == (wanted, 2, 0)


def test_a_conflict_has_all_three_texts_and_nothing_else() -> None:
    ours = BASE.replace(b"line 3\n", b"same\nmine\n")
    theirs = BASE.replace(b"line 3\n", b"same\nporter's\n")
    merged = merge(BASE, ours, theirs)
    marked = [b"same", MARKS[0], b"mine", MARKS[1], b"line 3", MARKS[2], b"porter's", MARKS[3]]
    assert merged.data == BASE.replace(b"line 3\n", b"\n".join(marked) + b"\n")
    assert merged.conflicts == 1 and conflict_lines(merged.data) == (5,)


def test_a_conflict_without_a_newline_at_the_end_and_one_in_windows_lines() -> None:
    assert merge(b"a", b"b", b"c").data.splitlines() == [MARKS[0], b"b", MARKS[1], b"a", MARKS[2], b"c", MARKS[3]]
    assert merge(b"a\r\n", b"b\r\n", b"c\r\n").data.count(b"\r\n") == 7


@hypothesis.given(TEXT, TEXT)
def test_one_side_alone_is_that_side(base: bytes, other: bytes) -> None:
    assert merge(base, base, other).data == other
    assert merge(base, other, base).data == other
    assert merge(base, other, other).data == other
    assert merge(base, other, base).conflicts == merge(base, other, other).conflicts == 0


@hypothesis.given(TEXT, TEXT, TEXT)
def test_nothing_is_lost(base: bytes, ours: bytes, theirs: bytes) -> None:
    """A line that a side has more often than the base is in the result as often, with marks or without."""
    merged = merge(base, ours, theirs)
    have = merged.data.split(b"\n")
    assert bool(merged.conflicts) == bool(conflict_lines(merged.data))
    assert merge(base, theirs, ours).conflicts == merged.conflicts
    for side in (ours, theirs):
        for line in set(side.split(b"\n")) - set(base.split(b"\n")):
            assert line in have or line + b"\r" in have
    for line in have:
        known = (*ours.split(b"\n"), *theirs.split(b"\n"), *base.split(b"\n"), *MARKS)
        assert line.rstrip(b"\r") in {one.rstrip(b"\r") for one in known}


@pytest.mark.skipif(not shutil.which("git"), reason="git is the reference here")
@hypothesis.settings(max_examples=40)
@hypothesis.given(SPOTS, SPOTS)
def test_where_nothing_touches_git_says_the_same(
    tmp_path_factory: pytest.TempPathFactory, mine: dict[int, bytes], new: dict[int, bytes]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    sides = []
    for first, changes in ((0, mine), (2, new)):
        changed = BASE.splitlines(keepends=True)
        for spot, text in changes.items():
            changed[4 * spot + first] = text
        sides.append(b"".join(changed))
    merged = merge(BASE, *sides)
    files = [Path(folder, f"merge-{name}") for name in ("ours", "base", "theirs")]
    for file, text in zip(files, (sides[0], BASE, sides[1])):
        file.write_bytes(text)
    done = subprocess.run(["git", "merge-file", "-p", *map(str, files)], capture_output=True, check=False)
    assert (merged.conflicts, done.returncode) == (0, 0)
    assert merged.data == done.stdout


def test_large_texts_are_quick() -> None:
    base = b"".join(b"%d\n}\n" % n for n in range(20_000))
    ours = base.replace(b"\n77\n", b"\nmine\n")
    theirs = base.replace(b"1\n", b"one\n")
    merged = merge(base, ours, theirs)
    assert merged.data == theirs.replace(b"\n77\n", b"\nmine\n") and merged.kept == 1
    repeated = b"}\n" * 5000
    assert merge(repeated, repeated + b"x\n", b"y\n" + repeated).data == b"y\n" + repeated + b"x\n"
