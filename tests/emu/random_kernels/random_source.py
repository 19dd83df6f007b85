"""Random kernels: statements, phases between barriers, and the text of a source that holds many of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from random_expressions import FLOATS, INTS, SCALARS, VECTORS, Expression, Scope, Variable, random_expression

__all__ = ["FIRST_SLOT", "Kernel", "Phase", "Statement", "functions", "random_kernel", "source", "variants"]

FIRST_SLOT = 16  # of a thread's slots; those before it are written by statements
_ARRAYS = {"a32": "u32 a32[8]", "a64": "u64 a64[4]", "a8": "u8 a8[16]", "af": "f32 af[8]", "av": "v4f av[4]",
           "st": "Pair st[4]"}  # fmt: skip
_SHAPES = ((64, 1, 1), (64, 1, 1), (128, 1, 1), (192, 1, 1), (8, 8, 1), (16, 4, 2), (4, 4, 8), (32, 6, 1))
_ODD_SHAPES = ((100, 1, 1), (37, 3, 1), (1, 1, 1), (65, 1, 1), (5, 5, 5))
_ATTRIBUTES = ("", "", "__attribute__((amdgpu_flat_work_group_size(1, 256)))",
               "__attribute__((amdgpu_flat_work_group_size(1, 256), amdgpu_waves_per_eu(8, 8)))")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """A line with places for expressions, and the statements between its braces, when it has any."""

    form: str
    parts: tuple[Expression, ...] = ()
    body: tuple[Statement, ...] = ()
    block: bool = False
    keep: bool = False  # others need it

    def lines(self, indent: str) -> Iterator[str]:
        text = indent + self.form.format(*self.parts)
        if not self.block:
            yield text
            return
        yield text + " {"
        for part in self.body:
            yield from part.lines(indent + "  ")
        yield indent + "}"


@dataclass(frozen=True, slots=True)
class Phase:
    """`code` is a function over one thread; any other phase is its text, a macro of both_sides.h."""

    text: str  # with {name} for the function of the body
    body: tuple[Statement, ...] = ()
    code: bool = True
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Kernel:
    name: str
    shape: tuple[int, int, int]
    grid: tuple[int, int]
    attribute: str
    variables: tuple[Variable, ...]
    arrays: tuple[str, ...]
    phases: tuple[Phase, ...]

    @property
    def threads(self) -> int:
        return self.shape[0] * self.shape[1] * self.shape[2]

    @property
    def groups(self) -> int:
        return self.grid[0] * self.grid[1]

    def slots(self) -> list[str]:
        """What each slot from FIRST_SLOT on holds, for a reader."""
        return [text for text, _ in _results(self)]


# ---- statements -----------------------------------------------------------------------------------------------------


class _Writer:
    def __init__(self, rng: Random, scope: Scope) -> None:
        self.rng = rng
        self.scope = scope
        self.loops = 0
        self.counter = 0

    def expression(self, kind: str, depth: int | None = None) -> Expression:
        return random_expression(
            self.rng, kind, self.scope, self.rng.choice((1, 1, 2, 2, 3)) if depth is None else depth
        )

    def statements(self, count: int, depth: int) -> tuple[Statement, ...]:
        return tuple(self.statement(depth) for _ in range(count))

    def statement(self, depth: int) -> Statement:
        rng = self.rng
        roll = rng.random()
        if depth > 0 and roll < 0.3:
            return self.compound(depth)
        if roll < 0.38 and self.loops:
            return Statement(f"if ({{0}}) {rng.choice(('break', 'continue'))};", (self.expression("bool", 1),))
        if roll < 0.45:
            return self.store()
        if roll < 0.52:
            return self.atomic()
        if roll < 0.65 and self.scope.arrays:
            return self.array()
        target = rng.choice(self.scope.variables)
        return Statement(f"{target.text} = {{0}};", (self.expression(target.kind),))

    def compound(self, depth: int) -> Statement:
        rng = self.rng
        self.counter += 1
        name = f"n{self.counter}"
        how = rng.randrange(6)
        if how <= 1:
            return Statement("if ({0})", (self.expression("bool"),), self.inner(depth), True)
        if how == 2:
            value = self.expression("u32")
            cases = []
            labels = rng.sample(range(8), rng.randrange(2, 6))
            for label in labels:
                body = (*self.inner(depth, 1), *(() if rng.random() < 0.2 else (Statement("break;"),)))
                cases.append(Statement(f"case {label}:", (), body, True))
            return Statement("switch ({0} & 7)", (value,), tuple(cases), True)
        self.loops += 1
        most = (15, 5, 3)[min(self.loops, 3) - 1]
        if how == 3:
            head = f"for (u32 {name} = 0, end = {{0}} & {most}; {name} < end; {name}++)"
            made = Statement(head, (self.expression("u32"),), self.inner(depth), True)
        elif how == 4:
            head = f"for (u32 {name} = {most}; {name} && ({{0}}); {name}--)"
            made = Statement(head, (self.expression("bool", 2),), self.inner(depth), True)
        else:
            made = Statement(f"for (u32 {name} = 0; {name} < {rng.randrange(1, most + 1)}; {name}++)", (),
                             self.inner(depth), True)  # fmt: skip
        self.loops -= 1
        return made

    def inner(self, depth: int, most: int = 2) -> tuple[Statement, ...]:
        loops = self.loops
        made = self.statements(self.rng.randrange(1, most + 1), depth - 1)
        self.loops = loops
        return made

    def store(self) -> Statement:
        """To the thread's own slots, in any width."""
        kind = self.rng.choice(("u32", "u64", "u16", "u8", "v4u", "v2u", "v4f", "v2f", "f32", "f64", "f16"))
        value = self.expression(kind)
        if kind in FLOATS:
            kind, value = f"u{FLOATS[kind]}", Expression(f"u{FLOATS[kind]}", "bits({0})", (value,))
        elif kind in ("v4f", "v2f"):
            value = Expression(kind, "canon({0})", (value,))
        size = INTS[kind] // 8 if kind in INTS else {"v4u": 16, "v4f": 16, "v2u": 8, "v2f": 8}[kind]
        places = 8 * FIRST_SLOT // 2 // size  # the other half is for atomics
        if self.rng.random() < 0.5:
            form = f"(({kind} *)c.out)[{{1}} & {places - 1}] = {{0}};"
            return Statement(form, (value, self.expression("u32", 1)))
        return Statement(f"(({kind} *)c.out)[{self.rng.randrange(places)}] = {{0}};", (value,))

    def atomic(self) -> Statement:
        """A section of the counters belongs to one operation, so that their order does not matter."""
        rng = self.rng
        if rng.random() < 0.4:
            target = rng.choice([v for v in self.scope.variables if v.kind == "u32"])
            slot = rng.randrange(FIRST_SLOT, 2 * FIRST_SLOT)
            if rng.random() < 0.3:
                form = f"{target.text} = atomic_cas((u32 *)c.out + {slot}, {{0}}, {{1}});"
                return Statement(form, (self.expression("u32", 1), self.expression("u32")))
            name = rng.choice(("add", "and", "or", "xor", "min", "max", "exchange"))
            kind = rng.choice(("u32", "i32", "u64", "i64"))
            at = slot if kind.endswith("32") else slot // 2
            form = f"{target.text} = (u32)atomic_{name}<{kind}>(({kind} *)c.out + {at}, {{0}});"
            return Statement(form, (self.expression(kind),))
        section, (name, kind) = rng.choice(
            list(enumerate((("add", "u32"), ("max", "u32"), ("min", "i32"), ("xor", "u32"), ("add", "u64"),
                            ("max", "i64"), ("or", "u64"), ("and", "u64"))))
        )  # fmt: skip
        where = f"({kind} *)c.in.acc + {64 * section}" if section < 4 else f"({kind} *)c.in.wide + {32 * section - 128}"
        mask = 63 if section < 4 else 31
        form = f"atomic_{name}<{kind}>({where} + ({{1}} & {mask}), {{0}});"
        return Statement(form, (self.expression(kind), self.expression("u32", 1)))

    def array(self) -> Statement:
        rng = self.rng
        name = rng.choice(sorted(self.scope.arrays))
        index = self.expression("u32", 1)
        if name == "st":
            how = rng.randrange(4)
            if how == 0:
                return Statement("s.st[{0} & 3] = s.st[{1} & 3];", (index, self.expression("u32", 1)))
            if how == 1:
                return Statement(
                    "s.st[{0} & 3] = pair0(s.st[{1} & 3], {2});",
                    (index, self.expression("u32", 1), self.expression("u32")),
                )
            kind, place = rng.choice((("i16", ".a"), ("f32", ".b"), ("u64", ".c"), ("u8", ".d[1]")))
            return Statement(f"s.st[{{0}} & 3]{place} = {{1}};", (index, self.expression(kind)))
        if name == "a32" and rng.random() < 0.25:
            return Statement("fill0(s.a32, {0}, {1});", (index, self.expression("u32")))
        kind, mask = {"a32": ("u32", 7), "a64": ("u64", 3), "a8": ("u8", 15), "af": ("f32", 7), "av": ("v4f", 3)}[name]
        if kind != "v4f" and rng.random() < 0.3:
            return Statement(f"s.{name}[{{0}} & {mask}] += {{1}};", (index, self.expression(kind)))
        return Statement(f"s.{name}[{{0}} & {mask}] = {{1}};", (index, self.expression(kind)))


