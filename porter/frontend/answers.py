"""What was asked of a translation unit, with the answers: each question costs a parse, and several processes ask the same."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable
from typing import Any, TypeVar

from porter.cache_folder import cache_dir, one_at_a_time, write_atomically

__all__ = ["Answers"]

_Answer = TypeVar("_Answer")


class Answers:
    """In memory; and in the cache folder, where `unit` says by a digest what all of a translation unit is."""

    def __init__(self, unit: Callable[[], str] | None = None) -> None:
        self._unit = unit
        self._known: dict[object, Any] = {}

    def of(
        self,
        question: object,
        ask: Callable[[], _Answer],
        to_data: Callable[[_Answer], object],
        from_data: Callable[[Any], _Answer],
    ) -> _Answer:
        """The answer to a question, whose repr() is all of it; `ask` is called where it is not known."""
        if question not in self._known:
            kept = self._unit is not None
            self._known[question] = self._kept(question, ask, to_data, from_data) if kept else ask()
        answer: _Answer = self._known[question]
        return answer

    def _kept(
        self,
        question: object,
        ask: Callable[[], _Answer],
        to_data: Callable[[_Answer], object],
        from_data: Callable[[Any], _Answer],
    ) -> _Answer:
        assert self._unit is not None
        digest = hashlib.sha256(f"{self._unit()} {question!r}".encode("utf-8", "surrogateescape")).hexdigest()[:40]
        path = cache_dir() / "probes" / f"{digest}.json"
        with one_at_a_time(f"probes-{digest[:2]}"):
            with contextlib.suppress(OSError, ValueError, TypeError, LookupError):
                return from_data(json.loads(path.read_bytes()))
            answer = ask()
            with contextlib.suppress(OSError):  # which costs time, nothing else
                path.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(path, json.dumps(to_data(answer)).encode())
        return answer
