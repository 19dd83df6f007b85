"""The source of a matrix product's kernel for gfx942, in the place of one that was written for Hopper.

The schedule is the same for all problems: porter/gemm.h. What is the kernel's own is its problem (elements, and how
they lie in memory), what it is given, and what becomes of a sum. Elements of C that lie in columns are a product with
its factors exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from porter.chip import Board, Chip
from porter.native.emit.gemm_text import headers, inlined
from porter.native.machine.values import Refused
from porter.native.recognise.epilogue import BEFORE, PLACE
from porter.native.recognise.problem import BYTES, Behind, Gemm, Operand, Result

__all__ = ["BOUNDS", "FACTORS", "Emitted", "emit"]


@dataclass(frozen=True, slots=True)
class Emitted:
    """`grid` is a format string over the names of the kernel's parameters: the launch's arguments. {0}: its grid."""

    kernel: str
    headers: tuple[str, ...]
    grid: str
    block: str
    shared: str


# The elements of A and B that the headers have Factors for.
FACTORS = frozenset({
    ("bf16", "bf16"), ("f16", "f16"), ("tf32", "tf32"), ("s8", "s8"),
    ("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3"), ("e5m2", "e5m2"),
})  # fmt: skip
_WORDS = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t"}

_PROBLEM = """\
// @PRODUCT@ on @CHIP@, in the place of a kernel written for NVIDIA's chips; @WHERE@ has the schedule.
@TEMPLATE@struct @SPACE@_problem : @GEMM@::Problem {
  using A = @A_TYPE@;
  using B = @B_TYPE@;
  using C = @C_TYPE@;
  static constexpr bool kAIsKMajor = @A_MAJOR@, kBIsKMajor = @B_MAJOR@;
@TRAITS@};
@ABOUT_ALIAS@using @SPACE@ = @GEMM@::Schedule<@SPACE@_problem@OF_ANY@>;
"""
_KERNEL = """
// Two waves a SIMD: 256 registers each, half of them sums.
__global__ void @BOUNDS@
    @KERNEL@(@PARAMETERS@) {
@CALLS@}
"""
_CALL = """\
@FEWER@@CHOICE@  @SCHEDULE@::run(
      @A@, @B@, @TARGET@,
      [&](@SUM@ sum, int @ROW@, int @COLUMN@@BEFORE_PARAMETER@) -> @SUM@ { return @VALUE@; });
"""

# As HIP's __launch_bounds__ has it, which is another macro in units of mirrored warps.
BOUNDS = "__attribute__((amdgpu_flat_work_group_size(1, @SPACE@::kThreads), amdgpu_waves_per_eu(2)))"


@dataclass(frozen=True, slots=True)
class _Product:
    source: str  # what is the problem's own
    call: str  # what the kernel does


def emit(problem: Gemm, chip: Chip, board: Board, mirrored: bool = False, inline: bool = False) -> Emitted:
    """mirrored: for a unit in which other code needs mirrored warps. inline: with the schedule's own text."""
    space = re.sub(r"\W+", "_", problem.kernel) + "_native"
    schedule = f"{space}_schedule" if inline else "porter::gemm"
    first = _product(problem, space, schedule, chip, board)
    others = [
        (when, _product(other, f"{space}_{_elements(other)}", schedule, chip, board)) for when, other in problem.others
    ]
    parts = {
        "BOUNDS": (BOUNDS if mirrored else "__launch_bounds__(@SPACE@::kThreads, 2)").replace("@SPACE@", space),
        "KERNEL": problem.kernel,
        "PARAMETERS": problem.parameters,
        "CALLS": _calls(first.call, [(when, other.call) for when, other in others]),
    }
    names = (problem.a.source, problem.b.source) if problem.sizes is None else problem.sizes[:2]
    arguments = [_argument(name) for name in (names if problem.c.row_major else names[::-1])]
    problems = (problem, *(other for _, other in problem.others))
    elements = [element for one in problems for element in (one.a.element, one.b.element, one.c.element)]
    text = f"{inlined(schedule, elements)}\n" if inline else ""
    text += "\n".join(one.source for one in (first, *(other for _, other in others)))
    return Emitted(
        kernel=text + _filled(_KERNEL, parts),
        headers=headers(elements, inline),
        grid=f"{space}::grid({', '.join(arguments)}" + (f", dim3({{0}}).{problem.axis})" if problem.axis else ")"),
        block=f"{space}::kThreads",
        shared="0",
    )


