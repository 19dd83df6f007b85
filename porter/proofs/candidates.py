"""The edits that would widen one kernel to the wave's lanes: proposed by pattern, trusted only once proof.py agrees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from porter.findings import Edit
from porter.frontend.cpp.constants import Definition
from porter.frontend.cpp.expressions import number
from porter.frontend.lexer import Kind
from porter.frontend.scopes import Function
from porter.proofs.program import SHUFFLES, WARP, Program

__all__ = ["Change", "propose"]

_RELATIONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Change:
    """One site's edits. `definition` is the constant that they change, if they change one."""

    token: int
    edits: tuple[Edit, ...]
    what: str  # "shuffle", "number", "constant"; "step" that is added to an unrolled series, "follows" in it
    definition: Definition | None = None


class _Proposal:
    def __init__(
        self, program: Program, functions: Sequence[Function], threads: int, integers: Mapping[str, int], wave: int
    ) -> None:
        self.program = program
        self.file = program.file
        self.tokens = program.file.tokens
        self.functions = functions
        self.threads = threads
        self.wave = wave
        self.wider = {WARP: wave, WARP - 1: wave - 1, 5: wave.bit_length() - 1, WARP // 2: wave // 2}
        self.known = {"warpSize": WARP, "blockDim.x": threads, **integers}
        self.changes: dict[int, Change] = {}
        self.constants: dict[int, Definition] = {}  # named constants whose value changes

    def text(self, index: int) -> str:
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def value(self, first: int, last: int) -> int | None:
        return self.program.constants.value(first, last, self.known)

    # --- single tokens -----------------------------------------------------------------------------

    def replace(self, index: int, text: str, what: str = "number", definition: Definition | None = None) -> None:
        token = self.tokens[index]
        self.changes.setdefault(index, Change(index, (Edit(token.start, token.end, text),), what, definition))

    def literal(self, index: int, value: int, definition: Definition | None = None) -> None:
        old = self.tokens[index].text
        suffix = (
            old[len(old.rstrip("uUlL")) :] if not old.lower().startswith("0x") else ("u" if old[-1] in "uU" else "")
        )
        text = (hex(value) if old.lower().startswith("0x") else str(value)) + suffix
        self.replace(index, text, "constant" if definition else "number", definition)

    def operand(self, first: int, last: int, wanted: int, definition: Definition | None = None) -> None:
        """Make the operand whose value is `wanted` (32, 31, 5 or 16) that of the wave."""
        if last == first + 1:
            token = self.tokens[first]
            if token.kind == Kind.NUMBER and number(token.text) == wanted:
                self.literal(first, self.wider[wanted], definition)
            elif token.kind == Kind.IDENT:
                self.constant(first, wanted)
            return
        if self.text(first) == "(" and self.file.partner(first) == last - 1:
            self.operand(first + 1, last - 1, wanted, definition)
            return
        for k in range(first, last):  # W - 1, W / 2, 1 << 5
            token = self.tokens[k]
            if token.kind == Kind.IDENT and token.text != "warpSize":
                value = self.program.constants.named(token.text, k, self.known)
                if value in (32, 5):
                    self.constant(k, value)
            elif token.kind == Kind.NUMBER and number(token.text) in (32, 5):
                after = number(token.text)
                if after == 32 or self.text(k - 1) in ("<<", ">>"):
                    self.literal(k, self.wider[after or 32], definition)

    def constant(self, index: int, wanted: int) -> None:
        """A named constant: its definition changes, if it is in this file."""
        name = self.text(index)
        if name in self.known and name != "warpSize" and self.program.constants.definition(name, index) is None:
            return
        definition = self.program.constants.definition(name, index)
        if definition is None or definition.index in self.constants or len(self.constants) > _DEEPEST:
            return
        if self.program.constants.named(name, index, self.known) != wanted and definition.kind != "template":
            return
        self.constants[definition.index] = definition
        if wanted in self.wider:
            self.operand(*definition.value, wanted, definition)
        else:
            self.count(*definition.value, definition)

    def count(self, first: int, last: int, definition: Definition | None = None) -> None:
        """An expression for the number of warps: `kThreads / 32`, `(blockDim.x + 31) >> 5`."""
        for k in range(first, last):
            if self.text(k) in ("/", ">>") and self.tokens[k].kind == Kind.PUNCT:
                wanted = 32 if self.text(k) == "/" else 5
                end = self.operand_end(k + 1, last)
                if self.value(k + 1, end) == wanted:
                    self.operand(k + 1, end, wanted, definition)
                    self.rounding(first, k, definition)

    def rounding(self, first: int, last: int, definition: Definition | None = None) -> None:
        """`+ 31` or `+ W - 1` before the division."""
        for k in range(first, last):
            if self.text(k) == "+" and self.tokens[k + 1].kind == Kind.NUMBER and number(self.text(k + 1)) in (31, 32):
                self.literal(k + 1, self.wider[number(self.text(k + 1)) or 31], definition)
            elif self.tokens[k].kind == Kind.IDENT and self.program.constants.named(self.text(k), k, self.known) == 32:
                self.constant(k, 32)

    def operand_end(self, first: int, last: int) -> int:
        """Past the operand that starts at `first`."""
        if self.text(first) == "(":
            return max(self.file.partner(first), first) + 1
        at = first + 1
        while self.text(at) == "::" and at < last:
            at += 2
        return at

    # --- functions ---------------------------------------------------------------------------------

    def function(self, function: Function) -> None:
        first, last = function.body
        for k in range(function.params[0], last):
            token = self.tokens[k]
            if token.directive >= 0:
                continue
            if token.text in SHUFFLES and self.text(k + 1) == "(":
                self.shuffle(k)
            elif token.kind == Kind.PUNCT:
                if token.text in ("%", "&", "/", ">>") and k > first:
                    self.division(k, last)
                elif token.text in _RELATIONS and k > first:
                    self.relation(k, function)
            elif token.text == "for" and self.text(k + 1) == "(":
                self.loop(k)
            elif token.kind == Kind.IDENT and token.text not in ("warpSize", "threadIdx", "blockDim"):
                self.name(k)
        self.unrolled(function)

    def name(self, k: int) -> None:
        """A constant that is the number of warps, or 32, wherever it is used."""
        if self.text(k - 1) in (".", "->") or self.text(k + 1) in ("(", "."):
            return
        definition = self.program.constants.definition(self.text(k), k)
        if definition is None or definition.kind == "variable":
            return
        value = self.program.constants.named(self.text(k), k, self.known)
        divided = any(self.text(j) in ("/", ">>") for j in range(*definition.value))
        if value is not None and divided and value * WARP == self.threads:
            self.constant(k, value if value not in self.wider else -1)
            if value in self.wider and definition.index not in self.constants:
                self.constants[definition.index] = definition
                self.count(*definition.value, definition)

    def shuffle(self, k: int) -> None:
        skip, _ = SHUFFLES[self.text(k)]
        close = self.file.partner(k + 1)
        arguments = self.file.arguments(k + 1)
        if close < 0 or len(arguments) not in (skip + 2, skip + 3):
            return
        tokens = self.tokens
        edits: list[Edit] = []
        if skip:
            plain = self.text(k).removesuffix("_sync")
            edits.append(Edit(tokens[k].start, tokens[k].end, plain))
            edits.append(Edit(tokens[arguments[0][0]].start, tokens[arguments[1][0]].start, ""))
        if len(arguments) == skip + 3:
            begin, end = arguments[-1]
            if self.value(begin, end) == 32 or (end == begin + 1 and self.text(begin) == "warpSize"):
                # the whole wave is HIP's default width
                edits.append(Edit(tokens[arguments[-2][1] - 1].end, tokens[end - 1].end, ""))
        self.changes.setdefault(k, Change(k, tuple(edits), "shuffle"))

    def division(self, k: int, last: int) -> None:
        """`tid & 31`, `blockDim.x / W`."""
        wanted = {"%": 32, "&": 31, "/": 32, ">>": 5}[self.text(k)]
        end = self.operand_end(k + 1, last)
        if self.value(k + 1, end) != wanted:
            return
        begin = self.left_start(k)
        self.operand(k + 1, end, wanted)
        if self.text(k) in ("/", ">>"):
            self.rounding(begin, k)

    def left_start(self, k: int) -> int:
        at = k - 1
        if self.text(at) == ")":
            at = max(self.file.partner(at), 0)
        while self.text(at - 1) in (".", "->", "::"):
            at -= 2
        return at

    def relation(self, k: int, function: Function) -> None:
        """`lane == 31`, `lane < 8` (the number of warps), and `tid < 32` in front of shuffles."""
        end = k + 2
        value = self.value(k + 1, end) if self.text(k + 2) in (")", "&&", "||", "?", ";") else None
        if value is None:
            end = self.operand_end(k + 1, function.body[1])
            value = self.value(k + 1, end)
            if self.text(end) in ("-", "/", "/2") and self.tokens[end + 1].kind == Kind.NUMBER:
                end += 2
                value = self.value(k + 1, end)
        if value is None or self.in_loop_head(k):
            return
        literal = end == k + 2 and self.tokens[k + 1].kind == Kind.NUMBER
        if value == 31 and self.text(k) in ("==", "<", "!=", "<="):
            guarded = self.text(k) in ("==", "!=") or self.guards_shuffles(k)
            if guarded:
                self.operand(k + 1, end, 31)
        elif value == 32 and self.text(k) in ("<", ">=") and self.guards_shuffles(k):
            self.operand(k + 1, end, 32)
        elif literal and value * WARP == self.threads and self.text(k) in ("<", ">="):
            self.replace(k + 1, str(self.threads // self.wave))

    def in_loop_head(self, k: int) -> bool:
        at = k
        while at > 0 and self.text(at) not in ("{", "}"):
            if self.text(at) == ")":
                at = self.file.partner(at)
            elif self.text(at) == "(":
                return self.text(at - 1) == "for"
            at -= 1
        return False

    def guards_shuffles(self, k: int) -> bool:
        """Is tokens[k] in the condition of an `if` whose body exchanges values between lanes?"""
        at = k
        while at > 0 and self.text(at) not in (";", "{", "}"):
            if self.text(at) == "(" and self.text(at - 1) == "if":
                close = self.file.partner(at)
                end = self.statement_end(close + 1)
                return self.program.has_shuffles(close + 1, end)
            at -= 1
        return False

    def statement_end(self, first: int) -> int:
        if self.text(first) == "{":
            return self.file.partner(first)
        at = first
        while at < len(self.tokens) and self.text(at) != ";":
            at = max(self.file.partner(at), at) + 1 if self.text(at) in ("(", "[", "{") else at + 1
        return at

    def loop(self, k: int) -> None:
        """Offsets that start at 16 or end before 32, and counts of warps."""
        close = self.file.partner(k + 1)
        ends = [j for j in range(k + 2, close) if self.text(j) == ";"]
        if len(ends) != 2:
            return
        body = (close + 1, self.statement_end(close + 1))
        if not self.program.has_shuffles(*body):
            begin, end = self.bound(ends[0] + 1, ends[1])
            value = self.value(begin, end) if begin < end else None
            if (
                value is not None
                and value * WARP == self.threads
                and end == begin + 1
                and self.tokens[begin].kind == Kind.NUMBER
            ):
                self.replace(begin, str(self.threads // self.wave))
            return
        equals = [j for j in range(k + 2, ends[0]) if self.text(j) == "="]
        if equals and self.value(equals[0] + 1, ends[0]) == 16:
            self.operand(equals[0] + 1, ends[0], 16)
        begin, end = self.bound(ends[0] + 1, ends[1])
        value = self.value(begin, end) if begin < end else None
        if value in (16, 32):
            self.operand(begin, end, value or 32)

    def bound(self, first: int, last: int) -> tuple[int, int]:
        for j in range(first, last):
            if self.text(j) in ("<", "<="):
                return j + 1, last
        return last, last

    def unrolled(self, function: Function) -> None:
        """Steps by 16, 8, 4, 2, 1 (or back) written one by one: they gain the step by 32."""
        steps: list[tuple[int, int, int]] = []  # offset, first token and `;` of the statement
        for k in range(*function.body):
            if self.text(k) in SHUFFLES and self.text(k + 1) == "(":
                arguments = self.file.arguments(k + 1)
                skip = SHUFFLES[self.text(k)][0]
                if len(arguments) < skip + 2:
                    continue
                begin, end = arguments[skip + 1]
                if end != begin + 1 or self.tokens[begin].kind != Kind.NUMBER or "idx" in SHUFFLES[self.text(k)]:
                    continue
                start = k
                while self.text(start - 1) not in (";", "{", "}") and self.tokens[start - 1].directive < 0:
                    start -= 1
                steps.append((number(self.text(begin)) or 0, start, self.statement_end(k)))
        at = 0
        while at < len(steps):
            run = [steps[at]]
            while at + len(run) < len(steps) and steps[at + len(run)][1] <= run[-1][2] + 1:
                run.append(steps[at + len(run)])
            at += len(run)
            order: list[int] = []
            for step, _, _ in run:
                if step not in order:
                    order.append(step)
            if order == [16, 8, 4, 2, 1]:
                self.copy([s for s in run if s[0] == 16], before=True)
                self.series(run)
            elif order == [1, 2, 4, 8, 16]:
                self.copy([s for s in run if s[0] == 16], before=False)
                self.series(run)

    def series(self, run: Sequence[tuple[int, int, int]]) -> None:
        """A series is one reduction: its added step stands for it in the report."""
        for k in {k for _, first, last in run for k in range(first, last) if k in self.changes}:
            change = self.changes[k]
            if change.what == "shuffle":
                self.changes[k] = replace(change, what="follows")

    def copy(self, run: Sequence[tuple[int, int, int]], before: bool) -> None:
        """The statements of the step by 16 once more, by 32, ahead of them or behind."""
        tokens, text = self.tokens, self.file.text
        first, last = run[0][1], run[-1][2]
        begin, end = tokens[first].start, tokens[last].end
        edits = [e for k, c in self.changes.items() if first <= k <= last for e in c.edits]
        for k in range(first, last):
            if self.text(k) in SHUFFLES:
                arguments = self.file.arguments(k + 1)
                at = arguments[SHUFFLES[self.text(k)][0] + 1][0]
                edits.append(Edit(tokens[at].start, tokens[at].end, str(self.wave // 2)))
        pieces, at_offset = [], begin
        for edit in sorted(edits, key=lambda e: e.start):
            pieces += [text[at_offset : edit.start], edit.text]
            at_offset = edit.end
        pieces.append(text[at_offset:end])
        line = text.rfind("\n", 0, begin) + 1
        indent = text[line:begin] if not text[line:begin].strip() else ""
        newline = ("\r\n" if text[line - 2 : line] == "\r\n" else "\n") if indent or line == begin else " "
        copied = "".join(pieces)
        if before:
            self.changes.setdefault(-first - 1, Change(first, (Edit(begin, begin, copied + newline + indent),), "step"))
        else:
            self.changes.setdefault(-first - 1, Change(first, (Edit(end, end, newline + indent + copied),), "step"))


def propose(
    program: Program, functions: Sequence[Function], threads: int, integers: Mapping[str, int], wave: int
) -> tuple[list[Change], list[Definition]]:
    """What to change in a kernel and the functions that it calls, for blocks of `threads` threads on waves of so many lanes.

    With it, the named constants whose values change with that.
    """
    proposal = _Proposal(program, functions, threads, integers, wave)
    for function in functions:
        proposal.function(function)
    changes = sorted(
        (c for c in proposal.changes.values() if c.edits), key=lambda c: (c.edits[0].start, c.edits[0].end)
    )
    return changes, list(proposal.constants.values())
