"""ThunderKittens at wave width (`--kittens native`): what of a unit stands in the way of one warp being a wavefront.

The library's own operations mean the same there. What counts lanes or threads by itself, or looks into a register tile,
means CUDA's 32 lanes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from porter.analysis.kittens_lanes import LaneCode, element_at
from porter.frontend.lexer import Kind, Token, TokenFile, launch_arguments, template_begin, template_end
from porter.frontend.scopes import Function, Scopes

__all__ = ["HEADERS", "Obstacle", "View", "header_of", "included_at"]

HEADERS = {"kittens.cuh": "porter/kittens/kittens.h", "prototype.cuh": "porter/kittens/prototype.h"}
_WIDE = frozenset({"WARP_THREADS", "WARPGROUP_THREADS", "GROUP_THREADS", "NUM_THREADS_v"})
_USES = frozenset({"kittens", "warp", "warpgroup", "group", "tma", "warpid", "laneid", "shared_allocator", "semaphore"})
_OF_WARPS = re.compile(
    r"__(?:shfl|ballot|any|all|match|reduce|activemask)(?:_\w+)?|warpSize|tiled_partition|coalesced_threads|thread_rank|elect_sync"
)
_CLUSTERS = frozenset({"cluster", "__cluster_dims__", "clusterIdx", "cluster_ctarank", "cluster_nctarank"})
_LAUNCHES = re.compile(r"(?:cuda|cu)Launch(?:Cooperative)?Kernel(?:Ex\w*)?|cudaLaunchConfig_t|LaunchConfig")
_DECLARED = frozenset({"int", "unsigned", "size_t", "uint32_t", "auto", "const", "constexpr", "dim3", "short"})
_BEFORE_BODY = frozenset({"const", "noexcept", "->", "dim3"})
_COMPARED = frozenset({"==", "!="})

Span = tuple[TokenFile, int, int]  # tokens of a file


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A place that asks for CUDA's warps."""

    start: int
    end: int
    why: str


def included_at(file: TokenFile) -> Sequence[int]:
    """The tokens of the `#include`s that bring ThunderKittens, and its prototypes."""
    firsts = (d.first for d in file.directives if d.name == "include" and d.first < d.last)
    return [i for i in firsts if file.tokens[i].kind == Kind.HEADER and _base_name(file.tokens[i]) in HEADERS]


def _base_name(token: Token) -> str:
    return token.text[1:-1].rpartition("/")[2]


def header_of(token: Token) -> str:
    """porter's header in the place of the one that the token names."""
    return HEADERS[_base_name(token)]


