"""One file of a run: its text, tokens and scopes, what it includes and declares, each worked out once."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from porter.findings import decode
from porter.frontend.asm.statements import has_asm
from porter.frontend.asm.uses import asm_context, asm_texts
from porter.frontend.lexer import Kind, TokenFile, lex
from porter.frontend.ptx import Ptx, parse_ptx
from porter.frontend.scopes import Scopes, find_scopes

__all__ = ["SourceFile", "beside", "beside_each", "declared_names", "declared_variables"]

_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include(?:_next)?[ \t]*([<\"])([^>\"\r\n]+)[>\"]", re.MULTILINE)

_WORD = re.compile(rb"[A-Za-z_]\w*")
_ASM_OR_PASTE = re.compile(rb"asm|##")
_ALIAS = re.compile(rb"\bnamespace\s+(\w+)\s*=\s*(?:::)?((?:\w+::)*\w+)\s*;")
_CONCEPT, _STANDARD = re.compile(rb"\bconcept\s+\w+\s*="), re.compile(rb"__cplusplus|__cpp_")
_OPENED = re.compile(rb"\busing\s+namespace\s+(?:::)?((?:\w+::)*\w+)\s*;")


@dataclass
class SourceFile:
    path: Path
    data: bytes
    _has: dict[re.Pattern[bytes], bool] = field(default_factory=dict, repr=False)
    _asm: dict[Hashable, tuple[tuple[int, str, Ptx], ...]] = field(default_factory=dict, repr=False)

    def has(self, pattern: re.Pattern[bytes]) -> bool:
        """Whether the pattern matches anywhere in the file: searched for once for all units that ask."""
        if pattern not in self._has:
            self._has[pattern] = pattern.search(self.data) is not None
        return self._has[pattern]

    @cached_property
    def digest(self) -> bytes:
        return hashlib.sha256(self.data).digest()

    @cached_property
    def includes(self) -> tuple[str, ...]:
        return tuple(decode(m[2]) for m in _INCLUDE.finditer(self.data))

    @cached_property
    def words(self) -> frozenset[str]:
        """Everything in it that looks like a name."""
        return frozenset(decode(m) for m in set(_WORD.findall(self.data)))

    @cached_property
    def macros(self) -> frozenset[str]:
        """The macros that it defines."""
        return frozenset(decode(m[1]) for m in _DEFINE.finditer(self.data))

    @cached_property
    def macros_before_includes(self) -> frozenset[str]:
        """The macros that are defined before some #include."""
        last = max((m.start() for m in _INCLUDE.finditer(self.data)), default=0)
        return frozenset(decode(m[1]) for m in _DEFINE.finditer(self.data, 0, last))

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        """The includes in quotes."""
        return tuple(decode(m[2]) for m in _INCLUDE.finditer(self.data) if m[1] == b'"')

    @cached_property
    def braced(self) -> frozenset[str]:
        """The includes within braces: in a class, a namespace, a function, `extern "C"`."""
        places = [m.start() for m in _INCLUDE.finditer(self.data)]
        if all(self.data.count(b"{", 0, at) == self.data.count(b"}", 0, at) for at in places):
            return frozenset()
        file = self.tokens
        opened = [k for k, t in enumerate(file.tokens) if t.text == "{" and t.directive < 0 and file.partner(k) >= 0]
        spans = [(file.tokens[k].start, file.tokens[file.partner(k)].start) for k in opened]
        included = (d for d in file.directives if d.name == "include" and d.first < d.last)
        inside = (d for d in included if any(start < d.start < end for start, end in spans))
        return frozenset(file.tokens[d.first].text[1:-1] for d in inside)

    @cached_property
    def has_concepts(self) -> bool:
        """Whether it defines a concept, whatever the standard: C++17 has none."""
        if not self.has(_CONCEPT) or self.has(_STANDARD):
            return False
        tokens = self.tokens.tokens
        return any(tokens[at + 2].text == "=" for at in self.tokens.places("concept") if at + 2 < len(tokens))

    @cached_property
    def text(self) -> str:
        return decode(self.data)

    @cached_property
    def tokens(self) -> TokenFile:
        return lex(self.text)

    def asm(self, around: Sequence[TokenFile]) -> tuple[tuple[int, str, Ptx], ...]:
        """The asm statements: where each begins, its text, and the same as PTX; `around` are the other files of the translation unit.

        Read once for all units whose other files mean the same to this one.
        """
        if not has_asm(self.tokens, around):
            return ()
        key = asm_context(self.tokens, around)
        if key not in self._asm:
            self._asm[key] = tuple((at, text, parse_ptx(text)) for at, text in asm_texts(self.tokens, around))
        return self._asm[key]

    @cached_property
    def namespaces(self) -> tuple[Mapping[str, str], frozenset[str]]:
        """The namespaces that it gives another name, and the namespaces that it opens by `using namespace`."""
        renamed = {decode(m[1]): decode(m[2]) for m in _ALIAS.finditer(self.data)}
        return renamed, frozenset(decode(m[1]) for m in _OPENED.finditer(self.data))

    @cached_property
    def scopes(self) -> Scopes:
        return find_scopes(self.tokens)

    @cached_property
    def declared(self) -> frozenset[str]:
        return declared_names(self.tokens, self.scopes)

    @cached_property
    def variables(self) -> frozenset[str]:
        return declared_variables(self.tokens)

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """Macros and types that are another name, and no more."""
        tokens, meanings = self.tokens.tokens, {}
        for index, token in enumerate(tokens):
            if token.text == "typedef" and [t.kind == Kind.IDENT for t in tokens[index + 1 : index + 4]] == [
                True,
                True,
                False,
            ]:
                if tokens[index + 3].text == ";":
                    meanings[tokens[index + 2].text] = tokens[index + 1].text
            elif token.text == "using" and [t.text for t in tokens[index + 2 : index + 5 : 2]] == ["=", ";"]:
                meanings[tokens[index + 1].text] = tokens[index + 3].text
        for directive in self.tokens.directives:
            if directive.name == "define" and directive.last - directive.first == 2:
                name, body = tokens[directive.first : directive.last]
                if body.kind == Kind.IDENT:
                    meanings[name.text] = body.text
        return meanings


