"""Runs of statements in which nothing but products touches some arrays, and the conversions around each run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from porter.findings import Edit, Finding, Safety
from porter.frontend.cpp.expressions import Call, Init, Member, Name, Number, walk
from porter.frontend.cpp.statements import (
    Block,
    Declaration,
    Do,
    For,
    If,
    Jump,
    Opaque,
    Simple,
    Statement,
    While,
    children,
    read_body,
)
from porter.frontend.lexer import Kind, TokenFile, newline_of
from porter.frontend.scopes import Function, Scopes

__all__ = ["RULE", "Runs", "every"]

RULE = "kept-accumulators"

_JUMPS = frozenset({"break", "continue", "goto"})
_CONDITIONS = frozenset({"if", "ifdef", "ifndef", "elif", "else", "endif"})


def every(statement: Statement) -> Iterator[Statement]:
    yield statement
    for child in children(statement):
        yield from every(child)


class Runs:
    """Products are the tokens that name the arrays as accumulators, `loops` those in loops over all elements."""

    def __init__(
        self,
        file: TokenFile,
        scopes: Scopes,
        function: Function,
        arrays: frozenset[str],
        products: frozenset[int],
        loops: frozenset[int] = frozenset(),
        alone: bool = False,  # each statement by itself
        pairs: frozenset[int] = frozenset(),  # those products that may be made two at a time
    ) -> None:
        self.pairs = pairs
        self.file, self.scopes, self.function, self.alone = file, scopes, function, alone
        self.arrays, self.products, self.allowed = arrays, products, products | loops
        tokens = file.tokens
        self.named = [
            k for k in range(*function.body)
            if tokens[k].text in arrays and tokens[k - 1].text not in (".", "->", "::")
        ]  # fmt: skip
        self.covered: set[int] = set()
        self.findings: list[Finding] = []
        self.worth_it = True  # no array is converted in a loop around which it lives

    def visit(self, statements: Sequence[Statement], in_loop: bool = False) -> None:
        own = {v.name for s in statements if isinstance(s, Declaration) for v in s.variables}
        run: list[Statement] = []  # from a statement with products on
        for statement in statements:
            if self.harmless(statement) and (self.has_products(statement) or (run and self.reaches(run, statement))):
                run.append(statement)
                if self.alone:
                    self.end(run, own, in_loop)
            else:
                self.end(run, own, in_loop)
                if self.has_products(statement):
                    self.inside(statement, in_loop)
        self.end(run, own, in_loop)

    def inside(self, statement: Statement, in_loop: bool) -> None:
        in_loop = in_loop or isinstance(statement, (For, While, Do))
        for child in children(statement):
            if isinstance(child, Block):
                self.visit(child.statements, in_loop)
            elif isinstance(statement, For) and child is statement.start:
                continue
            elif self.has_products(child) and self.harmless(child):
                self.worth_it = self.worth_it and not in_loop
                self.surround(child, child, (child,), braces=True)
            elif self.has_products(child):
                self.inside(child, in_loop)

    def uses(self, statement: Statement) -> set[int]:
        return {k for k in self.named if statement.first <= k < statement.last}

    def has_products(self, statement: Statement) -> bool:
        return bool(self.uses(statement) & self.products)

    def harmless(self, statement: Statement) -> bool:
        """Do products and loops over all elements alone touch the arrays, and does it end where the next one begins?"""
        uses = self.uses(statement)
        if isinstance(statement, Declaration):
            inside: set[int] = set()
        else:
            inside = {
                v.index for s in every(statement) if isinstance(s, Declaration) for v in s.variables if _empty(v.value)
            }
        if not uses <= self.allowed | inside or self.leaves(statement) or self.conditions(statement, statement):
            return False
        if self.alone and not isinstance(statement, (Simple, Opaque, Declaration)):
            return False
        return all(self.scopes.at(k).function is self.function for k in uses)

    def leaves(self, statement: Statement, in_loop: bool = False) -> bool:
        """May it be left for another place of the function than the one after it?"""
        if isinstance(statement, Jump):
            return not in_loop
        if isinstance(statement, Opaque):
            words = {self.file.tokens[k].text for k in range(statement.first, statement.last)}
            return bool(words & _JUMPS) or (statement.why != "asm" and "{" in words)
        in_loop = in_loop or isinstance(statement, (For, While, Do))
        return any(self.leaves(child, in_loop) for child in children(statement))

    def reaches(self, run: Sequence[Statement], statement: Statement) -> bool:
        return not self.alone and not self.conditions(run[0], statement)

    def conditions(self, first: Statement, last: Statement) -> bool:
        """Is an #if or its like between the two?"""
        begin, end = self.file.tokens[first.first].start, self.file.tokens[last.last - 1].end
        return any(d.name in _CONDITIONS and begin < d.start < end for d in self.file.directives)

    def end(self, run: list[Statement], own: set[str], in_loop: bool) -> None:
        while run and not self.uses(run[-1]):
            run.pop()
        if run:
            self.surround(run[0], run[-1], run)
            outlived = {self.file.tokens[k].text for s in run for k in self.uses(s)} - own
            self.worth_it = self.worth_it and not (in_loop and outlived & self.outside(run[0], run[-1]))
            run.clear()

    def outside(self, first: Statement, last: Statement) -> set[str]:
        """The arrays in the run that are declared before it."""
        tokens = self.file.tokens
        uses = [k for k in self.named if first.first <= k < last.last]
        inside = {k for k in uses if k not in self.allowed}  # their declarations
        return {tokens[k].text for k in uses} - {tokens[k].text for k in inside}

    def surround(self, first: Statement, last: Statement, run: Sequence[Statement], braces: bool = False) -> None:
        self.covered.update(k for k in self.named if first.first <= k < last.last)
        arrays = sorted(self.outside(first, last))
        before = [f"porter::keep({array});" for array in arrays]
        after = [f"porter::present({array});" for array in arrays]
        opening, closing = self.around(first, last, before, after, braces)
        groups = [self.around(*group) for group in self.groups(run)]
        edits = (opening, *(o for o, _ in groups), *(c for _, c in groups), closing)
        message = f"{', '.join(arrays)}: touched by matrix products alone here, kept as the matrix cores have it"
        start, end = self.file.tokens[first.first].start, self.file.tokens[last.last - 1].end
        self.findings.append(Finding(RULE, start, end, Safety.EXACT, message, edits))

    def around(
        self, first: Statement, last: Statement, before: Sequence[str], after: Sequence[str], braces: bool = False
    ) -> tuple[Edit, Edit]:
        """Insertions before and after statements, on lines of their own where these have lines of their own."""
        tokens, text = self.file.tokens, self.file.text
        at = first.first
        begin, end = tokens[at].start, tokens[last.last - 1].end
        line = text.rfind("\n", 0, begin) + 1
        indent = text[line:begin] if text[line:begin].isspace() else ""
        while at > 0 and tokens[at - 1].directive >= 0:
            directive = self.file.directives[tokens[at - 1].directive]
            if directive.name != "pragma":
                break
            at, begin = directive.first, directive.start
        newline = newline_of(text)
        line = text.rfind("\n", 0, begin) + 1
        if braces or text[line:begin].strip():
            opening, closing = ("{ ", " }") if braces else ("", "")
            front, back = opening + " ".join(before) + " ", " " + " ".join(after) + closing
            return Edit(begin, begin, front), Edit(end, end, back)
        stop = text.find("\n", end)
        stop = len(text) if stop < 0 else stop - (text[stop - 1] == "\r")
        rest = text[end:stop].strip()
        end = stop if not rest or rest.startswith("//") else end
        front, back = (
            "".join(f"{indent}{one}{newline}" for one in before),
            "".join(f"{newline}{indent}{one}" for one in after),
        )
        return Edit(line, line, front), Edit(end, end, back)

    # Products that wait for another one (MmaPairs): only between statements that are products and nothing else, where
    # a compiler that unrolls the loops sees which is the next.

    def groups(
        self, statements: Sequence[Statement]
    ) -> Iterator[tuple[Statement, Statement, list[str], list[str], bool]]:
        opening, closing = ["{ porter::MmaPairs porter_pairs;"], ["}"]
        group: list[Statement] = []
        for statement in (*statements, None):
            if statement is not None and self.dense(statement):
                group.append(statement)
                continue
            if group:
                yield group[0], group[-1], opening, closing, False
                group = []
            for child in children(statement) if statement is not None and self.uses(statement) & self.pairs else ():
                if isinstance(child, Block):
                    yield from self.groups(child.statements)
                elif self.dense(child):
                    yield child, child, opening, closing, False
                else:
                    yield from self.groups((child,))

    def dense(self, statement: Statement) -> bool:
        if isinstance(statement, (Simple, Opaque)):
            return bool(self.uses(statement) & self.pairs)
        if isinstance(statement, For):
            return self.counted(statement) and self.dense(statement.body)
        if isinstance(statement, (Block, If)):
            parts = list(children(statement))
            return bool(parts) and all(map(self.dense, parts))
        return False

    def counted(self, loop: For) -> bool:
        """Are the names in the loop's condition its own variable and constants?"""
        if loop.condition is None or not isinstance(loop.start, Declaration):
            return False
        own = {v.name for v in loop.start.variables}
        names = {part.name for part in walk(loop.condition) if isinstance(part, Name)} - own
        calls = any(isinstance(part, (Call, Member)) for part in walk(loop.condition))
        return not calls and not names & self.varying

    @cached_property
    def varying(self) -> set[str]:
        """Parameters and variables of the function; `constexpr int` is none."""
        tokens = self.file.tokens
        names = {tokens[k].text for k in range(*self.function.params) if tokens[k].kind == Kind.IDENT}
        for statement in every(read_body(self.file, self.function.body)):
            if isinstance(statement, Declaration):
                if not {tokens[k].text for k in range(statement.first, statement.last)} & {"constexpr"}:
                    names |= {v.name for v in statement.variables}
        return names


def _empty(value: object) -> bool:
    """No initialiser, or zeros: the same in both forms."""
    if isinstance(value, Init):
        return all(map(_empty, value.parts))
    return value is None or (isinstance(value, Number) and value.value in (0, "0.f", "0.0f", "0.0", "0."))
