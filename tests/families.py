"""Many cases of one comparison as one test: a case costs no set-up of pytest's, and the failure names each that failed."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

__all__ = ["family"]

SHOWN = 20  # failures that are named; the number of the others follows


def family(
    names: str | Sequence[str], cases: Iterable[Any], ids: Callable[[Any], object] = str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, in one test. Cases share its fixtures, so these must not change from case to case."""
    parameters = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = list(cases)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def every(**fixtures: Any) -> None:
            assert rows, "the family has no cases"
            failures: list[tuple[str, Exception]] = []
            for case in rows:
                values = case if len(parameters) > 1 else (case,)
                try:
                    test(**fixtures, **dict(zip(parameters, values, strict=True)))
                except Exception as error:
                    failures.append((str(ids(case)), error))
            if failures:
                lines = [f"{name}: {type(error).__name__}: {error}" for name, error in failures[:SHOWN]]
                message = f"{len(failures)} of {len(rows)} cases failed\n" + "\n".join(lines)
                raise AssertionError(message) from failures[0][1]

        signature = inspect.signature(test)
        kept = [
            p.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for p in signature.parameters.values()
            if p.name not in parameters
        ]
        every.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return every

    return decorate