def _product(problem: Gemm, space: str, schedule: str, chip: Chip, board: Board) -> _Product:
    c = problem.c
    a, b, row, column = problem.a, problem.b, "row", "column"
    if not c.row_major:
        a, b, row, column = b, a, column, row
    several = bool(problem.elements)
    before = re.search(rf"\b{BEFORE}\b", c.value) is not None
    if before and re.search(rf"\b{BEFORE}\b", problem.parameters):
        raise Refused(f"a parameter is called {BEFORE}")
    sum_ = "int" if c.element == "s32" else "float"
    parts = {
        "CHIP": chip.target,
        "PRODUCT": "C = A B^T" if c.row_major else "C = A B^T, as C^T = B A^T since columns of C are contiguous",
        "TEMPLATE": "template <class E>\n" if several else "",
        "A_TYPE": "E" if several else f"@GEMM@::{a.element}",
        "B_TYPE": "E" if several else f"@GEMM@::{b.element}",
        "C_TYPE": "E" if several and c.element in ("f16", "bf16") else f"@GEMM@::{c.element}",
        "A_MAJOR": str(a.k_major).lower(),
        "B_MAJOR": str(b.k_major).lower(),
        "TRAITS": _traits(problem, a, b) + _tuning(chip, board),
        "ABOUT_ALIAS": "// Its grid and its block are those of all elements.\n" if several else "",
        "OF_ANY": f"<@GEMM@::{problem.elements[0][1]}>" if several else "",
        "FEWER": f"  if (blockIdx.z >= {problem.count}) return;\n" if problem.count else "",
        "CHOICE": _choice(problem),
        "SCHEDULE": "@GEMM@::Schedule<@SPACE@_problem<E>>" if several else "@SPACE@",
        "A": _view(problem, a, problem.a is a),
        "B": _view(problem, b, problem.a is b),
        "TARGET": _target(problem),
        "SUM": sum_,
        "ROW": row,
        "COLUMN": column,
        "BEFORE_PARAMETER": f", {sum_} {BEFORE}" if before else "",
        "VALUE": _placed(c),
        "WHERE": schedule.replace("::", "/") + ".h" if "::" in schedule else schedule,
        "GEMM": schedule,
        "SPACE": space,
    }
    return _Product(_filled(_PROBLEM, parts), _filled(_CALL, parts))


def _traits(problem: Gemm, a: Operand, b: Operand) -> str:
    """What is not as the headers' Problem has it."""
    traits = {
        "kInChunks": a.in_chunks and b.in_chunks,
        "kManyA": a.behind.kind == "map",
        "kManyB": b.behind.kind == "map",
        "kMayBeEmpty": any(problem.limits[:2]),
    }
    usual = {"kInChunks": True, "kManyA": False, "kManyB": False, "kMayBeEmpty": False}
    own = (name for name in traits if traits[name] != usual[name])
    return "".join(f"  static constexpr bool {name} = {str(traits[name]).lower()};\n" for name in own)


def _tuning(chip: Chip, board: Board) -> str:
    """What tiles are chosen and shared out by, where the board has not all of the chip's dies."""
    units, dies = chip.units_of(board), chip.dies_of(board)
    if dies == chip.xcds:
        return ""
    return f"  static constexpr int kComputeUnits = {units}, kXcds = {dies};  // {board.name}\n"


