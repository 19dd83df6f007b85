"""Answers about a translation unit: asked once in a run, and once by all runs while its files are the same."""

from pathlib import Path
from uuid import uuid4

from porter.findings import Edit
from porter.frontend.answers import Answers
from porter.frontend.ast import ParseOptions, parse
from porter.frontend.probes import Probes, Source, evaluate, operations, outcome


def _asked(answers: Answers, calls: list[int]) -> int:
    def ask() -> int:
        calls.append(1)
        return 7

    return answers.of(("question", 1), ask, lambda answer: answer, int)


def test_an_answer_is_kept_for_others_that_ask_about_the_same_unit():
    calls: list[int] = []
    unit = str(uuid4())  # which no run before has asked about
    one, same, changed = (Answers(lambda d=d: d) for d in (unit, unit, unit + "changed"))
    assert [_asked(a, calls) for a in (one, one, same)] == [7, 7, 7] and len(calls) == 1
    assert _asked(changed, calls) == 7 and len(calls) == 2


def test_without_a_unit_nothing_is_kept():
    calls: list[int] = []
    assert _asked(Answers(), calls) == _asked(Answers(), calls) == 7 and len(calls) == 2


TEXT = """#include "tile.h"
int half() { if (kTile == 64) { return kTile / 2; } return 0; }
"""


def _source(folder: Path) -> Source:
    main = folder / "a.cu"
    ast = parse(main, main, ParseOptions())
    assert ast is not None
    header = folder / "tile.h"
    return Source(main, main, TEXT, ParseOptions(), {header: header.read_text()}, ast.probed)


def _said(folder: Path):
    source = _source(folder)
    place = TEXT.index("kTile / 2")
    probed = evaluate(source, Probes(((place, place + 5),)), [])
    asked = operations(source)
    return probed, asked, outcome(source, asked, [Edit(place + 8, place + 9, "5")])


def test_kept_answers_are_those_of_a_parse_and_follow_headers(tmp_path, monkeypatch):
    (tmp_path / "a.cu").write_text(TEXT)
    (tmp_path / "tile.h").write_text("constexpr int kTile = 64;\n")
    first = _said(tmp_path)
    assert first[0].expressions == ((64,),) and len(first[1]) == 2 and first[2].uneven
    monkeypatch.setattr(Source, "parsed", lambda *_: 1 / 0)
    assert _said(tmp_path) == first
    monkeypatch.undo()
    (tmp_path / "tile.h").write_text("constexpr int kTile = 80;\n")
    assert _said(tmp_path)[0].expressions == ((80,),)
