"""What a compiler wrote, for a person: all of its errors with their notes, and the standard header that a name needs.

HIP's runtime header brought more of C's and C++'s headers before HIP 7 than it does now; nvcc brings some on its own. A
source that counts on them is refused for a name that everybody knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

__all__ = ["STRING_FUNCTIONS", "headline", "lacking_headers", "refusals", "without_first"]

_SAID = re.compile(r"^(?:.+?:\d+:\d+: |.+?:\d+: |\S+: )?(?P<kind>fatal error|error|warning|note|remark): (?P<text>.*)$")
_FROM = re.compile(r"^(?:In file included from |In module |\s+from )")
_COUNT = re.compile(r"^\d+ (?:warnings?|errors?)(?: and \d+ errors?)? generated")

# Of <cstring>, as glibc has it.
STRING_FUNCTIONS = frozenset(
    "memcpy memmove memset memcmp memchr strcpy strncpy strcat strncat strcmp strncmp strcasecmp strncasecmp "
    "strchr strrchr strstr strlen strtok strtok_r strdup strndup strerror strspn strcspn strpbrk".split()
)
# Of the C library, and of namespace std: what HIP 7.1's runtime header does not declare (clang 22, libstdc++ 12).
_HEADERS = {
    "cassert": "assert",
    "cstring": " ".join(STRING_FUNCTIONS),
    "strings.h": "bzero",
    "cfloat": "FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON",
    "climits": "INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN ULONG_MAX LLONG_MAX ULLONG_MAX CHAR_BIT SHRT_MAX USHRT_MAX",
    "ctime": "time clock CLOCKS_PER_SEC clock_gettime CLOCK_MONOTONIC",
    "sys/time.h": "gettimeofday timeval",
    "unistd.h": "usleep sleep getpid getopt",
}
_OF_STD = {
    "chrono": "chrono",
    "iostream": "cout cerr cin clog endl",
    "fstream": "ifstream ofstream fstream",
    "sstream": "stringstream ostringstream istringstream",
    "iomanip": "setw setprecision setfill",
    "memory": "unique_ptr shared_ptr make_unique make_shared",
    "random": "mt19937 mt19937_64 random_device default_random_engine uniform_int_distribution uniform_real_distribution "
    "normal_distribution",
    "numeric": "iota accumulate inner_product partial_sum reduce",
    "algorithm": "sort fill fill_n generate transform copy max_element min_element shuffle for_each",
    "functional": "function bind multiplies",
    "thread": "thread this_thread",
    "mutex": "mutex lock_guard unique_lock",
    "atomic": "atomic atomic_int",
    "condition_variable": "condition_variable",
    "future": "async future promise",
    "map": "map multimap",
    "set": "set multiset",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "deque": "deque",
    "list": "list",
    "queue": "queue priority_queue",
    "optional": "optional",
    "complex": "complex",
    "bitset": "bitset",
    "string_view": "string_view",
}


def _by_name(table: Mapping[str, str]) -> Mapping[str, str]:
    return {name: header for header, names in table.items() for name in names.split()}


_GLOBAL, _STD = _by_name(_HEADERS), _by_name(_OF_STD)
_UNKNOWN = re.compile(
    r"^(?:use of undeclared identifier|unknown type name|no matching function for call to) '(\w+)'"
    r"|^no (?:member|type|template) named '(\w+)' in namespace 'std'"
)


def _blocks(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """The compiler's messages one by one: kind, words, and lines with the place shown around them."""
    kind, words = "", ""
    lines: list[str] = []
    before: list[str] = []
    for line in text.splitlines():
        match = _SAID.match(line)
        if match:
            if kind:
                yield kind, words, lines
            kind, words, lines, before = match["kind"], match["text"], [*before, line], []
        elif _FROM.match(line):
            before.append(line)
        elif not _COUNT.match(line) and line.strip():
            lines.append(line)
    if kind:
        yield kind, words, lines


def refusals(text: str) -> list[list[str]]:
    """The lines of each error, with its notes. Warnings and theirs are left out."""
    errors: list[list[str]] = []
    of_error = False
    for kind, _, lines in _blocks(text):
        if kind.endswith("error"):
            of_error = True
            errors.append(lines)
        elif kind == "note" and of_error:
            errors[-1] += lines
        else:
            of_error = False
    return errors


def without_first(text: str, problem: str) -> list[str]:
    """All of `refusals` but the line that `problem` says already."""
    lines = [line for block in refusals(text) for line in block]
    at = next((n for n, line in enumerate(lines) if line.strip() and problem.startswith(line.strip())), None)
    return lines if at is None else lines[:at] + lines[at + 1 :]


def headline(text: str) -> str:
    """The first error of a compiler or linker, else its last line."""
    lines = text.strip().splitlines()
    for mark in ("undefined reference", "undefined symbol", " error: ", "error: "):
        hit = next((line.strip() for line in lines if mark in line), "")
        if hit:
            return hit
    return lines[-1].strip() if lines else ""


def lacking_headers(text: str) -> str:
    """The fix for errors about names of standard headers that were not included, or ""."""
    names: dict[str, str] = {}
    for kind, words, _ in _blocks(text):
        unknown = _UNKNOWN.match(words) if kind.endswith("error") else None
        header = unknown and (_GLOBAL.get(unknown[1] or "") or _STD.get(unknown[2] or ""))
        if unknown and header:
            names.setdefault(header, unknown[1] or f"std::{unknown[2]}")
    if not names:
        return ""
    includes = ", ".join(f"#include <{header}> for {name}" for header, name in names.items())
    flags = " ".join(f"-include {header}" for header in names)
    return f"add {includes}, which HIP 7's headers do not bring; or compile with {flags} (--flag for each word; FLAGS of a case)"
