"""What the emulator's runtime (host/programs/device_code.cpp) asks for: the image of a code object.

A folder with the file `object` comes in; `image` goes into it, or `log`, which says why there is none.
"""

from __future__ import annotations

import sys
from pathlib import Path

from porter.emu.elf.program import program_of
from porter.emu.image import image_key, pack
from porter.errors import PorterError
from porter.toolchain.store import digest, keep

__all__ = ["image_of", "main"]


def image_of(data: bytes) -> bytes:
    """The image of a code object or of a bundle that has one, kept in the cache."""

    def make(out: Path) -> str:
        out.write_bytes(pack(program_of(data)))
        return ""

    return keep(digest("object", image_key(), data), ".image", make).read_bytes()


def main(folder: str) -> int:
    """0 where there is an image, 1 where not."""
    try:
        (Path(folder) / "image").write_bytes(image_of((Path(folder) / "object").read_bytes()))
    except PorterError as error:
        (Path(folder) / "log").write_text(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
