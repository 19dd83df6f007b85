"""Is a kernel a matrix product? It is executed on small problems, and what its threads do is compared.

A kernel is C = f(A B^T) if every stored element is f of a sum over the whole of k, once. The sum's products must have
the rows of A and B that the element's place in C requires. They come in tiles that tensor maps
bring, or element by element. Which of the kernel's numbers are M, N and K is found by trying.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product as choices

from porter.native.ir.kernel_arguments import Given
from porter.native.ir.module import Function, Module
from porter.native.machine.collector import without_collector
from porter.native.machine.product_kinds import kind_of
from porter.native.machine.values import Asserted, Refused, Store
from porter.native.recognise.batches import Batches, Matrices, batches
from porter.native.recognise.epilogue import PLACE, common
from porter.native.recognise.operands import three
from porter.native.recognise.problem import BYTES, Behind, Gemm, Operand, Result
from porter.native.recognise.readings import Index, Problem, Reading, checked, made
from porter.native.recognise.results import Place, begins, depth_of, reached
from porter.native.recognise.size_guesses import amounts, assignments, matrices
from porter.native.recognise.size_roles import Numbers, numbers
from porter.native.recognise.tile_counts import edges, with_units
from porter.native.recognise.traces import GRID, Elsewhere, Idle, Runs, Trace

__all__ = ["candidates", "recognise"]

# Problems, and the blocks of each that are executed: on both sides of C's diagonal, and one with many steps of k. The
# larger ones are for kernels that insist on whole groups of tiles.
_SIZES = (
    (
        Problem({"M": 512, "N": 768, "K": 128}, ((0, 0, 0), (1, 1, 0))),
        Problem({"M": 768, "N": 1280, "K": 128}, ((2, 1, 0), (0, 2, 0))),
        Problem({"M": 768, "N": 1280, "K": 384}, ((1, 0, 0),)),
    ),
    (
        Problem({"M": 2048, "N": 4096, "K": 128}, ((0, 0, 0), (1, 1, 0))),
        Problem({"M": 4096, "N": 2048, "K": 384}, ((2, 1, 0), (0, 2, 0))),
    ),
)
# Where it is a product there: is it still one in the last of so many tiles each way, and after as many steps of k as no
# ring has stages? Sums that begin anew, and rows that lie elsewhere from some place on, are not seen in small problems.
_FAR = 64
_DEEP = {"M": 768, "N": 1280, "K": 1024}
_PAST = (1009, 0, 0)
_WIDE = 4096
_GRID_OF_BATCHES = (12, 12, 12)


def candidates(module: Module) -> Iterator[Function]:
    """Kernels that may take matrices, by tensor maps or by pointers."""
    for function in module.functions.values():
        matrices = [p for p in function.parameters if p[2] is not None or p[0].kind == "ptr"]
        structures = any(p[2] is not None and p[2].size != 128 for p in function.parameters)
        if function.kernel and (structures or len(matrices) >= 2):
            yield function


def recognise(
    module: Module, kernel: Function, knows: Sequence[Given], title: str, text: str, shape: tuple[int, int, int],
    cluster: tuple[int, int, int] = (1, 1, 1),
) -> Gemm:  # fmt: skip
    """text: of the kernel's parameters; shape: of a block; cluster: its size, where launches give it.

    Refused says what it does that a matrix product does not."""
    runs = Runs(module, kernel, knows, shape, cluster)
    with without_collector():
        try:
            return _of_fitting_sizes(runs, title, text, 2)
        except (Elsewhere, Asserted) as why:
            try:
                return _of_fitting_sizes(runs, title, text, 1)  # another blockIdx.y may be another product
            except (Elsewhere, Asserted):
                raise why from None
        finally:
            runs.forget()


def _of_fitting_sizes(runs: Runs, title: str, text: str, axis: int) -> Gemm:
    """axis: of blockIdx, by which there may be several products."""
    reasons: list[Refused] = []
    for problems, letters, row_major in choices(_SIZES, assignments(runs.knows), (True, False)):
        try:
            return _recognised(_reading(runs, letters, row_major, axis, problems), title, text)
        except (Elsewhere, Asserted) as why:
            reasons.append(why.with_traceback(None))  # whose frames know what was executed
            if problems is not _SIZES[0] and not isinstance(reasons[0], Asserted):
                break  # larger ones would show the same
    raise next((r for r in reasons if not isinstance(r, Asserted)), reasons[0])


def _reading(runs: Runs, letters: Sequence[str], row_major: bool, axis: int, problems: Sequence[Problem]) -> Reading:
    sizes = with_units(letters, partial(made, runs, True))
    depth = _depth(runs, sizes, problems)
    fixed = {"K": depth} if depth else {}
    problems = [replace(one, dimensions={**one.dimensions, **fixed}) for one in problems]
    return Reading(runs, sizes, row_major, axis, depth, problems)


def _recognised(reading: Reading, title: str, text: str) -> Gemm:
    places: set[Place] = set()
    for problem in reading.problems:
        for x, y, z in problem.blocks:
            index = (x, y, z) if reading.axis == 2 else (max(x, y), 0, z)
            places |= reading.check(problem.dimensions, index)
    places |= _far(reading, min(BYTES.get(place.element, 4) for place in places))
    several = not _same_behind(reading, reading.axis)
    if reading.axis == 1 and not (several and _same_behind(reading, 2)):
        raise Elsewhere("blockIdx.y does not count several products")
    return _gemm(reading, several, places, title, text)


def _far(reading: Reading, of_c: int) -> set[Place]:
    """What is stored far from the first tiles, and after many steps. Lists of tiles by blockIdx.x alone are not looked at
    far away. of_c: bytes of its elements."""
    first = reading.first
    index = (1, 1, 0) if reading.axis == 2 else (1, 0, 0)
    trace = made(reading.runs, True, reading.given(first), first, index, GRID)
    tile = begins(trace, first, reading.row_major, of_c) if trace is not None else None
    problems: list[tuple[Mapping[str, int], Index, Index]] = [] if reading.depth else [(_DEEP, (1, 0, 0), GRID)]
    if reading.axis == 2 and tile is not None and min(tile.values()) > 0:
        wide = {**first, "M": _FAR * tile["M"], "N": _FAR * tile["N"]}
        problems.append((wide, (_FAR - 1, _FAR - 1, 0), (_FAR, _FAR, GRID[2])))
    places: set[Place] = set()
    for wanted, block, grid in problems:
        try:
            places |= reading.check(wanted, block, grid)
        except Idle:
            continue
        except (Elsewhere, Asserted) as why:
            size = " x ".join(str(wanted[s]) for s in "MNK")
            raise Refused(f"it is a product of small matrices, but not of {size}: {why}") from None
    return places


def _depth(runs: Runs, letters: Sequence[str], problems: Sequence[Problem]) -> int:
    """K, if that is a constant of the kernel; else 0."""
    small, large = problems[0].dimensions, problems[-1].dimensions
    trace = made(runs, True, amounts(letters, small), small, (0, 0, 0), GRID)
    depth = depth_of(trace) if trace is not None else 0
    if depth in (0, small["K"]):
        return 0
    other = made(runs, True, amounts(letters, large), large, (0, 0, 0), GRID)
    return depth if other is not None and depth_of(other) == depth else 0


def _same_behind(reading: Reading, axis: int) -> bool:
    """Does a block with another index make what the one before it makes?"""
    wide = {**reading.first, "N": _WIDE}
    # Where blockIdx.z numbers tiles, a small one has no such tile.
    for dimensions in (reading.first, wide, {**wide, "M": _WIDE}):
        try:
            reading.check(dimensions, (1, 0, 1) if axis == 2 else (1, 1, 0))
        except Idle:
            continue
        except (Elsewhere, Asserted):
            return False
        return True
    return False


@dataclass(frozen=True, slots=True)
class _Operands:
    """A and B as a block's products read them."""

    sources: tuple[int, int]  # numbers of the kernel's parameters
    majors: tuple[bool, bool]  # elements of k are neighbours in memory
    pitches: Mapping[str, str]  # of plain pointers, by name: the size that the pitch is at least
    narrowest: Mapping[int, int]  # bytes of the narrowest load, by parameter

    def in_chunks(self, number: int) -> bool:
        return _PITCHES[number] not in self.pitches or self.narrowest.get(self.sources[number], 16) >= 16


