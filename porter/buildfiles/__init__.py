"""Build files: CMakeLists.txt, Makefiles and setup.py follow the sources they build.

`recognise` says by a file's name (and a look inside, for Python) who ports it. A porter takes the
text and the renamed sources of the tree and returns findings with edits, as a pass does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePath

from porter.buildfiles import cmake, makefile, setup_py
from porter.buildfiles.renames import Renames
from porter.findings import Finding

__all__ = ["Porter", "Renames", "recognise"]

Porter = Callable[[str, Renames], list[Finding]]

_MAKE = re.compile(r"(?:GNU)?makefile(?:\..+)?\Z|.+\.(?:mk|mak|make)\Z|make\.inc\Z", re.IGNORECASE)
_PYTHON = re.compile(r"torch\.utils\.cpp_extension|torch\.utils import cpp_extension|CUDAExtension")


def recognise(path: PurePath, text: str) -> Porter | None:
    """Who ports this file; None if it is no build file."""
    if path.name.lower() == "cmakelists.txt" or path.suffix == ".cmake" or path.name.endswith(".cmake.in"):
        return cmake.port
    if _MAKE.match(path.name):
        return makefile.port
    if path.suffix == ".py" and (path.name == "setup.py" or _PYTHON.search(text)):
        return setup_py.port
    return None
