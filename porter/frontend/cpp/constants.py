"""Whole numbers that a file names: #define, constexpr, enum, template defaults and variables set once."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from porter.frontend.cpp.expressions import (
    Binary,
    Call,
    Cast,
    Choice,
    Expr,
    Member,
    Name,
    Number,
    Unary,
    Unreadable,
    parse,
)
from porter.frontend.lexer import Kind, TokenFile, template_end

__all__ = ["ASSIGNMENTS", "Constants", "Definition"]

_TYPES = frozenset(
    "int unsigned long short char bool auto size_t uint int32_t uint32_t int64_t uint64_t uint8_t int8_t uint16_t int16_t".split()
)
_CONST = frozenset({"const", "constexpr", "static", "inline", "__device__", "__constant__", "__host__", "std", "::"})
ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"})
_BINARY: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne, "&&": lambda a, b: bool(a and b), "||": lambda a, b: bool(a or b),
}  # fmt: skip
_DEEPEST = 24
_AFTER_NAMES = frozenset({"=", "{", "(", ";", ",", ")", "["})
_NO_TYPES = frozenset(
    "return else case goto new delete throw using typename typedef sizeof struct class enum union namespace operator".split()
)


@dataclass(frozen=True, slots=True)
class Definition:
    name: str
    kind: str  # "define", "const", "enum", "template", "variable"
    index: int  # token of the name
    value: tuple[int, int]  # token range of what it stands for
    scope: tuple[int, int]  # token range in which it holds


class Constants:
    def __init__(self, file: TokenFile, defines: Sequence[str] = ()) -> None:
        self.file = file
        self.given = {d.partition("=")[0]: d.partition("=")[2] or "1" for d in defines}
        self._busy: set[int] = set()

    @cached_property
    def definitions(self) -> Mapping[str, tuple[Definition, ...]]:
        by_name: dict[str, list[Definition]] = {}
        for definition in (*_macros(self.file), *_variables(self.file), *_templates(self.file)):
            by_name.setdefault(definition.name, []).append(definition)
        # Scopes lie within one another: of those that hold at a place, the last to begin is the innermost.
        return {name: tuple(sorted(items, key=lambda d: (d.scope[0], -d.scope[1]))) for name, items in by_name.items()}

    def definition(self, name: str, index: int) -> Definition | None:
        """The innermost definition of `name` that holds at token `index`; None where several would."""
        known = self.definitions.get(name, ())
        at = bisect_right(known, index, key=lambda d: d.scope[0]) - 1
        while at >= 0 and known[at].scope[1] < index:
            at -= 1
        if at < 0:
            return None
        first = at
        while first > 0 and known[first - 1].scope == known[at].scope:
            first -= 1
        best = known[first : at + 1]
        if len(best) > 1:
            texts = {self.file.source(*d.value) for d in best}
            if len(texts) > 1:
                return None
        return best[0]

    def value(self, first: int, last: int, known: Mapping[str, int] | None = None) -> int | None:
        if last <= first:
            return None
        try:
            return self.evaluate(parse(self.file, first, last), known or {})
        except Unreadable:
            return None

    def named(self, name: str, index: int, known: Mapping[str, int] | None = None) -> int | None:
        if known and name in known:
            return known[name]
        definition = self.definition(name, index)
        if definition is None:
            text = self.given.get(name, "")
            return int(text) if text.isdigit() else None
        if definition.index in self._busy or len(self._busy) > _DEEPEST:
            return None
        self._busy.add(definition.index)
        try:
            return self.value(*definition.value, known)
        finally:
            self._busy.discard(definition.index)

    def evaluate(self, node: Expr, known: Mapping[str, int]) -> int | None:
        if isinstance(node, Number):
            return node.value if isinstance(node.value, int) else None
        if isinstance(node, Name):
            return self.named(node.name.rpartition("::")[2], node.index, known)
        if isinstance(node, Member) and isinstance(node.base, Name):
            return known.get(f"{node.base.name}.{node.name}")
        if isinstance(node, Cast) and "*" not in node.type:
            words = set(node.type.split())
            return self.evaluate(node.operand, known) if words <= _TYPES | _CONST else None
        if isinstance(node, Unary):
            operand = self.evaluate(node.operand, known)
            if operand is None:
                return None
            table: dict[str, Callable[[int], int]] = {
                "-": operator.neg,
                "+": int,
                "~": operator.inv,
                "!": operator.not_,
            }
            return int(table[node.op](operand)) if node.op in table else None
        if isinstance(node, Choice):
            condition = self.evaluate(node.condition, known)
            if condition is None:
                return None
            return self.evaluate(node.yes if condition else node.no, known)
        if isinstance(node, Binary):
            left, right = self.evaluate(node.left, known), self.evaluate(node.right, known)
            return None if left is None or right is None else _binary(node.op, left, right)
        if (
            isinstance(node, Call)
            and isinstance(node.function, Name)
            and node.function.name.rpartition("::")[2] in ("min", "max")
        ):
            values = [self.evaluate(a, known) for a in node.arguments]
            known_values = [v for v in values if v is not None]
            if len(known_values) == len(values) == 2:
                return (min if node.function.name.endswith("min") else max)(known_values)
        return None


def _binary(op: str, left: int, right: int) -> int | None:
    if op in ("/", "%"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)  # C++ rounds to zero
        return quotient if op == "/" else left - quotient * right
    if op in ("<<", ">>"):
        if not 0 <= right < 64:
            return None
        return left << right if op == "<<" else left >> right
    return int(_BINARY[op](left, right)) if op in _BINARY else None


def _macros(file: TokenFile) -> list[Definition]:
    definitions: list[Definition] = []
    whole = (0, len(file.tokens))
    for directive in file.directives:
        if directive.name != "define" or directive.last <= directive.first + 1:
            continue
        name, after = file.tokens[directive.first], file.tokens[directive.first + 1]
        if after.text == "(" and after.start == name.end:
            continue  # takes arguments
        definitions.append(
            Definition(name.text, "define", directive.first, (directive.first + 1, directive.last), whole)
        )
    return definitions


def _variables(file: TokenFile) -> list[Definition]:
    definitions: list[Definition] = []
    tokens = file.tokens
    blocks: list[int] = []  # the open braces around the token
    enums: set[int] = set()
    functions: set[int] = set()
    size = len(tokens)
    for index, token in enumerate(tokens):
        if token.directive >= 0:
            continue
        if token.text == "{":
            if any(tokens[k].text == "enum" for k in range(max(0, index - 6), index)) and not any(
                tokens[k].text in (";", "}") for k in range(max(0, index - 6), index) if k > index - 6
            ):
                enums.add(index)
            elif (blocks and blocks[-1] in functions) or not _opens_type(file, index):
                functions.add(index)
            blocks.append(index)
        elif token.text == "}":
            if blocks:
                blocks.pop()
        elif token.kind == Kind.IDENT and index + 1 < size and tokens[index + 1].text in _AFTER_NAMES:
            scope = (blocks[-1], file.partner(blocks[-1])) if blocks else (0, size)
            if scope[1] < 0:
                continue
            if blocks and blocks[-1] in enums:
                outer = (blocks[-2], file.partner(blocks[-2])) if len(blocks) > 1 else (0, size)
                if tokens[index + 1].text == "=":
                    definitions.append(
                        Definition(token.text, "enum", index, (index + 2, _item_end(file, index + 2)), outer)
                    )
                continue
            initialised = tokens[index + 1].text in ("=", "{", "(")
            local = bool(blocks) and blocks[-1] in functions
            definition = _declared(file, index, scope, local) if initialised else None
            definition = definition or _unknown(file, index, scope)
            if definition is not None:
                definitions.append(definition)
    return definitions


def _opens_type(file: TokenFile, brace: int) -> bool:
    """Is it the brace of a class or namespace?"""
    at = brace
    while at > 0 and file.tokens[at - 1].text not in (";", "{", "}", "(", ")") and file.tokens[at - 1].directive < 0:
        at -= 1
        if file.tokens[at].text in ("struct", "class", "union", "namespace", "extern"):
            return True
    return False


def _unknown(file: TokenFile, index: int, scope: tuple[int, int]) -> Definition | None:
    """A parameter or variable whose value is not known, which hides what has its name outside of it."""
    tokens = file.tokens
    if not _is_declared(file, index):
        return None
    opening = index - 1
    while opening > scope[0] and tokens[opening].text not in ("(", ";", "{", "}"):
        opening = file.partner(opening) if 0 <= file.partner(opening) < opening else opening
        opening -= 1
    if tokens[opening].text == "(" and tokens[opening - 1].text not in ("for", "if", "while", "switch"):
        body = file.partner(opening) + 1
        while body < len(tokens) and (tokens[body].kind == Kind.IDENT or tokens[body].text in ("->", "::", "*", "&")):
            body += 1
        if body >= len(tokens) or tokens[body].text != "{":
            return None
        scope = opening, file.partner(body)
    return Definition(tokens[index].text, "variable", index, (index, index), scope)


def _is_declared(file: TokenFile, index: int) -> bool:
    if index == 0:
        return False
    tokens = file.tokens
    before = tokens[index - 1]
    if before.text == ",":  # int a = 1, b = 2;
        at = index - 1
        while at > 0 and tokens[at - 1].text not in ("(", "[", ";", "{", "}"):
            at -= 1
            at = file.partner(at) if 0 <= file.partner(at) < at else at
        return tokens[at].text in _TYPES and tokens[at - 1].text in (";", "{", "}")
    if before.text == "&":
        return tokens[index - 2].text in _TYPES
    return before.kind == Kind.IDENT and before.directive < 0 and before.text not in _NO_TYPES


def _declared(file: TokenFile, index: int, scope: tuple[int, int], local: bool) -> Definition | None:
    tokens = file.tokens
    before = index - 1
    words: set[str] = set()
    while (
        before >= 0
        and tokens[before].directive < 0
        and (tokens[before].text in _TYPES or tokens[before].text in _CONST)
    ):
        words.add(tokens[before].text)
        before -= 1
    opens = before < 0 or tokens[before].directive >= 0 or tokens[before].text in (";", "{", "}", ">", ")", "(", ":")
    if not words & _TYPES or not opens:
        # `const int a = 1, b = 2`: the later names of one declaration are not read
        return None
    if before >= 0 and tokens[before].text == "(" and tokens[before - 1].text == "for":
        return None
    opening = tokens[index + 1].text
    if opening == "=":
        value = (index + 2, _item_end(file, index + 2))
    else:
        close = file.partner(index + 1)
        if close < 0 or close + 1 >= len(tokens) or tokens[close + 1].text not in (";", ","):
            return None
        value = (index + 2, close)
    constant = bool(words & {"const", "constexpr"})
    if not constant and (not local or _changes(file, index, scope)):
        return None
    return Definition(tokens[index].text, "const" if constant else "variable", index, value, scope)


def _changes(file: TokenFile, index: int, scope: tuple[int, int]) -> bool:
    """Is the variable that tokens[index] declares ever given another value (or its address taken)?"""
    tokens = file.tokens
    name = tokens[index].text
    for k in range(index + 2, scope[1]):
        if tokens[k].text != name:
            continue
        before, after = tokens[k - 1].text, tokens[k + 1].text
        if after in ASSIGNMENTS or before in ("++", "--", ">>"):
            return True
        if before == "&" and tokens[k - 2].text in ("(", ",", "=", "return", ")"):
            return True
    return False


def _item_end(file: TokenFile, first: int) -> int:
    at = first
    while at < len(file.tokens):
        text = file.tokens[at].text
        if text in ("(", "[", "{"):
            at = max(file.partner(at), at)
        elif text in (",", ";", "}", ")"):
            return at
        at += 1
    return at


def _templates(file: TokenFile) -> list[Definition]:
    """`template <int W = 32>`: holds up to the end of what is declared."""
    definitions: list[Definition] = []
    tokens = file.tokens
    for index, token in enumerate(tokens):
        if token.text != "template" or index + 1 >= len(tokens) or tokens[index + 1].text != "<":
            continue
        end = template_end(file, index + 1, len(tokens), parameters=True)
        if end < 0:
            continue
        scope = (index, _declaration_end(file, end))
        for k in range(index + 2, end - 1):
            if tokens[k].kind == Kind.IDENT and tokens[k + 1].text in ("=", ",", ">") and tokens[k - 1].text in _TYPES:
                last = k + 2
                while last < end - 1 and tokens[last].text != ",":
                    last += 1
                value = (k + 2, last) if tokens[k + 1].text == "=" else (k + 1, k + 1)
                definitions.append(Definition(tokens[k].text, "template", k, value, scope))
    return definitions


def _declaration_end(file: TokenFile, first: int) -> int:
    at = first
    while at < len(file.tokens):
        text = file.tokens[at].text
        if text == "(":
            at = max(file.partner(at), at)
        elif text == "{":
            return max(file.partner(at), at)
        elif text == ";":
            return at
        at += 1
    return at