def beside(members: Sequence[SourceFile], one: SourceFile) -> tuple[TokenFile, ...]:
    """The other files of a translation unit, whose macros a file's asm statements may use, or that use a macro of its own
    that pastes names; none in units without either."""
    if not any(member.has(_ASM_OR_PASTE) for member in members):
        return ()
    return tuple(member.tokens for member in members if member.path != one.path)


def beside_each(members: Sequence[SourceFile]) -> Iterator[tuple[TokenFile, ...]]:
    """beside() of each of the files of a translation unit."""
    if not any(member.has(_ASM_OR_PASTE) for member in members):
        return itertools.repeat((), len(members))
    files = tuple(member.tokens for member in members)
    return (files[:number] + files[number + 1 :] for number in range(len(files)))


_BEHIND_A_NAME = frozenset({";", ",", "=", ")", "[", "{"})
_BEFORE_A_TYPE = frozenset({"(", ",", ";", "{", "}"})
_NOT_TYPES = frozenset({"return", "else", "do", "case", "goto", "throw", "new", "delete", "co_return", "co_yield"})


def declared_names(file: TokenFile, scopes: Scopes) -> frozenset[str]:
    """Functions, types, aliases, enumerators and macros that a file introduces itself, read off its tokens."""
    names = {f.name for f in scopes.functions if f.name}
    tokens = file.tokens
    for index, token in enumerate(tokens):
        if token.kind != Kind.IDENT:
            continue
        before = tokens[index - 1].text if index else ""
        after = tokens[index + 1].text if index + 1 < len(tokens) else ""
        declares_type = before in ("struct", "class", "union", "enum") and after in ("{", ":", "final")
        if declares_type or (before == "using" and after == "="):
            names.add(token.text)
        elif after == ";" and before not in (".", "->", "return", "=") and _ends_typedef(file, index):
            names.add(token.text)
    for directive in file.directives:
        if directive.name == "define" and directive.first < directive.last:
            names.add(tokens[directive.first].text)
    return frozenset(names)


def declared_variables(file: TokenFile) -> frozenset[str]:
    """Names that follow a type, as in `cudaError_t cudaStatus = ...` or `static void *cudnn_workspace;`."""
    tokens = file.tokens
    texts = ["", *(token.text for token in tokens), ""]  # of tokens[k] at k + 1

    def may_be_type(at: int) -> bool:
        return at >= 0 and tokens[at].kind == Kind.IDENT and tokens[at].text not in _NOT_TYPES

    names: set[str] = set()
    for index, token in enumerate(tokens):
        if token.kind != Kind.IDENT or texts[index + 2] not in _BEHIND_A_NAME:
            continue
        at = index - 1
        while at >= 0 and tokens[at].text in ("*", "&", "const"):
            at -= 1
        if may_be_type(at) and (at == index - 1 or texts[at] in _BEFORE_A_TYPE or may_be_type(at - 1)):
            names.add(token.text)
    return frozenset(names)


def _ends_typedef(file: TokenFile, index: int) -> bool:
    at = index - 1
    while at >= 0 and index - at < 400:
        text = file.tokens[at].text
        if text == "typedef":
            return True
        if text == "}":
            at = file.partner(at)
            if at < 0:
                return False
        elif text in (";", "{"):
            return False
        at -= 1
    return False
