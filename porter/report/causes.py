"""Kinds of failure of a run: what each is called, and what usually mends it."""

from __future__ import annotations

from collections.abc import Mapping

from porter.harness.model import Status, Verdict

__all__ = ["FINDINGS", "RULES", "cause_of"]

# By the names that the emulator gives its findings.
FINDINGS: Mapping[str, tuple[str, str]] = {
    "unknown-instruction": ("an instruction that the emulator does not know", "report it with the kernel"),
    "out-of-bounds": (
        "access to memory that is not allocated", "guard the index with the size: the last block has idle threads",
    ),
    "lds-bounds": ("access past the workgroup's LDS", "the array, or the launch's shared bytes, are too small"),
    "scratch-bounds": ("access past the lane's private memory", "an index into a local array is too large"),
    "misaligned": ("misaligned access", "a vector load needs an address that is a multiple of its size"),
    "trap": ("the kernel executed a trap", "see which condition leads to the line"),
    "assert": ("an assertion failed", "see which condition the line checks"),
    "bad-pc": ("a jump to where there is no code", "a function pointer is not what it should be"),
    "deadlock": ("no wave can go on", "a loop, spin or barrier never ends: not every wave reaches what it waits for"),
    "too-many-instructions": ("more instructions than the limit allows", "a loop does not end, or the shape is large"),
    "lds-race": (
        "two waves access the same LDS with no barrier between", "put __syncthreads() between the two lines",
    ),
    "global-race": (
        "two waves access the same memory with no synchronisation between",
        "use an atomic, a fence with a flag, or two launches",
    ),
    "missing-wait": ("a value is used before the wait for it", "put the s_waitcnt before the use"),
    "uninitialised": ("read of what was never written", "write it on every path that leads to the read"),
    "barrier-divergence": (
        "waves of a workgroup wait at different barriers", "let every thread of the block reach __syncthreads()",
    ),
    "mfma-hazard": ("too few instructions between dependent matrix operations", "put s_nop between the two"),
    "write-to-constant": ("write to constant memory", "write to memory of its own"),
}  # fmt: skip

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
    kinds = [str(finding.get("kind")) for finding in verdict.findings]
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
