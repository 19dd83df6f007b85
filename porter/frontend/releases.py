"""Which release of CUDA a port follows, and which branches of a file's conditions that decides."""

from __future__ import annotations

import re

from porter.frontend.lexer import Directive, TokenFile

__all__ = ["VERSIONS", "dead_directives"]

# A port uses what CUDA 12.4's API offers, so it takes the branches of that release.
VERSIONS = {
    "CUDART_VERSION": 12040, "CUDA_VERSION": 12040,
    "__CUDACC_VER_MAJOR__": 12, "__CUDACC_VER_MINOR__": 4, "__CUDACC_VER_BUILD__": 131,
}  # fmt: skip

_WORDS = {"&&": " and ", "||": " or "}
_PARTS, _COMPARES = re.compile(r" and | or |[()]"), re.compile(r"[<>]=?|[=!]=")
_PLAIN = re.compile(r"[0-9]+|[()*+<>-]|<=|>=|==|!=")


def dead_directives(file: TokenFile) -> set[int]:
    """Numbers of directives in branches that the release is sure not to take."""
    dead: set[int] = set()
    stack: list[tuple[bool, bool]] = []  # is the branch dead, has one before it been taken
    for number, directive in enumerate(file.directives):
        if directive.name in ("if", "ifdef", "ifndef"):
            value = _value(file, directive) if directive.name == "if" else None
            stack.append((value is False, value is True))
        elif directive.name in ("elif", "else", "elifdef", "elifndef") and stack:
            taken = stack[-1][1]
            value = _value(file, directive) if directive.name == "elif" else None
            stack[-1] = (taken or value is False, taken or value is True)
        elif directive.name == "endif" and stack:
            stack.pop()
        elif any(branch for branch, _ in stack):
            dead.add(number)
    return dead


def _value(file: TokenFile, directive: Directive) -> bool | None:
    """Of a condition on the release alone, in the words that mean the same in Python."""
    words: list[str] = []
    for token in file.tokens[directive.first : directive.last]:
        if token.text in VERSIONS:
            words.append(str(VERSIONS[token.text]))
        elif token.text in _WORDS or _PLAIN.fullmatch(token.text):
            words.append(_WORDS.get(token.text, token.text))
        else:
            return None
    text = "".join(words)
    asked = any(token.text in VERSIONS for token in file.tokens[directive.first : directive.last])
    if not asked or any(len(_COMPARES.findall(part)) > 1 for part in _PARTS.split(text)):
        return None
    try:
        return bool(eval(text, {"__builtins__": {}}))
    except (SyntaxError, ValueError, TypeError):
        return None
