"""Names that macros paste together: `cuda##name` is ported where its parts are written, in the macro and in its uses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.findings import Edit, Finding, Safety
from porter.frontend.asm.macros import Word, used_in, uses
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.once import once_per_file
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

_RULE = "pasted-name"
_BEGINNING = re.compile(r"cu(?:da|blas|sparse|fft|rand|solver|dnn)?|(?:CU(?:DA|BLAS|SPARSE|FFT|RAND|SOLVER|DNN)?)_")


@dataclass(frozen=True, slots=True)
class _Paste:
    """`part ## part ## ...` in the body of a macro."""

    file: TokenFile
    macro: str
    parts: tuple[int, ...]  # tokens of the file
    parameters: frozenset[str]

    def text(self, part: int) -> str:
        return self.file.tokens[part].text

    @property
    def literals(self) -> tuple[int, ...]:
        return tuple(part for part in self.parts if self.text(part) not in self.parameters)


@dataclass(frozen=True, slots=True)
class _Use:
    """What one use of the macro makes of a paste."""

    words: tuple[Word | None, ...]  # by part: what stands for a parameter
    texts: tuple[str, ...]  # by part
    hip: str | None  # the ported name, "" if HIP has none, None if it is no name of CUDA's

    @property
    def name(self) -> str:
        return "".join(self.texts)


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    pastes = [*_pastes(unit.file), *(paste for file in unit.beside for paste in _pastes(file))]
    if not pastes:
        return []
    by_place: dict[int, Finding] = {}
    used = used_in(unit.file, unit.beside)
    gives = _gives_beginnings(unit.file)
    for paste in (paste for paste in pastes if paste.file is unit.file or paste.macro in used or gives):
        for finding in _ported(unit, paste, rules):
            by_place.setdefault(finding.start, finding)
    return list(by_place.values())


@once_per_file
def _gives_beginnings(file: TokenFile) -> bool:
    """Whether the body of a macro has the beginning of CUDA's names as a word, which another macro may paste."""
    bodies = (file.tokens[d.first + 1 : d.last] for d in file.directives if d.name == "define")
    return any(_BEGINNING.fullmatch(token.text) for body in bodies for token in body)


@once_per_file
def _pastes(file: TokenFile) -> Sequence[_Paste]:
    return list(_read(file)) if "##" in file.texts() else []


def _read(file: TokenFile) -> Iterator[_Paste]:
    tokens = file.tokens
    for directive in file.directives:
        if directive.name != "define" or directive.last - directive.first < 3:
            continue
        opening = directive.first + 1
        closing = file.partner(opening) if tokens[opening].text == "(" else -1
        if closing < 0 or tokens[opening].start != tokens[directive.first].end:
            continue
        names = frozenset(t.text for t in tokens[opening + 1 : closing] if t.kind == Kind.IDENT)
        at = closing + 1
        while at < directive.last:
            parts = [at]
            while at + 2 < directive.last and tokens[at + 1].text == "##":
                at += 2
                parts.append(at)
            if len(parts) > 1 and all(tokens[part].kind in (Kind.IDENT, Kind.NUMBER) for part in parts):
                yield _Paste(file, tokens[directive.first].text, tuple(parts), names)
            at += 1


def _ported(unit: Unit, paste: _Paste, rules: RuleSet) -> Iterator[Finding]:
    files = (unit.file, *unit.beside)
    made = [_use(paste, values, rules) for values in uses(unit.file, paste.macro, unit.beside)]
    seen = [use for use in made if use is not None]
    cudas = [use for use in seen if use.hip is not None]
    spelled = [unit.project_names, *(file.texts() for file in files)]  # one that is written out is declared there
    own = [use for use in seen if use.hip is None and any(use.name in names for names in spelled)]
    here = paste.file is unit.file
    if not cudas:
        if here and not seen and any(_BEGINNING.fullmatch(paste.text(part)) for part in paste.literals):
            message = (
                f"{_spelled(paste)} makes names of CUDA's, perhaps, and no use of {paste.macro} is seen that says which"
            )
            yield _finding(paste.file, paste.parts[0], Safety.LEFT, message)
        return
    literals = _literals(paste, cudas)
    old = tuple(paste.text(part) for part in paste.literals)
    if own and literals != old:
        if here:
            message = f"{_spelled(paste)} makes names of CUDA's and of the project: {cudas[0].name}, {own[0].name}"
            yield _finding(paste.file, paste.parts[0], Safety.LEFT, message)
        return
    if here and literals != old:
        edits = tuple(
            Edit(paste.file.tokens[part].start, paste.file.tokens[part].end, new)
            for part, new in zip(paste.literals, literals)
            if new != paste.text(part)
        )
        message = f"{_spelled(paste)} makes names of CUDA's, {cudas[0].name} is {cudas[0].hip}"
        yield _finding(paste.file, paste.parts[0], Safety.EXACT, message, edits)
    news = dict(zip(paste.literals, literals))
    given = _in_bodies(paste, cudas, own) if literals == old else {}
    for (file, index), (text, example) in given.items():
        if file is unit.file:
            token = file.tokens[index]
            message = f"{token.text} becomes a part of names of CUDA's, {example.name} is {example.hip}"
            yield _finding(file, index, Safety.EXACT, message, (Edit(token.start, token.end, text),))
    for values in uses(unit.file, paste.macro, unit.beside, of=files[:1]):
        use = _use(paste, values, rules)
        if use is not None:
            origins = {part: word.origin for part, word in zip(paste.parts, use.words) if word and word.origin}
            texts = {part: given[origin][0] for part, origin in origins.items() if origin in given}
            yield from _at_use(unit, paste, use, {**news, **texts}, rules)


