"""The files of a translation unit, as their tokens tell what is called and declared where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.frontend.lexer import Kind, Token, TokenFile, template_begin, template_end
from porter.frontend.scopes import Function, Scopes
from porter.frontend.source_file import SourceFile

__all__ = ["Text", "parameter_name", "parameter_token", "text_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    path: Path
    file: TokenFile
    scopes: Scopes

    @property
    def tokens(self) -> Sequence[Token]:
        return self.file.tokens

    def text(self, index: int) -> str:
        return self.file.tokens[index].text if 0 <= index < len(self.file.tokens) else ""

    def is_name(self, index: int) -> bool:
        return 0 <= index < len(self.file.tokens) and self.file.tokens[index].kind == Kind.IDENT

    def where(self, index: int, seen_from: Path) -> str:
        line = self.file.position(self.file.tokens[index].start)[0]
        return f"line {line}" if self.path == seen_from else f"{self.path.name}:{line}"

    def function(self, index: int) -> Function | None:
        return self.scopes.at(index).function

    def outermost(self, index: int) -> Function | None:
        """The function around tokens[index] that is no lambda's."""
        return next((f for f in self.scopes.functions if f.name and f.body[0] < index < f.body[1]), None)

    def block(self, index: int) -> tuple[int, int]:
        """The brackets around tokens[index], of whatever kind; (-1, -1) outside of all."""
        at = index - 1
        while at >= 0:
            text = self.text(at)
            if text in (")", "]", "}"):
                at = self.file.partner(at)
                if at < 0:
                    break
            elif text in ("(", "[", "{"):
                return at, self.file.partner(at)
            at -= 1
        return -1, -1

    def statement(self, index: int) -> tuple[int, int]:
        """First and last token of the statement around tokens[index], its `;` included."""
        first = last = index
        while first > 0 and self.text(first - 1) not in (";", "{", "}", ":"):
            first = self.file.partner(first - 1) if self.text(first - 1) in (")", "]") else first - 1
            if self.text(first) == "(" and self.text(first - 1) in ("if", "while", "for", "switch"):
                first = self.file.partner(first) + 1
                break
        while last < len(self.tokens) and self.text(last) != ";":
            last = self.file.partner(last) + 1 if self.text(last) in ("(", "{", "[") else last + 1
        return first, last

    def after_template(self, index: int) -> int:
        """Past the template arguments that begin at tokens[index], if any do."""
        if self.text(index) != "<":
            return index
        end = template_end(self.file, index, len(self.tokens), parameters=True)
        return end if end > 0 else max(index, template_end(self.file, index, len(self.tokens), known=True))

    def before_template(self, last: int) -> int:
        """The name before the template arguments whose `>` is tokens[last]; last itself where there are none."""
        return template_begin(self.file, last) if 0 <= last < len(self.tokens) else last

    def namespaces(self, index: int) -> list[str]:
        """The names of those around tokens[index]; anonymous ones are left out."""
        names_around: list[str] = []
        opening = self.block(index)[0]
        while opening >= 0:
            names: list[str] = []
            at = opening - 1
            while (self.is_name(at) and self.text(at) != "namespace") or self.text(at) == "::":
                names = [self.text(at), *names] if self.is_name(at) else names
                at -= 1
            if self.text(opening) == "{" and self.text(at) == "namespace":
                names_around = [*(n for n in names if n != "inline"), *names_around]
            opening = self.block(opening)[0]
        return names_around

    def mentions(self, name: str, first: int = 0, last: int = -1) -> Iterator[int]:
        """Where a name stands that is no member's."""
        for index in range(first, len(self.tokens) if last < 0 else last):
            token = self.tokens[index]
            if token.text == name and token.kind == Kind.IDENT and self.text(index - 1) not in (".", "->"):
                yield index


def text_of(source: SourceFile) -> Text:
    return Text(source.path, source.tokens, source.scopes)


def parameter_name(file: TokenFile, first: int, last: int) -> str:
    index = parameter_token(file, first, last)
    return file.tokens[index].text if index >= 0 else ""


def parameter_token(file: TokenFile, first: int, last: int) -> int:
    end = next((k for k in range(first, last) if file.tokens[k].text in ("=", "[")), last)
    return next((k for k in range(end - 1, first - 1, -1) if file.tokens[k].kind == Kind.IDENT), -1)