@dataclass(frozen=True)
class View:
    """A file of a unit."""

    file: TokenFile
    scopes: Scopes
    beside: Sequence[TokenFile] = ()  # the unit's other files

    def text(self, index: int) -> str:
        return self.file.tokens[index].text if 0 <= index < len(self.file.tokens) else ""

    # ---- kernels and the numbers of their threads ----

    @cached_property
    def kernels(self) -> Mapping[str, Function]:
        """The kernels that use warps of the library, themselves or in functions of this file that they call, by name."""
        defined = [f for f in self.scopes.functions if f.body[0] >= 0]
        words = {f: self._words(f.first, f.body[1]) for f in defined}
        using = {f for f in defined if not _USES.isdisjoint(words[f])}
        while more := {f for f in defined if f not in using and not words[f].isdisjoint(u.name for u in using)}:
            using |= more
        return {f.name: f for f in defined if f.kernel and f in using}

    def _words(self, first: int, last: int) -> set[str]:
        """`kittens::base_types` has conversions of numbers alone."""
        return {
            self.text(i) for i in range(first, last) if self.text(i) != "kittens" or self.text(i + 2) != "base_types"
        }

    @cached_property
    def _values(self) -> Mapping[str, Sequence[Span]]:
        """What names of numbers and blocks are set to, as tokens of a file of the unit."""
        values: dict[str, list[Span]] = {}
        for file in (self.file, *self.beside):
            for name, first, last in _set_in(file):
                values.setdefault(name, []).append((file, first, last))
        return values

    @cached_property
    def _results(self) -> Mapping[str, Sequence[Span]]:
        """What functions of numbers and blocks return."""
        results: dict[str, list[Span]] = {}
        for file in (self.file, *self.beside):
            for name, first, last in _returned_in(file):
                results.setdefault(name, []).append((file, first, last))
        return results

    def kind(self, first: int, last: int) -> str:
        """How an expression counts threads: "wide" by the library's constants, "number" by numbers, or "unknown": also
        where several things of a name are counted in different ways."""
        kind = self._kind((self.file, first, last), frozenset())
        return "unknown" if kind == "mixed" else kind

    def _kind(self, span: Span, seen: frozenset[Span]) -> str:
        file, first, last = span
        kinds = set()
        for index in range(first, last):
            text = file.tokens[index].text
            if text in _WIDE:
                return "wide"
            if text.rstrip("uUlL").isdigit() and int(text.rstrip("uUlL")) >= 32:
                kinds.add("number")
            else:
                meant = {self._kind(one, seen | {one}) for one in self._meant(file, index) if one not in seen}
                kinds |= {"mixed"} if {"wide", "number"} <= meant else meant
        return next((kind for kind in ("mixed", "wide", "number") if kind in kinds), "unknown")

    def _meant(self, file: TokenFile, index: int) -> Sequence[Span]:
        """What a name stands for: what a function returns, what a local variable is set to, what callers give for a
        parameter, or else what any variable of the name is set to."""
        name = file.tokens[index].text
        if index + 1 < len(file.tokens) and file.tokens[index + 1].text == "(":
            return self._results.get(name, ())
        values = self._values.get(name, ())
        function = self.scopes.at(index).function if file is self.file and values else None
        if function is None:
            return values
        local = [v for v in values if v[0] is self.file and function.body[0] < v[1] < function.body[1]]
        return local or self._given(function, name) or values

    def _given(self, function: Function, name: str) -> Sequence[Span]:
        """The arguments for a parameter, in the calls of this file."""
        parameters = self.file.arguments(function.params[0])
        number = next((n for n, (_, last) in enumerate(parameters) if self.text(last - 1) == name), -1)
        arguments = []
        for index in self.file.places(function.name) if number >= 0 else ():
            opening = max(template_end(self.file, index + 1, len(self.file.tokens)), index + 1)
            if index != function.name_index and self.text(opening) == "(":
                arguments += [(self.file, *one) for one in self.file.arguments(opening)[number : number + 1]]
        return arguments

    def launches(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """The `<<<` and the block's tokens of each launch of a kernel that uses the library, or is not of this file."""
        plain = {f.name for f in self.scopes.functions if f.kernel and f.body[0] >= 0} - set(self.kernels)
        for i in self.file.places("<<<"):
            parts = launch_arguments(self.file, i)
            if len(parts) > 1 and self.text(template_begin(self.file, i - 1)) not in plain:
                yield i, parts[1]

    def bounds(self) -> Iterator[tuple[int, int]]:
        """The tokens of the first argument of the kernels' launch bounds."""
        for kernel in self.kernels.values():
            for i in range(kernel.first, kernel.name_index):
                if self.text(i) == "__launch_bounds__":
                    yield from self.file.arguments(i + 1)[:1]

    # ---- obstacles ----

    def obstacles(self) -> Iterator[Obstacle]:
        """What means CUDA's warps, in the file's order."""
        for i, token in enumerate(self.file.tokens):
            why = self._why(i) if token.directive < 0 or i in self._lane_sites[0] else ""
            if why:
                yield Obstacle(token.start, token.end, why)
        for _, block in self.launches():
            if self.kind(*block) == "unknown":
                token = self.file.tokens[block[0]]
                yield Obstacle(token.start, token.end, "the block's threads cannot be told from here")

    # ---- CUDA's lanes ----

    @cached_property
    def lane_code(self) -> Sequence[LaneCode]:
        """The functions that count lanes or look into tiles, without those within others."""
        places = sorted({*self.file.places("laneid"), *self.file.places("tiles")})
        by_start: dict[int, Function] = {}
        for f in self.scopes.functions:
            outer = not any(
                f is not o and o.body[0] < f.first and f.body[1] <= o.body[1] for o in self.scopes.functions
            )
            if outer and any(f.body[0] < i < f.body[1] for i in places):
                by_start[f.name_index] = f
        own = frozenset(f.name for f in self.scopes.functions)
        return [LaneCode(self.file, f, self._counts, self._is_wide, own) for f in by_start.values()]

    def _code_at(self, index: int) -> LaneCode | None:
        return next((c for c in self.lane_code if c.function.body[0] < index < c.function.body[1]), None)

    def _counts(self, index: int) -> bool:
        return index in self._lane_sites[1]

    def _is_wide(self, index: int) -> bool:
        return self.kind(index, index + 1) == "wide"

    @cached_property
    def _lane_sites(self) -> tuple[frozenset[int], frozenset[int]]:
        """Where lane numbers, or variables with one, are used in a way that depends on the width; and the `laneid`s that
        these come from."""
        sites, counted = set[int](), set[int]()
        lanes = {"laneid": -1}  # with the `laneid` that a variable was set to
        for i, token in enumerate(self.file.tokens):
            if token.text in lanes and self.text(i - 1) not in (".", "->"):
                code = self._code_at(i)
                if (code is None or not code.in_region(i)) and not self._any_width(i, lanes):
                    sites.add(i)
                    counted.add(i if token.text == "laneid" else lanes[token.text])
        return frozenset(sites), frozenset(counted)

    def _why(self, i: int) -> str:
        text = self.text(i)
        if text in ("asm", "__asm__"):
            return "inline assembly works on CUDA's lanes"
        if text in _CLUSTERS and self.text(i - 1) != "." and self.text(i + 1) in ("::", "(", ","):
            return "the library at wave width has no clusters"
        if _OF_WARPS.fullmatch(text):
            return f"{text} is of a warp of 32 lanes"
        if _LAUNCHES.fullmatch(text):
            return "the block's threads cannot be told from here"
        if text == "tiles" and element_at(self.file, i) is not None:
            code = self._code_at(i)
            within = code is not None and code.in_region(i)
            return "" if within else "which elements a lane holds is the layout's, and that is another one"
        if text == "threadIdx":
            function = self.scopes.at(i).function
            plain = function is not None and function.kernel and function.name not in self.kernels
            return "" if plain else self._thread(i)
        if text == "init_semaphore" and self.text(i + 1) == "(":
            counts = self.file.arguments(i + 1)[1:]
            return "the semaphore counts CUDA's threads" if any(self.kind(*c) == "number" for c in counts) else ""
        if i in self._lane_sites[0]:
            code = self._code_at(i) if self.file.tokens[i].directive < 0 else None
            why = code.obstacle if code is not None else "in a macro, or outside of functions"
            return f"lanes are counted as CUDA's: {why}" if why else ""
        return ""

    def _thread(self, i: int) -> str:
        if self.text(i + 2) != "x":
            return "a warp has threads of one row"
        if self._compared_to_0(i, i + 3):
            return ""
        before = [self.text(k) for k in range(i - 8, i)]
        if before == ["blockIdx", ".", "x", "*", "blockDim", ".", "x", "+"]:
            return ""  # any number of threads will do
        return "threads are counted as CUDA's"

    def _compared_to_0(self, first: int, last: int) -> bool:
        if self.text(last) in _COMPARED and self.text(last + 1) == "0":
            return True
        return self.text(first - 1) == "!" or (self.text(first - 2) == "0" and self.text(first - 1) in _COMPARED)

    def _any_width(self, i: int, lanes: dict[str, int]) -> bool:
        """Lanes may be compared with 0, and walk in steps of a warp; `lanes` gets the variables that are set to one."""
        first, last = i, i + 1
        if self.text(i + 1) == "(":
            last = self.file.partner(i + 1) + 1
        while self.text(first - 1) == "::":
            first = template_begin(self.file, first - 2)
        if self._compared_to_0(first, last):
            return True
        if self.text(first - 1) == "=" and self.text(last) == ";" and self.text(first - 3) in _DECLARED:
            name = self.text(first - 2)
            if not self._walks(last + 1, name):
                lanes[name] = i if self.text(i) == "laneid" else lanes[self.text(i)]
            return True
        return i == first and self.text(i - 1) in _DECLARED and self.text(i + 1) == "="  # its declaration

    def _walks(self, condition: int, name: str) -> bool:
        """Does a loop with this condition go on by a warp's lanes?"""
        step = condition
        while self.text(step) not in (";", "{", "}", ""):
            step += 1
        words = [self.text(k) for k in range(step + 1, step + 8)]
        words = [w for w in words if w not in ("kittens", "::")]
        return words[:2] == [name, "+="] and words[2] in _WIDE


def _set_in(file: TokenFile) -> Iterator[tuple[str, int, int]]:
    """Names of numbers and blocks with the tokens of what they are set to."""
    tokens = file.tokens
    for i in range(2, len(tokens)):
        text, kind, name = tokens[i].text, tokens[i - 2].text, tokens[i - 1].text
        if text in ("=", "(", "{") and kind in _DECLARED and name.isidentifier():
            if text == "=":
                yield name, i + 1, _statement_end(file, i)
            elif kind == "dim3":
                yield name, i + 1, file.partner(i)


def _returned_in(file: TokenFile) -> Iterator[tuple[str, int, int]]:
    """Names of functions of numbers and blocks with the tokens of what each `return` of theirs gives."""
    for opening in file.places("("):
        name, closing = file.tokens[opening - 1], file.partner(opening)
        if closing < 0 or name.kind != Kind.IDENT or file.tokens[opening - 2].text not in _DECLARED:
            continue
        brace = closing + 1
        while brace < len(file.tokens) and file.tokens[brace].text in _BEFORE_BODY:
            brace += 1
        if brace < len(file.tokens) and file.tokens[brace].text == "{":
            for index in range(brace, file.partner(brace)):
                if file.tokens[index].text == "return":
                    yield name.text, index + 1, _statement_end(file, index)


def _statement_end(file: TokenFile, index: int) -> int:
    while index < len(file.tokens) and file.tokens[index].text not in (";", "}"):
        index += 1
    return index