# ---- kernels --------------------------------------------------------------------------------------------------------

FUNCTIONS = (
    ("u32", "fn0", ("u32", "u32")), ("f32", "fn1", ("f32", "f32")), ("u64", "fn2", ("u64", "i32")),
    ("v4f", "fn3", ("v4f", "f32")), ("f64", "fn4", ("f64", "i16")), ("f16", "fn5", ("f16", "u8")),
    ("u32", "fn6", ("u32", "u32")), ("u32", "fn7", ("u32", "u32")),
    ("u32", "deep", ("u32", "u32")), ("u32", "any", ("u32", "u32", "u32")), ("i64", "fn8", ("i64", "i64")),
)  # fmt: skip


def functions(rng: Random) -> str:
    """The functions that a source's kernels call: never inlined, some recursive, some through a table."""
    out = []
    for result, name, arguments in FUNCTIONS:
        if not name.startswith("fn"):
            continue
        scope = Scope([Variable(kind, f"p{n}") for n, kind in enumerate(arguments)], memory=False)
        first, test, second = (random_expression(rng, kind, scope, 3) for kind in (result, "bool", result))
        parameters = ", ".join(f"{kind} p{n}" for n, kind in enumerate(arguments))
        out.append(
            f"CALL {result} {name}({parameters}) {{\n  {result} r = {first};\n  if ({test}) r = {second};\n  return r;\n}}"
        )
    scope = Scope([Variable("u32", "n"), Variable("u32", "x")], memory=False)
    stop, down = (random_expression(rng, "u32", scope, 2) for _ in range(2))
    up = random_expression(rng, "u32", Scope([*scope.variables, Variable("u32", "y")], memory=False), 2)
    out.append(
        f"CALL u32 deeper(u32 n, u32 x) {{\n  if (n == 0 || (x & 15) == 3) return {stop};\n"
        f"  u32 y = deeper(n - 1, {down});\n  return ({up}) + y;\n}}\n"
        "FN u32 deep(u32 n, u32 x) { return deeper(n & 7, x); }\n"
        "typedef u32 (*Function)(u32, u32);\nDEVICE Function table[4] = {fn0, fn6, fn7, deeper_table};\n"
        "FN u32 any(u32 n, u32 a, u32 b) { return table[n & 3](a, b); }\n"
        "CALL Pair pair0(Pair p, u32 x) {\n  p.a += (i16)x;\n  p.b = p.b * 0.5f + (f32)(x & 1023);\n"
        "  p.c = p.c << 1 ^ x;\n  p.d[x % 3] ^= 0x55;\n  return p;\n}\n"
        "CALL void fill0(u32 *p, u32 n, u32 x) {\n  for (u32 k = 0; k < (n & 7) + 1; k++) p[k] += x ^ k;\n}"
    )
    text = "\n".join(out)
    return text.replace(
        "typedef u32 (*Function)",
        "CALL u32 deeper_table(u32 a, u32 b) { return deeper(a & 3, b); }\ntypedef u32 (*Function)",
    )


