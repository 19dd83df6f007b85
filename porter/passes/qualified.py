"""Where a qualified name begins, whatever it is written as: in full, through an alias, or after `using`."""

from __future__ import annotations

from collections.abc import Sequence

from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit

__all__ = ["scope_begin"]


def scope_begin(unit: Unit, index: int, scope: Sequence[str]) -> int | None:
    """The first token of the qualified name that ends at `index`, if what qualifies it means `scope`."""
    first = index
    written: list[str] = []
    while unit.text(first - 1) == "::" and first > 1 and unit.tokens[first - 2].kind == Kind.IDENT:
        first -= 2
        written.insert(0, unit.text(first))
    pairs = zip(written[len(written) - len(scope) :], scope, strict=False)
    if len(written) >= len(scope) and all(one in (meant, _alias_of(unit, meant, one)) for one, meant in pairs):
        return index - 2 * len(scope)
    if written and written[0] in unit.aliases:
        return first if [*unit.aliases[written[0]].split("::"), *written[1:]] == list(scope) else None
    opened = any([*namespace.split("::"), *written] == list(scope) for namespace in unit.opened)
    token = unit.tokens[index]
    if opened and unit.ast is not None and unit.ast.namespace_of(token.start, token.text) == "::".join(scope):
        return None if unit.is_user_symbol(index) else first
    return None


def _alias_of(unit: Unit, meant: str, written: str) -> str:
    return written if unit.aliases.get(written) == meant else meant
