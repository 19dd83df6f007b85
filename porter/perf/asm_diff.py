"""What changed between two compilations: resources, instructions by name, and the same for each innermost loop."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from porter.emu.assembly import Program
from porter.perf.isa import CLASSES, KernelFacts, instruction_class, kernel_range
from porter.perf.loops import Loop, innermost_loops, mnemonic_of
from porter.toolchain.demangle import short_name

__all__ = [
    "Compiled",
    "KernelDiff",
    "Pair",
    "access_bytes",
    "changes",
    "compare_kernels",
    "diff_as_json",
    "family",
    "widths",
]

_FACTS = {
    "VGPRs": "vgprs", "AGPRs": "agprs", "SGPRs": "sgprs", "static LDS bytes": "lds", "scratch bytes a lane": "scratch",
    "VGPRs spilled": "vgpr_spills", "SGPRs spilled": "sgpr_spills", "waves a SIMD": "waves_per_simd",
    "limited by": "limit", "instructions": "instructions",
}  # fmt: skip
_MEMORY = re.compile(r"(global|flat|buffer|tbuffer|scratch|ds|s|s_buffer)_(load|store|read|write|atomic)")
_WIDTHS = (
    ("x16", 64), ("x8", 32), ("x4", 16), ("b128", 16), ("x3", 12), ("b96", 12), ("x2", 8), ("b64", 8), ("u64", 8),
    ("f64", 8), ("byte", 1), ("_u8", 1), ("_i8", 1), ("b8", 1), ("short", 2), ("_u16", 2), ("_i16", 2), ("b16", 2),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Compiled:
    """One kernel of one side: its facts, the names of all its instructions, and its innermost loops."""

    facts: KernelFacts
    mnemonics: Counter[str]
    loops: tuple[Loop, ...]

    @classmethod
    def of(cls, program: Program, facts: KernelFacts) -> Compiled:
        own = kernel_range(program, facts.symbol)
        names = Counter(mnemonic_of(line) for line in program.lines[own.start : own.stop])
        return cls(facts, names, tuple(innermost_loops(program, facts.symbol)))


@dataclass(frozen=True, slots=True)
class Pair:
    """A loop of A and the loop of B that takes its place; one of them is None where a loop went or came."""

    before: Loop | None
    after: Loop | None


@dataclass(frozen=True, slots=True)
class KernelDiff:
    before: Compiled
    after: Compiled

    @property
    def facts(self) -> dict[str, tuple[Any, Any]]:
        """What the compiler gave the kernel on both sides, by the name that is shown."""
        own, other = self.before.facts, self.after.facts
        both_sides = {name: (getattr(own, key), getattr(other, key)) for name, key in _FACTS.items()}
        return both_sides | {name: (own.mix[name], other.mix[name]) for name in CLASSES}

    @property
    def loops(self) -> list[Pair]:
        return _pairs(self.before.loops, self.after.loops)


def compare_kernels(
    before: Sequence[Compiled], after: Sequence[Compiled]
) -> tuple[list[KernelDiff], list[KernelFacts], list[KernelFacts]]:
    """Kernels of one name, kernels of A alone, and kernels of B alone. A single kernel on each side is a pair as it is."""
    if len(before) == len(after) == 1:
        return [KernelDiff(before[0], after[0])], [], []
    pairs: list[KernelDiff] = []
    left, right = list(before), list(after)
    for name_of in (lambda facts: facts.name, lambda facts: short_name(facts.name)):
        ours, theirs = (_unique(side, name_of) for side in (left, right))
        pairs += [KernelDiff(ours[name], theirs[name]) for name in ours if name in theirs]
        left = [one for one in left if all(one is not pair.before for pair in pairs)]
        right = [one for one in right if all(one is not pair.after for pair in pairs)]
    return pairs, [one.facts for one in left], [one.facts for one in right]


def _unique(side: Sequence[Compiled], name_of: Any) -> dict[str, Compiled]:
    counts = Counter(name_of(one.facts) for one in side)
    return {name_of(one.facts): one for one in side if counts[name_of(one.facts)] == 1}


def family(mnemonic: str) -> str:
    """What instructions have in common that can take each other's place: "store", "ds_read", "mfma", "v_add"."""
    if access := _MEMORY.match(mnemonic):
        space, what = access.groups()
        return what if space in ("global", "flat", "buffer", "tbuffer") else f"{space}_{what}"
    if mnemonic.startswith(("v_mfma", "v_smfmac")):
        return "mfma"
    words = mnemonic.split("_")
    if words[:2] == ["v", "pk"]:
        del words[1]
    return "_".join(words[:2])


def access_bytes(mnemonic: str) -> int:
    """Bytes that one access to memory moves a lane (a wave, where it is scalar)."""
    twice = 2 if mnemonic.startswith(("ds_read2", "ds_write2")) else 1
    name = mnemonic.removesuffix("_d16_hi").removesuffix("_d16").removesuffix(" lds")
    return twice * next((width for end, width in _WIDTHS if name.endswith(end)), 4)


def widths(mnemonics: Mapping[str, int]) -> dict[str, dict[int, int]]:
    """How many accesses there are of each width, by family."""
    by_family: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for name, count in mnemonics.items():
        if _MEMORY.match(name):
            by_family[family(name)][access_bytes(name)] += count
    return {name: dict(sorted(counts.items())) for name, counts in sorted(by_family.items())}