def random_kernel(rng: Random, name: str) -> Kernel:
    odd = rng.random() < 0.15
    shape = rng.choice(_ODD_SHAPES if odd else _SHAPES)
    kinds = ["u32", "u32", "u64", "f32", "i32"]
    kinds += rng.sample(SCALARS, rng.randrange(1, 5)) + rng.sample(sorted(VECTORS), rng.choice((0, 0, 1, 2)))
    variables = tuple(Variable(kind, f"s.{kind}_{n}") for n, kind in enumerate(kinds))
    arrays = tuple(array for array in _ARRAYS if rng.random() < 0.15)
    base = Scope(variables, FUNCTIONS if rng.random() < 0.6 else (), frozenset(arrays))
    threads = shape[0] * shape[1] * shape[2]
    phases = [_start(rng, base, arrays), _code(rng, base)]
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        roll = rng.random()
        if roll < 0.3:
            phases += _lds(rng, base, threads)
        elif roll < 0.45:
            phases += _lds_atomics(rng, base)
        elif not odd:
            phases += [_lanes(rng, base) for _ in range(rng.randrange(1, 3))]
        phases.append(_code(rng, base))
    grid = rng.choice(((1, 1), (2, 1), (3, 1), (2, 2)))
    return Kernel(name, shape, grid, rng.choice(_ATTRIBUTES), variables, arrays, tuple(phases))


