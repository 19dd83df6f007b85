"""Kinds of failure of a run: what each is called, and what usually mends it."""

from __future__ import annotations

from collections.abc import Mapping

from porter import checks
from porter.harness.model import Status, Verdict

__all__ = ["FINDINGS", "RULES", "cause_of"]

# What the emulator finds.
FINDINGS: Mapping[str, tuple[str, str]] = {kind.name: (kind.words, kind.mend) for kind in checks.FINDINGS}

# Other kinds of failure.
RULES: Mapping[str, tuple[str, str]] = {
    "unwritten-output": (
        "elements of an output were never written", "see that the grid covers them and that no guard is one short",
    ),
    "wrong-output": (
        "an output differs from the reference", "start with the smallest shape that fails and its first wrong element",
    ),
    "build-failed": ("the source does not compile", "mend the line; porter convert FILE shows what porter left"),
    "case-failed": ("the case itself is at fault", "porter verify --help-cases says how a case is written"),
    "timeout": ("a run did not end in time", "a loop does not end; or give it longer with --timeout"),
    "crash": ("the process died", "the host part of the entry reads or writes what is not its own"),
    "run-failed": ("a run failed", ""),
    "not-run": ("a run could not be made here", ""),
}  # fmt: skip


def cause_of(verdict: Verdict, compiler: bool) -> tuple[str, str]:
    """The rule of a failure and its mend. A finding comes first: wrong results follow from it."""
    rule = "run-failed"
    kinds = [str(finding.get("kind")) for finding in verdict.findings if not finding.get("harmless")]
    known = [kind for kind in kinds if kind in FINDINGS]
    if verdict.status is Status.NOT_RUN:
        rule = "not-run"
    elif known:
        return known[0], FINDINGS[known[0]][1]
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
    return rule, RULES[rule][1]