def changes(before: Mapping[str, int], after: Mapping[str, int]) -> list[tuple[str, str]]:
    """Sentences about what there are more and fewer of, each with its class: those of memory and matrices first."""
    groups: dict[tuple[int, str], list[str]] = defaultdict(list)
    for name in dict.fromkeys((*before, *after)):
        if before.get(name, 0) != after.get(name, 0):
            groups[_rank(name), family(name)].append(name)

    def size(names: Sequence[str]) -> int:
        return sum(abs(after.get(name, 0) - before.get(name, 0)) for name in names)

    order = sorted(groups.items(), key=lambda item: (item[0][0], -size(item[1]), item[0][1]))
    return [(instruction_class(names[0]), _sentence(names, before, after)) for _, names in order]


_ORDER = ("mfma", "vmem", "lds", "smem", "wait", "barrier", "valu", "salu", "branch", "other")


def _rank(name: str) -> int:
    return _ORDER.index(instruction_class(name))


def _sentence(names: Sequence[str], before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """58 global_store_short became 12 global_store_dwordx4."""
    went = sorted((n for n in names if before.get(n, 0) > after.get(n, 0)), key=lambda n: after.get(n, 0) - before[n])
    came = sorted((n for n in names if after.get(n, 0) > before.get(n, 0)), key=lambda n: before.get(n, 0) - after[n])
    fewer = [f"{before[n] - after[n]} of {before[n]} {n}" if after.get(n) else f"{before[n]} {n}" for n in went]
    more = [f"{after[n] - before[n]} more {n} ({after[n]})" if before.get(n) else f"{after[n]} {n}" for n in came]
    if went and came:
        return f"{_list(fewer)} became {_list(more)}"
    return f"{_list(fewer)} went" if went else f"{_list(more)} came"


def _list(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _pairs(before: Sequence[Loop], after: Sequence[Loop]) -> list[Pair]:
    """Loops in their order. Where one side has more, the most alike are pairs."""
    if len(before) == len(after):
        return [Pair(*both) for both in zip(before, after, strict=True)]
    best = [[0.0] * (len(after) + 1) for _ in range(len(before) + 1)]
    for i in reversed(range(len(before))):
        for j in reversed(range(len(after))):
            together = best[i + 1][j + 1] + _likeness(before[i], after[j])
            best[i][j] = max(together, best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(before) and j < len(after):
        alike = _likeness(before[i], after[j])
        if alike and best[i][j] == best[i + 1][j + 1] + alike:
            pairs.append(Pair(before[i], after[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            pairs.append(Pair(before[i], None))
            i += 1
        else:
            pairs.append(Pair(None, after[j]))
            j += 1
    return [*pairs, *(Pair(loop, None) for loop in before[i:]), *(Pair(None, loop) for loop in after[j:])]


def _likeness(one: Loop, other: Loop) -> float:
    """Share of the instructions that both have, by family; none where only one loop multiplies matrices."""
    if bool(one.mix["mfma"]) is not bool(other.mix["mfma"]):
        return 0.0
    ours, theirs = _families(one), _families(other)
    return (ours & theirs).total() / max(1, (ours | theirs).total())


def _families(loop: Loop) -> Counter[str]:
    counts: Counter[str] = Counter()
    for name, count in loop.mnemonics.items():
        counts[family(name)] += count
    return counts


def diff_as_json(
    pairs: Sequence[KernelDiff], only_a: Sequence[KernelFacts], only_b: Sequence[KernelFacts]
) -> dict[str, Any]:
    """Everything that is known of both sides, as data; two numbers are A's and B's."""
    facts = [*(kernel for pair in pairs for kernel in (pair.before.facts, pair.after.facts)), *only_a, *only_b]
    return {
        "schema": "porter-asm-diff/1",
        "chip": " and ".join(dict.fromkeys(one.target for one in facts)),
        "kernels": [_kernel_json(pair) for pair in pairs],
        "only_a": [kernel.name for kernel in only_a],
        "only_b": [kernel.name for kernel in only_b],
    }


def _kernel_json(pair: KernelDiff) -> dict[str, Any]:
    return {
        "a": pair.before.facts.name,
        "b": pair.after.facts.name,
        "facts": {name: list(both) for name, both in pair.facts.items()},
        **_changes_json(pair.before.mnemonics, pair.after.mnemonics),
        "loops": [
            {
                "a": _loop_json(both.before),
                "b": _loop_json(both.after),
                **(_changes_json(both.before.mnemonics, both.after.mnemonics) if both.before and both.after else {}),
            }
            for both in pair.loops
        ],
    }


def _changes_json(before: Counter[str], after: Counter[str]) -> dict[str, Any]:
    names = sorted(name for name in {*before, *after} if before[name] != after[name])
    return {
        "changes": [text for _, text in changes(before, after)],
        "mnemonics": {name: [before[name], after[name]] for name in names},
        "widths": [widths(before), widths(after)],
    }


def _loop_json(loop: Loop | None) -> dict[str, Any] | None:
    if loop is None:
        return None
    return {
        "place": loop.place, "instructions": loop.instructions, "mix": dict(loop.mix),
        "mnemonics": dict(loop.mnemonics.most_common()), "waits": dict(loop.waits), "widths": widths(loop.mnemonics),
    }  # fmt: skip
