"""Copies this checkout to the folder that is named: its files that git knows or would add, and those alone that differ there.

What is compiled is kept with its paths and with the times of installed headers. A kept cache serves several clones, or one that
is made anew, because the tests run in this copy.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path


def main() -> None:
    here, there = Path(__file__).resolve().parents[1], Path(sys.argv[1])
    files = [
        name for name in names(here) if there.parent not in (here / name).parents
    ]  # the cache may lie in the checkout
    listed = there / ".files"
    for name in set(listed.read_text().split("\0") if listed.is_file() else []) - set(files):
        (there / name).unlink(missing_ok=True)
    for name in files:
        copy(here / name, there / name)
    listed.write_text("\0".join(files))


def names(checkout: Path) -> list[str]:
    """Relative to the checkout."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    said = subprocess.run(words, cwd=checkout, capture_output=True, text=True, check=True).stdout
    return [name for name in dict.fromkeys(said.split("\0")) if name and (checkout / name).is_file()]


def copy(source: Path, target: Path) -> None:
    """The time of a file that is the same already stays: a precompiled header knows it."""
    if target.is_file() and target.read_bytes() == source.read_bytes():
        shutil.copymode(source, target)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    shutil.copymode(source, target)


if __name__ == "__main__":
    main()
