"""The source of a matrix product's kernel for gfx942, in the place of one that was written for Hopper.

One schedule for all problems (the text below gives the reasons); what differs is how tiles are loaded, what the matrix
instruction is called, and where C goes. Elements of C that lie in columns are a product with its factors exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.native.emit.gemm_parts import BEFORES, FORMATS, RESULTS, formats, loader
from porter.native.machine.values import Refused
from porter.native.recognise.epilogue import BEFORE, PLACE
from porter.native.recognise.problem import BYTES, Behind, Gemm, Operand, Result

__all__ = ["Emitted", "emit"]


@dataclass(frozen=True, slots=True)
class Emitted:
    """`grid` is a format string over the names of the kernel's parameters: the launch's arguments. {0}: its grid."""

    kernel: str
    headers: tuple[str, ...]
    grid: str
    block: str
    shared: str


_SOURCE = Path(__file__).with_name("gemm_kernel.hip.in")
_HEADERS = ("hip/hip_runtime.h", "porter/tensor_map.h", "porter/tensor_view.h")


_GRID = """\
inline dim3 grid(const CUtensorMap& map_a, const CUtensorMap& map_b@COUNT@) {
  const porter::matrix_view a = @HOST_A@, b = @HOST_B@;
  const int tile = large(@M@, @N@) ? kLarge : kSmall;
  return dim3(parts(@M@, tile) * parts(@N@, tile)@PRODUCTS@);
}
"""
_GRID_OF_SIZES = """\
// The host goes by the sizes that the kernel is given.
inline dim3 grid(int m, int n@COUNT@) {
  const int tile = large(m, n) ? kLarge : kSmall;
  return dim3(parts(m, tile) * parts(n, tile)@PRODUCTS@);
}
"""


def _bounds(c: Result) -> str:
    """Tensor maps may say more rows and columns than C has: what the kernel is given keeps its stores within."""
    if not any(c.bounds):
        return ""
    return "".join(f", {bound or '~0u'}" for bound in c.bounds[:: 1 if c.row_major else -1])


_ONE_TILE = """\
  if (large(@M@, @N@))
    multiply<{parts}kLarge>(a, b, c, shared, value);
  else
    multiply<{parts}kSmall>(a, b, c, shared, value);
"""
_EITHER_WAY = """\
  const auto whole_chunks = [](porter::matrix_view of) {
    return (of.base | of.pitch | uint64_t(of.columns) * kElementBytes) % 16 == 0;
  };
  const bool whole = whole_chunks(a) && whole_chunks(b), tall = large(@M@, @N@);
"""


def _dispatch(parts: str, whole: bool) -> str:
    if whole:
        return _ONE_TILE.replace("{parts}", parts)
    lines = [
        f"  {'else ' if number else ''}if ({condition}) multiply<{parts}{way}, {tile}>(a, b, c, shared, value);\n"
        for number, (condition, way, tile) in enumerate(
            [("whole && tall", "true", "kLarge"), ("whole", "true", "kSmall"), ("tall", "false", "kLarge")]
        )
    ]
    return _EITHER_WAY + "".join(lines) + f"  else multiply<{parts}false, kSmall>(a, b, c, shared, value);\n"


def _choice(problem: Gemm, space: str) -> str:
    """Which elements an instantiation of the kernel has."""
    if not problem.elements:
        return ""
    names = [f"{space}::{element}" for _, element in problem.elements]
    text = names[-1]
    for (condition, _), name in zip(reversed(problem.elements[:-1]), reversed(names[:-1])):
        text = f"std::conditional_t<{condition}, {name}, {text}>"
    return f"  using E = {text};\n"


def _argument(name: str) -> str:
    """A parameter, or a member of one, as a part of a format string over the launch's arguments."""
    return re.sub(r"^\w+", lambda found: f"{{{found[0]}}}", name)


_WORDS = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t"}


def _within(view: str, rows: str, columns: str) -> str:
    return f"porter::within({view}, {rows or '~0u'}, {columns or '~0u'})" if rows or columns else view


def _view(problem: Gemm, one: Operand, is_first: bool) -> str:
    if not one.pitch or problem.sizes is None:
        k = problem.limits[2]
        view = _behind(f"porter::view({one.source})", one.behind, "", one.k_major)
        return _within(view, *(("", k) if one.k_major else (k, "")))
    rows, k = problem.sizes[0 if is_first else 1], problem.sizes[2]
    sizes = f"{rows}, {k}" if one.k_major else f"{k}, {rows}"
    word = _WORDS[BYTES[one.element]]
    return _behind(f"porter::view<{word}>({one.source}, {one.pitch}, {sizes})", one.behind, word)


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


_KERNEL = """
// Two waves a SIMD: 256 registers each, half of them sums.
__global__ void @BOUNDS@
    @KERNEL@(@PARAMETERS@) {
@CALLS@}
"""
_CALL = """\
@FEWER@@CHOICE@  @SPACE@::run@OF_RUN@(
      @A@, @B@, @TARGET@,
      [&](@SUM@ sum, int @ROW@, int @COLUMN@@BEFORE_PARAMETER@) -> @SUM@ { return @VALUE@; });
"""

# As HIP's __launch_bounds__ has it, which is another macro in units of mirrored warps.
_BOUNDS = "__attribute__((amdgpu_flat_work_group_size(1, @SPACE@::kThreads), amdgpu_waves_per_eu(2)))"