_Origin = tuple[TokenFile, int]


def _in_bodies(paste: _Paste, cudas: Sequence[_Use], own: Sequence[_Use]) -> Mapping[_Origin, tuple[str, _Use]]:
    """The words in the bodies of other macros that the paste takes and that have to be others: what gives HIP's name in most
    of a word's uses, and one of these."""
    by_origin: dict[_Origin, list[tuple[str, _Use]]] = {}
    for use in cudas:
        for at, word in enumerate(use.words):
            text = _between(use, use.texts, at)
            if word is not None and word.origin is not None and word.index < 0 and text:
                by_origin.setdefault(word.origin, []).append((text, use))
    taken = {word.origin for use in own for word in use.words if word is not None}
    most = {origin: Counter(text for text, _ in texts).most_common(1)[0][0] for origin, texts in by_origin.items()}
    return {
        (file, index): next(one for one in by_origin[file, index] if one[0] == text)
        for (file, index), text in most.items()
        if (file, index) not in taken and file.tokens[index].text != text
    }


def _between(use: _Use, made: Sequence[str], at: int) -> str:
    """What the part of that number has to be for HIP's name, with the others as they are; "" where nothing helps."""
    before, after, hip = "".join(made[:at]), "".join(made[at + 1 :]), use.hip or ""
    fits = len(hip) > len(before) + len(after) and hip.startswith(before) and hip.endswith(after)
    return hip[len(before) : len(hip) - len(after)] if fits else ""


def _use(paste: _Paste, values: Mapping[str, Sequence[Word]], rules: RuleSet) -> _Use | None:
    words: list[Word | None] = []
    texts: list[str] = []
    for part in paste.parts:
        text = paste.text(part)
        given = values.get(text)
        if given and part == paste.parts[0]:
            given = given[-1:]  # what stands before it is no part of the name
        elif given and part == paste.parts[-1]:
            given = given[:1]
        if given is not None and len(given) > 1:
            return None
        words.append(given[0] if given else None)
        texts.append(text if given is None else given[0].text if given else "")
    name = "".join(texts)
    row = rules.names.get(name)
    hip = row.hip if row is not None else "" if name in rules.calls else None
    return _Use(tuple(words), tuple(texts), hip)


def _literals(paste: _Paste, cudas: Sequence[_Use]) -> tuple[str, ...]:
    """What the macro's own parts have to be for most of the names; as they are, if nothing else gives any."""
    votes: Counter[tuple[str, ...]] = Counter()
    for use in cudas:
        pattern = "".join(
            r"(\w*?)" if part in paste.literals else re.escape(text) for part, text in zip(paste.parts, use.texts)
        )
        match = re.fullmatch(pattern, use.hip or "")
        if match:
            votes[match.groups()] += 1
    return votes.most_common(1)[0][0] if votes else tuple(paste.text(part) for part in paste.literals)


def _at_use(unit: Unit, paste: _Paste, use: _Use, news: Mapping[int, str], rules: RuleSet) -> Iterator[Finding]:
    """What is left to do where the macro is used: nothing, another argument, or a person's work."""
    site = next((word.index for word in use.words if word is not None and word.index >= 0), -1)
    if site < 0 or use.hip is None:
        if site >= 0 and news != {part: paste.text(part) for part in paste.literals}:
            message = f"{use.name}, which {paste.macro} makes here, is no name that porter knows"
            yield _finding(unit.file, site, Safety.LEFT, message)
        return
    row = rules.names.get(use.name)
    if row is None or not use.hip:
        reason = row.note if row is not None else "HIP takes other arguments"
        yield _finding(unit.file, site, Safety.LEFT, f"{use.name}, which {paste.macro} makes here: {reason}")
        return
    made = [news.get(part, text) for part, text in zip(paste.parts, use.texts)]
    edits: tuple[Edit, ...] = ()
    if "".join(made) != use.hip:
        change = _other_argument(paste, use, made)
        if change is None:
            message = f"{use.name}, which {paste.macro} makes here, is {use.hip} in HIP: no argument gives that name"
            yield _finding(unit.file, site, Safety.LEFT, message)
            return
        token = unit.tokens[change[0]]
        edits = (Edit(token.start, token.end, change[1]),)
    safety, message = row.safety, f"{use.name}, which {paste.macro} makes here, is {use.hip}"
    if any(not call.known for call in rules.calls.get(use.name, ())):
        safety, message = Safety.REVIEW, f"{message}: HIP's may take other arguments, which are not ported here"
    elif row.note:
        message += f": {row.note}"
    if edits or safety is not Safety.EXACT:
        yield _finding(unit.file, site, safety, message, edits)


def _other_argument(paste: _Paste, use: _Use, made: Sequence[str]) -> tuple[int, str] | None:
    """The one argument that has to be another, and what; not one that stands in the macro's body elsewhere, too."""
    for at, word in enumerate(use.words):
        if word is None or word.index < 0 or _times(paste, paste.text(paste.parts[at])) != 1:
            continue
        if text := _between(use, made, at):
            return word.index, text
    return None


def _times(paste: _Paste, parameter: str) -> int:
    home = paste.file.directives[paste.file.tokens[paste.parts[0]].directive]
    return sum(t.text == parameter for t in paste.file.tokens[home.first : home.last]) - 1


def _spelled(paste: _Paste) -> str:
    return "##".join(paste.text(part) for part in paste.parts)


def _finding(file: TokenFile, index: int, safety: Safety, message: str, edits: tuple[Edit, ...] = ()) -> Finding:
    return Finding(_RULE, file.tokens[index].start, file.tokens[index].end, safety, message, edits)
