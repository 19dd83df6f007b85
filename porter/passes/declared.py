"""What the files of a translation unit declare themselves."""

from __future__ import annotations

from porter.frontend.source_file import declared_variables
from porter.frontend.unit import Unit

__all__ = ["declared_in_unit"]


def declared_in_unit(unit: Unit) -> frozenset[str]:
    """What the files of the translation unit declare, variables too, whatever it is called: a header may use what a file
    that includes it has declared."""
    files = (*unit.members, *unit.included)
    own = declared_variables(unit.file)
    names = (name for file in files for name in file.declared if name not in file.aliases)
    return own.union(names, *(file.variables for file in files))
