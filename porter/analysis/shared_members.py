"""Members of structures in shared memory that other blocks of a cluster reach by pointers.

A member is moved to global memory by itself: tiles and mbarriers beside it stay in LDS. It gets another name where it is
declared, and each use becomes the place in the shadow, so that a use which is not seen here does not compile.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from porter.findings import Edit
from porter.frontend.lexer import Kind, template_begin
from porter.frontend.unit import Unit

__all__ = [
    "bodies",
    "declaration",
    "flat_use",
    "member_path",
    "of_elements",
    "of_record",
    "peer_members",
    "renamed",
    "statement_start",
    "uses",
]

_STRUCTURES = frozenset({"struct", "class", "union"})
_KEYWORDS = frozenset({"return", "if", "while", "for", "switch", "sizeof", "case", "else", "do", "throw"})

_ELEMENT = re.compile(
    r"(const |volatile )*((un)?signed |long )*(char|short|int|long|float|double|half|__half|bool|void|std::byte|cuda::std::byte"
    r"|(std::)?u?int\d+_t|u?(char|short|int|long|longlong)[1-4]|(float|double)[1-4]|__?half2|__nv_bfloat162?)[ *&]*"
)


def statement_start(unit: Unit, name: int) -> int:
    """First token of the declaration that tokens[name] is in; -1 if it is in brackets, a parameter say."""
    first = name
    while first > 0 and unit.text(first - 1) not in (";", "{", "}", "public", "private", "protected"):
        before = unit.text(first - 1)
        if before == ":" and unit.text(first - 2) in ("public", "private", "protected"):
            break
        if before in ("(", "["):
            return -1
        partner = unit.file.partner(first - 1) if before in (")", "]") else first - 1
        first = partner if 0 <= partner < first else first - 1
    return first


def bodies(unit: Unit) -> list[tuple[int, int]]:
    """Of the file's structures: their brackets."""
    bodies = []
    for index, token in enumerate(unit.tokens):
        if token.text not in _STRUCTURES or token.kind != Kind.IDENT or token.directive >= 0:
            continue
        at = index + 1
        while unit.tokens[at : at + 1] and (
            unit.tokens[at].kind == Kind.IDENT or unit.text(at) in ("::", ":", "(", ")", ",", "<", ">")
        ):
            if unit.text(at) in (",", ">") and ":" not in (unit.text(k) for k in range(index, at)):
                break  # a template's parameter
            at = unit.file.partner(at) + 1 if unit.text(at) == "(" and unit.file.partner(at) > 0 else at + 1
        if unit.text(at) == "{" and unit.file.partner(at) > 0:
            bodies.append((at, unit.file.partner(at)))
    return bodies


def declaration(unit: Unit, word: str) -> tuple[int, str]:
    """Where the only member of this name is declared in the file, -1 if there is none; and why it cannot be moved."""
    declared: list[int] = []
    for first, last in bodies(unit):
        owner = unit.scope(first).function
        for index in range(first + 1, last):
            token = unit.tokens[index]
            if token.text != word or token.kind != Kind.IDENT or unit.scope(index).function is not owner:
                continue
            before = unit.tokens[index - 1]
            names = before.kind == Kind.IDENT or before.text in (">", ">>", ",", "*", "&", ")", "}")
            if names and unit.text(index + 1) in (";", "[", "=", "{", ",") and statement_start(unit, index) >= 0:
                declared += [index] if index not in declared else []
    if len(declared) > 1:
        return declared[0], f"several structures have a member {word}"
    if declared and unit.text(declared[0] - 1) in ("*", "&"):
        return declared[0], f"{word} is a pointer in a structure: what it points to is not known"
    return (declared[0], "") if declared else (-1, "")


def member_path(unit: Unit, at: int) -> list[int]:
    """The members that are named behind the variable tokens[at]: b and c of a.b[1].c; none before a call."""
    members, index = [], at + 1
    while unit.text(index) in (".", "->", "["):
        if unit.text(index) == "[":
            index = unit.file.partner(index) + 1
            if index <= 0:
                return []
        else:
            members.append(index + 1)
            index += 2
    return members if unit.text(index) != "(" else []


def of_record(unit: Unit, name: int) -> bool:
    """Is the member tokens[name] one of a few plain elements, as in `struct Pair { float a, b; }`? A pointer to one of
    them may reach the others, and such structures are copied whole: they stay together."""
    around = [body for body in bodies(unit) if body[0] < name < body[1]]
    if not around:
        return False
    first, last = max(around)
    at = first + 1
    while at < last:
        end = at
        while unit.text(end) not in (";", "{", "(", ":", "["):
            end += 1
        if unit.text(end) in ("(", "{") and unit.text(end - 1) not in ("alignas", "__align__"):  # a function
            while unit.text(end) not in ("{", ";"):
                end += 1
            at = max(unit.file.partner(end), end) + 1
            continue
        types = unit.file.text[unit.tokens[at].start : unit.tokens[end].start].partition(",")[0].rpartition(" ")[0]
        if unit.text(end) != ";" or _ELEMENT.fullmatch(types) is None or "64" in types or "*" in types:
            return False
        at = end + 1
    return True


