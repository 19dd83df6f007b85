"""What was found out about a kernel before: recognising takes seconds, and depends on the kernel's IR alone.

Kept under the digest of the functions that the kernel reaches, of what it is given, and of this package's own sources.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from porter.cache_folder import cache_dir, write_atomically
from porter.native.ir.module import Function, Module
from porter.native.lift.attention import Attention
from porter.native.machine.values import Refused
from porter.native.recognise.problem import Behind, Gemm, Operand, Result
from porter.paths import PACKAGE
from porter.toolchain.store import digest

__all__ = ["gemm_of", "remembered", "source_files"]

_Problem = TypeVar("_Problem", Gemm, Attention)

_GLOBAL = re.compile(r'@(?:"[^"]*"|[\w.$-]+)')
_TYPE = re.compile(r'%"[^"]*"|%[\w.$-]+')
# Numbers of attributes and of debug information, which change with the rest of the file.
_NUMBERS = re.compile(r"(?:, )?![\w.]+ ?!\d+|, !\d+|#\d+")

# Where a type without a name is written, in an instantiation's title; its mangled name tells it from others.
_PLACE = re.compile(r"\((\w+[\w ]*?) at [^()]*:\d+:\d+\)")


def remembered(
    module: Module,
    kernel: Function,
    given: object,
    find: Callable[[], _Problem],
    read: Callable[[dict[str, Any]], _Problem],
) -> _Problem:
    """What `find` says, or said of the same kernel before; given: what else it depends on; read: from its dictionary."""
    key = digest(_sources(read is not gemm_of), repr(given), *_text(module, kernel))
    path = cache_dir() / "recognised" / key[:2] / f"{key[2:]}.json"
    try:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            return _kept(json.loads(path.read_bytes()), read)
        try:
            problem = find()
        except Refused as why:
            _write(path, {"refused": str(why), "at": why.at})
            raise
    except Refused as why:
        why.places = [module.place(function, number) for function, number in why.at]
        raise
    _write(path, asdict(problem))
    return problem


def _kept(data: dict[str, Any], read: Callable[[dict[str, Any]], _Problem]) -> _Problem:
    if "refused" in data:
        why = Refused(str(data["refused"]))
        why.at = [(function, number) for function, number in data["at"]]
        raise why
    return read(data)


def gemm_of(data: dict[str, Any]) -> Gemm:
    """From what dataclasses.asdict() made of one."""
    a, b, c = (dict(data.pop(name)) for name in "abc")
    c["bounds"] = tuple(c["bounds"])
    for one in (a, b, c):
        one["behind"] = Behind(**one["behind"])
    sizes, elements, limits = data.pop("sizes"), data.pop("elements"), data.pop("limits")
    others = data.pop("others")
    return Gemm(
        **data,
        a=Operand(**a),
        b=Operand(**b),
        c=Result(**c),
        sizes=None if sizes is None else tuple(sizes),
        limits=tuple(limits),
        elements=tuple((one, other) for one, other in elements),
        others=tuple((one, gemm_of(other)) for one, other in others),
    )


def _write(path: Path, data: dict[str, object]) -> None:
    with contextlib.suppress(OSError):  # which costs time, nothing else
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(data).encode())


# Docstrings and lines of comments: what is recognised does not follow from them.
_WORDS = re.compile(rb'^[ \t]*(?:"""(?:[^"]|"(?!""))*"""|#[^\n]*)\n', re.MULTILINE)


def source_files(lifts: bool = True) -> list[Path]:
    """The modules of porter.native that recognising needs. lifts: attention as well as products."""
    folder = PACKAGE / "native"
    files: dict[str, Path] = {}
    queue = ["recognise.instantiations"]
    while queue:
        name = queue.pop()
        if name not in files and (lifts or not name.startswith("lift.")):
            files[name] = folder / f"{name.replace('.', '/')}.py"
            imports = re.finditer(rb"^from porter\.native\.([\w.]+) import", files[name].read_bytes(), re.MULTILINE)
            queue += [m[1].decode() for m in imports]
    return [files[name] for name in sorted(files)]


@lru_cache(maxsize=2)
def _sources(lifts: bool) -> str:
    """Their digest, without docstrings and comments."""
    return digest(*(_WORDS.sub(b"", path.read_bytes()) for path in source_files(lifts)))


def _text(module: Module, kernel: Function) -> list[str]:
    """Everything that the kernel's execution may come to."""
    parts: list[str] = [kernel.attributes, repr(any("@_ZN6nvcuda4wmma8mma_sync" in name for name in module.functions))]
    seen: set[str] = {kernel.name}
    queue = [kernel.name]
    while queue:
        name = queue.pop()
        function, variable = module.functions.get(name), module.globals.get(name)
        lines: list[str] = []
        if function is not None:
            parts += [name, _PLACE.sub(r"(\1)", module.title(name)), repr(function.returns), repr(function.parameters)]
            lines = [_NUMBERS.sub("", line) for line in function.lines if not line.lstrip().startswith("#dbg")]
        elif variable is not None:
            parts += [name, repr(variable.type), str(variable.space)]
            lines = [variable.value]
        elif name.startswith("%"):
            lines = [module.type_texts[name]]
        parts += lines
        for line in lines:
            for mentioned in (*_GLOBAL.findall(line), *(t for t in _TYPE.findall(line) if t in module.type_texts)):
                if mentioned not in seen:
                    seen.add(mentioned)
                    queue.append(mentioned)
    return parts
