"""Mutants of the golden sources, of configurations and of what porter keeps: each is ported without an exception, porting the
port again changes nothing, and nothing is dropped without a word.

    python tests/fuzz.py --count 5000 --seed 1          prints each bad mutant with its number, and the sum
    python tests/fuzz.py --seed 1 --only 1234           one of them again; --keep FOLDER keeps its files in FOLDER/1234

A mutant is a number: with the same seed it is the same on every machine.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import io
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from invariants import RUBBISH, SOURCES, check, pieces_of, text_of

from porter.findings import FilePort, FileStatus, encode
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source

__all__ = ["KINDS", "fuzz", "kind_of"]

SECONDS = 60  # of one mutant
_STARTS = ["", "\xef\xbb\xbf", "\xff\xfe", "\x00", "\r\n", "// \x80\n"]
_KEYS = [
    "baseline", "build-dir", "cuda-path", "define", "docs-base", "exclude", "format", "gitignore", "ignore", "include", "inline",
    "isystem", "jobs", "kittens", "link-base", "per-file-ignores", "report", "resources", "rules", "runtime", "sarif-exact",
    "schedule", "select", "std", "strict", "target", "warp", "no-such-key",
]  # fmt: skip
_VALUES = [
    "3", "-3", "0", "1.5", "true", "false", '""', '"x"', '"/"', '"."', "[]", "[1]", '[""]', '["x", "y"]', "{}", '{"*" = ["launch-bounds"]}',
    '{"*" = 1}', '"c++20"', '"c++99"', "64", "33", '"native"', '"full"', '"concise"', '"gfx942"', '"sm_90"', '["launch-bounds"]',
    '["/nowhere"]', '"../x"', "1979-05-27", "99999999999999999999", '"\\u0000"', '"\\u00e9"', "nan", "[[]]", '["**/[", "{"]', '["-x"]',
]  # fmt: skip


def _tokens(rng: random.Random, window: int) -> str:
    pieces = pieces_of(rng.choice(SOURCES))
    if window:
        begin = rng.randrange(max(1, len(pieces) - window))
        pieces = pieces[begin : begin + window]
    pieces = list(pieces)
    for _ in range(rng.randint(1, 6)):
        at, other = rng.randrange(len(pieces)), rng.randrange(len(pieces))
        how = rng.choice(["drop", "double", "swap", "rubbish", "move", "foreign"])
        if how == "drop" and len(pieces) > 1:
            del pieces[at]
        elif how == "double":
            pieces.insert(at, pieces[at])
        elif how == "swap":
            pieces[at], pieces[other] = pieces[other], pieces[at]
        elif how == "rubbish":
            pieces.insert(at, rng.choice(RUBBISH))
        elif how == "move":
            pieces.insert(other, pieces.pop(at))
        else:
            pieces.insert(at, rng.choice(pieces_of(rng.choice(SOURCES))))
    return "".join(pieces)


def _bytes(rng: random.Random, data: bytes) -> bytes:
    made = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        at = rng.randrange(len(made) + 1)
        how = rng.choice(["flip", "insert", "drop", "repeat"])
        if how == "flip" and at < len(made):
            made[at] ^= 1 << rng.randrange(8)
        elif how == "insert":
            made[at:at] = bytes([rng.randrange(1, 256)])
        elif how == "drop":
            del made[at : at + rng.choice([1, 1, 7, 200])]
        else:
            made[at:at] = made[at : at + rng.choice([1, 9, 90])]
    return bytes(made)


def _damaged(rng: random.Random, data: bytes) -> bytes:
    """A file that a crash, a full disk or an editor left."""
    how = rng.choice(["cut", "empty", "bytes", "bytes", "zeros", "other"])
    if how == "cut":
        return data[: rng.randrange(len(data) + 1)]
    if how == "bytes":
        return _bytes(rng, data)
    return {"empty": b"", "zeros": bytes(len(data)), "other": rng.choice([b"{}", b"[]", b"null", b"[1]", b'""', b"0"])}[
        how
    ]


def _ported(folder: Path, name: str, text: str, options: Options) -> FilePort:
    (folder / name).write_bytes(encode(text))
    return port_source(Project(folder), folder / name, name, options, {})


def _source(folder: Path, text: str, rng: random.Random) -> None:
    """Ports a text, and its port, and holds both to what holds for every port."""
    options = Options(parse=rng.random() < 0.5, warp=rng.choice([32, 32, 64]), runtime="include")
    name = rng.choice(["mutant.cu", "mutant.cu", "mutant.cuh", "mutant.cpp"])
    first = _ported(folder, name, text, options)
    if "\0" in text:
        assert first.status is FileStatus.FAILED and first.problem
        return
    check(first, text)
    if first.status is FileStatus.FAILED:
        return
    again = folder / "again"
    again.mkdir()
    second = _ported(again, name, first.port, options)
    if options.warp == 32:  # what was widened to 64 lanes may be widened further
        assert second.port == first.port, f"the port of the port differs (parse={options.parse}, {name})"


def tokens(folder: Path, rng: random.Random) -> None:
    """Tokens of a source dropped, doubled, moved, exchanged; rubbish and tokens of other sources among them."""
    _source(folder, _tokens(rng, rng.choice([0, 60, 160, 400])), rng)


def damaged_bytes(folder: Path, rng: random.Random) -> None:
    """Bytes of a source changed, dropped, repeated."""
    text = text_of(rng.choice(SOURCES))
    _source(folder, rng.choice(_STARTS) + _bytes(rng, encode(text)).decode("latin-1"), rng)


def truncated(folder: Path, rng: random.Random) -> None:
    """A source cut off at its end, at its start, or in its middle."""
    text = text_of(rng.choice(SOURCES))
    a, b = sorted((rng.randrange(len(text)), rng.randrange(len(text))))
    _source(folder, rng.choice([text[:a], text[b:], text[a:b], text[:a] + text[b:]]), rng)


def _command(folder: Path, *words: str) -> tuple[int, str]:
    """The exit code of a porter command in this process, which was forked for the mutant, and all that it prints."""
    from porter.cli.app import main

    said = io.StringIO()
    argv, sys.argv = sys.argv, ["porter", *words]
    before = Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    finally:
        sys.argv = argv
        os.chdir(before)
    text = said.getvalue()
    assert "Traceback" not in text and "internal error" not in text, text
    assert code in (0, 1, 2), (code, text)
    assert code == 0 or text.strip(), f"exit code {code} without a word"
    return code, text


def _small(folder: Path, rng: random.Random) -> str:
    """A golden program that is quickly ported, in the folder."""
    path = rng.choice([path for path in SOURCES if path.suffix == ".cu" and path.stat().st_size < 4000])
    shutil.copyfile(path, folder / "a.cu")
    return "a.cu"


def configured(folder: Path, rng: random.Random) -> None:
    """pyproject.toml, a baseline or compile_commands.json with values of other kinds, or damaged: a line and exit code 2, or a
    port that is the same the second time."""
    name = _small(folder, rng)
    before = (folder / name).read_bytes()
    lines = [f"{rng.choice(_KEYS)} = {rng.choice(_VALUES)}" for _ in range(rng.choice([1, 1, 1, 2]))]
    text = "[tool.porter]\n" + "\n".join(lines) + "\n"
    data = text.encode()
    words = ["convert", name, "-j", "1", "-o", "out.hip"]
    how = rng.choice(["values", "values", "damaged", "baseline", "commands"])
    if how == "damaged":
        data = _damaged(
            rng, b'[tool.porter]\nwarp = 64\nignore = ["launch-bounds"]\ndefine = ["A=1"]\nstd = "c++20"\n' + data
        )
    elif how == "baseline":
        data = b""
        _command(folder, "convert", name, "-j", "1", "-o", "first.hip", "--baseline", "b.json", "--update-baseline")
        kept = folder / "b.json"
        kept.write_bytes(_damaged(rng, kept.read_bytes()))
        words += ["--baseline", "b.json"]
    elif how == "commands":
        data = b""
        row = f'[{{"directory": "{folder}", "file": "a.cu", "command": "nvcc -DX=1 -Iinc -std=c++17 -c a.cu -o a.o"}}]'
        (folder / "compile_commands.json").write_bytes(_damaged(rng, row.encode()))
        words += ["-p", "."]
    (folder / "pyproject.toml").write_bytes(data)
    code, said = _command(folder, *words)
    assert (folder / name).read_bytes() == before, "the input changed"
    port = folder / "out.hip"
    if not port.is_file():
        assert code == 2, (code, said)
        return
    made = port.read_bytes()
    second, said_again = _command(folder, *words)
    assert (second, port.read_bytes()) == (code, made), f"{code}, then {second}:\n{said}\n{said_again}"


def kept(folder: Path, rng: random.Random) -> None:
    """A file of the cache, or of what is kept beside a port, is damaged: the port is the same, and changes by hand stay."""
    name = _small(folder, rng)
    cache = folder / "cache"
    shared = Path(os.environ["PORTER_CACHE"])
    cache.mkdir(mode=0o700)
    for path in shared.glob("headers-*"):  # what takes long to make; the rest is made anew
        shutil.copy2(path, cache / path.name)
    os.environ["PORTER_CACHE"] = str(cache)
    _forget()
    words = ["convert", name, "-j", "1", "-o", "out.hip"]
    code, said = _command(folder, *words)
    port = folder / "out.hip"
    made = port.read_bytes()
    by_hand = b"// by hand\n" + made
    edited = rng.random() < 0.5
    if edited:
        port.write_bytes(by_hand)
    beside = rng.random() < 0.4
    files = _files(folder / ".porter") if beside else _files(cache)
    assert files, "porter keeps nothing"
    victim = rng.choice(files)
    victim.write_bytes(_damaged(rng, victim.read_bytes()))
    if rng.random() < 0.5:
        (folder / name).touch()
    _forget()
    second, again = _command(folder, *words)
    where = f"{victim.relative_to(folder)}: {code}, then {second}:\n{said}\n{again}"
    if edited:
        assert port.read_bytes() == by_hand or b"by hand" in port.read_bytes(), f"lost what was done by hand; {where}"
        assert port.read_bytes() == by_hand or beside, where
    else:
        assert port.read_bytes() == made, where
    assert second == code or beside, where


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".lock"]


def _forget() -> None:
    """What this process knows of the cache, as a new one would not."""
    for one in [o for o in gc.get_objects() if isinstance(o, functools._lru_cache_wrapper)]:
        if getattr(one, "__module__", "").startswith("porter."):
            one.cache_clear()


KINDS: Sequence[tuple[int, Callable[[Path, random.Random], None]]] = (
    (40, tokens), (15, damaged_bytes), (15, truncated), (15, configured), (15, kept),
)  # fmt: skip


def kind_of(seed: int, number: int) -> tuple[random.Random, Callable[[Path, random.Random], None]]:
    """The numbers that make a mutant, and what is made of them."""
    rng = random.Random(f"{seed}/{number}")
    (kind,) = rng.choices([kind for _, kind in KINDS], [weight for weight, _ in KINDS])
    return rng, kind


def _one(seed: int, number: int, keep: str) -> str:
    """What is wrong with one mutant, "" if nothing is; in a process forked for it."""
    rng, kind = kind_of(seed, number)
    folder = Path(tempfile.mkdtemp(prefix="porter-mutant-")) if not keep else Path(keep, str(number))
    folder.mkdir(exist_ok=True)
    signal.alarm(SECONDS)
    try:
        kind(folder, rng)
    except BaseException as error:  # KeyboardInterrupt among them: porter must not end its caller
        last = "".join(traceback.format_exception(error)[-4:])
        return f"{type(error).__name__}: {last[-3000:]}"
    finally:
        signal.alarm(0)
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    return ""


def _forked(seed: int, number: int, keep: str) -> str:
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.close(reads)
        said = _one(seed, number, keep)
        os.write(writes, said.encode("utf-8", "replace")[:60_000])
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as pipe:
        said = pipe.read().decode()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return (
        said
        if status == 0
        else said or (f"took more than {SECONDS} s" if status == -signal.SIGALRM else f"ended with {status}")
    )


def fuzz(seed: int, numbers: Sequence[int], keep: str = "") -> Iterator[tuple[int, str, str]]:
    """The number, kind and fault of each mutant that is bad."""
    import porter.cli.app
    import porter.port.pipeline
    import porter.port.runs.run
    import porter.report  # noqa: F401 - each mutant's process has them
    from porter.frontend.ast import precompiled_headers

    precompiled_headers("c++17", "")
    with tempfile.TemporaryDirectory() as folder:  # rules, passes, libclang: what each process would load
        for parse in (False, True):
            _ported(Path(folder), "warm.cu", text_of(SOURCES[0]), Options(parse=parse, runtime="include"))
    gc.freeze()
    for number in numbers:
        problem = _forked(seed, number, keep)
        if problem:
            yield number, kind_of(seed, number)[1].__name__, problem


def main() -> None:
    """The command of the first lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", default="")
    given = parser.parse_args()
    numbers = [given.only] if given.only is not None else range(given.first, given.first + given.count)
    if given.keep:
        Path(given.keep).mkdir(parents=True)
    begin = time.monotonic()
    bad: Counter[str] = Counter()
    for number, kind, problem in fuzz(given.seed, numbers, given.keep):
        bad[kind] += 1
        print(f"--- {number} ({kind})\n{problem}\n", flush=True)
    kinds = Counter(kind_of(given.seed, number)[1].__name__ for number in numbers)
    counts = ", ".join(f"{kind} {bad[kind]} of {kinds[kind]}" for kind in sorted(kinds))
    print(f"{len(numbers)} mutants, {sum(bad.values())} bad ({counts}), {time.monotonic() - begin:.0f} s")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    if "PORTER_CACHE" in os.environ:
        main()
    else:
        with tempfile.TemporaryDirectory() as own:
            os.environ["PORTER_CACHE"] = own
            main()
