"""Variables in shared memory of classes that initialise their members, which nvcc ignores and clang refuses."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety, hole
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

_RULE = "shared-initializer"
_NO_TYPE = frozenset({"{", "extern", "static", "__align__", "alignas", "__attribute__", "__shared__"})


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None:
        return []
    findings: list[Finding] = []
    for index in unit.file.places("__shared__"):
        if unit.tokens[index].directive < 0 and "extern" not in (unit.text(index - 1), unit.text(index + 1)):
            findings += _declaration(unit, index)
    return findings


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
    if not any(unit.ast.has_initializer(unit.tokens[name].start) for name in names):
        return []
    tokens = unit.tokens
    start, stop = tokens[index].start, tokens[end - 1].end
    name = names[0]
    before = range(index + 1, name)
    sizes = unit.file.text[tokens[name].end : stop]
    if len(names) > 1 or unit.text(index - 1) not in ("{", "}", ";", "static") or not _plain(unit, before, name, end):
        message = (
            "initialisers do nothing in shared memory, and clang refuses them: declare "
            "`alignas(T) __shared__ unsigned char storage[sizeof(T)]` and refer to it as a T"
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
        f"alignas({kind}) __shared__ unsigned char {storage}[sizeof({kind}{array})]; "
        f"auto &{word} = reinterpret_cast<{reference}>({storage})"
    )
    first = tokens[index - 1].start if unit.text(index - 1) == "static" else start
    message = "initialisers, which nvcc ignores in shared memory and clang refuses: raw storage of the type"
    return [Finding(_RULE, first, stop, Safety.EXACT, message, (Edit(first, stop, text),))]


def _plain(unit: Unit, before: range, name: int, end: int) -> bool:
    """A type that can be written again, a name, and sizes in brackets; within a function."""
    if not before or any(unit.text(at) in _NO_TYPE for at in before) or unit.ast is None:
        return False
    if unit.ast.cursor(unit.tokens[name].start).semantic_parent.kind.name in ("TRANSLATION_UNIT", "NAMESPACE"):
        return False
    return name + 1 == end or (unit.text(name + 1) == "[" and unit.text(end - 1) == "]" and unit.text(name + 2) != "]")
