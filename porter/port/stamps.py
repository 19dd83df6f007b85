"""What changes with porter itself and its rules: a part of the key of everything that is kept from one run to the next."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from porter import __version__
from porter.paths import PACKAGE, RUNTIME_INCLUDE, TORCH_STUBS, stub_headers

__all__ = ["stamp"]


def stamp(folders: Sequence[Path], options: object) -> str:
    """A digest of porter, of the rules in these folders, and of what repr() says of the options."""
    digest = hashlib.sha256(_of_porter().encode())
    digest.update(repr(options).encode())
    for folder in folders:
        for path in sorted(folder.rglob("*.t*")):
            status = path.stat()
            digest.update(f"{path}{status.st_size}{status.st_mtime_ns}".encode())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def _of_porter() -> str:
    """Changes whenever porter's own code, rules, stub headers or headers of ports do: --inline copies from those, and --kittens native compiles with them."""
    digest = hashlib.sha256(__version__.encode())
    headers = (RUNTIME_INCLUDE / "porter").rglob("*.h")
    for path in (*sorted(PACKAGE.glob("**/*.py")), *stub_headers(), *stub_headers(TORCH_STUBS), *sorted(headers)):
        status = path.stat()
        digest.update(f"{path.name}{status.st_size}{status.st_mtime_ns}".encode())
    return digest.hexdigest()
