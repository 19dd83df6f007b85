"""Golden ports: tests/golden/NAME/in is ported to NAME/out, its findings are listed in NAME/findings.txt.

`python tests/golden/regenerate.py [NAME...]` writes them anew; look at the difference before you keep it.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from porter.findings import FilePort  # noqa: E402
from porter.frontend.lexer import lex  # noqa: E402
from porter.frontend.unit import Options  # noqa: E402
from porter.port.files.write import write_ports  # noqa: E402
from porter.port.pipeline import Conversion  # noqa: E402
from porter.port.runs.plan import plan  # noqa: E402
from porter.port.runs.run import run_jobs  # noqa: E402

OUTPUT = "out"
FINDINGS = "findings.txt"


def programs() -> list[str]:
    return sorted(folder.parent.name for folder in HERE.glob("*/in"))


def port(name: str, target: Path, options: Options | None = None) -> list[FilePort]:
    """Port the program `name` as a tree into `target`; nothing is read from or left in the cache of ports."""
    options = options or Options()
    conversion = Conversion(options)
    todo = plan([HERE / name / "in"], target, False, conversion)
    assert not todo.failed, todo.failed
    ports = run_jobs(todo.jobs, conversion, 1)
    write_ports(todo.jobs, ports, options.runtime, todo.runtime_dirs)
    return ports


def findings(name: str, ports: list[FilePort]) -> str:
    """One line a finding: file:line:column rule safety; a file without any is named with its status."""
    lines: list[str] = []
    for p in sorted(ports, key=lambda p: p.path):
        path = Path(p.path).relative_to(HERE / name / "in").as_posix()
        lines.append(f"{path} {p.status.value}, {p.parser}")
        position = lex(p.source).position
        for f in sorted(p.findings, key=lambda f: (f.start, f.end, f.rule)):
            line, column = position(f.start)
            lines.append(f"{path}:{line}:{column} {f.rule} {f.safety.value}")
    return "\n".join(lines) + "\n"


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but porter's own headers, which are not the port's."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.parent.name != "porter"
    }


def regenerate(name: str) -> bool:
    """Returns whether anything changed."""
    folder = HERE / name
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch, OUTPUT)
        text = findings(name, port(name, target))
        made = files(target)
    out, listing = folder / OUTPUT, folder / FINDINGS
    same = out.is_dir() and files(out) == made and listing.is_file() and listing.read_text("utf-8") == text
    if same:
        return False
    shutil.rmtree(out, ignore_errors=True)
    for relative, data in made.items():
        path = out / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    listing.write_text(text, "utf-8")
    return True


def main() -> None:
    for name in sys.argv[1:] or programs():
        print(f"{name}: {'written' if regenerate(name) else 'unchanged'}")


if __name__ == "__main__":
    main()
