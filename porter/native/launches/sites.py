"""Where a kernel's address goes, through variables, lambdas and functions: all of its launches, or why they are not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from porter.frontend.scopes import Function
from porter.native.machine.values import Refused
from porter.native.unit_files import Text, parameter_name

__all__ = ["LAUNCHES", "SETTING", "Frame", "Site", "Sites", "lambda_variable", "sites"]

# Functions of CUDA's that launch a kernel, and which argument that is.
LAUNCHES = {"cudaLaunchKernel": 0, "cudaLaunchKernelEx": 1, "cudaLaunchKernelExC": 1}
SETTING = "cudaFuncSetAttribute"
_HARMLESS = frozenset(
    "cudaFuncGetAttributes cudaFuncSetCacheConfig cudaOccupancyMaxActiveBlocksPerMultiprocessor "
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags cudaOccupancyMaxPotentialBlockSize "
    "cudaOccupancyMaxPotentialBlockSizeWithFlags cudaOccupancyAvailableDynamicSMemPerBlock decltype sizeof".split()
)
_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast"})
_NOTHING = frozenset({"nullptr", "NULL"})
_DEEPEST = 4  # functions that hand a kernel on


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A function, or a lambda, that is given a kernel by a call."""

    text: Text
    function: Function
    caller: Text
    call: int  # the call's opening bracket
    outer: Frame | None  # of the caller


@dataclass(frozen=True, slots=True)
class Site:
    """A launch, or another call that depends on the kernel's configuration."""

    kind: str  # "<<<", or a function of CUDA's
    text: Text
    index: int  # of the <<<, or of the call's opening bracket
    frame: Frame | None
    mention: tuple[Text, int]  # where the kernel is named


@dataclass(slots=True)
class Sites:
    kernel: Function
    home: Text
    uses: list[Site] = field(default_factory=list)
    mentions: list[tuple[Text, int]] = field(default_factory=list)  # of its name, but for its own text
    calls: dict[tuple[Text, Function], set[tuple[Text, int]]] = field(
        default_factory=dict
    )  # that give it to a function

    @property
    def launches(self) -> list[Site]:
        return [s for s in self.uses if s.kind != SETTING]


def sites(kernel: Function, home: Text, texts: Sequence[Text]) -> Sites:
    """texts: all files in which the kernel may be named, its own among them."""
    follower = _Follower(Sites(kernel, home), texts)
    for text in texts:
        for other in text.scopes.functions:
            if other.kernel and other.name == kernel.name and other.body[0] >= 0 and other is not kernel:
                follower.other(text, other.name_index)
    for text in texts:
        others = {f.name_index for f in text.scopes.functions if f.kernel}
        for index in text.mentions(kernel.name):
            own = text is home and kernel.first <= index <= kernel.body[1]
            if own or index in others or text.text(index + 1) == "::" or text.text(index - 1) == "namespace":
                continue
            if follower.is_meant(text, index):
                follower.root = text, index
                follower.sites.mentions.append(follower.root)
                follower.mention(text, index, None)
    return follower.sites


