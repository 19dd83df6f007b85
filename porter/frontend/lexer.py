"""C++ and CUDA tokens with their byte offsets, the preprocessor's lines included.

libclang sees only the active branch of an `#ifdef` and only the expansion of a macro; the tokens
are the whole file. They are therefore what every edit is made from, and the AST (ast.py) says
what a token means where it can.
"""

from __future__ import annotations

import bisect
import re
from array import array
from collections import defaultdict
from collections.abc import KeysView, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = [
    "Directive",
    "Kind",
    "Token",
    "TokenFile",
    "joined",
    "launch_arguments",
    "lex",
    "newline_of",
    "split_commas",
    "template_begin",
    "template_end",
]


class Kind:
    IDENT = "ident"
    NUMBER = "number"
    STRING = "string"
    CHAR = "char"
    PUNCT = "punct"
    HEADER = "header"  # the <...> or "..." of an #include


class Token(NamedTuple):
    kind: str
    text: str  # without line splices
    start: int
    end: int
    directive: int  # index into TokenFile.directives, -1 outside of the preprocessor's lines


class Directive(NamedTuple):
    """One preprocessor line, splices included: `#define X 1`."""

    name: str
    start: int  # offset of '#'
    end: int  # offset past the last character before the newline
    first: int  # tokens[first:last] follow the directive's name
    last: int


