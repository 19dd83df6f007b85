"""[tool.porter] of pyproject.toml: what a team sets once for everybody who runs porter on its sources."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from porter.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover - the same parser under its old name
    import tomli as tomllib

__all__ = ["KEYS", "Configuration", "configuration"]

# The long options of `porter convert`, without their dashes.
_WORDS = ("board", "docs-base", "format", "link-base", "std", "target", "schedule", "kittens", "oversize", "runtime")
_PATHS = ("baseline", "build-dir", "cuda-path")
_LISTS = ("define", "exclude", "ignore", "select")
_LISTS_OF_PATHS = ("include", "isystem", "report", "rules")
_KINDS: Mapping[str, tuple[type, str]] = {
    "per-file-ignores": (dict, "a table of lists of rules"),
    **dict.fromkeys((*_WORDS, *_PATHS), (str, "a string")),
    **dict.fromkeys((*_LISTS, *_LISTS_OF_PATHS), (list, "a list of strings")),
    **dict.fromkeys(("warp", "jobs"), (int, "an integer")),
    **dict.fromkeys(("gitignore", "inline", "resources", "sarif-exact", "strict"), (bool, "true or false")),
}
KEYS = tuple(sorted(_KINDS))


@dataclass(frozen=True, slots=True)
class Configuration:
    """What the file sets, by key; `path` is None where there is no file."""

    path: Path | None = None
    values: Mapping[str, Any] = field(default_factory=dict)

    def of(self, key: str, default: Any) -> Any:
        """The value of an option, with paths as they are from anywhere."""
        return self.values.get(key, default)

    @property
    def rules(self) -> tuple[Path, ...]:
        """The folders with rules of the user's own."""
        return tuple(map(Path, self.of("rules", ())))


def configuration(near: Path) -> Configuration:
    """[tool.porter] of the nearest pyproject.toml beside or above `near` that has it; empty where none does.

    Raises UsageError for a key that porter does not know and for a value of another kind.
    """
    start = _resolved(near)
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        table = _table(path) if _is_file(path) else {}
        if table:
            return Configuration(path, {key: _value(path, key, value) for key, value in table.items()})
    return Configuration()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # below a folder that is closed: whoever asks for what is in there is told
        return False


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a link to itself; what it stands for is looked for later
        return path.absolute()


def _table(path: Path) -> Mapping[str, Any]:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", "check its permissions") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: {error}", "fix the file") from None
    table: Mapping[str, Any] = data
    for name, inner in (("[tool]", "tool"), ("[tool.porter]", "porter")):
        table = table.get(inner, {})
        if not isinstance(table, dict):
            raise UsageError(f"{path}: {name} is no table", 'write [tool.porter] and below it, say, rules = ["folder"]')
    return table


def _value(path: Path, key: str, value: Any) -> Any:
    if key not in _KINDS:
        raise UsageError(f"{path}: [tool.porter] has no key '{key}'", f"known keys: {', '.join(KEYS)}")
    kind, words = _KINDS[key]
    if kind is list and isinstance(value, str):
        value = [value]
    if not _is(value, kind):
        raise UsageError(f"{path}: [tool.porter] {key} is not {words}", f"give {key} {words}")
    if "\0" in _text(value):
        raise UsageError(f"{path}: [tool.porter] {key} has a NUL, which no path, name or flag can have", "take it out")
    if kind is dict:
        return {str(path.parent / one) if "/" in one else one: rules for one, rules in value.items()}
    if key in _PATHS:
        return str(path.parent / value)
    if key == "exclude":
        return [str(path.parent / one) if "/" in one else one for one in value]
    return [str(path.parent / one) for one in value] if key in _LISTS_OF_PATHS else value


def _text(value: Any) -> str:
    """All texts of a value, one behind the other."""
    if isinstance(value, dict):
        return _text([*value, *value.values()])
    return "".join(map(_text, value)) if isinstance(value, list) else str(value)


def _is(value: Any, kind: type) -> bool:
    if kind is list:
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    if kind is dict:
        return isinstance(value, dict) and all(_is(rules, list) for rules in value.values())
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
