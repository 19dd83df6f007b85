"""Which shared variable an expression points into: worked out from tokens, through locals and parameters."""

from __future__ import annotations

from porter.analysis.shared_members import bodies, declaration, member_path, of_record
from porter.frontend.lexer import Kind
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit

__all__ = ["shared_variable", "whole_variables"]

_DEPTH = 32  # of locals
_CALL = 4  # a call is as deep as so many locals
_ATTRIBUTES = frozenset({"__align__", "alignas", "__attribute__"})  # __shared__ __align__(16) char bytes[]
_CASTS = frozenset({"reinterpret_cast", "static_cast", "const_cast"})
_IN_TYPES = frozenset("( ) [ ] < > >> :: * & && , + - / %".split())  # the last of a template's arguments
_NUMBERS = frozenset(
    "const unsigned signed bool char short int long float double size_t uint int8_t uint8_t int16_t uint16_t int32_t "
    "uint32_t int64_t uint64_t".split()
)


_Known = dict[int, list[int] | None]  # by the token of a local's declaration


def shared_variable(unit: Unit, first: int, last: int) -> list[int] | None:
    """Tokens of the names of the __shared__ variables that tokens[first:last] may point into, where they are declared, or
    of members of their structures. None if there is a path that cannot be followed."""
    return _pointed(unit, first, last, _DEPTH, {})


def _pointed(unit: Unit, first: int, last: int, depth: int, known: _Known) -> list[int] | None:
    variables: list[int] = []
    at = first
    while at < last:
        text = unit.text(at)
        if text == "[" and unit.file.partner(at) > 0:
            at = unit.file.partner(at) + 1  # an index says nothing
            continue
        if text == "(" and unit.text(unit.file.partner(at) - 1) in ("*", "&"):
            at = unit.file.partner(at) + 1  # a cast to (type *)
            continue
        if text in _CASTS:
            while at < last and unit.text(at) != "(":
                at += 1
            continue
        if _names_a_variable(unit, at):
            places = _origin(unit, at, depth, known)
            path = member_path(unit, at) if places else []
            if path:
                declared, problem = declaration(unit, unit.text(path[-1]))
                while declared > 0 and not problem and of_record(unit, declared):
                    path.pop()
                    declared, problem = declaration(unit, unit.text(path[-1])) if path else (-1, "")
                places = None if problem else [declared] if declared > 0 else places
            if places is not None:
                variables += [place for place in places if place not in variables]
            elif not variables:
                return None
        at += 1
    return variables or None


def whole_variables(unit: Unit, first: int, last: int) -> list[int]:
    """The __shared__ variables that an expression's names come from, whatever members of theirs it takes."""
    variables: list[int] = []
    for at in range(first, last):
        if _names_a_variable(unit, at):
            variables += [place for place in _origin(unit, at, _DEPTH, {}) or () if place not in variables]
    return variables


def _names_a_variable(unit: Unit, at: int) -> bool:
    token = unit.tokens[at]
    return (
        token.kind == Kind.IDENT
        and unit.text(at - 1) not in (".", "->", "::")
        and unit.text(at + 1) not in ("(", "::", "<")
        and unit.scope(at).function is not None
    )


def _origin(unit: Unit, at: int, depth: int, known: _Known) -> list[int] | None:
    """Of one name: its own declaration if it is shared, or where its initialiser or its arguments come from. A number, an
    index say, has no such origin: [] for it."""
    function = unit.scope(at).function
    if function is None or depth <= 0:
        return None
    word = unit.text(at)
    while not function.name:  # a lambda sees what is around it
        around = unit.scope(function.params[0] - 1 if function.params[0] > 0 else function.first).function
        if around is None or around is function or any(unit.text(k) == word for k in range(*function.params)):
            break
        function = around
    for name in range(at - 1, function.body[0], -1):
        if unit.text(name) != word or unit.tokens[name].kind != Kind.IDENT or unit.text(name - 1) in (".", "->", "::"):
            continue
        first = name
        while first > function.body[0] + 1 and unit.text(first - 1) not in (";", "{", "}", "("):
            opening = unit.file.partner(first - 1) if unit.text(first - 1) == ")" else -1
            if unit.text(first - 1) == ")" and (opening < 0 or unit.text(opening - 1) not in _ATTRIBUTES):
                break
            first = opening if opening > 0 else first - 1
        declared = range(first, name)
        shared = any(unit.text(k) == "__shared__" for k in declared)
        if not declared or not (_is_type(unit, declared) or (shared and unit.text(name - 1) == ",")):
            continue
        if shared:
            return [name]
        if unit.text(name - 1) not in ("*", "&", "auto", "const", "__restrict__", "&&"):
            return []
        if unit.text(name + 1) not in ("=", "(", "{"):
            return None
        if name not in known:
            end = name + 2
            while unit.text(end) not in (";", ""):
                end = unit.file.partner(end) + 1 if unit.text(end) in ("(", "{", "[") else end + 1
            known[name] = _pointed(unit, name + 2, end, depth - 1, known)
        return known[name]
    argument = _argument(unit, function, word, depth, known)
    return _member(unit, function, word, depth, known) if argument is None else argument