def emit(problem: Gemm, mirrored: bool = False) -> Emitted:
    """mirrored: for a unit in which other code needs mirrored warps."""
    space = re.sub(r"\W+", "_", problem.kernel) + "_native"
    first = _product(problem, space, _GRID if problem.sizes is None else _GRID_OF_SIZES)
    others = [(condition, _product(other, f"{space}_{_elements(other)}", "")) for condition, other in problem.others]
    parts = {
        "BOUNDS": (_BOUNDS if mirrored else "__launch_bounds__(@SPACE@::kThreads, 2)").replace("@SPACE@", space),
        "KERNEL": problem.kernel,
        "PARAMETERS": problem.parameters,
        "CALLS": _calls(first.call, [(condition, other.call) for condition, other in others]),
    }
    names = (problem.a.source, problem.b.source) if problem.sizes is None else problem.sizes[:2]
    arguments = [_argument(name) for name in (names if problem.c.row_major else names[::-1])]
    products = [first, *(other for _, other in others)]
    return Emitted(
        kernel="\n".join(one.source for one in products) + _filled(_KERNEL, parts),
        headers=tuple(dict.fromkeys((*_HEADERS, *(header for one in products for header in one.headers)))),
        grid=f"{space}::grid({', '.join(arguments)}" + (f", dim3({{0}}).{problem.axis})" if problem.axis else ")"),
        block=f"{space}::kThreads",
        shared="0",
    )


@dataclass(frozen=True, slots=True)
class _Product:
    source: str  # a namespace
    call: str  # what the kernel does
    headers: tuple[str, ...]


def _elements(problem: Gemm) -> str:
    return "_".join(dict.fromkeys((problem.a.element, problem.b.element, problem.c.element)))


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


def _placed(c: Result) -> str:
    """The value, with the place of its element in matrices that lie as C does."""
    major, minor = ("row", "column") if c.row_major else ("column", "row")
    return c.value.replace(PLACE, f"[int64_t({major}) * {c.pitch} + {minor}]")


def _product(problem: Gemm, space: str, grid: str) -> _Product:
    c = problem.c
    a, b, row, column = problem.a, problem.b, "row", "column"
    if not c.row_major:
        a, b, row, column = b, a, column, row
    form = FORMATS[a.element, b.element]
    several = bool(problem.elements)
    of = "E::" if several else ""
    whole = a.in_chunks and b.in_chunks
    before = re.search(rf"\b{BEFORE}\b", c.value) is not None
    if before and re.search(rf"\b{BEFORE}\b", problem.parameters):
        raise Refused(f"a parameter is called {BEFORE}")
    parts = {
        "FEWER": f"  if (blockIdx.z >= {problem.count}) return;\n" if problem.count else "",
        "GRID": grid,
        "COUNT": ", uint32_t products" if problem.axis else "",
        "PRODUCTS": ", 1, products" if problem.axis else "",
        "HOST_A": "porter::view(map_a, 0, false)" if a.behind.kind == "map" else "porter::view(map_a)",
        "HOST_B": "porter::view(map_b, 0, false)" if b.behind.kind == "map" else "porter::view(map_b)",
        "PRODUCT": "C = A B^T" if c.row_major else "C = A B^T, as C^T = B A^T since columns of C are contiguous:",
        "RESULT": "" if several else RESULTS[c.element] + (BEFORES[c.element] if before else ""),
        "FORMAT": formats(problem.elements, "" if c.element in ("f16", "bf16") else c.element, before)
        if several
        else form.text,
        "LOADER": loader(a.k_major, b.k_major, form, BYTES[a.element], whole),
        "PARTS": ("class E, " if several else "") + ("" if whole else "bool kWhole, "),
        "RUN_PARTS": "class E, " if several else "",
        "LOADER_PARTS": "" if whole else "kWhole, ",
        "OF": of,
        "OF_RUN": "<E>" if several else "",
        "DISPATCH": _dispatch("E, " if several else "", whole),
        "CHOICE": _choice(problem, space),
        "BEFORE": f", {of}before(@LOAD@(part, column + e < columns ? at + e * size : kNowhere, 0, 0))"
        if before
        else "",
        "BEFORE_PARAMETER": f", @SUM@ {BEFORE}" if before else "",
        "CONVERT": f"    if constexpr (another) {form.convert}(next);\n" if form.convert else "",
        "CONVERT_LAST": f"  {form.convert}(next);\n" if form.convert else "",
        "UNSCALED": f" * {form.scale}" if form.scale else "",
        "M": "a.rows" if a.k_major else "a.columns",
        "N": "b.rows" if b.k_major else "b.columns",
        "KA": "a.columns" if a.k_major else "a.rows",
        "KB": "b.columns" if b.k_major else "b.rows",
        "A": _view(problem, a, problem.a is a),
        "B": _view(problem, b, problem.a is b),
        "TARGET": _within(
            _behind(
                f"porter::view({c.parameter})"
                if c.is_map
                else f"porter::view<@SPACE@::Result>({c.parameter}, {c.pitch}{_bounds(c)})",
                c.behind,
                "@SPACE@::Result",
            ),
            *problem.limits[:2][:: 1 if c.row_major else -1],
        ),
        "NOTHING": "  if (c.rows == 0 || c.columns == 0) return;\n" if any(problem.limits[:2]) else "",
        "ROW": row,
        "COLUMN": column,
        "VALUE": _placed(c),
        "SUM": "int" if c.element == "s32" else "float",
        "STORE": "__builtin_amdgcn_raw_buffer_store_b" + ("16" if c.element in ("bf16", "f16") else "32"),
        "LOAD": "__builtin_amdgcn_raw_buffer_load_b" + ("16" if c.element in ("bf16", "f16") else "32"),
        "SPACE": space,
    }
    return _Product(_filled(_SOURCE.read_text(encoding="utf-8"), parts), _filled(_CALL, parts), form.headers)
