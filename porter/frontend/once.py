"""What follows from a file's tokens alone is worked out once, for all units and passes that have the file."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from porter.frontend.lexer import TokenFile

__all__ = ["once_per_file"]

_Answer = TypeVar("_Answer")


def once_per_file(function: Callable[[TokenFile], _Answer]) -> Callable[[TokenFile], _Answer]:
    """The function, with its answers kept beside the tokens, to which they may lead back: nobody may change them."""

    @wraps(function)
    def kept(file: TokenFile) -> _Answer:
        if function not in file.answers:
            file.answers[function] = function(file)
        answer: _Answer = file.answers[function]
        return answer

    return kept
