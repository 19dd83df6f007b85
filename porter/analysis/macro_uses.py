"""Where a translation unit uses its macros: in code of the host, of the device, or nowhere that is seen."""

from __future__ import annotations

from porter.frontend.unit import Unit

__all__ = ["host_uses_alone"]


def host_uses_alone(unit: Unit, index: int) -> bool:
    """Whether the macro whose body has tokens[index] is used, and by functions of the host alone, by way of other macros
    too; False where units may use it that are not seen."""
    directive = unit.file.directives[unit.tokens[index].directive]
    seen_whole = unit.is_main or unit.path in unit.alone
    return seen_whole and _by_host(unit, unit.text(directive.first), set())


def _by_host(unit: Unit, name: str, asked: set[str]) -> bool:
    asked.add(name)
    is_used = False
    for member in unit.members:
        file = member.tokens
        for at in file.places(name):
            home = file.tokens[at].directive
            if home < 0:
                scope = member.scopes.at(at)
                if scope.device or scope.unknown or scope.function is None:
                    return False
                is_used = True
            elif file.directives[home].name == "define" and at != file.directives[home].first:
                other = file.tokens[file.directives[home].first].text
                if other in asked or not _by_host(unit, other, asked):
                    return False
                is_used = True
    return is_used
