"""Sites of build files are accepted as others are; run, trace and verify overwrite no file that porter did not write."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from test_cli import HOST, Run, private, run  # noqa: F401

from porter.cli.case_runs import write_reports
from porter.cli.report_options import ReportLinks
from porter.errors import UsageError
from porter.findings import FileStatus
from porter.frontend.libclang import _whole
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.harness.sessions.session import Outcome, VerifyOptions
from porter.perf.timeline.viewer_files import check_folder
from porter.port.pipeline import port_source
from porter.report import check_place

SETUP = """import torch
from setuptools import setup
from torch.utils.cpp_extension import CUDAExtension
{comment}
if torch.version.hip:{same}
    pass
setup(ext_modules=[CUDAExtension("k", ["k.cu"])])
"""


@pytest.mark.parametrize(
    ("comment", "same", "options", "reason"),
    [
        ("# porter: ignore[build-dual] we keep both", "", (), "we keep both"),
        ("# porter: ignore[build-dual]\n\n# more", "", (), "a comment in the source"),
        ("", "  # porter: ignore[build-dual] seen", (), "seen"),
        ("", "", ("--ignore", "build-dual"), "the rule is ignored"),
    ],
)
def test_sites_of_build_files_are_accepted(
    run: Run,  # noqa: F811
    tmp_path: Path,
    comment: str,
    same: str,
    options: tuple[str, ...],
    reason: str,
) -> None:
    tree = tmp_path / "t"
    tree.mkdir()
    (tree / "k.cu").write_text(HOST)
    (tree / "setup.py").write_text(SETUP.format(comment="", same=""))
    assert run("convert", "t", "--check", "--report", "r.json").code == 1
    (tree / "setup.py").write_text(SETUP.format(comment=comment, same=same))
    assert run("convert", "t", "-o", "o", *options, "--report", "r.json").code == 0
    (file,) = [one for one in json.loads((tmp_path / "r.json").read_text())["files"] if one["path"].endswith(".py")]
    assert [site["accepted"] for site in file["findings"] if site["rule"] == "build-dual"] == [reason]


def test_a_comment_in_a_build_file_that_accepts_nothing_is_told(run: Run, tmp_path: Path) -> None:  # noqa: F811
    tree = tmp_path / "t"
    tree.mkdir()
    (tree / "k.cu").write_text(HOST)
    (tree / "setup.py").write_text(SETUP.format(comment="# porter: ignore[build-cmake-cuda]", same=""))
    assert "line 4: porter: ignore[build-cmake-cuda] accepts nothing" in run("convert", "t", "-o", "o").out


def test_files_of_a_run_and_of_a_trace_replace_no_others(run: Run, tmp_path: Path) -> None:  # noqa: F811
    mine = tmp_path / "mine.json"
    mine.write_text("{}")
    (tmp_path / "a.hip").write_text("int main() {}")
    for words in (("run", "a.hip", "--json"), ("trace", "a.hip", "--perfetto"), ("trace", "a.hip", "--html")):
        done = run(*words, "mine.json")
        assert done.code == 2 and "is no report of porter's" in done.err and mine.read_text() == "{}"
    done = run("trace", "a.hip", "--viewer", ".")
    assert done.code == 2 and "no trace that porter wrote" in done.err


def test_what_porter_wrote_is_replaced(tmp_path: Path) -> None:
    own = '{"displayTimeUnit":"ns","otherData":{"kernel": "k"},"traceEvents":[]}'
    (tmp_path / "a.json").write_text(own)
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(own.encode()))
    (tmp_path / "a.html").write_text("<!doctype html>\n<title>Timeline: k</title>")
    for path in tmp_path.iterdir():
        check_place(path)
    (tmp_path / "b.gz").write_bytes(b"of mine")
    with pytest.raises(UsageError):
        check_place(tmp_path / "b.gz")
    check_place(tmp_path / "b.gz", force=True)
    (tmp_path / "v").mkdir()
    check_folder(tmp_path / "v")
    (tmp_path / "v/porter.json").write_text("{}")
    check_folder(tmp_path / "v")


def test_reports_of_verify_have_pages_and_exact_sites(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(HOST)
    port = port_source(Project(tmp_path), tmp_path / "a.cu", "a.hip", Options(parse=False), {})
    outcome = Outcome([], [port])
    for exact in (False, True):
        base = "https://docs.example"
        links = ReportLinks(docs_base=base, sarif_exact=exact)
        write_reports(outcome, VerifyOptions(), 0.0, [tmp_path / "r.sarif"], links)
        (sarif_run,) = json.loads((tmp_path / "r.sarif").read_text())["runs"]
        assert bool(sarif_run["results"]) == exact
        assert all(rule["helpUri"].startswith(base) for rule in sarif_run["tool"]["driver"]["rules"])


def test_a_seal_that_is_no_text_is_not_believed(tmp_path: Path) -> None:
    (tmp_path / "headers.pch").write_bytes(b"")
    (tmp_path / "headers.seal").write_bytes(b"\xf4\x00")
    assert not _whole(tmp_path / "headers.pch")


@pytest.mark.parametrize("text", ["template <class T> void f(T::", "::", "a ::", ":: a"])
def test_a_source_that_ends_in_a_name_is_ported(cache: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "a.cu").write_text(text)
    assert port_source(Project(tmp_path), tmp_path / "a.cu", "a.hip", Options(), {}).status is not FileStatus.FAILED