def _start(rng: Random, scope: Scope, arrays: Sequence[str]) -> Phase:
    inputs = replace(scope, variables=(), arrays=frozenset(), functions=())
    body = [Statement(f"{v.text} = {{0}};", (random_expression(rng, v.kind, inputs, 1),)) for v in scope.variables]
    loops = {
        "a32": "s.a32[n & 7] = n * 7 + c.tid;", "a64": "s.a64[n & 3] = (u64)n << 40 ^ c.gid;",
        "a8": "s.a8[n] = (u8)(n * c.tid);", "af": "s.af[n & 7] = (f32)n - (f32)c.tid;",
        "av": "s.av[n & 3] = (v4f){(f32)n, 1.5f, (f32)c.tid, -2.0f};",
        "st": "s.st[n & 3] = Pair{(i16)n, 0.25f, c.gid, {(u8)n, 2, 3}};",
    }  # fmt: skip
    text = " ".join(loops[array] for array in arrays)
    fixed = f"for (u32 n = 0; n < 16; n++) {{ {text} }}".replace("{", "{{").replace("}", "}}")
    zero = f"for (u32 n = 0; n < {FIRST_SLOT}; n++) c.out[n] = n * 0x101010101ull;"
    return Phase("PHASE({name})", (*body, Statement(zero.replace("{", "{{")), *([Statement(fixed)] if arrays else [])))