def _elements(problem: Gemm) -> str:
    return "_".join(dict.fromkeys((problem.a.element, problem.b.element, problem.c.element)))


def _choice(problem: Gemm) -> str:
    """Which elements an instantiation of the kernel has."""
    if not problem.elements:
        return ""
    names = [f"@GEMM@::{element}" for _, element in problem.elements]
    text = names[-1]
    for (condition, _), name in zip(reversed(problem.elements[:-1]), reversed(names[:-1])):
        text = f"std::conditional_t<{condition}, {name}, {text}>"
    return f"  using E = {text};\n"


def _calls(call: str, others: Sequence[tuple[str, str]]) -> str:
    """Of the product that an instantiation computes."""
    if not others:
        return call
    text = ""
    for condition, other in others:
        text += f"{'  } else if' if text else '  if'} constexpr ({condition}) {{\n{_indented(other)}"
    return f"{text}  }} else {{\n{_indented(call)}  }}\n"


def _indented(text: str) -> str:
    return re.sub(r"^(?=.)", "  ", text, flags=re.M)


def _filled(text: str, parts: Mapping[str, str]) -> str:
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text


def _argument(name: str) -> str:
    """A parameter, or a member of one, as a part of a format string over the launch's arguments."""
    return re.sub(r"^\w+", lambda match: f"{{{match[0]}}}", name)


def _placed(c: Result) -> str:
    """The value, with the place of its element in matrices that lie as C does."""
    major, minor = ("row", "column") if c.row_major else ("column", "row")
    return c.value.replace(PLACE, f"[int64_t({major}) * {c.pitch} + {minor}]")


def _target(problem: Gemm) -> str:
    c = problem.c
    view = (
        f"porter::{_viewed(c.chunked)}({c.parameter})"
        if c.is_map
        else f"porter::view<@SPACE@::Result>({c.parameter}, {c.pitch}{_bounds(c)})"
    )
    limits = problem.limits[:2][:: 1 if c.row_major else -1]
    return _within(_behind(view, c.behind, "@SPACE@::Result"), *limits)


def _bounds(c: Result) -> str:
    """Tensor maps may say more rows and columns than C has: what the kernel is given keeps its stores within."""
    if not any(c.bounds):
        return ""
    return "".join(f", {bound or '~0u'}" for bound in c.bounds[:: 1 if c.row_major else -1])


def _view(problem: Gemm, one: Operand, is_first: bool) -> str:
    if not one.pitch or problem.sizes is None:
        k = problem.limits[2]
        view = _behind(f"porter::{_viewed(one.chunked)}({one.source})", one.behind, "", one.k_major)
        return _within(view, *(("", k) if one.k_major else (k, "")))
    rows, k = problem.sizes[0 if is_first else 1], problem.sizes[2]
    sizes = f"{rows}, {k}" if one.k_major else f"{k}, {rows}"
    word = _WORDS[BYTES[one.element]]
    return _behind(f"porter::view<{word}>({one.source}, {one.pitch}, {sizes})", one.behind, word)


def _viewed(chunked: bool) -> str:
    """What gives the view of a tensor map."""
    return "chunked" if chunked else "view"


def _within(view: str, rows: str, columns: str) -> str:
    return f"porter::within({view}, {rows or '~0u'}, {columns or '~0u'})" if rows or columns else view


def _behind(view: str, behind: Behind, element: str, no_columns: bool = False) -> str:
    """The view of the product that a block takes part in."""
    if behind.kind == "map":
        return f"{view[:-1]}, blockIdx.z, {str(no_columns).lower()})"
    if behind.kind == "rows":
        return f"porter::below({view}, blockIdx.z, {behind.much})"
    if behind.kind == "elements":
        first, *others = behind.much.split(" * ")
        return f"porter::behind<{element}>({view}, blockIdx.z, {' * '.join((f'int64_t({first})', *others))})"
    return view
