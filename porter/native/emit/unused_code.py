"""What of a file nobody needs any more, when some of its text goes away.

A declaration at namespace level goes if its name is used nowhere else in what stays; a namespace goes with all that was
in it. Host functions stay: they may be called from outside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from porter.frontend.lexer import Kind, TokenFile, template_end
from porter.frontend.scopes import Function, Scopes
from porter.native.unit_files import Text

__all__ = ["unneeded", "unused"]

_TYPES = ("struct", "class", "union", "enum")


@dataclass(frozen=True, slots=True)
class _Item:
    first: int
    last: int  # tokens, both inclusive
    names: frozenset[str]
    removable: bool
    inner: tuple[_Item, ...] = ()  # of a namespace
    follows: bool = False  # goes when anything that it names does: a static_assert
    macro: bool = False  # goes if it was used


def unused(
    file: TokenFile,
    scopes: Scopes,
    gone: Sequence[tuple[int, int]],
    used: frozenset[str],
    lost: Set[str] | None = None,
    written: Sequence[tuple[int, int]] = (),
) -> list[tuple[int, int]]:
    """Token ranges, both inclusive, to remove besides `gone`; `used` are names that others need.

    lost: names that were used in text that is gone, without which nothing of this file goes.
    written: the members of `gone` that have new text in their place.
    """
    functions = {f.first: f for f in scopes.functions if f.body[0] >= 0}
    items = list(_items(file, functions, 0, len(file.tokens)))
    before = _mentions(file, [])
    items += _macros(file)
    removed: list[tuple[int, int]] = list(gone)
    dead: set[str] = set()
    orphans = None if lost is None else {*lost, *_within(file, gone)}
    changed = True
    overloads: dict[str, list[_Item]] = {}
    for item in _flat(items):
        for name in item.names:
            overloads.setdefault(name, []).append(item)
    while changed:
        changed = False
        asserts = [(i.first, i.last) for i in _flat(items) if i.follows]  # they keep nothing alive
        counts = _mentions(file, [*removed, *asserts])
        for item in _flat(items):
            if _inside(item.first, removed):
                continue
            if item.inner or (not item.names and not item.follows):
                empty = item.inner and all(
                    _inside(i.first, removed) and not _inside(i.first, written) for i in item.inner
                )
            elif item.follows:
                empty = any(file.tokens[k].text in dead for k in range(item.first, item.last + 1))
            else:
                empty = (
                    item.removable
                    and (orphans is None or not orphans.isdisjoint(item.names))
                    and all(
                        name not in used
                        and (not item.macro or before[name] > counts.get(name, 0))
                        and counts.get(name, 0) <= _own(file, name, overloads[name], removed)
                        for name in item.names
                    )
                )
            if empty:
                removed.append((item.first, item.last))
                dead |= item.names
                if orphans is not None:
                    orphans |= _within(file, [(item.first, item.last)])
                changed = True
    return removed[len(gone) :]


def _within(file: TokenFile, spans: Sequence[tuple[int, int]]) -> set[str]:
    return {file.tokens[k].text for first, last in spans for k in range(first, last + 1)}


_SIMPLE = frozenset(
    "const constexpr static dim3 int auto size_t unsigned long uint32_t uint64_t int64_t std void "
    "cudaLaunchConfig_t cudaLaunchAttribute".split()
)


def unneeded(text: Text, gone: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Declarations of local variables that only what is gone used."""
    removed = list(gone)
    names = {(text.outermost(first), name) for first, last in gone for name in _within(text.file, [(first, last)])}
    while names:
        function, name = names.pop()
        places = list(text.mentions(name, *function.body)) if function is not None else []
        if not places or _inside(places[0], removed) or not all(_inside(k, removed) for k in places[1:]):
            continue
        first, last = text.statement(places[0])
        if first >= places[0] or text.text(first) not in _SIMPLE or text.text(text.block(first)[0]) != "{":
            continue
        if text.text(places[0] + 1) in ("(", "=", "{", ";") and not _acts(text, places[0] + 1, last):
            removed.append((first, last))
            names |= {(function, other) for other in _within(text.file, [(first, last)])}
    return removed[len(gone) :]


def _acts(text: Text, first: int, last: int) -> bool:
    """May the initialiser do more than say a value, or are there more variables?"""
    depth = 0
    for index in range(first, last):
        word = text.text(index)
        depth += (word in ("(", "{", "[")) - (word in (")", "}", "]"))
        if (word == "," and depth == 0) or word in ("++", "--") or (word == "=" and index > first):
            return True
        if word == "&" and text.text(index - 1) in ("(", ",", "="):
            return True
    return False


def _flat(items: Sequence[_Item]) -> Iterator[_Item]:
    for item in items:
        yield item
        yield from _flat(item.inner)