def _code(rng: Random, scope: Scope, shared: int = 0) -> Phase:
    scope = replace(scope, shared=shared)
    body: list[Statement] = []
    if rng.random() < 0.35:  # the same in all lanes: what the compiler puts on the scalar unit
        plain = [Variable(kind, f"u{n}") for n, kind in enumerate(("u32", "i32", "u64", "i64", "f32"))]
        places = ("c.bid", "c.in.n", "(u64)c.in.m + c.bid", "c.in.m", "c.in.x")
        body += [Statement(f"{v.kind} {v.text} = {place};", keep=True) for v, place in zip(plain, places, strict=True)]
        uniform = Scope(plain, uniform=True, functions=scope.functions)
        writer = _Writer(rng, uniform)
        body += [_plain(rng, writer, 2) for _ in range(rng.randrange(1, 4))]
        scope = replace(scope, variables=(*scope.variables, *plain))
    body += _Writer(rng, scope).statements(rng.choice((1, 2, 2, 3, 4)), 2)
    return Phase("PHASE({name})", tuple(body))


def _plain(rng: Random, writer: _Writer, depth: int) -> Statement:
    """An assignment, or one inside uniform control flow: never a store."""
    target = rng.choice(writer.scope.variables)
    made = Statement(f"{target.text} = {{0}};", (writer.expression(target.kind, 3),))
    if depth and rng.random() < 0.3:
        body = (made, _plain(rng, writer, depth - 1))
        if rng.random() < 0.5:
            return Statement("if ({0})", (writer.expression("bool", 2),), body, True)
        writer.counter += 1
        name = f"m{writer.counter}"
        end = writer.expression("u32", 2)
        return Statement(f"for (u32 {name} = 0, end = {{0}} & 7; {name} < end; {name}++)", (end,), body, True)
    return made


def _lds(rng: Random, scope: Scope, threads: int) -> list[Phase]:
    writer = _Writer(rng, scope)
    body = [Statement("((v4u *)c.sh)[c.tid] = {0};", (writer.expression("v4u", 2),), keep=True)]
    for _ in range(rng.randrange(0, 4)):
        kind = rng.choice(("u8", "u16", "u32", "u64", "v2u"))
        places = 16 // (8 if kind == "v2u" else INTS[kind] // 8)
        form = f"(({kind} *)c.sh)[c.tid * {places} + ({{1}} & {places - 1})] = {{0}};"
        body.append(Statement(form, (writer.expression(kind), writer.expression("u32", 1))))
    sync = Phase("SYNC", code=False, keep=True)
    return [sync, Phase("PHASE({name})", tuple(body), keep=True), sync, _code(rng, scope, threads), sync]


def _lds_atomics(rng: Random, scope: Scope) -> list[Phase]:
    writer = _Writer(rng, scope)
    name, kind = rng.choice((("add", "u32"), ("max", "i32"), ("min", "u32"), ("xor", "u32"), ("or", "u32"),
                             ("add", "u64"), ("max", "u64"), ("and", "u64")))  # fmt: skip
    mask = 63 if kind.endswith("32") else 31
    sync = Phase("SYNC", code=False, keep=True)
    start = "if (c.tid == 0) for (u32 n = 0; n < 64; n++) c.atoms[n] = n * 0x01234567u;"
    body = [
        Statement(f"atomic_{name}<{kind}>(({kind} *)c.atoms + ({{1}} & {mask}), {{0}});",
                  (writer.expression(kind), writer.expression("u32", 1)))
        for _ in range(rng.randrange(1, 4))
    ]  # fmt: skip
    if rng.random() < 0.5:
        body = [Statement("if ({0})", (writer.expression("bool"),), tuple(body), True)]
    target = rng.choice([v for v in scope.variables if v.kind == "u32"])
    read = Statement(f"{target.text} ^= c.atoms[{{0}} & 63];", (writer.expression("u32", 1),))
    return [sync, Phase("PHASE({name})", (Statement(start, keep=True),), keep=True), sync, Phase("PHASE({name})", tuple(body)), sync,
            Phase("PHASE({name})", (read,)), sync]  # fmt: skip


