"""Launches whose followed workgroups do not stand for the others: what the model of time (docs/guides/time.md) says of them is off."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from porter.perf.predict_launches import key_of

__all__ = ["doubt", "doubt_of_call", "ran_alone"]

_OFF = 1.25  # times as much work
_RUNTIMES = "_ZN6porter6detail"  # kernels that prepare others: all of them runs
_ALONE = 4.0  # times the average: a workgroup that does what others could


def doubt(launch: Mapping[str, Any]) -> str:
    """Why its prediction is doubtful, by how many instructions its workgroups executed in the emulator, or ""."""
    if launch.get("cooperative"):
        return "its workgroups wait for one another (a cooperative launch): those waits are not in the time"
    known = launch.get("followed")
    if not known or not known["groups"] or not known["instructions"]:
        return ""
    if known.get("cluster"):
        return (
            "its workgroups wait for one another (clusters): those waits are not in the time, and how often they looked "
            "in the emulator is"
        )
    groups, work = known["groups"], known["instructions"]
    seen, executed = groups + known["beside"], work + known["beside_instructions"]
    if seen > 1 and known["most"] > max(_ALONE * executed / seen, executed / 2):
        return (
            f"one workgroup executes {known['most'] / executed:.0%} of what the {seen} followed ones do: where they take "
            "work from a counter, the chip shares it out in another way"
        )
    x, y, z = launch["grid"]
    # The others ran too, or did not, or those in front of the last one that was followed.
    ran = known.get("ran") or max(seen, x * y * z if launch["instructions"] > executed else seen)
    ratio = launch["instructions"] / ran / (work / groups)
    if ratio > _OFF:
        return f"its workgroups execute {ratio:.3g} times as much as those that were followed: the time is too short"
    if ratio < 1 / _OFF:
        return (
            f"the workgroups that were followed execute {1 / ratio:.3g} times as much as the others: the time is theirs"
        )
    return ""


def doubt_of_call(launches: Sequence[Mapping[str, Any]]) -> str:
    """Why the sum of these launches is no time of the call that made them, or ""."""
    devices = {launch.get("device", 0) for launch in launches}
    if len(devices) == 1:
        return ""
    return (
        f"its launches run on {len(devices)} GPUs: they are added up here, the links between GPUs are not modelled, and how "
        "often one GPU looked for another is the emulator's"
    )


def ran_alone(launches: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """Workgroups that ran where none but the followed ones did, and those of all launches."""
    ran: dict[tuple[Any, ...], int] = {}
    total = whole = 0
    for launch in launches:
        if "symbol" not in launch:
            continue
        groups = math.prod(launch["grid"])
        if known := launch.get("followed"):
            ran[key_of(launch)] = known.get("ran") or known["groups"] + known["beside"]
        whole_one = launch.get("cooperative") or launch["symbol"].startswith(_RUNTIMES)
        total += groups if whole_one else min(groups, ran.get(key_of(launch), groups))
        whole += groups
    return total, whole
