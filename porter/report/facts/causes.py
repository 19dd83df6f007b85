"""Kinds of failure of a run: what each is called, and what usually fixes it."""

from __future__ import annotations

from collections.abc import Mapping

from porter import checks
from porter.harness.verdict import Status, Verdict

__all__ = ["FINDINGS", "RULES", "cause_of"]

# What the emulator finds.
FINDINGS: Mapping[str, tuple[str, str]] = {kind.name: (kind.words, kind.fix) for kind in checks.FINDINGS}

# What may be the case's doing.
_OR_TOO_SMALL = {
    "out-of-bounds": "; or the case makes the tensor too small: an output has the shape that reference returns"
}

# Other kinds of failure.
RULES: Mapping[str, tuple[str, str]] = {
    "unwritten-output": (
        "elements of an output were never written", "see that the grid covers them and that no guard is one short",
    ),
    "wrong-output": (
        "an output differs from the reference", "start with the smallest shape that fails and its first wrong element",
    ),
    "build-failed": ("the source does not compile", "fix the line; porter convert FILE shows what porter left"),
    "case-failed": ("the case itself is at fault", "porter verify --help-cases says how a case is written"),
    "timeout": ("a run did not end in time", "a loop does not end; or give it longer with --timeout"),
    "crash": ("the process died", "the host part of the entry reads or writes what is not its own"),
    "run-failed": ("a run failed", ""),
    "not-run": ("a run could not be made here", ""),
}  # fmt: skip


def cause_of(verdict: Verdict, compiler: bool) -> tuple[str, str]:
    """The rule of a failure and its fix. A finding comes first: wrong results follow from it."""
    rule = "run-failed"
    kinds = [str(finding.get("kind")) for finding in verdict.findings if not finding.get("harmless")]
    known = [kind for kind in kinds if kind in FINDINGS]
    if verdict.status is Status.NOT_RUN:
        rule = "not-run"
    elif known:
        races = [kind for kind in known if kind.endswith("-race")]
        first = races[0] if races and known[0] == "uninitialised" else known[0]  # it was read before it was written
        return first, FINDINGS[first][1] + _OR_TOO_SMALL.get(first, "")
    elif compiler:
        rule = "build-failed"
    elif any(output.unwritten for output in verdict.outputs):
        rule = "unwritten-output"
    elif any(not output.right for output in verdict.outputs):
        rule = "wrong-output"
    elif verdict.file and verdict.reason.startswith(f"{verdict.file}:"):
        rule = "case-failed"
    elif verdict.reason.startswith("did not end within"):
        rule = "timeout"
    elif verdict.reason.startswith("the process died"):
        rule = "crash"
        if "exit code" in verdict.reason:
            return rule, "the entry, or what it calls, ends the process: let it return an error"
    return rule, RULES[rule][1]