class _Follower:
    def __init__(self, sites: Sites, texts: Sequence[Text]) -> None:
        self.sites = sites
        self.texts = texts
        self.root = sites.home, sites.kernel.name_index
        self._variables: set[tuple[Text, int, Frame | None]] = set()
        self._own = sites.home.namespaces(sites.kernel.first)
        self._others: list[list[str]] = []  # the namespaces of other kernels that have its name

    def other(self, text: Text, index: int) -> None:
        """Another kernel's definition."""
        spaces = text.namespaces(index)
        if text is self.sites.home or spaces == self._own:
            self.refuse(text, index, "defines another kernel of its name")
        self._others.append(spaces)

    def is_meant(self, text: Text, index: int) -> bool:
        """Does the name mean this kernel, and none of its name in another namespace?"""
        kernels = [self._own, *self._others]
        if len(kernels) == 1:
            return True
        spelled = [text.text(k) for k in range(_named(text, index)[0], index) if text.is_name(k)]
        within = text.namespaces(index)
        inner = [k for k in kernels if k and not spelled and within[: len(k)] == k]
        meant = inner or [k for k in kernels if k[len(k) - len(spelled) :] == spelled]
        if self._own in meant and len(meant) > 1:
            self.refuse(text, index, "may mean another kernel of its name")
        if not meant:
            self.refuse(text, index, "names it in a way that is not followed")
        return meant == [self._own]

    def refuse(self, text: Text, index: int, why: str) -> NoReturn:
        raise Refused(f"{text.where(index, self.sites.home.path)} {why}")

    def mention(self, text: Text, index: int, frame: Frame | None) -> None:
        """The kernel's name, or a variable's that holds it."""
        first, last = _dressed(text, *_named(text, index))
        around = (text.text(first - 1), text.text(last))
        if around[1] != "<<<" and ("?" in around or ":" in around):
            first, last = self._chosen(text, first, last)
        before, after = text.text(first - 1), text.text(last)
        if after == "<<<":
            self.sites.uses.append(Site("<<<", text, last, frame, self.root))
        elif before == "=" and after == ";":
            self._variable(text, first - 1, frame)
        elif before in ("(", ",", "<") and after in (")", ",", ">"):
            self._argument(text, first, last, frame)
        elif not _instantiates(text, first):
            self.refuse(text, index, "names it in a way that is not followed")

    def _chosen(self, text: Text, first: int, last: int) -> tuple[int, int]:
        """A conditional expression, if it is the kernel either way."""
        opening, closing = text.block(first)
        begin, end = first, last
        while begin > opening + 1 and text.text(begin - 1) not in ("=", ",", ";", "return", "}"):
            begin = text.file.partner(begin - 1) if text.text(begin - 1) in (")", "]") else begin - 1
        while end < closing and text.text(end) not in (",", ";"):
            end = text.file.partner(end) + 1 if text.text(end) in ("(", "[", "{") else end + 1
        if not self._is_kernel(text, begin, end):
            self.refuse(text, first, "may choose another kernel")
        return begin, end

    def _is_kernel(self, text: Text, first: int, last: int) -> bool:
        """Is the expression the kernel, one of its instantiations by a condition, or no kernel at all?"""
        depth, question = 0, -1
        at = first
        while at < last:
            word = text.text(at)
            if word in ("(", "[", "{") and text.file.partner(at) > 0:
                at = text.file.partner(at)
            elif word == "?":
                depth, question = depth + 1, question if depth else at
            elif word == ":" and question >= 0:
                depth -= 1
                if depth == 0:
                    return self._is_kernel(text, question + 1, at) and self._is_kernel(text, at + 1, last)
            at += 1
        if last - first == 1 and text.text(first) in _NOTHING:
            return True
        if text.text(first) == "(" and text.file.partner(first) == last - 1:
            return self._is_kernel(text, first + 1, last - 1)
        named = [k for k in text.mentions(self.sites.kernel.name, first, last) if text.text(k + 1) != "::"]
        if not all(self.is_meant(text, k) for k in named):
            return False
        begin, end = _dressed(text, *_named(text, named[0])) if len(named) == 1 else (last, first)
        return begin <= first and last <= end

    def _variable(self, text: Text, equals: int, frame: Frame | None) -> None:
        """All that is done with a variable that the kernel is assigned to."""
        name = equals - 1
        if text.text(name) == ")":  # void (*name)(...) =
            inner = text.file.partner(name) - 1
            name = inner - 1 if text.text(inner) == ")" else -1
        function = text.function(name) if name > 0 else None
        if not text.is_name(name) or function is None or text.text(name - 1) in (".", "->", "::"):
            self.refuse(text, equals, "keeps it somewhere that is not followed")
        declared = next(text.mentions(text.text(name), function.params[0], function.body[1]), -1)
        opening, closing = text.block(declared)
        while text.text(opening) == "(" and text.text(closing) == ")" and text.text(closing + 1) == "(":
            opening, closing = text.block(opening)  # the declarator of a pointer
        is_declaration = (text.is_name(declared - 1) and text.text(declared - 1) != "return") or text.text(
            declared - 1
        ) in ("*", "&", ">", "&&")
        if declared < function.body[0] or text.text(opening) != "{" or not is_declaration or declared > name:
            self.refuse(text, name, "keeps it in a variable that is not followed")
        if (text, declared, frame) not in self._variables:
            self._variables.add((text, declared, frame))
            self._uses(text, declared, closing, frame)

    def _uses(self, text: Text, declared: int, last: int, frame: Frame | None) -> None:
        for index in text.mentions(text.text(declared), declared + 1, last):
            after = index + 1
            if text.text(after) == "=":
                end = text.statement(index)[1]
                if not self._is_kernel(text, after + 1, end):
                    self.refuse(text, index, "may choose another kernel")
            elif not _captured(text, index):
                self.mention(text, index, frame)
        after = declared + 1
        if text.text(after) == "=" and not self._is_kernel(text, after + 1, text.statement(declared)[1]):
            self.refuse(text, declared, "may choose another kernel")

    def _argument(self, text: Text, first: int, last: int, frame: Frame | None) -> None:
        opening, _ = text.block(first)
        if text.text(opening) != "(" or text.text(first - 1) == "<" or text.text(last) == ">":
            self.refuse(text, first, "gives it to a template")
        name = text.before_template(opening - 1)
        called = text.text(name)
        number = next((n for n, part in enumerate(text.file.arguments(opening)) if part == (first, last)), -1)
        if called in _HARMLESS:
            return
        if called == SETTING or LAUNCHES.get(called) == number:
            self.sites.uses.append(Site(called, text, opening, frame, self.root))
            return
        callee = self._callee(text, name) if text.is_name(name) else None
        if callee is None or number < 0:
            self.refuse(
                text, first, f"gives it to {called}, which is not followed" if text.is_name(name) else "gives it on"
            )
        other, function = callee
        parts = other.file.arguments(function.params[0])
        depth, outer = 0, frame
        while outer is not None:
            depth, outer = depth + 1, outer.outer
        if number >= len(parts) or depth >= _DEEPEST or _is_pack(other, *parts[number]):
            self.refuse(text, first, f"gives it to {called}, which is not followed")
        self.sites.calls.setdefault((other, function), set()).add((text, opening))
        inner = Frame(other, function, text, opening, frame)
        parameter = parameter_name(other.file, *parts[number])
        for index in other.mentions(parameter, function.body[0], function.body[1]):
            if other.text(index + 1) == "=":
                self.refuse(other, index, "may choose another kernel")
            if not _captured(other, index):
                self.mention(other, index, inner)

    def _callee(self, text: Text, name: int) -> tuple[Text, Function] | None:
        """The one function or lambda of this name."""
        if text.text(name - 1) in (".", "->"):
            return None
        called = text.text(name)
        around = text.outermost(name)
        lambdas = [
            (text, f) for f in text.scopes.functions if not f.name and text.text(lambda_variable(text, f)) == called
            if around is not None and around.body[0] < f.body[0] < name
        ]  # fmt: skip
        functions = [(t, f) for t in self.texts for f in t.scopes.functions if f.name == called and f.body[0] >= 0]
        both = lambdas + functions
        if len(both) != 1 or both[0][1].kernel:
            return None
        within = both[0][0].namespaces(both[0][1].name_index)
        space = text.text(name - 2) if text.text(name - 1) == "::" and text.is_name(name - 2) else ""
        return both[0] if not space or space in within else None  # else a library's


