"""Headers of libcu++ that a unit includes and takes nothing from."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from porter.frontend.cuda_stubs import stub_of
from porter.frontend.lexer import Kind, TokenFile, lex
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["is_unused"]


def is_unused(unit: Unit, header: str, rules: RuleSet) -> bool:
    """Whether no file of the unit has a name behind `cuda::` that is the header's alone, and none gives the namespace
    another name."""
    renamed = "cuda" in (*unit.aliases.values(), *unit.opened)
    stub = _stub(header)
    if renamed or stub is None:
        return False
    ported = (name for name in unit.includes if name in rules.headers and rules.headers[name].hip)
    names = _names(stub).difference(*(_names(other) for name in ported if (other := _stub(name)) is not None))
    files = (unit.file, *(one.tokens for one in (*unit.members, *unit.included)))
    return names.isdisjoint(name for file in files for name in _behind_cuda(file))


def _stub(header: str) -> Path | None:
    """The stub of a header that is libcu++'s own; None for others."""
    own = header.startswith("cuda/") and not header.startswith("cuda/std/")
    return stub_of(header) if own else None


def _behind_cuda(file: TokenFile) -> set[str]:
    names = set()
    for index in file.places("cuda"):
        while index + 2 < len(file.tokens) and file.tokens[index + 1].text == "::":
            index += 2
            names.add(file.tokens[index].text)
    return names - {"std"}


@cache
def _names(header: Path) -> frozenset[str]:
    """All words of the stub and of its parts."""
    words: set[str] = set()
    queue, seen = [header], {header}
    while queue:
        path = queue.pop()
        tokens = lex(path.read_text("utf-8")).tokens
        words |= {token.text for token in tokens if token.kind == Kind.IDENT}
        parts = {(path.parent / t.text[1:-1]).resolve() for t in tokens if t.kind == Kind.HEADER and t.text[0] == '"'}
        queue += [part for part in parts - seen if part.is_file()]
        seen |= parts
    return frozenset(words - {"std", "cuda"})
