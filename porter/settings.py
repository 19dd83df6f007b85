"""What the user's machine and build say: the CUDA installation, compile_commands.json."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.errors import UsageError

__all__ = ["FileFlags", "compile_commands", "cuda_path", "flags_of_command"]


@dataclass(frozen=True, slots=True)
class FileFlags:
    includes: tuple[str, ...]
    defines: tuple[str, ...]
    standard: str  # "" if the command does not name one
    systems: tuple[str, ...] = ()  # those of the folders whose headers are not the project's
    guessed: tuple[
        tuple[str, tuple[str, ...]], ...
    ] = ()  # folders that porter guessed for this file (frontend.folders.Guessed)
    makefile: bool = False  # from the Makefile beside the file


def cuda_path(given: Path | None) -> str:
    """The CUDA installation to read headers from: only where the user names one, so results do not depend on the machine."""
    if given is None:
        return ""
    if not (given / "include" / "cuda_runtime.h").is_file():
        raise UsageError(
            f"--cuda-path {given}: has no include/cuda_runtime.h", "give the folder that nvcc's bin/ is in"
        )
    return str(given)


def compile_commands(build_dir: Path) -> Mapping[Path, FileFlags]:
    """Flags by source file from BUILD_DIR/compile_commands.json."""
    path = build_dir / "compile_commands.json" if build_dir.is_dir() else build_dir
    try:
        entries = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(
            f"{path}: {error.strerror}", "configure with cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"
        ) from None
    except ValueError as error:
        raise UsageError(f"{path}: not JSON: {error}", "let the build write it again") from None
    if not isinstance(entries, list):
        raise UsageError(f"{path}: holds no list of entries", "let the build write it again")
    flags: dict[Path, FileFlags] = {}
    for entry in entries:
        try:
            folder = entry["directory"]
            words = entry.get("arguments") or shlex.split(entry["command"])
            if not isinstance(words, list) or not all(isinstance(word, str) and "\0" not in word for word in words):
                raise TypeError(words)
            source = Path(os.path.normpath(os.path.join(folder, entry["file"])))
            if "\0" in str(source):
                raise ValueError(source)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise UsageError(
                f"{path}: an entry has no directory, file or command", "let the build write it again"
            ) from None
        flags[source] = flags_of_command(words, folder)
    return flags


def flags_of_command(words: Sequence[str], folder: str) -> FileFlags:
    """What the words of a compiler's command, which runs in a folder, say."""
    includes: list[str] = []
    systems: list[str] = []
    defines: list[str] = []
    standard = ""
    position = 0
    while position < len(words):
        word = words[position]
        for flag, target in (("-isystem", systems), ("-I", includes), ("-D", defines)):
            if word == flag and position + 1 < len(words):
                position += 1
                target.append(words[position])
                break
            if word.startswith(flag) and len(word) > len(flag):
                target.append(word[len(flag) :].lstrip("="))
                break
        else:
            if word.startswith(("-std=", "--std=")):
                standard = word.split("=", 1)[1]
        position += 1
    own, others = (tuple(os.path.normpath(os.path.join(folder, i)) for i in folders) for folders in (includes, systems))
    return FileFlags((*own, *others), tuple(defines), standard, others)
