"""The emulator's checks and what they find: a row each.

From these rows come the enums and texts in C (porter/emu/headers.py), the help of `porter run`, the tables in
docs/guides/running.md and the words of reports. A new check is a row here, and the C code that detects it; a row's place is
its number, so new rows go to the end.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

__all__ = [
    "CHECKS",
    "COUNTING_CHECKS",
    "DEFAULT_CHECKS",
    "FINDINGS",
    "Check",
    "FindingKind",
    "check_table",
    "finding_table",
    "help_text",
]


@dataclass(frozen=True, slots=True)
class Check:
    name: str  # on the command line; in C CHECK_NAME
    finds: str
    cost: str = ""  # times a run without checks, on a matrix product: benchmarks/emulator.py --checks
    always: bool = False
    shadow: bool = True  # it keeps a state for each wave, and sees every instruction or access
    counts: bool = False  # it counts by source line, and finds no fault

    @property
    def symbol(self) -> str:
        return self.name.upper().replace("-", "_")

    @property
    def bit(self) -> int:
        return 1 << CHECKS.index(self)


@dataclass(frozen=True, slots=True)
class FindingKind:
    name: str  # in reports and JSON; in C FAULT_NAME
    words: str
    fix: str  # what usually helps
    check: str = ""  # which check has to be on; "": none
    stops: bool = True  # the kernel does not go on
    # What its address is of: "memory", "lds", or "any" (memory or a register). "states": its size is a count of them.
    about: str = ""
    error: str = "hipErrorLaunchFailure"  # what HIP returns after a kernel that it stopped
    harmless: bool = False  # nothing to fix: it is reported, and fails no run
    shows_fix: bool = False  # whether the message of a run has the fix: the words alone do not lead to it

    @property
    def symbol(self) -> str:
        return self.name.upper().replace("-", "_")


CHECKS = (
    Check(
        "bounds", "accesses outside live allocations, LDS or private memory; writes to constants",
        always=True, shadow=False,
    ),
    Check(
        "lds-race", "two waves use one byte of LDS, one writes, nothing orders them", "1.1 to 1.2 times",
    ),
    Check(
        "global-race", "the same in global memory, between waves and between workgroups", "1.6 to 1.7 times",
    ),
    Check(
        "wait",
        "a register used before its load arrived; LDS written by one wave and read by another with no wait before the "
        "barrier",
        "1.3 to 1.4 times",
    ),
    Check(
        "uninit",
        "addresses, comparisons, branches, stored values and matrix operands that nobody wrote; loads of memory that "
        "nobody wrote",
        "1.1 to 1.3 times, 1.9 at `-O0`",
    ),
    Check(
        "barrier",
        "waves of a workgroup that meet at different s_barriers of the source (some hand-written schedules mean to); at "
        "different __syncthreads() is always on",
        "none", shadow=False,
    ),
    Check(
        "hazard",
        "too few instructions (or s_nop) between a matrix instruction and one that depends on it, in hand-written "
        "assembly",
        "none where no way through the program has any, else 1.5 times",
    ),
    Check("banks", "LDS bank conflicts, counted by source line", "1.2 times", counts=True),
    Check("coalescing", "128-byte lines of global memory, counted by source line", "1.2 times", counts=True),
    Check(
        "streams",
        "two kernels, copies or fills, or one and the host, use one byte, one of them writes, and no stream, event or wait of "
        "the host orders them",
        "1.4 times",
    ),
)  # fmt: skip

# Numbered from 1: 0 is none.
FINDINGS = (
    FindingKind(
        "unknown-instruction", "an instruction that the emulator does not know", "report it with the kernel",
    ),
    FindingKind(
        "out-of-bounds", "access to memory that is not allocated",
        "guard the index with the size: the last block has idle threads",
        check="bounds", about="memory", error="hipErrorIllegalAddress",
    ),
    FindingKind(
        "lds-bounds", "access past the workgroup's LDS", "the array, or the launch's shared bytes, are too small",
        check="bounds", about="lds", error="hipErrorIllegalAddress",
    ),
    FindingKind(
        "scratch-bounds", "access past the lane's private memory", "an index into a local array is too large",
        check="bounds", error="hipErrorIllegalAddress",
    ),
    FindingKind(
        "misaligned", "misaligned access", "a vector load needs an address that is a multiple of its size",
        check="bounds", about="memory", error="hipErrorIllegalAddress",
    ),
    FindingKind("trap", "the kernel executed a trap", "see which condition leads to the line"),
    # AMD's runtime never gives hipErrorAssert
    FindingKind("assert", "an assertion failed", "see which condition the line checks"),
    FindingKind("bad-pc", "a jump to where there is no code", "a function pointer is not what it should be"),
    FindingKind(
        "deadlock", "no wave can go on", "a loop, spin or barrier never ends: not every wave reaches what it waits for",
    ),
    FindingKind(
        "too-many-instructions", "more instructions than the limit allows",
        "a loop does not end, or the shape is large", error="hipErrorLaunchTimeOut",
    ),
    FindingKind(
        "lds-race", "two waves access the same LDS with no barrier between",
        "put __syncthreads() between the two lines", check="lds-race", stops=False, about="lds",
    ),
    FindingKind(
        "global-race", "two waves access the same memory with no synchronisation between",
        "use an atomic, a fence with a flag, or two launches", check="global-race", stops=False, about="memory",
    ),
    FindingKind(
        "missing-wait", "a value is used before the wait for it", "put the s_waitcnt before the use",
        check="wait", stops=False,
    ),
    FindingKind(
        "uninitialised", "read of what was never written", "write it on every path that leads to the read",
        check="uninit", stops=False, about="any",
    ),
    FindingKind(
        "barrier-divergence", "waves of a workgroup wait at different barriers",
        "let every thread of the block reach __syncthreads()", check="barrier", stops=False,
    ),
    FindingKind(
        "mfma-hazard", "too few instructions between dependent matrix operations", "put s_nop between the two",
        check="hazard", stops=False, about="states",
    ),
    FindingKind(
        "write-to-constant", "write to constant memory, kernel arguments or read-only pages", "write to memory of its own",
        check="bounds", about="memory", error="hipErrorIllegalAddress",
    ),
    FindingKind(
        "lds-lane-race", "lanes of one wave store different values to one place in LDS with one instruction",
        "which of them stays is undefined: let one lane store, or use an atomic",
        check="lds-race", stops=False, about="lds", shows_fix=True,
    ),
    FindingKind(
        "global-lane-race", "lanes of one wave store different values to one place in memory with one instruction",
        "which of them stays is undefined: let one lane store, or use an atomic",
        check="global-race", stops=False, about="memory", shows_fix=True,
    ),
    FindingKind(
        "lds-guess", "a plain read of LDS races with atomics",
        "harmless as compiled: the value only guesses what the compare-and-swap then checks; an atomic load says so",
        check="lds-race", stops=False, about="lds", harmless=True, shows_fix=True,
    ),
    FindingKind(
        "global-guess", "a plain read of memory races with atomics",
        "harmless as compiled: the value only guesses what the compare-and-swap then checks; an atomic load says so",
        check="global-race", stops=False, about="memory", harmless=True, shows_fix=True,
    ),
    FindingKind(
        "barrier-wait", "accesses to LDS may still be under way when the other waves pass the barrier",
        "clang loses this wait in front of a loop's barrier: --fix-waits puts it back, and in the source "
        "__builtin_amdgcn_s_waitcnt(0xc07f) in front of __syncthreads() keeps it (docs/guides/running.md)",
        check="wait", stops=False, about="lds", shows_fix=True,
    ),
    FindingKind(
        "bad-free", "a kernel frees what the device heap did not give it, or has back already",
        "free each block once, by the address that malloc or new gave", check="bounds", about="memory",
    ),
    FindingKind(
        "no-peer-access", "access to the memory of another GPU that this one may not reach",
        "hipDeviceEnablePeerAccess on the GPU that runs the kernel; for a pool's memory hipMemPoolSetAccess, for mapped "
        "memory hipMemSetAccess",
        check="bounds", about="memory", error="hipErrorIllegalAddress",
    ),
    FindingKind(
        "stream-race", "two operations of streams use the same memory, and nothing orders them",
        "let the second stream wait for an event of the first (hipStreamWaitEvent), or the host for the first stream "
        "(hipStreamSynchronize)",
        check="streams", stops=False, about="memory", shows_fix=True,
    ),
    FindingKind(
        "registers", "a vector register that the kernel's descriptor does not ask for",
        "compile the code object again, or correct its descriptor (.amdhsa_next_free_vgpr, .amdhsa_accum_offset)",
    ),
)  # fmt: skip

DEFAULT_CHECKS = tuple(check.name for check in CHECKS if check.always)
COUNTING_CHECKS = tuple(check.name for check in CHECKS if check.counts)


def help_text() -> str:
    """The checks for `porter run --help`, each on lines of its own."""
    column = max(len(check.name) for check in CHECKS) + 4
    return "\n".join(
        textwrap.fill(
            check.finds + (" (always on)" if check.always else ""), 77,
            initial_indent=f"  {check.name:{column - 2}}", subsequent_indent=" " * column,
        )
        for check in CHECKS
    )  # fmt: skip


def check_table() -> str:
    """The first table of docs/guides/running.md."""
    lines = ["| check | finds | cost |", "|---|---|---|"]
    lines += [f"| {check.name} | {check.finds} | {'always on' if check.always else check.cost} |" for check in CHECKS]
    return "\n".join(lines) + "\n"


def finding_table() -> str:
    """The second one."""
    lines = ["| finding | says | of the check | the kernel |", "|---|---|---|---|"]
    for kind in FINDINGS:
        ends = "stops" if kind.stops else "goes on; harmless" if kind.harmless else "goes on"
        lines.append(f"| {kind.name} | {kind.words} | {kind.check or '-'} | {ends} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(check_table(), finding_table(), sep="\n", end="")
