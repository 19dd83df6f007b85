"""Code that leans on how CUDA's warps advance: spin locks between lanes, and steps without a barrier.

The lanes of a wave share one program counter. A lane that waits for another lane of its wave waits
for ever, and two of CUDA's warps are one wave. The other way round, a warp that works on shared
memory without a barrier is kept in step by the hardware, but not by the compiler.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from porter.analysis.lanes import LaneSite, Threads
from porter.findings import Finding, Safety
from porter.frontend.cpp.constants import Constants
from porter.frontend.lexer import Kind
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit

__all__ = ["spins", "unsynchronised"]

_SYNC = frozenset(
    {"__syncwarp", "__syncthreads", "sync", "syncwarp", "barrier", "__syncthreads_or", "__syncthreads_and"}
)
_FENCES = frozenset({"__nanosleep", "__threadfence", "__threadfence_block", "__threadfence_system", "nanosleep"})
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*|k[A-Z]\w*|[0-9]\w*")
_SPIN = (
    "a lane that waits for another lane of its wave waits for ever on AMD: let one thread of the block wait, "
    "or release the lock inside of the loop"
)


def spins(unit: Unit, threads: Threads, constants: Constants) -> Iterator[Finding]:
    for index, token in enumerate(unit.tokens):
        if token.text != "while" or token.directive >= 0:
            continue
        function = unit.scope(index).function
        if function is None or not unit.in_device_code(index) or unit.text(index + 1) != "(":
            continue
        close = unit.file.partner(index + 1)
        if close < 0 or not _waits(unit, function, index, close):
            continue
        if _one_thread(unit, threads, function, index) or _called_by_one_thread(unit, threads, function):
            continue
        start = token.start
        yield Finding("warp-spin", start, unit.tokens[close].end, Safety.REVIEW, _SPIN)


def _waits(unit: Unit, function: Function, index: int, close: int) -> bool:
    """Does this loop do nothing but take a lock or watch shared memory?"""
    condition = range(index + 2, close)
    if _takes_lock(unit, index + 2, close):
        return _idle(unit, *_loop_body(unit, index, close))
    texts = [unit.text(k) for k in condition]
    if texts in (["true"], ["1"]):
        first, last = _loop_body(unit, index, close)
        return _leaves_with_lock(unit, first, last)
    if any(t in ("=", "+=", "-=", "++", "--") for t in texts):
        return False
    shared = _shared_names(unit, function)
    reads = any(unit.text(k) in shared for k in condition)
    return reads and _idle(unit, *_loop_body(unit, index, close))


def _takes_lock(unit: Unit, first: int, last: int) -> bool:
    """atomicCAS with a constant to compare with, or atomicExch: `atomicCAS(&lock, 0, 1)`."""
    for k in range(first, last):
        name, close = unit.text(k), unit.file.partner(k + 1) if unit.text(k + 1) == "(" else -1
        if close < 0:
            continue
        arguments = unit.file.arguments(k + 1)
        if name.startswith("atomicCAS") and len(arguments) == 3:
            begin, end = arguments[1]
            return all(_CONSTANT.fullmatch(unit.text(j)) or unit.text(j) in ("-", "(", ")") for j in range(begin, end))
        if name.startswith("atomicExch") and len(arguments) == 2:
            begin, end = arguments[1]
            return end == begin + 1 and bool(_CONSTANT.fullmatch(unit.text(begin)))
    return False


def _loop_body(unit: Unit, index: int, close: int) -> tuple[int, int]:
    """Tokens of the body of `while (...)`, or of the `do` before it."""
    after = unit.text(close + 1)
    if unit.text(index - 1) == "}":
        opening = unit.file.partner(index - 1)
        if opening > 0 and unit.text(opening - 1) == "do":
            return opening + 1, index - 1
    if after == ";":
        return close + 1, close + 1
    if after == "{":
        return close + 2, unit.file.partner(close + 1)
    end = close + 1
    while end < len(unit.tokens) and unit.text(end) != ";":
        end = max(unit.file.partner(end), end) + 1 if unit.text(end) in ("(", "[", "{") else end + 1
    return close + 1, end


def _idle(unit: Unit, first: int, last: int) -> bool:
    at = first
    while at < last:
        text = unit.text(at)
        if text in _FENCES and unit.text(at + 1) == "(":
            at = unit.file.partner(at + 1)
        elif text not in (";", "continue"):
            return False
        at += 1
    return True


def _leaves_with_lock(unit: Unit, first: int, last: int) -> bool:
    """`for (;;) if (atomicCAS(...) == 0) break;`: the lock is held when the loop is left."""
    texts = [unit.text(k) for k in range(first, last)]
    if texts[:2] != ["if", "("]:
        return False
    close = unit.file.partner(first + 1)
    if close < 0 or not _takes_lock(unit, first + 2, close):
        return False
    rest = [t for t in texts[close + 1 - first :] if t not in ("{", "}", ";")]
    return rest == ["break"]


def _shared_names(unit: Unit, function: Function) -> frozenset[str]:
    """Volatile shared variables of the function."""
    names: set[str] = set()
    for k in range(*function.body):
        if unit.text(k) != "__shared__":
            continue
        end = k
        while unit.text(end) not in (";", ""):
            end += 1
        texts = [unit.text(j) for j in range(k - 3, end)]
        if "volatile" in texts:
            names.update(
                unit.text(j)
                for j in range(k, end)
                if unit.text(j + 1) in ("[", ";", ",", "=") and unit.tokens[j].kind == Kind.IDENT
            )
    return frozenset(names)


def _conditions(unit: Unit, function: Function, index: int) -> Iterator[tuple[int, int]]:
    """Token ranges of the conditions under which tokens[index] runs, as far as `if`s around it say so."""
    at = index
    while at > function.body[0]:
        before = unit.text(at - 1)
        if before == ")":
            opening = unit.file.partner(at - 1)
            if opening > 0 and unit.text(opening - 1) == "if":
                yield opening + 1, at - 1
                at = opening - 1
                continue
            if opening > 0 and unit.text(opening - 1) in ("for", "while"):
                at = opening - 1
                continue
        at = _enclosing(unit, function, at)


def _enclosing(unit: Unit, function: Function, index: int) -> int:
    at = index - 1
    while at > function.body[0]:
        text = unit.text(at)
        if text in ("}", ")", "]"):
            partner = unit.file.partner(at)
            at = partner if 0 < partner < at else at
        elif text == "{":
            return at
        at -= 1
    return function.body[0]


def _one_thread(unit: Unit, threads: Threads, function: Function, index: int) -> bool:
    if any(_names_one_thread(unit, threads, function, *c) for c in _conditions(unit, function, index)):
        return True
    # `if (threadIdx.x != 0) return;` further up
    for k in range(function.body[0], index):
        if unit.text(k) == "if" and unit.text(k + 1) == "(":
            close = unit.file.partner(k + 1)
            after = close + 2 if unit.text(close + 1) == "{" else close + 1
            if unit.text(after) == "return" and _names_one_thread(unit, threads, function, k + 2, close, "!="):
                return True
    return False


def _names_one_thread(
    unit: Unit, threads: Threads, function: Function, first: int, last: int, equals: str = "=="
) -> bool:
    """`threadIdx.x == 0`, `tid == 0 && ...`, `!tid`: at most one thread of the block."""
    names = threads.of(function)
    texts = [unit.text(k) for k in range(first, last)]
    if ("||" if equals == "==" else "&&") in texts:
        return False
    axes = {unit.text(k + 2) for k in range(*function.body) if unit.text(k) == "threadIdx"}
    pinned: set[str] = set()
    for k in range(first, last):
        number = unit.text(k) in names and unit.text(k - 1) not in (".", "->")
        axis = unit.text(k + 2) if unit.text(k) == "threadIdx" else ""
        if not number and not axis:
            continue
        after = k + 3 if axis else k + 1
        before = unit.text(k - 1)
        hit = unit.text(after) == equals or before == equals
        if equals == "==":
            hit = hit or before == "!"
        elif unit.text(after) in (")", "") or after == last:
            hit = hit or last - first in (1, 3)  # if (threadIdx.x) return;
        if hit:
            pinned |= axes if number else {axis}
    return bool(pinned) and axes <= pinned


def _called_by_one_thread(unit: Unit, threads: Threads, function: Function) -> bool:
    """A helper whose every call in this file is made by one thread of the block."""
    if function.kernel:
        return False
    calls = 0
    for k, token in enumerate(unit.tokens):
        if token.text != function.name or k == function.name_index or unit.text(k + 1) != "(":
            continue
        caller = unit.scope(k).function
        if caller is None or caller.body[0] < 0 or not _one_thread(unit, threads, caller, k):
            return False
        calls += 1
    return calls > 0


# --- steps of a warp without a barrier -------------------------------------------------------------

_STEPS = {1, 2, 4, 8, 16, 32}


def unsynchronised(unit: Unit, threads: Threads, constants: Constants, sites: Sequence[LaneSite]) -> Iterator[Finding]:
    """`s[tid] += s[tid + 16]; s[tid] += s[tid + 8]; ...` with nothing between that orders memory."""
    for function in unit.scopes.functions:
        if not function.device or function.body[0] < 0:
            continue
        chain: list[tuple[int, str, int]] = []  # token, array, step
        for k in range(function.body[0] + 1, function.body[1] + 1):
            text = unit.text(k)
            step = _step(unit, k)
            barrier = text in _SYNC and unit.text(k + 1) == "("
            if step and chain and step[0] != chain[-1][1]:
                yield from _chain(unit, function, chain)
                chain = []
            if barrier or k == function.body[1]:
                yield from _chain(unit, function, chain)
                chain = []
            elif step:
                chain.append((k, *step))
        yield from _stepping_loops(unit, function)


def _step(unit: Unit, index: int) -> tuple[str, int] | None:
    """`name[x + 16]` read at tokens[index], where the same statement writes `name[x]`."""
    if unit.tokens[index].kind != Kind.IDENT or unit.text(index + 1) != "[":
        return None
    close = unit.file.partner(index + 1)
    if close - index < 5 or unit.text(close - 2) != "+" or unit.tokens[close - 1].kind != Kind.NUMBER:
        return None
    digits = unit.text(close - 1).rstrip("uUlL")
    if not digits.isdigit() or int(digits) not in _STEPS:
        return None
    subject = [unit.text(k) for k in range(index + 2, close - 2)]
    first = index
    while first > 0 and unit.text(first - 1) not in (";", "{", "}"):
        first -= 1
    last = index
    while last < len(unit.tokens) and unit.text(last) not in (";", "}"):
        last += 1
    for k in range(first, last):
        end = unit.file.partner(k + 1) if unit.text(k + 1) == "[" else -1
        if unit.text(k) == unit.text(index) and end > 0 and unit.text(end + 1) in ("=", "+=", "*=", "|=", "&=", "^="):
            if [unit.text(j) for j in range(k + 2, end)] == subject:
                return unit.text(index), int(digits)
    return None


def _chain(unit: Unit, function: Function, chain: Sequence[tuple[int, str, int]]) -> Iterator[Finding]:
    if len({step for _, _, step in chain}) >= 3:
        last = unit.file.partner(chain[-1][0] + 1)
        yield _finding(unit, function, chain[0][1], chain[0][0], last)


def _stepping_loops(unit: Unit, function: Function) -> Iterator[Finding]:
    """`for (int o = 16; o > 0; o >>= 1) s[tid] += s[tid + o];`, in a warp and without a barrier."""
    for k in range(*function.body):
        if unit.text(k) != "for" or unit.text(k + 1) != "(":
            continue
        close = unit.file.partner(k + 1)
        head = [unit.text(j) for j in range(k + 2, close)]
        if not (">>=" in head or "/=" in head) or "=" not in head:
            continue
        start = head.index("=")
        if start == 0 or head[start + 1 : start + 3] not in (["16", ";"], ["32", ";"]):
            continue
        name = head[start - 1]
        first, last = (
            (close + 2, unit.file.partner(close + 1)) if unit.text(close + 1) == "{" else _loop_body(unit, k, close)
        )
        if any(unit.text(j) in _SYNC for j in range(first, last)):
            continue
        for j in range(first, last):
            end = unit.file.partner(j + 1) if unit.text(j + 1) == "[" else -1
            if end > j + 4 and unit.text(end - 1) == name and unit.text(end - 2) == "+":
                subject = [unit.text(i) for i in range(j + 2, end - 2)]
                writes = any(
                    unit.text(i) == unit.text(j)
                    and [unit.text(m) for m in range(i + 2, i + 2 + len(subject))] == subject
                    and unit.text(i + 2 + len(subject)) == "]"
                    and unit.text(i + 3 + len(subject)) in ("=", "+=", "*=")
                    for i in range(first, j + 1)
                )
                if writes:
                    yield _finding(unit, function, unit.text(j), k, end)
                    break


def _finding(unit: Unit, function: Function, array: str, first: int, last: int) -> Finding:
    start, end = unit.tokens[first].start, unit.tokens[max(last, first)].end
    if _is_volatile(unit, function, array):
        message = (
            f"{array} is volatile and the lanes of a wave advance together, so the steps stay in order; "
            "__syncwarp would say so"
        )
        return Finding("warp-synchronous", start, end, Safety.EXACT, message)
    message = (
        f"a wave keeps these steps on {array} in order, but the compiler may not: "
        "put __syncwarp() between them, or make the array volatile"
    )
    return Finding("warp-synchronous", start, end, Safety.REVIEW, message)


def _is_volatile(unit: Unit, function: Function, array: str) -> bool:
    for k in range(function.first, function.body[1]):
        if unit.text(k) == "volatile":
            for j in range(k, k + 8):
                if unit.text(j) in (";", ")"):
                    break
                if unit.text(j) == array:
                    return True
    return False