def _lanes(rng: Random, scope: Scope) -> Phase:
    words = [v.text for v in scope.variables if v.kind == "u32"]
    masks = [v.text for v in scope.variables if v.kind == "u64"]

    def expression(kind: str) -> Expression:
        return random_expression(rng, kind, replace(scope, functions=()), 2)

    d, x, y = rng.choice(words), rng.choice(words), rng.choice(words)
    condition = "true" if rng.random() < 0.3 else str(expression("bool"))
    how = rng.randrange(9)
    if how == 0:
        lane = rng.choice((y, f"c.tid + {rng.randrange(64)}", f"c.tid ^ {rng.randrange(64)}"))
        text = f"SHUFFLE({d}, {x}, {lane})"
    elif how == 1:
        text = f"PUSH({d}, {x}, {rng.randrange(1, 64, 2)}, {rng.randrange(64)})"
    elif how == 2:
        text = f"BALLOT({rng.choice(masks)}, ({condition}), ({expression('bool')}))"
    elif how == 3:
        text = f"FIRST({d}, ({condition}), ({expression('u32')}))"
    elif how == 4:
        text = f"READLANE({d}, {x}, {rng.randrange(64)})"
    elif how <= 6:
        control = rng.choice((rng.randrange(256), 0x101 + rng.randrange(15), 0x111 + rng.randrange(15),
                              0x121 + rng.randrange(15), 0x130, 0x134, 0x138, 0x13C, 0x140, 0x141, 0x142, 0x143,
                              0x150 + rng.randrange(16)))  # fmt: skip
        rows, banks = (15, 15) if rng.random() < 0.5 else (rng.randrange(16), rng.randrange(16))
        text = f"DPP({d}, {x}, {y}, {control}, {rows}, {banks}, {rng.choice(('true', 'false'))})"
    elif how == 7:
        pattern = 0x8000 | rng.randrange(256) if rng.random() < 0.3 else rng.randrange(1 << 15)
        text = f"SWIZZLE({d}, {x}, {pattern})"
    else:
        text = f"COUNT_BELOW({d}, {rng.choice(masks)}, {rng.randrange(9)})"
    return Phase(text.replace("{", "{{").replace("}", "}}"), code=False)


# ---- text -----------------------------------------------------------------------------------------------------------


def _results(kernel: Kernel) -> Iterator[tuple[str, str]]:
    """Every result that a kernel writes at its end: what it is, and its bits."""
    for v in kernel.variables:
        if v.kind in VECTORS:
            for n in range(VECTORS[v.kind][1]):
                yield f"{v.text}[{n}]", f"bits({v.text}[{n}])"
        else:
            yield v.text, f"bits({v.text})"
    for array in kernel.arrays:
        count = {"a32": 8, "a64": 4, "a8": 16, "af": 8, "av": 4, "st": 4}[array]
        value = {"av": "bits(s.av[n].x) + bits(s.av[n].w)",
                 "st": "(u64)s.st[n].a + bits(s.st[n].b) + s.st[n].c + s.st[n].d[1]"}.get(array, f"bits(s.{array}[n])")  # fmt: skip
        yield array, f"[&] {{ u64 h = 0; for (u32 n = 0; n < {count}; n++) h = h * 31 + {value}; return h; }}()"