_PITCHES = ("pitch_a", "pitch_b")
_WHOSE = {"pitch": "result", "pitch_a": "first operand", "pitch_b": "second operand"}


def _operands(trace: Trace) -> _Operands:
    one = trace.products[0]
    if trace.layouts is None:
        kind = kind_of(one.kind)
        a, b = (trace.tiles.region((d & 0x3FFF) << 4)[1] for d in one.descriptors)
        return _Operands((a, b), (not kind.transposed_a, not kind.transposed_b), {}, trace.narrowest)
    first, second = trace.layouts
    pitches = {
        name: "K" if layout.k_major else across
        for name, layout, across in zip(_PITCHES, trace.layouts, "MN")
        if not layout.is_map
    }
    majors = first.k_major, second.k_major
    return _Operands((first.parameter, second.parameter), majors, pitches, trace.narrowest)


def _one_place(places: set[Place]) -> Place:
    """C, and what is stored there."""
    if len({(p.parameter, p.is_map, p.element, p.row_major) for p in places}) != 1:
        raise Refused("results that go to several places")
    return replace(next(iter(places)), value=common({p.value for p in places}))


def _gemm(reading: Reading, several: bool, places: set[Place], title: str, text: str) -> Gemm:
    """several: products in one launch, by the reading's axis of blockIdx."""
    runs, names = reading.runs, reading.runs.names
    c = _one_place(places)
    arguments = tuple(reading.given(reading.first))
    trace = next(t for (known, *_), t in runs.traces.items() if known == arguments)
    kind, operands = kind_of(trace.products[0].kind), _operands(trace)
    known = _numbers(reading, c, operands.pitches)
    _of_their_matrices(runs, operands, c, known)
    fixed = {"K": str(reading.depth)} if reading.depth else {}
    limits = fixed | known.limits | edges(reading.letters, names, partial(made, runs, True))
    # Where C lies without gaps its pitch is a size; the name says so.
    called = {
        s: n for s, n in zip(reading.letters, names) if s and n.rpartition(".")[2].lower().strip("_") == s.lower()
    }
    given = limits | called | known.sizes | fixed
    _nothing_past(reading, arguments, all(known.bounds))
    (a, b), (of_a, of_b) = operands.sources, (BYTES[kind.a], BYTES[kind.b])
    of = Matrices((a, of_a), (b, of_b), (c.parameter, BYTES.get(c.element, 4)))
    apart = _apart(reading, of) if several else Batches("", Behind(), Behind(), Behind(), "")
    _nothing_open(known, apart, given, PLACE in c.value)
    host_sizes = _asked_sizes(runs, operands, apart, c, given)
    for name in (*operands.pitches, *(() if c.is_map else ("pitch",))):
        if name not in known.pitches:
            raise Refused(f"the pitch of the {_WHOSE[name]} is not one of the kernel's parameters")
    of_operands = zip(operands.sources, (kind.a, kind.b), operands.majors, _PITCHES, (apart.a, apart.b))
    chunked = _chunked(runs)
    first, second = (
        Operand(names[source], of, major, known.pitches.get(pitch, ""), operands.in_chunks(number), behind, in_chunks)
        for number, (source, of, major, pitch, behind) in enumerate(of_operands)
        for in_chunks in (source in chunked and behind.kind != "map",)
    )
    element = "s32" if kind.a == "s8" and c.element == "f32" and c.value == "sum" else c.element
    pitch = known.pitches.get("pitch", "")
    cut = c.parameter in chunked and apart.c.kind != "map"
    result = Result(names[c.parameter], c.is_map, element, c.row_major, pitch, c.value, known.bounds, apart.c, cut)
    return Gemm(
        title,
        text,
        first,
        second,
        result,
        tuple(given[size] for size in host_sizes) or None,
        axis=apart.axis,
        count=apart.count,
        halves=kind.halves,
        limits=(limits.get("M", ""), limits.get("N", ""), limits.get("K", "")),
    )


