"""A kernel that is attention, with all of its instantiations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from porter.native.lift.attention import Attention

__all__ = ["Instances"]


@dataclass(frozen=True, slots=True)
class Instances:
    """A kernel: what each instantiation of it computes, by its title."""

    kernel: str
    parameters: str  # the text between the parentheses of its definition
    names: Sequence[str]  # of what it is given
    problems: Mapping[str, Attention]
    template: str  # "": it is none
    arguments: Sequence[str]  # the names of the template's parameters
    alike: Callable[[Mapping[str, str]], str]  # C++ for what differs between instantiations

    def text(self, of: Callable[[Attention], str]) -> str:
        """C++ for what is of() of each."""
        return self.alike({title: of(problem) for title, problem in self.problems.items()})

    @property
    def first(self) -> Attention:
        return next(iter(self.problems.values()))

    @property
    def shown(self) -> str:
        """What it computes, in one line."""
        one, names = self.first, self.names
        q, k, v, out = (names[of.parameter] for of in (one.query, one.key, one.value, one.result))
        kinds = " or ".join(dict.fromkeys(p.element for p in self.problems.values()))
        masks = {p.causal for p in self.problems.values()}
        mask = ", each query with the keys up to its own number" if masks == {True} else ""
        if len(masks) == 2:
            mask = ", each query with all keys or those up to its own number"
        sums = f", and the logarithm of each row's sum to {names[one.sums.parameter]}" if one.sums else ""
        whole = " (the source wants numbers of queries and keys that fill its tiles)" if one.whole_tiles else ""
        return f"{out} = softmax(scale {q} {k}^T) {v} in {kinds}{mask}{sums}{whole}"