def _kernel_text(kernel: Kernel) -> str:
    fields = [f"{v.kind} {v.text.removeprefix('s.')};" for v in kernel.variables]
    fields += [f"{_ARRAYS[array]};" for array in kernel.arrays]
    state = f"State_{kernel.name}"
    lines = [f"struct {state} {{ {' '.join(fields)} }};"]
    calls = []
    for n, phase in enumerate(kernel.phases):
        name = f"{kernel.name}_p{n}"
        if phase.code:
            lines.append(f"FN void {name}(Ctx &c, {state} &s) {{")
            lines += [line for statement in phase.body for line in statement.lines("  ")]
            lines.append("}")
        calls.append("  " + phase.text.format(name=name))
    lines.append(f"FN void {kernel.name}_end(Ctx &c, {state} &s) {{")
    lines += [f"  c.out[{FIRST_SLOT + n}] = {value};" for n, (_, value) in enumerate(_results(kernel))]
    lines.append("}")
    attribute = f", {kernel.attribute}" if kernel.attribute else ", "
    lines.append(f"KERNEL({kernel.name}, {state}, {kernel.threads}{attribute})")
    lines += [*calls, f"  PHASE({kernel.name}_end)", "END_KERNEL", ""]
    return "\n".join(lines)


def source(kernels: Sequence[Kernel], shared: str, header: str) -> str:
    """One C++ source for both sides; `shared` are the functions that its kernels call."""
    return f'#include "{header}"\n\n{shared}\n\n' + "\n".join(_kernel_text(kernel) for kernel in kernels)


# ---- smaller kernels ------------------------------------------------------------------------------------------------


def _count(body: Sequence[Statement]) -> int:
    return sum(1 + _count(s.body) for s in body)


def _without(body: Sequence[Statement], dropped: range, at: list[int]) -> tuple[Statement, ...]:
    out = []
    for statement in body:
        mine = at[0]
        at[0] += 1
        if mine in dropped and not statement.keep:
            at[0] += _count(statement.body)
        else:
            out.append(replace(statement, body=_without(statement.body, dropped, at)))
    return tuple(out)


def _rewritten(body: Sequence[Statement]) -> Iterator[tuple[Statement, ...]]:
    """The body with one block replaced by what is in it, or one expression by a simpler one."""
    for n, statement in enumerate(body):
        before, after = tuple(body[:n]), tuple(body[n + 1 :])
        if statement.block and not statement.form.startswith(("for", "switch", "case")):
            yield (*before, *statement.body, *after)
        for k, part in enumerate(statement.parts):
            for other in part.smaller():
                parts = (*statement.parts[:k], other, *statement.parts[k + 1 :])
                yield (*before, replace(statement, parts=parts), *after)
        for inner in _rewritten(statement.body):
            yield (*before, replace(statement, body=inner), *after)


def _simpler(kernel: Kernel) -> Iterator[Kernel]:
    """With one simpler expression."""
    for n, phase in enumerate(kernel.phases):
        for body in _rewritten(phase.body):
            yield replace(kernel, phases=(*kernel.phases[:n], replace(phase, body=body), *kernel.phases[n + 1 :]))


def _several_simpler(kernel: Kernel, count: int) -> Iterator[Kernel]:
    """With `count` simpler expressions at once, or as many as there are; none where that is one or none."""
    simpler = kernel
    for done in range(count):
        following = next(_simpler(simpler), None)
        if following is None:
            if done < 2:
                return
            break
        simpler = following
    yield simpler


def variants(kernel: Kernel, chunk: int) -> Iterator[Kernel]:
    """Smaller kernels: without each run of `chunk` statements or phases; for chunk 0, with simpler expressions."""
    phases = kernel.phases
    if chunk == 0:
        for count in (64, 16, 4):
            yield from _several_simpler(kernel, count)
        yield from _simpler(kernel)
        return
    for n in range(1, len(phases), chunk):  # barriers and what fills LDS stay
        gone = [k for k in range(n, min(n + chunk, len(phases))) if not phases[k].keep]
        if gone:
            yield replace(kernel, phases=tuple(p for k, p in enumerate(phases) if k not in gone))
    total = sum(_count(phase.body) for phase in phases)
    first = _count(phases[0].body)
    for start in range(first, total, chunk):
        at = [0]
        dropped = range(start, start + chunk)
        yield replace(kernel, phases=tuple(replace(p, body=_without(p.body, dropped, at)) for p in phases))
