"""Writes ports and the headers that they include: each file whole or not at all."""

from __future__ import annotations

import errno
import posixpath
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from porter.cache_folder import write_atomically
from porter.errors import OutputError
from porter.findings import FilePort, FileStatus, Safety, encode
from porter.paths import RUNTIME_INCLUDE
from porter.port.files.headers import remember
from porter.port.jobs import Home, Job

__all__ = ["Copies", "runtime_files", "write_ports"]

_TEXTS = "porter/rtc_headers.h"
_IN_STRINGS = re.compile(r'(?:#include \\?"|"-include )(?:\.\./|[\w.-]+/)*?(porter/[\w/]+\.h)\\?"')
_OF_HIPRTC = re.compile(r"^#include <hip/hip_runtime\.h>.*\n", re.MULTILINE)  # which includes it before the program
_TEXTS_FORM = """// porter runtime: the texts of porter's headers that programs include which are compiled while the program runs.
#ifndef PORTER_RTC_HEADERS_H
#define PORTER_RTC_HEADERS_H

#include <string>
#include <vector>

namespace porter {

struct rtc_header {
  std::string name, text;
};

inline std::vector<rtc_header> rtc_headers() {
  return {
@
  };
}

}  // namespace porter

#endif
"""


class Copies:
    """Decides which files are copied. This one: files that differ from what is there."""

    def may_write(self, target: Path, data: bytes) -> bool:
        """Whether the file is to get these bytes."""
        return not target.is_file() or target.read_bytes() != data


def runtime_files(ports: Sequence[FilePort]) -> list[str]:
    """The names of porter's headers that these ports include, with what those include in turn."""
    wanted = [h for port in ports for f in port.findings if f.edits or f.safety is Safety.EXACT for h in f.includes]
    return _with_included(wanted)


def _with_included(headers: Sequence[str]) -> list[str]:
    """These headers of porter's and their includes."""
    wanted = list(headers)
    with_included: dict[str, None] = {}
    while wanted:
        header = wanted.pop()
        if header in with_included:
            continue
        with_included[header] = None
        path = RUNTIME_INCLUDE / header
        if path.is_file():
            text = path.read_text("utf-8")
            wanted += [line.split('"')[1] for line in text.splitlines() if line.startswith('#include "porter/')]
            wanted += [
                posixpath.normpath(posixpath.join(posixpath.dirname(header), line.split('"')[1]))
                for line in text.splitlines()
                if line.startswith('#include "') and not line.startswith('#include "porter/')
            ]
    return sorted(with_included)


def write_ports(
    jobs: Sequence[Job],
    ports: Sequence[FilePort],
    runtime: str,
    runtime_dirs: Sequence[Path],
    homes: Sequence[Home] = (),
    copies: Copies | None = None,
) -> list[Path]:
    """Write every port; returns what was written. A full disk leaves no half file behind."""
    copies = copies or Copies()
    written: list[Path] = []
    for job, port in zip(jobs, ports):
        if port.status is FileStatus.FAILED:
            continue
        try:
            job.output.parent.mkdir(parents=True, exist_ok=True)
            if port.parser == "copied":
                if not job.in_place and copies.may_write(job.output, job.path.read_bytes()):
                    shutil.copy2(job.path, job.output)
                continue
            data = encode(port.port)
            if job.output.is_file() and job.output.read_bytes() == data:
                continue
            write_atomically(job.output, data)
            if not job.in_place:
                shutil.copymode(job.path, job.output)
            written.append(job.output)
        except OSError as error:
            raise OutputError(f"{job.output}: cannot be written: {error.strerror or error}", _fix(error)) from None
    for home in homes:
        remember(home)
    if runtime == "copy":
        written += _write_runtime(jobs, ports, runtime_dirs, copies)
    return written


def _write_runtime(
    jobs: Sequence[Job], ports: Sequence[FilePort], runtime_dirs: Sequence[Path], copies: Copies
) -> list[Path]:
    written: list[Path] = []
    for folder in runtime_dirs:
        mine = [p for j, p in zip(jobs, ports) if folder == j.output.parent or folder in j.output.parents]
        for header in runtime_files(mine):
            data = _texts(mine) if header == _TEXTS else (RUNTIME_INCLUDE / header).read_bytes()
            target = folder / header
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                if copies.may_write(target, data):
                    write_atomically(target, data)
                    written.append(target)
            except OSError as error:
                raise OutputError(f"{target}: cannot be written: {error.strerror}", _fix(error)) from None
    return written


def _texts(ports: Sequence[FilePort]) -> bytes:
    """The header with the texts of the headers that ports include in strings, for hiprtc."""
    wanted = {name for port in ports for name in _IN_STRINGS.findall(port.port)} - {"porter/rtc.h"}
    rows = []
    for header in _with_included(sorted(wanted)):
        text = _OF_HIPRTC.sub("", (RUNTIME_INCLUDE / header).read_text("utf-8"))
        rows.append(f'    {{"{header}", R"porter_text({text})porter_text"}},')
    return _TEXTS_FORM.replace("@", "\n".join(rows)).encode()


def _fix(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "free space or give another -o OUT"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "get the permission to write there, or give another -o OUT"
    return "give another -o OUT"
