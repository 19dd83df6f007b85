"""A file's functions as the symbolic machine needs them: parameters, template parameters, bodies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from porter.frontend.cpp.constants import Constants
from porter.frontend.cpp.expressions import Expr, Unreadable, parse
from porter.frontend.cpp.statements import Block, read_body
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.scopes import Function, Scopes

__all__ = ["SHUFFLES", "Parameter", "Program", "Refused", "Routine", "TemplateParameter", "canonical_type"]

SHUFFLES = {
    "__shfl_sync": (1, "idx"), "__shfl_up_sync": (1, "up"), "__shfl_down_sync": (1, "down"), "__shfl_xor_sync": (1, "xor"),
    "__shfl": (0, "idx"), "__shfl_up": (0, "up"), "__shfl_down": (0, "down"), "__shfl_xor": (0, "xor"),
}  # fmt: skip
_VOTES = re.compile(
    r"__(?:ballot|any|all|uni|activemask|match_any|match_all|reduce_(?:add|min|max|and|or|xor))(?:_sync)?|__activemask"
)


class Refused(Exception):
    """Nothing can be shown; `index` is the token of the first place in the way."""

    def __init__(self, index: int, why: str) -> None:
        super().__init__(why)
        self.index = index
        self.why = why
        self.after = False  # the token is one of the widened text


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: str
    pointer: bool
    reference: bool
    default: Expr | None
    index: int


@dataclass(frozen=True, slots=True)
class TemplateParameter:
    name: str
    is_type: bool
    default: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Routine:
    function: Function
    parameters: tuple[Parameter, ...]
    template: tuple[TemplateParameter, ...]
    body: Block
    returns: str

    @property
    def name(self) -> str:
        return self.function.name


_CANONICAL = {
    "unsigned int": "unsigned", "uint": "unsigned", "uint32_t": "unsigned", "std::uint32_t": "unsigned", "u32": "unsigned",
    "int32_t": "int", "std::int32_t": "int", "signed": "int", "signed int": "int", "long long int": "long long",
    "int64_t": "long long", "std::int64_t": "long long", "long": "long long", "long int": "long long",
    "unsigned long long": "size_t", "unsigned long": "size_t", "uint64_t": "size_t", "std::uint64_t": "size_t",
    "std::size_t": "size_t", "unsigned long long int": "size_t", "unsigned long int": "size_t",
}  # fmt: skip


def canonical_type(text: str) -> str:
    """The type without qualifiers and references, in the spelling that the proofs use."""
    words = [
        w
        for w in text.replace("::", " :: ").split()
        if w not in ("const", "volatile", "&", "&&", "__restrict__", "typename")
    ]
    plain = " ".join(words).replace(" :: ", "::")
    return _CANONICAL.get(plain, plain)


class Program:
    def __init__(self, file: TokenFile, scopes: Scopes, defines: Sequence[str], foreign: frozenset[str]) -> None:
        self.file = file
        self.scopes = scopes
        self.constants = Constants(file, defines)
        self.foreign = foreign  # names that the project declares in other files

    def text(self, index: int) -> str:
        """Token text, or "" outside of the file."""
        return self.file.tokens[index].text if 0 <= index < len(self.file.tokens) else ""

    @cached_property
    def functions(self) -> Mapping[str, tuple[Function, ...]]:
        found: dict[str, list[Function]] = {}
        for function in self.scopes.functions:
            if function.device and function.body[0] >= 0:
                found.setdefault(function.name, []).append(function)
        return {k: tuple(v) for k, v in found.items()}

    @cached_property
    def types(self) -> frozenset[str]:
        """Type names of this file and of template parameters, for telling casts from products."""
        tokens = self.file.tokens
        names: set[str] = set()
        for index, token in enumerate(tokens):
            if (
                token.kind == Kind.IDENT
                and index
                and tokens[index - 1].text in ("typename", "class", "struct", "using", "union")
            ):
                names.add(token.text)
        return frozenset(names)

    @cached_property
    def macros(self) -> Mapping[str, tuple[int, int] | None]:
        """Macros by name: the tokens they stand for, None for one that takes arguments."""
        found: dict[str, tuple[int, int] | None] = {}
        for directive in self.file.directives:
            if directive.name != "define" or directive.last <= directive.first:
                continue
            name = self.file.tokens[directive.first]
            after = self.file.tokens[directive.first + 1] if directive.last > directive.first + 1 else None
            takes = after is not None and after.text == "(" and after.start == name.end
            found[name.text] = None if takes else (directive.first + 1, directive.last)
        return found

    def routine(self, function: Function) -> Routine:
        known = self._routines.get(function.name_index)
        if known is None:
            known = self._routines[function.name_index] = self._read(function)
        return known

    @cached_property
    def _routines(self) -> dict[int, Routine]:
        return {}

    def _read(self, function: Function) -> Routine:
        file = self.file
        for directive in file.directives:
            inside = function.body[0] < directive.first <= function.body[1]
            if inside and directive.name in ("if", "ifdef", "ifndef", "else", "elif", "define", "undef", "include"):
                raise Refused(function.name_index, f"the body of {function.name} depends on #{directive.name}")
        body = read_body(file, function.body, self.types)
        returns = canonical_type(_returns(file, function))
        return Routine(function, self._parameters(function), self._template(function), body, returns)

    def _parameters(self, function: Function) -> tuple[Parameter, ...]:
        file, found = self.file, []
        for first, last in file.arguments(function.params[0]):
            texts = [file.tokens[k].text for k in range(first, last)]
            if not texts or texts == ["void"]:
                continue
            default: Expr | None = None
            end = last
            if "=" in texts:
                end = first + texts.index("=")
                try:
                    default = parse(file, end + 1, last, self.types)
                except Unreadable as problem:
                    raise Refused(problem.index, f"a default argument: {problem.what}") from None
            pointer = "*" in texts[: end - first] or "[" in texts
            at = end - 1
            while at > first and file.tokens[at].text in ("]", ")"):
                partner = file.partner(at)
                at = partner - 1 if partner > 0 else at - 1
            name = file.tokens[at].text if file.tokens[at].kind == Kind.IDENT and at > first else ""
            words = [t for t in texts[: at - first if name else None] if t not in ("*", "__restrict__", "__restrict")]
            found.append(
                Parameter(name, canonical_type(" ".join(words)), pointer, "&" in texts[: end - first], default, at)
            )
        return tuple(found)

    def _template(self, function: Function) -> tuple[TemplateParameter, ...]:
        file = self.file
        at = function.first
        if file.tokens[at].text != "template" or file.tokens[at + 1].text != "<":
            return ()
        depth, parts, begin = 0, [], at + 2
        for k in range(at + 1, function.params[0]):
            text = file.tokens[k].text
            if text in ("(", "[") and file.partner(k) > 0:
                continue
            if text == "<":
                depth += 1
            elif text in (">", ">>"):
                depth -= len(text)
                if depth <= 0:
                    parts.append((begin, k))
                    break
            elif text == "," and depth == 1:
                parts.append((begin, k))
                begin = k + 1
        found: list[TemplateParameter] = []
        for first, last in parts:
            texts = [file.tokens[k].text for k in range(first, last)]
            equals = texts.index("=") if "=" in texts else len(texts)
            if not texts[:equals]:
                continue
            default = (first + equals + 1, last) if equals < len(texts) else None
            is_type = texts[0] in ("typename", "class", "template")
            found.append(TemplateParameter(texts[equals - 1], is_type, default))
        return tuple(found)

    @cached_property
    def _calls(self) -> Mapping[int, frozenset[str]]:
        found: dict[int, frozenset[str]] = {}
        for functions in self.functions.values():
            for function in functions:
                names = {
                    self.file.tokens[k].text
                    for k in range(*function.body)
                    if self.file.tokens[k].text in self.functions and self.file.tokens[k + 1].text in ("(", "<")
                }
                found[function.name_index] = frozenset(names)
        return found

    def callees(self, function: Function) -> list[Function]:
        """The function and the file's device functions that it calls, directly or not."""
        seen: dict[int, Function] = {function.name_index: function}
        queue = [function]
        while queue:
            current = queue.pop()
            for name in self._calls.get(current.name_index, ()):
                for other in self.functions[name]:
                    if other.name_index not in seen:
                        seen[other.name_index] = other
                        queue.append(other)
        return list(seen.values())

    def has_shuffles(self, first: int, last: int) -> bool:
        """Do these tokens exchange values between lanes, themselves or in a function that they call?"""
        tokens = self.file.tokens
        for k in range(first, last):
            text = tokens[k].text
            if text in SHUFFLES or _VOTES.fullmatch(text):
                return True
            if (
                text in self.functions
                and tokens[k + 1].text in ("(", "<")
                and any(self._shuffles(f) for g in self.functions[text] for f in self.callees(g))
            ):
                return True
        return False

    def _shuffles(self, function: Function) -> bool:
        return any(
            self.file.tokens[k].text in SHUFFLES or _VOTES.fullmatch(self.file.tokens[k].text)
            for k in range(*function.body)
        )


def _returns(file: TokenFile, function: Function) -> str:
    words: list[str] = []
    at = function.name_index - 1
    while at >= function.first:
        text = file.tokens[at].text
        if text in (">", ";", "}", "]", ")") or text.startswith("__"):
            if not words and text == ">":
                return "?"
            break
        if text not in ("inline", "static", "constexpr", "extern", "__inline__"):
            words.insert(0, text)
        at -= 1
    return " ".join(words)
