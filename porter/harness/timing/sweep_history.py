"""The results of a sweep as timings that `porter bench compare` matches: by case, side, shape, constants and flags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["SCHEMA", "SweepTimings", "timings_of"]

SCHEMA = "porter-sweep/1"
_TEXTS = ("case", "side", "device", "kind", "status")
_Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SweepTimings:
    """The last result of each point that has a time, the one before it where there is one, and the points without a time."""

    last: tuple[Mapping[str, Any], ...]
    before: tuple[Mapping[str, Any], ...]
    without: Mapping[str, int]  # points whose last result is no time, by its status


def timings_of(rows: Iterable[Any]) -> SweepTimings:
    """Of the rows of a results file, in their order. What is no row of a sweep is passed over."""
    results: dict[_Key, dict[str, Mapping[str, Any]]] = {}  # of each point, one for each state of its sources and model
    wrong: dict[_Key, str] = {}
    for row in rows:
        if not _is_row(row):
            continue
        if row["kind"] == "proof":
            wrong[_proved(row)] = str(row.get("reason") or "wrong") if row["status"] == "failed" else ""
            continue
        own = results.setdefault(_point(row), {})
        own.pop(str(row["key"]), None)  # what was done again counts from then on
        own[str(row["key"])] = row
    last, before, without = [], [], dict[str, int]()
    for own in results.values():
        *earlier, newest = own.values()
        before += [_timing(row, wrong) for row in [row for row in earlier if row["status"] == "done"][-1:]]
        if newest["status"] == "done":
            last.append(_timing(newest, wrong))
        else:
            without[newest["status"]] = without.get(newest["status"], 0) + 1
    return SweepTimings(tuple(last), tuple(before), without)


def _is_row(row: Any) -> bool:
    if (
        not isinstance(row, dict)
        or row.get("schema") != SCHEMA
        or not all(isinstance(row.get(n), str) for n in _TEXTS[:2])
    ):
        return False
    if not isinstance(row.get("constants"), dict) or not isinstance(row.get("words"), list) or "status" not in row:
        return False
    if row.get("kind") == "proof":
        return True
    times = row.get("microseconds")
    timed = isinstance(times, list) and len(times) == 3 and all(isinstance(us, (int, float)) for us in times)
    whole = all(isinstance(row.get(name), str) for name in _TEXTS) and isinstance(row.get("shape"), dict)
    return whole and "key" in row and (timed or row["status"] != "done")


def _configuration(row: Mapping[str, Any]) -> str:
    """Constants and flags as the compiler gets them: a set of flags may have another name in another file."""
    constants = {name: 1 if value is True else value for name, value in row["constants"].items() if value is not False}
    return " ".join([*(f"{name}={value}" for name, value in sorted(constants.items())), *map(str, row["words"])])


def _point(row: Mapping[str, Any]) -> _Key:
    shape = ",".join(f"{name}={value}" for name, value in sorted(row["shape"].items()))
    return row["case"], row["side"], shape, _configuration(row), row["kind"], str(row["device"])


def _proved(row: Mapping[str, Any]) -> _Key:
    return row["case"], row["side"], _configuration(row), str(row.get("sources", ""))


def _timing(row: Mapping[str, Any], wrong: Mapping[_Key, str]) -> dict[str, Any]:
    """A row as a history of timings has them."""
    low, likely, high = (us / 1000 for us in row["microseconds"])
    return {
        "kind": row["kind"], "case": row["case"], "side": row["side"], "shape": dict(row["shape"]),
        "configuration": _configuration(row), "mode": str(row.get("mode") or row["kind"]),
        "device": str(row.get("gpu") or row["device"]), "median_ms": likely, "low_ms": low, "high_ms": high,
        "model": row.get("model"), "source_sha256": str(row.get("sources", "")), "wrong": wrong.get(_proved(row), ""),
    }  # fmt: skip