def _member(unit: Unit, function: Function, word: str, depth: int, known: _Known) -> list[int] | None:
    """A reference or pointer that is a member of the function's class: what the class's constructors were given for it."""
    around = [body for body in bodies(unit) if body[0] < function.first < body[1]]
    if not around:
        return None
    first, last = max(around)
    declared = [
        at
        for at in range(first + 1, last)
        if unit.text(at) == word
        and unit.text(at - 1) in ("*", "&", "const", "__restrict__")
        and unit.text(at + 1) in (";", ",")
        and unit.scope(at).function is unit.scope(first).function
    ]
    opening = next(k for k in range(first, -1, -1) if unit.text(k) in ("struct", "class"))
    constructors = [
        f
        for f in unit.scopes.functions
        if f.name == unit.text(opening + 1) and first < f.name_index < last and unit.text(f.name_index - 1) != "~"
    ]
    if len(declared) != 1 or not constructors:
        return None
    variables: list[int] = []
    for constructor in constructors:
        for at in range(constructor.params[1] + 1, constructor.body[0]):
            if unit.text(at) == word and unit.text(at - 1) in (":", ",") and unit.text(at + 1) in ("(", "{"):
                break
        else:
            return None
        given = [k for k in range(at + 2, unit.file.partner(at + 1)) if unit.tokens[k].kind == Kind.IDENT]
        places = _argument(unit, constructor, unit.text(given[0]), depth, known) if len(given) == 1 else None
        if places is None:
            return None
        variables += [place for place in places if place not in variables]
    return variables


def _is_type(unit: Unit, declared: range) -> bool:
    """Could these tokens be the type of a declaration?"""
    words = [unit.text(k) for k in declared]
    if words[0] in ("return", "else", "case", "goto", "delete", "throw") or any(
        w in ("=", "+", "-", "?", ",") for w in words if "<" not in words
    ):
        return False
    if any(unit.tokens[k].kind == Kind.PUNCT and unit.text(k) not in _IN_TYPES for k in declared):
        return False
    return unit.tokens[declared[0]].kind == Kind.IDENT and (len(words) > 1 or words[0] != "return")


def _argument(unit: Unit, function: Function, word: str, depth: int, known: _Known) -> list[int] | None:
    """A parameter: what each call of the function in this file gives it."""
    parameters = unit.file.arguments(function.params[0])
    number, name = next(
        (
            (n, k)
            for n, (first, last) in enumerate(parameters)
            for k in range(first, last)
            if unit.text(k) == word and unit.text(k + 1) in (",", ")", "[", "=")
        ),
        (-1, -1),
    )
    if (
        number >= 0
        and unit.text(name + 1) != "["
        and _NUMBERS.issuperset(map(unit.text, range(parameters[number][0], name)))
    ):
        return []
    if number < 0 or not function.name:
        return None
    variables: list[int] = []
    for index, token in enumerate(unit.tokens):
        if token.text != function.name or index == function.name_index or token.kind != Kind.IDENT:
            continue
        opening = index + 1
        if unit.text(opening) == "<":
            while opening < len(unit.tokens) and unit.text(opening) not in ("(", ";"):
                opening += 1
        if unit.tokens[opening].kind == Kind.IDENT and unit.text(opening + 1) in ("(", "{"):
            opening += 1  # a constructor: Class object(arguments)
        if unit.text(opening) not in ("(", "{") or unit.scope(index).function is None or unit.text(index - 1) == "~":
            continue
        arguments = unit.file.arguments(opening)
        if number >= len(arguments):
            return None
        places = _pointed(unit, *arguments[number], depth - _CALL, known)
        if places is None:
            return None
        variables += [place for place in places if place not in variables]
    return variables or None
