"""Loops and switches that exchange nothing between lanes, taken as one step: what they read and what they set."""

from __future__ import annotations

from typing import Any

from porter.frontend.lexer import Kind
from porter.proofs.calls import Calls
from porter.proofs.facts import is_pure
from porter.proofs.program import SHUFFLES, Refused
from porter.proofs.state import Local
from porter.proofs.values import Pointer, Region, fingerprint

__all__ = ["Summary"]

_DEEPEST = 12
_ASSIGN = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"})


class Summary:
    """What a range of tokens reads and sets, taken broadly."""

    def __init__(self, machine: Calls, first: int, last: int) -> None:
        self.machine = machine
        self.read: dict[str, Local | Region] = {}
        self.set_locals: dict[str, Local] = {}
        self.set_regions: list[Region] = []
        self.outside = self.whole = self.thread = False
        words: list[Any] = []
        self.scan(first, last, words, 0)
        self.text = tuple(w if isinstance(w, (int, str)) else str(w) for w in words)

    def scan(self, first: int, last: int, words: list[Any], depth: int) -> None:
        machine = self.machine
        program, frame = machine.program, machine.frame
        tokens = program.file.tokens
        for k in range(first, last):
            token = tokens[k]
            words.append(token.text)
            if token.text in ("return", "goto", "asm", "__asm__") or token.text in SHUFFLES or depth > _DEEPEST:
                raise Refused(k, f"a loop without a known end that holds '{token.text}'")
            if token.kind != Kind.IDENT or tokens[k - 1].text in (".", "->"):
                continue
            found = frame.find(token.text)
            macro = program.macros.get(token.text, ())
            if found is not None:
                self.read[token.text] = found
                self.note_write(found, token.text, k)
            elif token.text == "threadIdx":
                self.thread = True
            elif token.text == "warpSize":
                words.append(machine.wave)
            elif macro is None:
                raise Refused(k, f"{token.text} is a macro with arguments")
            elif (value := program.constants.named(token.text, k, {**machine.known, **frame.integers})) is not None:
                words.append(value)
            elif macro:
                self.scan(*macro, words, depth + 1)
            elif tokens[k + 1].text == "(" or token.text in program.functions:
                self.note_call(token.text, k, words)

    def note_write(self, found: Local | Region, name: str, k: int) -> None:
        tokens = self.machine.program.file.tokens
        file = self.machine.program.file
        after, inside = k + 1, False
        while tokens[after].text in ("[", ".", "->"):
            inside = inside or tokens[after].text in ("[", "->")
            after = (file.partner(after) if tokens[after].text == "[" else after + 1) + 1
        before = tokens[k - 1].text
        inside = inside or before == "*"
        changed = tokens[after].text in _ASSIGN or before in ("++", "--", "&") or (
            before in ("(", ",") and tokens[after].text in (",", ")")
        )  # fmt: skip
        targets = [found] if isinstance(found, Region) else []
        if isinstance(found, Local):
            for value in found.values:
                if isinstance(value, Pointer) and value.region not in targets:
                    targets.append(value.region)
        if any(t in self.machine.shared.values() for t in targets):
            self.whole = True
        if not changed:
            return
        if isinstance(found, Local):
            local_array = any(isinstance(v, Region) for v in found.values)
            if not inside or local_array or not targets:
                self.set_locals[name] = found
            if inside and not local_array and not targets:
                self.outside = True
        for target in targets:
            if target not in self.set_regions:
                self.set_regions.append(target)

    def note_call(self, name: str, k: int, words: list[Any]) -> None:
        program = self.machine.program
        tokens = program.file.tokens
        if name in program.functions:
            for function in (g for f in program.functions[name] for g in program.callees(f)):
                words.extend(tokens[j].text for j in range(*function.body))
            self.outside = self.thread = True
            return
        if name in program.foreign:
            raise Refused(k, f"{name} is defined in another file")
        if not is_pure(name) and name not in ("for", "while", "if", "switch", "sizeof") and not name.endswith("_cast"):
            self.outside = self.thread = self.whole = True

    def row(self, thread: int) -> tuple[Any, ...]:
        """What one thread's way through the region depends on."""
        parts: list[Any] = [self.machine.version, thread if self.thread else 0]
        for name in sorted(self.read):
            found = self.read[name]
            if isinstance(found, Region):
                parts.append((name, int(found.contents())))
                continue
            value = found.values[thread]
            if isinstance(value, Region):
                parts.append((name, int(value.contents())))
            elif isinstance(value, Pointer):
                parts.append((name, fingerprint(value), int(value.region.contents())))
            else:
                parts.append((name, fingerprint(value)))
        return tuple(parts)
