"""What the emulator's hiprtc (host/programs/rtc.cpp) compiles: a folder with a request comes in, code and log go into it.

The request: `name`, `source`, `options`, `headers` (names and texts by turns) and `expressions`, lists with a zero
byte behind each item; or `bitcode.0`, `bitcode.1`, ... to be linked, with `options`. The answer: `log`, and `code` (an
image) with `lowered`, the name of each expression, or `bitcode` where -fgpu-rdc asks for that.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from porter.cache_folder import cache_dir, write_atomically
from porter.chip import EMULATED
from porter.emu.image import build_image
from porter.errors import CompileError, PorterError
from porter.toolchain import Options, device_assembly, device_bitcode, find_toolchain, linked_bitcode
from porter.toolchain.store import digest, log_of

__all__ = ["answer", "main"]

_LOWERED = "__porter_lowered_name_"
_QUAD = re.compile(rf"^{_LOWERED}(\d+):\n\s*\.quad\s+([^\s+]+)", re.MULTILINE)
_VERSION = re.compile(r"^#define (HIP_VERSION_(?:MAJOR|MINOR)) (\d+)", re.MULTILINE)
_IGNORED = ("-hip-pch", "--hiprtc-no-builtin-header", "-fgpu-rdc", "-fno-gpu-rdc")
_ARCH = ("--offload-arch=", "--gpu-architecture=", "-arch=")
_TARGET = EMULATED.target


def main(folder: str) -> int:
    """0 where it compiled, 1 where not (the log says why), 2 where there is no compiler."""
    try:
        log = answer(Path(folder))
        code = 0
    except CompileError as error:
        log, code = error.text or str(error), 1
    except PorterError as error:
        log, code = f"{error}\n", 2
    Path(folder, "log").write_text(log)
    return code


def answer(folder: Path) -> str:
    """Compiles or links the folder's request, and returns the compiler's log."""
    words, rdc = _words(_items(folder / "options"))
    pieces = sorted(folder.glob("bitcode.*"), key=lambda path: int(path.suffix[1:]))
    if pieces:
        return _image(folder, linked_bitcode(pieces, words, toolchain=find_toolchain()), ())
    source = _source(folder)
    level = next((word[2:] for word in reversed(words) if re.fullmatch(r"-O[0-3sz]", word)), "3")
    std = next((word[5:] for word in reversed(words) if word.startswith("-std=")), "c++17")
    options = Options(
        std=std, level=level, defines=("__HIPCC_RTC__",), includes=(source.parent,), emulator=True,
        flags=(*_version(), "-include", "hip/hiprtc_builtins.h", *words),
    )  # fmt: skip
    expressions = tuple(_items(folder / "expressions"))
    if not rdc:
        return _image(folder, device_assembly(source, options, toolchain=find_toolchain()), expressions)
    made = device_bitcode(source, options, toolchain=find_toolchain())
    (folder / "bitcode").write_bytes(made.read_bytes())
    if expressions:
        assembly = device_assembly(source, options, toolchain=find_toolchain())
        _write_lowered(folder, assembly.read_text(), expressions)
    return log_of(made)


def _version() -> tuple[str, ...]:
    """HIP's version for clang's own header: without it malloc and free of device code are traps, and in programs of hiprtc
    it does not include the header that has it."""
    headers = find_toolchain().hip_headers
    text = (headers / "hip" / "hip_version.h").read_text() if headers else ""
    return tuple(f"-D{name}={number}" for name, number in _VERSION.findall(text))


def _image(folder: Path, assembly: Path, expressions: tuple[str, ...]) -> str:
    text = assembly.read_text()
    (folder / "code").write_bytes(build_image(text))
    _write_lowered(folder, text, expressions)
    return log_of(assembly)


def _write_lowered(folder: Path, assembly: str, expressions: tuple[str, ...]) -> None:
    names = {int(number): name for number, name in _QUAD.findall(assembly)}
    (folder / "lowered").write_text("".join(f"{names.get(i, '')}\0" for i in range(len(expressions))))


def _items(file: Path) -> list[str]:
    return file.read_text("utf-8", "surrogateescape").split("\0")[:-1]


def _words(options: list[str]) -> tuple[tuple[str, ...], bool]:
    """Options for the compiler, and whether bitcode is asked for. Another chip is an error: nothing could run its code."""
    kept = []
    for option in options:
        arch = next((option.removeprefix(head) for head in _ARCH if option.startswith(head)), None)
        if arch is not None:
            if arch.split(":")[0] not in (_TARGET, ""):
                raise CompileError(f"error: {option}: the emulator's device is {_TARGET}", "", ())
        elif option not in _IGNORED:
            kept += option.split(" ", 1) if option.startswith(("-D ", "-I ", "-include ")) else [option]
    return tuple(kept), "-fgpu-rdc" in options


def _source(folder: Path) -> Path:
    """The program and its headers, in a folder of the cache that is named after them: clang's results are kept by path."""
    text = (folder / "source").read_text("utf-8", "surrogateescape")
    name = os.path.basename((folder / "name").read_text("utf-8", "surrogateescape")) or "program.hip"
    items = _items(folder / "headers")
    for number, expression in enumerate(_items(folder / "expressions")):
        text += f'\nextern "C" __device__ __attribute__((used)) const void *{_LOWERED}{number} = (const void *)&{expression};'
    home = cache_dir() / "rtc" / digest(name, text, *items)[:16]
    for path, content in [(name, text + "\n"), *zip(items[::2], items[1::2], strict=True)]:
        place = (home / path).resolve()
        if not place.is_relative_to(home.resolve()):
            raise CompileError(f"error: {path}: the name of a header must not lead out of the program's folder", "", ())
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.is_file():
            write_atomically(place, content.encode("utf-8", "surrogateescape"))
    return home / name


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
