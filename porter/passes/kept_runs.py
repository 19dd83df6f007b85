"""Runs of statements in which nothing but products touches some arrays, and the conversions around each run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from porter.comments import newline_of
from porter.frontend.lexer import TokenFile
from porter.frontend.scopes import Function, Scopes
from porter.model import Edit, Finding, Safety
from porter.passes.expressions import Init, Number
from porter.passes.statements import Block, Declaration, Do, For, Jump, Opaque, Simple, Statement, While, children

__all__ = ["Runs", "every"]

RULE = "wgmma-accumulators"
HEADER = "porter/wgmma.h"

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
    ) -> None:
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
                self.surround(child, child, braces=True)
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
            self.surround(run[0], run[-1])
            outlived = {self.file.tokens[k].text for s in run for k in self.uses(s)} - own
            self.worth_it = self.worth_it and not (in_loop and outlived & self.outside(run[0], run[-1]))
            run.clear()

    def outside(self, first: Statement, last: Statement) -> set[str]:
        """The arrays in the run that are declared before it."""
        tokens = self.file.tokens
        uses = [k for k in self.named if first.first <= k < last.last]
        inside = {k for k in uses if k not in self.allowed}  # their declarations
        return {tokens[k].text for k in uses} - {tokens[k].text for k in inside}

    def surround(self, first: Statement, last: Statement, braces: bool = False) -> None:
        tokens, text = self.file.tokens, self.file.text
        self.covered.update(k for k in self.named if first.first <= k < last.last)
        arrays = sorted(self.outside(first, last))
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
        before = [f"porter::keep({array});" for array in arrays]
        after = [f"porter::present({array});" for array in arrays]
        line = text.rfind("\n", 0, begin) + 1
        if braces or text[line:begin].strip():
            opening, closing = ("{ ", " }") if braces else ("", "")
            edits = (
                Edit(begin, begin, opening + " ".join(before) + " "),
                Edit(end, end, " " + " ".join(after) + closing),
            )
        else:
            stop = text.find("\n", end)
            stop = len(text) if stop < 0 else stop - (text[stop - 1] == "\r")
            rest = text[end:stop].strip()
            end = stop if not rest or rest.startswith("//") else end
            edits = (
                Edit(line, line, "".join(f"{indent}{one}{newline}" for one in before)),
                Edit(end, end, "".join(f"{newline}{indent}{one}" for one in after)),
            )
        message = f"{', '.join(arrays)}: touched by wgmma alone here, kept as the matrix cores have it"
        start = tokens[first.first].start
        self.findings.append(Finding(RULE, start, tokens[last.last - 1].end, Safety.EXACT, message, edits, (HEADER,)))


def _empty(value: object) -> bool:
    """No initialiser, or zeros: the same in both forms."""
    if isinstance(value, Init):
        return all(map(_empty, value.parts))
    return value is None or (isinstance(value, Number) and value.value in (0, "0.f", "0.0f", "0.0", "0."))