def _chunked(runs: Runs) -> frozenset[int]:
    """Parameters that are tensor maps whose third dimension counts chunks of columns, or matrices."""
    in_chunks: set[int] = set()
    for trace in runs.traces.values():
        in_chunks |= {map for (map, _), boxes in trace.tiles.loads.items() if any(cut for _, _, cut in boxes)}
        in_chunks |= {store.map for store in trace.stores if three(store.at)[2]}
    return frozenset(in_chunks)


def _nothing_open(known: Numbers, apart: Batches, given: Mapping[str, str], beside: bool) -> None:
    """Refuses what depends on more than sizes. beside: the result depends on a matrix beside A, B and C."""
    gates = known.gates - {apart.count}
    if gates:
        raise Refused(f"what it computes depends on {min(gates)}")
    if apart.axis and beside:
        raise Refused("several products, and a matrix beside A, B and C")
    if apart.count and apart.count in given.values():
        raise Refused(f"{apart.count} is not told from a size")


def _of_their_matrices(runs: Runs, operands: _Operands, c: Place, known: Numbers) -> None:
    """Elsewhere where a size is taken from a structure whose matrix has another one there."""
    (a, b), (a_rows, b_rows) = operands.sources, operands.majors
    lies = {a: "MK" if a_rows else "KM", b: "NK" if b_rows else "KN", c.parameter: "MN" if c.row_major else "NM"}
    for one in matrices(runs.knows):
        for letters in (lies[place] for place in one.places if place in lies):
            for letter, number in zip(letters, (one.rows, one.columns)):
                if any(name == runs.names[number] and size != letter for size, name in known.sizes.items()):
                    raise Elsewhere(f"{runs.names[number]} is not used as a size of its own matrix")


