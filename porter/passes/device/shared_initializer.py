"""Variables in shared memory that clang refuses: of classes with default member initialisers, which nvcc ignores, and
objects of the dynamic part, which clang wants to be an array."""

from __future__ import annotations

from collections.abc import Iterator

from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety, hole
from porter.rules import RuleSet

__all__ = ["run"]

_RULE = "shared-initializer"
_OBJECT = "shared-object"
_NO_TYPE = frozenset({"{", "extern", "static", "__align__", "alignas", "__attribute__", "__shared__"})
_ALIGNMENT = frozenset({"__align__", "alignas", "__attribute__"})


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    for index, token in enumerate(unit.tokens):
        if token.kind == Kind.IDENT and token.text == "__shared__" and token.directive < 0:
            dynamic = "extern" in (unit.text(index - 1), unit.text(index + 1))
            if dynamic:
                findings += _object(unit, index)
            elif unit.ast is not None:
                findings += _declaration(unit, index)
    return findings


def _object(unit: Unit, index: int) -> list[Finding]:
    """extern __shared__ Tiles tiles;"""
    first = index - 1 if unit.text(index - 1) == "extern" else index
    kind = index + 1 + (unit.text(index + 1) == "extern")
    while unit.text(kind) in _ALIGNMENT:
        kind = unit.file.partner(kind + 1) + 1
    end = kind
    while end < len(unit.tokens) and unit.text(end) not in (";", "{", "}"):
        end += 1
    if unit.text(end) != ";" or unit.text(end - 1) in ("]", ")") or unit.scope(index).function is None:
        return []  # an array; or not in a function, where nothing could be said of the object
    name = unit.tokens[end - 1]
    if end - 1 <= kind or name.kind != Kind.IDENT or any(unit.text(i) in (",", "=") for i in _outer(unit, kind, end)):
        return []
    start, stop = unit.tokens[first].start, name.end
    type_ = hole(unit.tokens[kind].start, unit.tokens[end - 2].end)
    given = hole(unit.tokens[index + 1].start, unit.tokens[kind - 1].end) if kind > index + 1 else ""
    given = "" if unit.text(index + 1) == "extern" else given
    storage = f"{name.text}_storage"
    text = (
        f"{given or f'alignas({type_})'} extern __shared__ unsigned char {storage}[]; "
        f"auto &{name.text} = *reinterpret_cast<{type_} *>({storage})"
    )
    message = "clang has dynamic shared memory as an array without a size alone: the object is its beginning"
    return [Finding(_OBJECT, start, stop, Safety.EXACT, message, (Edit(start, stop, text),))]


def _outer(unit: Unit, first: int, last: int) -> Iterator[int]:
    """Tokens outside of brackets, and of what looks like template arguments."""
    depth = 0
    for index in range(first, last):
        text = unit.text(index)
        depth += (text in ("(", "[", "<")) - (text in (")", "]", ">")) - 2 * (text == ">>")
        if depth <= 0:
            yield index


def _declaration(unit: Unit, index: int) -> list[Finding]:
    end = index + 1
    brackets = angles = 0
    names: list[int] = []
    while end < len(unit.tokens) and (brackets or unit.text(end) != ";"):
        text = unit.text(end)
        brackets += (text in ("[", "{", "(")) - (text in ("]", "}", ")"))
        if brackets == 0 and not names:
            angles += (text == "<") - (text.count(">") if text in (">", ">>") else 0)
        if (
            unit.tokens[end].kind == Kind.IDENT
            and brackets == angles == 0
            and unit.text(end + 1) in ("[", ";", ",", "=")
        ):
            names.append(end)
        end += 1
    assert unit.ast is not None
    if not any(unit.ast.initializes_members(unit.tokens[name].start) for name in names):
        return []
    tokens = unit.tokens
    start, stop = tokens[index].start, tokens[end - 1].end
    name = names[0]
    before = range(index + 1, name)
    sizes = unit.file.text[tokens[name].end : stop]
    if len(names) > 1 or unit.text(index - 1) not in ("{", "}", ";", "static") or not _plain(unit, before, name, end):
        message = (
            "default member initialisers do nothing in shared memory, and clang refuses them: declare "
            "`__shared__ alignas(T) unsigned char storage[sizeof(T)]` and refer to it as a T"
        )
        return [Finding(_RULE, start, stop, Safety.LEFT, message)]
    kind = hole(tokens[before[0]].start, tokens[before[-1]].end)
    word = tokens[name].text
    storage = f"{word}_storage"
    taken = {token.text for token in tokens if token.kind == Kind.IDENT}
    while storage in taken:
        storage += "_"
    array = hole(tokens[name].end, stop) if sizes.strip() else ""
    reference = f"{kind} (&){array}" if array else f"{kind} &"
    text = (
        f"__shared__ alignas({kind}) unsigned char {storage}[sizeof({kind}{array})]; "
        f"auto &{word} = reinterpret_cast<{reference}>({storage})"
    )
    first = tokens[index - 1].start if unit.text(index - 1) == "static" else start
    message = (
        "default member initialisers, which nvcc ignores in shared memory and clang refuses: raw storage of the type"
    )
    return [Finding(_RULE, first, stop, Safety.EXACT, message, (Edit(first, stop, text),))]


def _plain(unit: Unit, before: range, name: int, end: int) -> bool:
    """A type that can be written again, a name, and sizes in brackets; within a function."""
    if not before or any(unit.text(at) in _NO_TYPE for at in before) or unit.ast is None:
        return False
    if unit.ast.cursor(unit.tokens[name].start).semantic_parent.kind.name in ("TRANSLATION_UNIT", "NAMESPACE"):
        return False
    return name + 1 == end or (unit.text(name + 1) == "[" and unit.text(end - 1) == "]" and unit.text(name + 2) != "]")
