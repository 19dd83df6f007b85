"""The source of an attention kernel for gfx942, in the place of one that was written for NVIDIA's chips.

The schedule is the same for all problems: porter/attention.h. What is the kernel's own is where heads lie, how many queries
and keys there are, and the mask.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from porter.chip import Chip
from porter.native.emit.gemm import BOUNDS, Emitted
from porter.native.lift.attention import GRID_Y, GRID_Z, Attention, Heads
from porter.native.lift.instances import Instances
from porter.native.lift.products import ALONE, NOTHING, Times
from porter.native.machine.values import Refused

__all__ = ["emit_attention"]

_LN_2 = math.log(2.0)
_HEADS_OF = frozenset((64, 96, 128, 192, 256))  # columns that the header has a schedule for

_TEXT = """\
// softmax(scale Q K^T) V on @CHIP@, in the place of a kernel written for NVIDIA's chips; porter/attention.h has the schedule.
using @SPACE@ = porter::attention::Launch;
@TEMPLATE@struct @SPACE@_problem : porter::attention::Problem {
  using Element = porter::attention::@ELEMENT@;
  static constexpr int kHead = @HEAD@;
  static constexpr bool kMasked = @MASKED@;
};

__global__ void @BOUNDS@
    @KERNEL@(@PARAMETERS@) {
  porter::attention::Schedule<@SPACE@_problem@ARGUMENTS@>::run(
      {@QUERIES@, @KEYS@, @SCALE@},
      [&](unsigned y, unsigned z) {
        return porter::attention::head(
            @Q@,
            @K@,
            @V@,
            @OUT@);
      }@SUMS@);
}
"""
_SUMS = """,
      [&](int row, unsigned y, unsigned z, float log2_sum) {
        @IF@(@LSE@)[row] = @VALUE@;
      }"""


def emit_attention(one: Instances, chip: Chip, mirrored: bool = False) -> Emitted:
    """mirrored: for a unit in which other code needs mirrored warps."""
    first = one.first
    for problem in one.problems.values():
        if problem.depth not in _HEADS_OF or problem.columns != problem.depth:
            raise Refused(f"no attention kernel is written for heads of {problem.depth} and {problem.columns} columns")
        if problem.element not in ("bf16", "f16"):
            raise Refused(f"no attention kernel is written for {problem.element}")
    parts = {
        "CHIP": chip.target,
        "BOUNDS": BOUNDS if mirrored else "__launch_bounds__(@SPACE@::kThreads, 2)",
        "TEMPLATE": f"{one.template}\n" if one.template else "",
        "ELEMENT": one.text(lambda a: a.element),
        "HEAD": one.text(lambda a: str(a.depth)),
        "MASKED": one.text(lambda a: str(a.causal).lower()),
        "KERNEL": one.kernel,
        "PARAMETERS": one.parameters,
        "ARGUMENTS": f"<{', '.join(one.arguments)}>" if one.template else "",
        "QUERIES": _times(one, lambda a: a.queries),
        "KEYS": _times(one, lambda a: a.keys),
        "SCALE": one.text(lambda a: _scale(a, one.names)),
        "Q": _matrix(one, lambda a: a.query),
        "K": _matrix(one, lambda a: a.key),
        "V": _matrix(one, lambda a: a.value),
        "OUT": _matrix(one, lambda a: a.result),
        "SUMS": _sums(one) if first.sums else "",
    }
    text = _TEXT
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    space = f"{one.kernel}_native"
    text = text.replace("@SPACE@", space)
    queries = first.queries.text({n: f"{{{name}}}" for n, name in enumerate(one.names)})
    return Emitted(
        kernel=text,
        headers=("hip/hip_runtime.h", "porter/attention.h"),
        grid=f"{space}::grid({queries}, {_grid(one, queries)})",
        block=f"{space}::kThreads",
        shared="0",
    )


def _grid(one: Instances, queries: str) -> str:
    """C++ for a grid whose y and z count heads and sequences, over the source's."""
    layouts = {(problem.layout, problem.rows if problem.layout.heads < 0 else 0) for problem in one.problems.values()}
    if len(layouts) != 1:
        raise Refused("its instantiations differ")
    layout, rows = layouts.pop()
    if layout.heads < 0:
        return f"dim3(1, dim3({{0}}).x / (({queries} + {rows - 1}) / {rows}))"
    if (layout.heads, layout.sequences) == (1, 2):
        return "dim3({0})"
    y, z = ("xyz"[axis] for axis in (layout.heads, layout.sequences))
    return f"dim3(1, dim3({{0}}).{y}, dim3({{0}}).{z})"


def _names(one: Instances) -> dict[int, str]:
    return {**dict(enumerate(one.names)), GRID_Y: "gridDim.y", GRID_Z: "gridDim.z"}


def _times(one: Instances, of: Callable[[Attention], Times]) -> str:
    """A product, whose constant may differ between instantiations."""
    values = [of(problem) for problem in one.problems.values()]
    if len({value.parameters for value in values}) != 1:
        raise Refused("its instantiations differ")
    constants = {value.constant for value in values}
    names = _names(one)
    factors = [names[number] for number in values[0].parameters]
    if constants != {1} or not factors:
        factors.append(one.text(lambda a: str(of(a).constant)))
    return " * ".join(factors)


def _matrix(one: Instances, of: Callable[[Attention], Heads]) -> str:
    """Where a head's matrix begins, and its pitch."""
    return f"{_place(one, of)}, {_times(one, lambda a: of(a).pitch)}"


def _place(one: Instances, of: Callable[[Attention], Heads]) -> str:
    heads = of(one.first)
    if (
        len(
            {
                (of(a).parameter, of(a).group, of(a).head == NOTHING, of(a).sequence == NOTHING)
                for a in one.problems.values()
            }
        )
        != 1
    ):
        raise Refused("its instantiations differ")
    parts = [one.names[heads.parameter]]
    if heads.sequence != NOTHING:
        parts.append(f"int64_t(z) * {_times(one, lambda a: of(a).sequence)}")
    if heads.head != NOTHING:
        y = "y" if heads.group == ALONE else f"y / {heads.group.text(_names(one))}"
        parts.append(f"int64_t({y}) * {_times(one, lambda a: of(a).head)}")
    return " + ".join(parts)


def _scale(problem: Attention, names: Sequence[str]) -> str:
    factor = problem.scale.factor * _LN_2
    if problem.scale.parameter < 0:
        return f"{factor:.9g}f"
    name = names[problem.scale.parameter]
    return name if abs(factor - 1.0) < 1e-5 else f"{name} * {factor:.9g}f"


def _sums(one: Instances) -> str:
    def place(problem: Attention) -> Heads:
        if problem.sums is None:
            raise Refused("its instantiations differ")
        return problem.sums

    name = one.names[place(one.first).parameter]
    optional = {place(problem).parameter in problem.optional for problem in one.problems.values()}
    value = one.text(lambda a: _of_log2(a.log2))
    text = _SUMS.replace("@IF@", f"if ({name} != nullptr) " if True in optional else "")
    return text.replace("@LSE@", _place(one, place)).replace("@VALUE@", value)


def _of_log2(factor: float) -> str:
    """C++ for a logarithm of another base."""
    for exact in (1.0, _LN_2):
        factor = exact if abs(factor - exact) < 1e-5 else factor
    return "log2_sum" if factor == 1.0 else f"log2_sum * {factor:.7g}f"