def peer_members(unit: Unit, first: int, opening: int) -> set[str] | None:
    """What is used of a structure whose place in another block the call tokens[first:partner(opening) + 1] gives; None if
    that is not known."""
    after = unit.file.partner(opening) + 1
    if unit.text(after) == "->":
        return _data(unit, after + 1)
    before = first - 2 if unit.text(first - 1) == "*" else first - 1
    function = unit.scope(first).function
    if unit.text(before) != "=" or unit.text(after) != ";" or function is None:
        return None
    peer = unit.text(before - 1)
    members: set[str] = set()
    for index in range(after, function.body[1]):
        if unit.text(index) != peer or unit.text(index - 1) in (".", "->", "::"):
            continue
        if unit.text(index + 1) not in (".", "->"):
            return None
        data = _data(unit, index + 2)
        if data is None:
            return None
        members |= data
    return members or None


def _data(unit: Unit, member: int) -> set[str] | None:
    """The member tokens[member], or the members that it uses if it is a function of the structure."""
    word = unit.text(member)
    if unit.text(member + 1) not in ("(", "<"):
        return {word}
    functions = [f for f in unit.scopes.functions if f.name == word and f.body[0] >= 0]
    body = next((b for b in bodies(unit) if functions and b[0] < functions[0].name_index < b[1]), None)
    if len(functions) != 1 or body is None:
        return None
    names = {unit.text(k) for k in range(*functions[0].body) if unit.text(k - 1) not in (".", "::")}
    return {name for name in names if name.isidentifier() and declaration(unit, name)[0] in range(*body)} or None


def _base(unit: Unit, access: int) -> int:
    """First token of the expression before the `.` or `->` tokens[access]; -1 if that is not followed."""
    at = access - 1
    while at > 0:
        while unit.text(at) in (")", "]"):
            opening = unit.file.partner(at)
            if opening < 0:
                return -1
            if unit.text(opening - 1) in (">", ">>"):  # a cast, a template's function
                at = template_begin(unit.file, opening - 1)
                if at == opening - 1:
                    return -1
                continue
            before = unit.tokens[opening - 1]
            if unit.text(opening) == "(" and (before.kind != Kind.IDENT or before.text in _KEYWORDS):
                return opening
            at = opening - 1
        if unit.tokens[at].kind != Kind.IDENT:
            return -1
        if unit.text(at - 1) == "::":
            at -= 2 if unit.tokens[at - 2].kind == Kind.IDENT else 1
        elif unit.text(at - 1) in (".", "->"):
            at -= 2
            continue
        return at
    return -1


def renamed(unit: Unit, moved: Mapping[int, str]) -> tuple[Edit, ...]:
    """Edits by which each member, by its token, gets its new name, and its uses are where other blocks reach it."""
    edits: list[Edit] = []
    opened: Counter[int] = Counter()
    for name, storage in moved.items():
        edits.append(Edit(unit.tokens[name].start, unit.tokens[name].end, storage))
        for index, base in uses(unit, name) or ():
            token = unit.tokens[index]
            edits.append(Edit(token.start, token.end, storage + (")" if base >= 0 else "")))
            if base >= 0:
                opened[unit.tokens[base].start] += 1
    return (*edits, *(Edit(start, start, "porter::relocated_member(" * count) for start, count in opened.items()))


def uses(unit: Unit, name: int) -> list[tuple[int, int]] | None:
    """Where the member tokens[name] is used, each with the first token of its expression, -1 for Structure::member; None
    if a use is not followed."""
    word = unit.text(name)
    body = min(((a, b) for a, b in bodies(unit) if a < name < b), key=lambda body: body[1] - body[0])
    places_used: list[tuple[int, int]] = []
    for index, token in enumerate(unit.tokens):
        if token.text != word or token.kind != Kind.IDENT or index == name:
            continue
        before = unit.text(index - 1)
        if before == "::":
            places_used.append((index, -1))
        elif before in (".", "->"):
            base = _base(unit, index - 1)
            if base < 0:
                return None
            places_used.append((index, base))
        else:
            function = unit.scope(index).function
            if not body[0] < index < body[1] or function is None:
                continue
            if any(unit.text(k) == word for k in range(*function.params)):
                continue
            if not function.body[0] < index:  # a constructor's list
                return None
            places_used.append((index, index))
    return places_used


def flat_use(unit: Unit, name: int) -> int:
    """Where the bytes of the __shared__ variable tokens[name], which a structure lies in, are used as plain elements; -1 if
    nowhere. A member that was moved is not reached like that."""
    function = unit.scope(name).function
    element = of_elements(unit, name)
    for index in range(name + 1, function.body[1] if function is not None else 0):
        if unit.text(index) != unit.text(name) or unit.text(index - 1) in (".", "->", "::"):
            continue
        if unit.text(index + 1) == "[" and unit.text(index - 1) != "&" and element:
            return index
        if unit.text(index - 1) == "(" and unit.text(index - 2) == ">":
            first = next((k for k in range(index - 2, 0, -1) if unit.text(k) == "<"), index)
            cast = unit.file.text[unit.tokens[first].end : unit.tokens[index - 2].start].strip()
            if unit.text(first - 1) == "reinterpret_cast" and "*" in cast and _ELEMENT.fullmatch(cast):
                return index
    return -1


def of_elements(unit: Unit, name: int) -> bool:
    """Is the variable tokens[name] declared as plain elements?"""
    last = unit.tokens[name - 1]
    return last.kind == Kind.IDENT and _ELEMENT.fullmatch(last.text) is not None