def _numbers(reading: Reading, c: Place, of_operands: Mapping[str, str]) -> Numbers:
    runs = reading.runs

    def check(arguments: Sequence[int | None], wanted: Mapping[str, int]) -> frozenset[str] | None:
        try:
            passed = checked(runs, arguments, wanted, (0, 0, 0), c.row_major)
        except (Elsewhere, Asserted, ZeroDivisionError):
            return None
        return frozenset(p.value for p in passed)

    def reach(arguments: Sequence[int | None], wanted: Mapping[str, int]) -> Mapping[str, int] | None:
        if check(arguments, wanted) is None:
            return None
        trace = made(runs, True, arguments, wanted, (0, 0, 0), GRID)
        return None if trace is None else reached(trace, wanted, c.row_major)

    of_c = {} if c.is_map else {"pitch": "N" if c.row_major else "M"}
    return numbers(check, reach, reading.letters, runs.names, reading.first, {**of_c, **of_operands})


def _asked_sizes(runs: Runs, operands: _Operands, apart: Batches, c: Place, given: Mapping[str, str]) -> str:
    """Which of M, N and K the host has to pass: the sizes that no tensor map has."""
    by_pointer = bool(operands.pitches)
    in_memory = not by_pointer and any(runs.knows[number].by_value is None for number in operands.sources)
    if in_memory and not {"M", "N"} <= given.keys():
        raise Refused("tensor maps in global memory, and no sizes among the kernel's parameters")
    if by_pointer and not {"M", "N", "K"} <= given.keys():
        raise Refused("the sizes of the matrices are not among the kernel's parameters")
    rows = ("M" if operands.majors[0] else "K", "N" if operands.majors[1] else "K", "M" if c.row_major else "N")
    below = [(behind, size) for behind, size in zip((apart.a, apart.b, apart.c), rows) if behind.kind == "rows"]
    if any(behind.much != given.get(size, "") for behind, size in below):
        raise Refused("matrices that lie below each other, but not as many rows apart as they have")
    if below and not {"M", "N"} <= given.keys():
        raise Refused("matrices that lie below each other, and no sizes among the kernel's parameters")
    return "MNK" if by_pointer else "MN" if in_memory or below else ""


def _nothing_past(reading: Reading, arguments: Sequence[int | None], bounded: bool) -> None:
    """A block far past C's tiles stores nothing, or wraps around. Where C has no edge it may be anywhere."""
    dimensions = reading.first
    trace = made(reading.runs, True, arguments, dimensions, _PAST, GRID)
    if trace is None:
        return
    try:
        checked(reading.runs, arguments, dimensions, _PAST, reading.row_major)
    except (Refused, ZeroDivisionError):
        first, second = (dimensions[s] for s in ("NM" if reading.row_major else "MN"))
        inside = [s for s in trace.stores if s.at[0] < first and s.at[1] < second]
        if inside or (bounded and any(isinstance(e, Store) for events in trace.threads for e in events)):
            raise Refused("blocks past C's tiles store something: a list of several products") from None


def _apart(reading: Reading, of: Matrices) -> Batches:
    dimensions = [one.dimensions for one in reading.problems]
    runs = reading.runs

    def batches_if(way: bool) -> Batches:
        def block(arguments: Sequence[int | None], index: Index) -> Trace | None:
            return made(runs, way, arguments, dimensions[0], index, _GRID_OF_BATCHES)

        return batches(block, reading.letters, runs.names, dimensions, of, reading.axis)

    apart = {batches_if(way) for way in ((True, False) if runs.conditions else (True,))}
    if len(apart) != 1:
        raise Refused("what lies between several products depends on a condition")
    return apart.pop()
