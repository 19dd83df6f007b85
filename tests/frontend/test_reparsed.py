"""Parses of one source after another: what a reparse says is what a parse of the same says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from porter.frontend.ast import ParseOptions, translation_unit
from porter.frontend.reparsed import reparsed

HEADER = """#pragma once
template <int N> struct Tile { static_assert(N < 100, "too long"); static constexpr int half = N / 2; };
inline int broken() { return missing; }
"""
MAIN = """#include "tile.h"
constexpr int kTile = 64;
__global__ void kernel(int *a) { a[0] = Tile<kTile>::half; }
void launch(int *a) { kernel<<<1, kTile>>>(a); }
"""


def _said(unit: Any) -> list[object]:
    assert unit is not None
    return sorted(
        (d.severity, d.spelling, d.location.offset, str(d.location.file), sorted({n.spelling for n in d.children}))
        for d in unit.diagnostics
    )


def test_reparses_say_what_parses_say(tmp_path: Path) -> None:
    main, header = tmp_path / "a.cu", tmp_path / "tile.h"
    main.write_text(MAIN)
    header.write_text(HEADER)
    texts = [MAIN, MAIN.replace("64", "128"), MAIN + "int more = kTile +;\n", MAIN, "int none;\n" + MAIN]
    headers = [HEADER, HEADER.replace("100", "200"), HEADER]
    seen = set()
    for changed in headers:
        for text in texts:
            given = {main: text, header: changed}
            said = _said(reparsed(main, given, ParseOptions(), "int before;"))
            assert said == _said(translation_unit(main, given, ParseOptions(), "int before;"))
            seen.add(repr(said))
    assert len(seen) > 3


def test_a_header_that_changes_on_disk_is_read_again(tmp_path: Path) -> None:
    main, header = tmp_path / "a.cu", tmp_path / "tile.h"
    main.write_text(MAIN)
    for longest in (100, 100, 100, 20, 20, 100):
        header.write_text(HEADER.replace("N < 100", f"N < {longest:3}"))
        said = repr(_said(reparsed(main, {main: MAIN}, ParseOptions(), "")))
        assert ("too long" in said) == (longest == 20)
