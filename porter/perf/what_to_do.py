"""What to change in a kernel, by what its time would be without a cost."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from porter.perf.model.error_classes import ErrorClass
from porter.perf.model.predict import Prediction

__all__ = ["lines_of", "place_of", "what_to_do"]

_LEAST = 0.05  # of the time
_MOST = 3
# What a line does that stalls for a reason of core.STALLS, and what to change
_STALLS = {
    "wait for memory": "waits for memory: issue its loads earlier, or several of them together",
    "wait for LDS or scalar loads": "waits for LDS or scalar loads: read them a step earlier",
    "barrier": "waits at a barrier: give its waves equal work, or wait less often",
    "matrix": "waits for the matrix unit: only fewer products, or of a narrower type, help",
    "register": "waits for a result: put independent work between the two",
    "lds": "waits for room in the queue of LDS: use wider accesses, without bank conflicts",
    "memory": "waits for room in the queue of vector memory: use wider accesses, or lanes side by side",
    "fetch": "waits for its code: make the loop shorter",
    "port": "waits for another wave's turn: execute fewer instructions of its kind",
}
_TOGETHER = (
    "issue its {loads} loads together: each is waited for before the next, which another compiler may not do; "
    'asm volatile("" : "+v"(value)) for each value behind the last load keeps them together'
)
_UNROLL = "each turn's load is waited for before the next turn's: unroll the loop, with all of its loads first"
_COSTS = {
    "dispatch of workgroups": "begin fewer workgroups, and let each do more",
    "address rate": "let lanes side by side use addresses side by side: an access takes a turn for each line",
}


def what_to_do(prediction: Prediction) -> list[str]:
    """At most three changes, the one that takes most of the time away first."""
    gains = dict(prediction.gains)
    if prediction.error_class is ErrorClass.GATHER:  # more lines than a unit waits for at once come of its accesses
        gains["address rate"] = max(gains.get("address rate", 0.0), gains.get("lines under way", 0.0))
    costs = [(gain, _COSTS[name]) for name, gain in gains.items() if name in _COSTS]
    rows = prediction.spent_lines or prediction.spent_instructions
    places = [inner for row in rows for inner in row.get("inner") or [row]]
    lone = prediction.one_by_one
    words = _UNROLL if lone.get("of_turns") else _TOGETHER
    together = [(lone["gain"], f"{lines_of(lone)}: {words.format(**lone)}")] if lone else []
    alone = {(place["file"], place["line"]) for place in lone.get("places", ())}
    lines = [
        (row.get("gain", 0.0), f"{place_of(row)} {_STALLS[row['why']]}")
        for row in places
        if row["why"] in _STALLS and not (row["why"] == "wait for memory" and (row["file"], row["line"]) in alone)
    ]
    best = sorted((one for one in [*costs, *together, *lines] if one[0] > _LEAST), key=lambda one: -one[0])[:_MOST]
    return [f"{words}, -{100 * gain:.0f}%" for gain, words in best]


def lines_of(lone: Mapping[str, Any]) -> str:
    """The lines of loads that are waited for one by one: the first to the last of a file, or an unnamed loop."""
    places = [place for place in lone["places"] if place["line"]]
    if not places:
        return "code without lines"
    names = dict.fromkeys(place["file"] for place in places)
    spans = ((name, [place["line"] for place in places if place["file"] == name]) for name in names)
    return ", ".join(
        f"{Path(name).name}:{min(own)}" + (f" to {max(own)}" if max(own) > min(own) else "") for name, own in spans
    )


def place_of(row: Mapping[str, Any]) -> str:
    """A source line or, without debug information, the instruction's number, address and text."""
    if row["line"]:
        place = f"{Path(row['file']).name}:{row['line']}"
        return f"{Path(row['from_file']).name}:{row['from_line']} (in {place})" if "from_file" in row else place
    return f"instruction {row['number']} at 0x{row['address']:x} ({row['text']})"
