"""Branches of the architecture's number that only say where functions run: `#ifdef __CUDA_ARCH__`, `__device__`, `#endif`.

nvcc reads device code in device compilation alone, where such functions are the device's, too. clang looks at it in host
compilation as well, and refuses the call of a function that is only the host's there.
"""

from __future__ import annotations

from porter.findings import Edit
from porter.frontend.conditions import CONDITIONS
from porter.frontend.lexer import TokenFile

__all__ = ["of_both_sides"]

_OPENING = ("if", "ifdef", "ifndef")
_SIDES = frozenset({"__device__", "__host__"})
_WITH_THEM = frozenset({"inline", "__inline__", "__forceinline__", "__noinline__", "static", "constexpr", "extern"})


def of_both_sides(file: TokenFile, number: int) -> tuple[Edit, ...] | None:
    """Where the branches of the #if that directive `number` belongs to hold attributes of functions alone, bare or in
    macros, __device__ among them: the edits that make each such function the host's, too. None elsewhere."""
    first, last = _whole(file, number)
    within = file.directives[first + 1 : last]
    if any(one.name in _OPENING or one.name not in (*CONDITIONS, "else", "define") for one in within):
        return None
    branches: list[dict[str, int]] = []  # the words of each, and where they begin
    for directive, following in zip(file.directives[first:last], file.directives[first + 1 :]):
        defines = directive.name == "define"
        if not defines:
            branches.append({})
        words = file.tokens[directive.first + 1 if defines else directive.last : following.first]
        branches[-1].update((word.text, word.start) for word in words)
    all_words = {word for branch in branches for word in branch}
    if "__device__" not in all_words or not all_words <= _SIDES | _WITH_THEM:
        return None
    places = (branch["__device__"] for branch in branches if "__device__" in branch and "__host__" not in branch)
    return tuple(Edit(place, place, "__host__ ") for place in places)


def _whole(file: TokenFile, number: int) -> tuple[int, int]:
    """The directives that open and close the #if of a condition; the condition twice where it has none."""
    opened: list[int] = []
    for k, directive in enumerate(file.directives):
        if directive.name in _OPENING:
            opened.append(k)
        elif directive.name == "endif" and opened:
            first = opened.pop()
            if first <= number < k:
                return first, k
    return number, number