def lambda_variable(text: Text, function: Function) -> int:
    """The variable that a lambda is the value of; -1 for others."""
    introducer = function.params[0] - 1
    while introducer > function.first and text.text(introducer) != "]":
        introducer -= 1
    opening = text.file.partner(introducer)
    return opening - 2 if opening > 0 and text.text(opening - 1) == "=" else -1


def _named(text: Text, index: int) -> tuple[int, int]:
    """A name with its namespaces and template arguments."""
    first = index
    while text.text(first - 1) == "::":
        first -= 2 if text.is_name(first - 2) else 1
    return first, text.after_template(index + 1)


def _dressed(text: Text, first: int, last: int) -> tuple[int, int]:
    """The same with what leaves it that kernel: & and *, brackets, casts."""
    while True:
        before, after = text.text(first - 1), text.text(last)
        if before == "&" and not (text.is_name(first - 2) and text.text(first - 2) != "return"):
            first -= 1
        elif before == "*" and text.text(first - 2) == "(" and after == ")":
            first, last = first - 2, last + 1
        elif before == "(" and after == ")" and text.text(text.before_template(first - 2)) in _CASTS:
            first, last = text.before_template(first - 2), last + 1
        elif before == "(" and after == ")" and text.text(first - 2) in ("=", "(", ",", "?", ":", "return"):
            first, last = first - 1, last + 1
        elif before == ")" and _is_cast(text, text.file.partner(first - 1), first - 1):
            first = text.file.partner(first - 1)
        else:
            return first, last


def _is_cast(text: Text, opening: int, closing: int) -> bool:
    """(const void*)"""
    inner = [text.text(k) for k in range(opening + 1, closing)]
    return opening > 0 and bool(inner) and inner[-1] == "*" and all(w.isidentifier() or w in ("*", "::") for w in inner)


def _instantiates(text: Text, index: int) -> bool:
    first = text.statement(index)[0]
    return text.text(first) == "template" and text.text(first + 1) != "<"


def _captured(text: Text, index: int) -> bool:
    """Is this name in the brackets that begin a lambda?"""
    opening, closing = text.block(index)
    return text.text(opening) == "[" and text.text(closing + 1) in ("(", "{")


def _is_pack(text: Text, first: int, last: int) -> bool:
    return any(text.text(k) == "..." for k in range(first, last))
