"""The options of nvrtcCompileProgram in string literals, by the table of nvcc's flags (rules/build/flags.tbl)."""

from __future__ import annotations

import re

from porter.buildfiles.flags import FlagContext, port_flags
from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.literal_text import literal_text
from porter.frontend.unit import Unit

__all__ = ["COMPILE", "ported_options"]

COMPILE = "nvrtcCompileProgram"
_ARCH = re.compile(r"-{1,2}(?:gpu-architecture|gpu-arch|arch)=?(?:(?:compute|sm|lto)_?)?\Z")
_FORMAT = re.compile(r"-{1,2}(?:gpu-architecture|arch)=(?:compute|sm)_%")
_FOLDER = re.compile(r"(?:-I|--include-path=)\s*\S*cuda", re.IGNORECASE)


def ported_options(unit: Unit) -> list[Finding]:
    """What becomes of the literals that are options, in a file that calls nvrtcCompileProgram."""
    if not unit.file.places(COMPILE):
        return []
    return [option for token in unit.tokens if token.kind == Kind.STRING and token.directive < 0
            if (option := _option(unit, token.start, token.end)) is not None]  # fmt: skip


def _option(unit: Unit, start: int, end: int) -> Finding | None:
    literal = literal_text(unit.file.text, [(start, end)])
    if literal is None or not literal.text.startswith("-") or any(c in literal.text for c in "\n\t"):
        return None
    option = literal.text
    if _ARCH.match(option) or _FORMAT.match(option):
        message = f"{option}: the rest comes at run time; porter::compile_program drops it and compiles for the device there is"
        return Finding("nvrtc-option", start, end, Safety.HINT, message)
    if _FOLDER.match(option):
        message = (
            f"{option}: headers of CUDA are no help to HIP; hiprtc has the runtime's, others need the folder of ROCm's"
        )
        return Finding("nvrtc-option", start, end, Safety.REVIEW, message)
    words = option.split(" ", 1)
    changes = port_flags(words, FlagContext(unit.options.target, nvcc=True))
    if not changes:
        return None
    change = changes[0]
    if change.words is None or (change.first, change.last) != (0, len(words)):
        return Finding("nvrtc-option", start, end, Safety.LEFT, change.message)
    text = literal.spelled(" ".join(change.words), 0, len(option))
    if text is None or not option:
        return None
    edit = Edit(literal.place(0), literal.end(len(option)), text)
    return Finding("nvrtc-option", start, end, change.safety, change.message, (edit,))
