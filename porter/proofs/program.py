"""A file's functions as candidates and launches need them: template parameters, constants, who calls whom."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from porter.frontend.cpp.constants import Constants
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.scopes import Function, Scopes

__all__ = ["SHUFFLES", "WARP", "Program", "Refused", "TemplateParameter"]

WARP = 32  # CUDA's lanes
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
class TemplateParameter:
    name: str
    is_type: bool
    default: tuple[int, int] | None


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
        """Those that are called by their names: no operators."""
        by_name: dict[str, list[Function]] = {}
        for function in self.scopes.functions:
            at = function.name_index
            named = self.file.tokens[at].kind == Kind.IDENT and self.text(at - 1) != "operator"
            if named and function.device and function.body[0] >= 0:
                by_name.setdefault(function.name, []).append(function)
        return {k: tuple(v) for k, v in by_name.items()}

    def template(self, function: Function) -> tuple[TemplateParameter, ...]:
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
        parameters: list[TemplateParameter] = []
        for first, last in parts:
            texts = [file.tokens[k].text for k in range(first, last)]
            equals = texts.index("=") if "=" in texts else len(texts)
            if not texts[:equals]:
                continue
            default = (first + equals + 1, last) if equals < len(texts) else None
            is_type = texts[0] in ("typename", "class", "template")
            parameters.append(TemplateParameter(texts[equals - 1], is_type, default))
        return tuple(parameters)

    @cached_property
    def _calls(self) -> Mapping[int, frozenset[str]]:
        called: dict[int, frozenset[str]] = {}
        for functions in self.functions.values():
            for function in functions:
                names = {
                    self.file.tokens[k].text
                    for k in range(*function.body)
                    if self.file.tokens[k].text in self.functions and self.file.tokens[k + 1].text in ("(", "<")
                }
                called[function.name_index] = frozenset(names)
        return called

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