def _inside(index: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(first <= index <= last for first, last in spans)


def _mentions(file: TokenFile, removed: Sequence[tuple[int, int]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    skip = sorted(removed)
    index = 0
    while index < len(file.tokens):
        span = next((s for s in skip if s[0] <= index <= s[1]), None)
        if span is not None:
            index = span[1] + 1
            continue
        token = file.tokens[index]
        if token.kind == Kind.IDENT:
            counts[token.text] = counts.get(token.text, 0) + 1
        index += 1
    return counts


def _own(file: TokenFile, name: str, items: Sequence[_Item], removed: Sequence[tuple[int, int]]) -> int:
    """How often functions or types of a name mention it themselves."""
    if not all(item.removable for item in items):
        return 0
    there = [item for item in items if not _inside(item.first, removed)]
    return sum(file.tokens[k].text == name for item in there for k in range(item.first, item.last + 1))


def _macros(file: TokenFile) -> Iterator[_Item]:
    for directive in file.directives:
        if directive.name == "define" and directive.last > directive.first:
            name = file.tokens[directive.first].text
            yield _Item(directive.first, directive.last - 1, frozenset((name,)), True, macro=True)


def _items(file: TokenFile, functions: dict[int, Function], first: int, last: int) -> Iterator[_Item]:
    tokens = file.tokens
    at = first
    while at < last:
        if tokens[at].directive >= 0:
            at += 1
            continue
        function = functions.get(at)
        if function is not None:
            removable = function.device and not function.kernel and "__host__" not in function.marks
            yield _Item(at, function.body[1], frozenset((function.name,)), removable)
            at = function.body[1] + 1
            continue
        if tokens[at].text == "namespace" and tokens[at + 2].text == "=":  # an alias
            end = _statement(file, at, last)
            yield _Item(at, end, frozenset((tokens[at + 1].text,)), True)
            at = end + 1
            continue
        if tokens[at].text == "namespace" or (tokens[at].text == "inline" and tokens[at + 1].text == "namespace"):
            opening = next((k for k in range(at, last) if tokens[k].text in ("{", ";", "=")), -1)
            if opening >= 0 and tokens[opening].text == "{" and file.partner(opening) > 0:
                close = file.partner(opening)
                yield _Item(at, close, frozenset(), False, tuple(_items(file, functions, opening + 1, close)))
                at = close + 1
                continue
        end = _statement(file, at, last)
        yield _declaration(file, at, end)
        at = end + 1


def _statement(file: TokenFile, at: int, last: int) -> int:
    """The index of the `;` or `}` that ends what begins at tokens[at]."""
    index = at
    while index < last:
        text = file.tokens[index].text
        if text == ";":
            return index
        if text in ("{", "(", "[") and file.partner(index) > 0:
            close = file.partner(index)
            if (
                text == "{"
                and (close + 1 >= last or file.tokens[close + 1].text not in (";", ",", ")", "}", "(", "[", "="))
                and not _is_type(file, at)
            ):
                return close
            index = close
        index += 1
    return last - 1


def _is_type(file: TokenFile, at: int) -> bool:
    return any(file.tokens[k].text in _TYPES for k in range(at, min(at + 12, len(file.tokens))))


def _declaration(file: TokenFile, begin: int, last: int) -> _Item:
    first = _past_template(file, begin, last)
    texts = [file.tokens[k].text for k in range(first, last + 1)]
    if texts[0] == "static_assert":
        return _Item(begin, last, frozenset(), False, follows=True)
    name = ""
    for number, text in enumerate(texts):
        if text in _TYPES and "=" not in texts[:number] and "(" not in texts[:number]:
            after = number + 1
            while after < len(texts) and (
                texts[after] in ("class", "alignas", "__align__", "__attribute__", "(") or texts[after - 1] == "("
            ):
                if texts[after] == "(":
                    close = file.partner(first + after)
                    after = close - first + 1 if close > 0 else after + 1
                else:
                    after += 1
            name = texts[after] if after < len(texts) and texts[after].isidentifier() else ""
            break
        if text == "using" and len(texts) > 2 and texts[2] == "=":
            name = texts[1]
            break
        if text == "=" and "constexpr" in texts[:number]:
            at = number - 1
            while at > 0 and texts[at] == "]":
                opening = file.partner(first + at)
                at = opening - first - 1 if opening > 0 else at - 1
            name = texts[at]
            break
    return _Item(begin, last, frozenset((name,)) if name else frozenset(), bool(name))


def _past_template(file: TokenFile, first: int, last: int) -> int:
    """Parameters have defaults, which say nothing about what is declared."""
    if file.tokens[first].text != "template" or file.tokens[first + 1].text != "<":
        return first
    end = template_end(file, first + 1, last, parameters=True)
    return end if end > 0 else first