@dataclass(eq=False)
class TokenFile:
    text: str
    tokens: list[Token]
    comments: list[tuple[int, int]]
    directives: list[Directive]
    _line_starts: list[int] = field(default_factory=list, repr=False)
    _starts: list[int] = field(default_factory=list, repr=False)
    _partners: array[int] | None = field(default=None, repr=False)
    _places: dict[str, array[int]] = field(default_factory=dict, repr=False)
    answers: dict[object, Any] = field(default_factory=dict, repr=False)  # porter.frontend.once keeps them here

    def line_starts(self) -> list[int]:
        if not self._line_starts:
            self._line_starts = [0, *(m.end() for m in re.finditer(r"\r\n|\n|\r", self.text))]
        return self._line_starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, the column in bytes."""
        starts = self.line_starts()
        line = bisect.bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def token_at(self, offset: int) -> int:
        """Index of the first token that ends after `offset`; len(tokens) past the last one."""
        if not self._starts:
            self._starts = [t.start for t in self.tokens]
        index = bisect.bisect_right(self._starts, offset) - 1
        return index if index >= 0 and self.tokens[index].end > offset else index + 1

    def places(self, *texts: str) -> Sequence[int]:
        """Indices of the tokens that read so, in their order: one scan of the file serves every pass that asks."""
        known = self._read()
        indices = [known[text] for text in texts if text in known]
        return indices[0] if len(indices) == 1 else sorted(index for part in indices for index in part)

    def texts(self) -> KeysView[str]:
        """Each text that a token has, once."""
        return self._read().keys()

    def _read(self) -> dict[str, array[int]]:
        if not self._places:
            places: dict[str, array[int]] = defaultdict(lambda: array("i"))
            for index, token in enumerate(self.tokens):
                places[token.text].append(index)
            self._places = dict(places)
        return self._places

    def partner(self, index: int) -> int:
        """The matching bracket of tokens[index], an opening or closing one of ( [ {; -1 if none.

        Brackets inside a directive match only within that directive.
        """
        if self._partners is None:
            self._partners = _match(self.tokens)
        return self._partners[index] if 0 <= index < len(self._partners) else -1

    def arguments(self, opening: int) -> list[tuple[int, int]]:
        """Token ranges [first, last) of the comma-separated parts inside tokens[opening].

        Angle brackets are followed where they can only be template arguments, so the comma in
        `f(std::pair<int, int>(a, b), c)` does not split.
        """
        close = self.partner(opening)
        if close < 0:
            return []
        return split_commas(self, opening + 1, close)

    def word(self, index: int) -> str:
        """The text of a token; "" where there is none."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def source(self, first: int, last: int) -> str:
        """The text that tokens[first:last] span."""
        if last <= first:
            return ""
        return self.text[self.tokens[first].start : self.tokens[last - 1].end]


_OPEN = {"(": ")", "[": "]", "{": "}"}


def _match(tokens: Sequence[Token]) -> array[int]:
    partners = array("i", [-1]) * len(tokens)
    stacks: dict[int, list[int]] = {}
    for index, token in enumerate(tokens):
        if token.kind != Kind.PUNCT:
            continue
        stack = stacks.setdefault(token.directive, [])
        if token.text in _OPEN:
            stack.append(index)
        elif token.text in (")", "]", "}"):
            for depth in range(len(stack) - 1, -1, -1):
                if _OPEN[tokens[stack[depth]].text] == token.text:
                    partners[index] = stack[depth]
                    partners[stack[depth]] = index
                    del stack[depth:]
                    break
            else:
                if token.text == "}":  # no bracket goes on past the end of a block that began before the text
                    stack.clear()
    return partners


def launch_arguments(file: TokenFile, opening: int) -> list[tuple[int, int]]:
    """Token ranges of the configuration that begins at tokens[opening], a `<<<`."""
    tokens = file.tokens
    closing = next((i for i in range(opening + 1, len(tokens)) if tokens[i].text == ">>>"), -1)
    return split_commas(file, opening + 1, closing) if closing > 0 else []


def split_commas(file: TokenFile, first: int, last: int) -> list[tuple[int, int]]:
    tokens = file.tokens
    parts: list[tuple[int, int]] = []
    begin = index = first
    while index < last:
        text = tokens[index].text
        if tokens[index].kind == Kind.PUNCT:
            if text in _OPEN:
                partner = file.partner(index)
                index = partner if index < partner < last else index
            elif text == "<":
                index = _argument_list_end(file, index, last)
            elif text == ",":
                parts.append((begin, index))
                begin = index + 1
        index += 1
    if begin < last or parts:
        parts.append((begin, last))
    return parts


_AFTER_TEMPLATE = frozenset({"(", ")", "::", ",", "{", "*", "&"})


def _argument_list_end(file: TokenFile, index: int, last: int) -> int:
    """The `>` that closes tokens[index] if it opens template arguments, else `index` itself."""
    if index == 0 or file.tokens[index - 1].kind != Kind.IDENT:
        return index
    end = template_end(file, index, last)
    if end < 0 and last < len(file.tokens) and file.tokens[last].text in (">>", ">>>"):
        # The list to be split is one of template arguments itself, and ends with its last argument.
        return last - 1 if template_end(file, index, last + 1, known=True) == last + 1 else index
    after = file.tokens[end].text if 0 <= end < len(file.tokens) else ""
    return end - 1 if after in _AFTER_TEMPLATE else index


# What cannot stand in template arguments outside of brackets, or stands there so rarely that `<` is "less than".
_NO_ARGUMENT = frozenset({";", "{", "}", "&&", "||", "?", "=", "==", "<=", ">="})
_NO_PARAMETER = frozenset({";", "{", "}"})
_LONGEST_LIST = 200


def template_end(file: TokenFile, opening: int, last: int, parameters: bool = False, known: bool = False) -> int:
    """Past the `>` of the template arguments (or `parameters`) that open at tokens[opening]; -1 if they are none.

    `known`: a template's name is before them, so that a `>>` may close those around them, too.
    """
    refused = _NO_PARAMETER if parameters else _NO_ARGUMENT
    depth, at = 0, opening
    while at < min(last, opening + _LONGEST_LIST):
        text = file.tokens[at].text
        if text == "<":
            depth += 1
        elif text in (">", ">>", ">>>"):
            depth -= len(text)
            if depth <= 0:
                return at + 1 if depth == 0 or known else -1
        elif text in ("(", "["):
            at = file.partner(at)
            if at < 0:
                return -1
        elif text in refused:
            return -1
        at += 1
    return -1


def template_begin(file: TokenFile, last: int) -> int:
    """The name before the template arguments whose `>` is tokens[last]; last itself where there are none."""
    depth, at = 0, last
    while at > max(0, last - 2 * _LONGEST_LIST) and file.tokens[last].text in (">", ">>"):
        text = file.tokens[at].text
        if text in (")", "]", "}"):
            at = file.partner(at)
            if at < 0:
                return last
        elif text in (";", "{"):
            return last
        depth += {">": 1, ">>": 2, "<": -1, "<<": -2}.get(text, 0)
        at -= 1
        if depth <= 0:
            return at
    return last


_SPLICE = r"\\[ \t]*(?:\r\n|\n|\r)"
# A token and the blanks before it. Most are plain words, which come first, unless a literal's prefix may begin them.
_TOKEN = re.compile(
    rf"""(?:[ \t\f\v]|{_SPLICE})*(?:
    (?P<word>[A-KM-QSTV-Za-tv-z_][A-Za-z0-9_]*(?![A-Za-z0-9_$\x80-\xff\\]))
  | (?P<newline>\r\n|\n|\r)
  | (?P<comment>//(?:[^\r\n\\]|\\[ \t]*(?:\r\n|\n|\r)|\\)*|/\*.*?(?:\*/|\Z))
  | (?P<raw>(?:u8|u|U|L)?R"(?P<delim>[^()\\\s"]{{0,16}})\(.*?(?:\)(?P=delim)"|\Z))
  | (?P<string>(?:u8|u|U|L)?"(?:[^"\\\r\n]|\\(?:\r\n|.))*(?:"|(?=[\r\n])|\Z))
  | (?P<char>(?:u8|u|U|L)?'(?:[^'\\\r\n]|\\(?:\r\n|.))*(?:'|(?=[\r\n])|\Z))
  | (?P<number>\.?[0-9](?:[eEpP][+-]|'(?=[0-9A-Za-z_])|[0-9A-Za-z_.])*)
  | (?P<ident>(?:[A-Za-z_$\x80-\xff]|\\u[0-9A-Fa-f]{{4}})(?:[A-Za-z0-9_$\x80-\xff]|\\u[0-9A-Fa-f]{{4}}|{_SPLICE}(?=[A-Za-z0-9_]))*)
  | (?P<punct><<[ \t]*<|>>[ \t]*>|<=>|->\*|\.\.\.|<<=|>>=|::|\#\#|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|.)
  | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_HEADER_NAME = re.compile(r'[ \t]*(<[^>\r\n]*>|"[^"\r\n]*")')
_SPLICE_RE = re.compile(_SPLICE)
_BOM = "\xef\xbb\xbf"
_KINDS = {"word": Kind.IDENT, "raw": Kind.STRING}  # the others are called as their groups


def lex(text: str) -> TokenFile:
    """Tokenise a whole file; never fails: what is no token becomes a one-character PUNCT."""
    tokens: list[Token] = []
    comments: list[tuple[int, int]] = []
    directives: list[Directive] = []
    position, size = (len(_BOM) if text.startswith(_BOM) else 0), len(text)
    line_is_blank = True  # no token yet on this line, so a '#' opens a directive
    open_directive: tuple[str, int, int] | None = None  # name, start, first token
    match, append, new = _TOKEN.match, tokens.append, tuple.__new__
    words: dict[str, str] = {}  # a word is one object, however often it occurs
    last_end = position
    while position < size:
        lexeme = match(text, position)
        assert lexeme is not None and lexeme.lastgroup is not None  # punct takes any character
        kind = lexeme.lastgroup
        start, position = lexeme.span(kind)
        if kind == "word":
            last_end = position
            line_is_blank = False
            number = len(directives) if open_directive else -1
            word = lexeme[kind]
            append(new(Token, (Kind.IDENT, words.setdefault(word, word), start, position, number)))
            continue
        if kind == "newline":
            if open_directive is not None:
                directives.append(_directive(open_directive, last_end, len(tokens)))
                open_directive = None
            line_is_blank = True
            continue
        if kind == "end":
            break
        last_end = position
        if kind == "comment":
            comments.append((start, position))
            continue
        value = lexeme[kind]
        if kind == "punct" and value == "#" and line_is_blank:
            name, position = _directive_name(text, position)
            open_directive = (name, start, len(tokens))
            last_end = position
            line_is_blank = False
            if name in ("include", "include_next", "import"):
                header = _HEADER_NAME.match(text, position)
                if header is not None:
                    append(Token(Kind.HEADER, header[1], header.start(1), header.end(1), len(directives)))
                    position = last_end = header.end()
            continue
        line_is_blank = False
        if "\\" in value and kind in ("ident", "number"):
            value = _SPLICE_RE.sub("", value)
        if kind == "punct" and len(value) > 3:
            value = value[0] * 3  # nvcc takes blanks in the brackets of a launch, before the last character
        number = len(directives) if open_directive else -1
        append(new(Token, (_KINDS.get(kind, kind), value, start, position, number)))
    if open_directive is not None:
        directives.append(_directive(open_directive, last_end, len(tokens)))
    return TokenFile(text, tokens, comments, directives)


def joined(files: Sequence[TokenFile]) -> TokenFile:
    """What lex() makes of the texts of files, with a newline between two: their own tokens, since that takes longer."""
    text = "\n".join(file.text for file in files)
    if not all(map(_ends_by_itself, files[:-1])) or any(file.text.startswith(_BOM) for file in files[1:]):
        return lex(text)
    tokens: list[Token] = []
    comments: list[tuple[int, int]] = []
    directives: list[Directive] = []
    new, at = tuple.__new__, 0
    for file in files:
        first, number = len(tokens), len(directives)
        tokens += [
            new(Token, (kind, word, start + at, end + at, -1 if directive < 0 else directive + number))
            for kind, word, start, end, directive in file.tokens
        ]
        comments += [(start + at, end + at) for start, end in file.comments]
        directives += [
            new(Directive, (name, start + at, end + at, begin + first, last + first))
            for name, start, end, begin, last in file.directives
        ]
        at += len(file.text) + 1
    return TokenFile(text, tokens, comments, directives)


def _ends_by_itself(file: TokenFile) -> bool:
    """Whether a newline behind the file belongs to no comment, raw string or splice of its own."""
    size = len(file.text)
    comment = bool(file.comments) and file.comments[-1][1] == size and file.text.startswith("/*", file.comments[-1][0])
    raw = bool(file.tokens) and file.tokens[-1].end == size and file.tokens[-1].kind == Kind.STRING
    return not (comment or raw or file.text.rstrip(" \t").endswith("\\"))


def _directive(opened: tuple[str, int, int], end: int, last: int) -> Directive:
    name, start, first = opened
    return Directive(name, start, end, first, last)


_DIRECTIVE_NAME = re.compile(rf"(?:[ \t]|{_SPLICE}|/\*.*?\*/)*([A-Za-z_]*)", re.DOTALL)


def _directive_name(text: str, position: int) -> tuple[str, int]:
    directive = _DIRECTIVE_NAME.match(text, position)
    assert directive is not None
    return directive[1], directive.end()


def newline_of(text: str) -> str:
    """The line ending that a text uses first."""
    at = text.find("\n")
    if at < 0:
        return "\r" if "\r" in text else "\n"
    return "\r\n" if at and text[at - 1] == "\r" else "\n"
