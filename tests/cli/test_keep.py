"""Nothing of the user's is overwritten: inputs, files of their own, and what they changed in a port."""

from __future__ import annotations

import functools
import os
from pathlib import Path

import pytest
from test_cli import HOST, KERNEL, LEFT, Run, one_line_for, private, run, write  # noqa: F401

TWO = "#include <cuda_runtime.h>\nint a(int *p) { return cudaFree(p); }\n\n\nint b() { return cudaDeviceReset(); }\n"


@pytest.mark.parametrize(
    "arguments", [["a.cu", "-o", "a.cu"], ["a.cu", "-o", "./x/../a.cu"], ["a.cu", "-o", "link.cu"]]
)
def test_an_output_that_is_the_input(run: Run, tmp_path: Path, arguments: list[str]) -> None:  # noqa: F811
    write(tmp_path, a_DOT_cu=HOST, x__other_DOT_txt="")
    os.link(tmp_path / "a.cu", tmp_path / "link.cu")
    for more in ([], ["--force"]):
        result = run("convert", *arguments, *more)
        assert result.code == 2 and (tmp_path / "a.cu").read_text() == HOST
        one_line_for(result, "a.cu", "the input itself", "--in-place")


def test_an_output_that_is_another_input(run: Run, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path, a_DOT_cu=HOST, out__a_DOT_hip="#include <hip/hip_runtime.h>\n")
    result = run("convert", "a.cu", "out/a.hip", "-o", "out")
    assert result.code == 2 and (tmp_path / "out/a.hip").read_text() == "#include <hip/hip_runtime.h>\n"


@pytest.mark.parametrize("arguments", [[".", "-o", "."], [".", "-o", "../tree"], ["../tree", "../more", "-o", ".."]])
def test_a_tree_that_is_its_own_output(run: Run, tmp_path: Path, arguments: list[str]) -> None:  # noqa: F811
    write(tmp_path, tree__a_DOT_cu=HOST, tree__b_DOT_h="void f(cudaStream_t);\n", more__c_DOT_cu=HOST)
    result = run("convert", *arguments, "--force", cwd=tmp_path / "tree")
    assert result.code == 2
    one_line_for(result, "overwrite", "--in-place")
    assert [p.name for p in sorted((tmp_path / "tree").iterdir())] == ["a.cu", "b.h"]
    assert (tmp_path / "tree/b.h").read_text() == "void f(cudaStream_t);\n"


def test_a_part_of_the_tree_is_no_place_for_its_port(run: Run, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path, a_DOT_cu=HOST, sub__b_DOT_cu=HOST, new__notes_DOT_txt="")
    result = run("convert", ".", "-o", "sub")
    assert result.code == 2
    one_line_for(result, "sub", "did not write")
    assert run("convert", ".", "-o", "new").code == 0


@pytest.mark.parametrize("there", ["int mine;\n", "link", "dangling"])
def test_a_file_that_porter_did_not_write(run: Run, tmp_path: Path, there: str) -> None:  # noqa: F811
    write(tmp_path, a_DOT_cu=HOST, precious_DOT_h="int mine;\n")
    place = tmp_path / "other.cu"
    if there.startswith("int"):
        place.write_text(there)
    else:
        place.symlink_to("precious.h" if there == "link" else "nowhere")
    result = run("convert", "a.cu", "-o", "other.cu")
    assert result.code == 2 and place.is_symlink() != there.startswith("int")
    one_line_for(result, "other.cu", "not what porter wrote", "--force")
    assert run("convert", "a.cu", "-o", "other.cu", "--force").code == 0
    assert "hipFree" in place.read_text() and (tmp_path / "precious.h").read_text() == "int mine;\n"
    assert run("convert", "a.cu", "-o", "other.cu").code == 0


def test_what_was_changed_by_hand_is_kept_and_merged(run: Run, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path, a_DOT_cu=TWO)
    assert run("convert", "a.cu").code == 0
    port = tmp_path / "a.hip"
    fixed = port.read_text().replace("int b() {", "int b() { /* mine */")
    port.write_text(fixed)
    result = run("convert", "a.cu", "--report", "r.md")
    assert result.code == 0 and port.read_text() == fixed
    assert "1 place that was changed by hand in a.hip stayed so" in result.out
    assert "changed by hand" in (tmp_path / "r.md").read_text()
    (tmp_path / "a.cu").write_text(TWO.replace("cudaFree(p)", "cudaFreeHost(p)"))  # upstream moves on
    assert run("convert", "a.cu").code == 0
    assert port.read_text() == fixed.replace("hipFree(p)", "hipHostFree(p)")
    before = port.read_bytes(), port.stat().st_mtime_ns
    assert run("convert", "a.cu").code == 0
    assert (port.read_bytes(), port.stat().st_mtime_ns) == before
    assert run("convert", "a.cu", "--force").code == 0 and "mine" not in port.read_text()


def test_a_conflict_is_marked_reported_and_settled_once(run: Run, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path, a_DOT_cu=TWO)
    assert run("convert", "a.cu").code == 0
    port = tmp_path / "a.hip"
    port.write_text(port.read_text().replace("hipFree(p)", "mine(p)"))
    (tmp_path / "a.cu").write_text(TWO.replace("cudaFree(p)", "cudaFreeHost(p)"))
    for _ in range(2):  # it stays a conflict until somebody has settled it
        result = run("convert", "a.cu")
        assert result.code == 1 and "1 conflict to settle" in result.out and "settle line 2 of a.hip" in result.out
        text = port.read_text()
        assert text.count("<<<<<<< changed by hand") == 1 and "mine(p)" in text and "hipHostFree(p)" in text
    settled = "".join(line for line in text.splitlines(True) if line[0] not in "<|=>" and "hipFree(" not in line)
    settled = settled.replace("int a(int *p) { return hipHostFree(p); }\n", "")
    port.write_text(settled)
    result = run("convert", "a.cu")
    assert result.code == 0 and port.read_text() == settled and "conflict" not in result.out


def test_without_what_porter_wrote_before_nothing_is_overwritten(run: Run, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path, a_DOT_cu=TWO)
    assert run("convert", "a.cu").code == 0
    (memory,) = (tmp_path / ".porter").iterdir()
    kept = memory.read_bytes()
    damaged = (b"\x1f\x8b broken", b"", kept[:40] + b"\xff\xff\xff" + kept[43:], kept[:-9])
    for spoil in (memory.unlink, *(functools.partial(memory.write_bytes, data) for data in damaged)):
        spoil()
        assert run("convert", "a.cu").code == 0  # the same port is no doubt
        spoil()
        (tmp_path / "a.hip").write_text("mine\n")
        assert run("convert", "a.cu").code == 2 and (tmp_path / "a.hip").read_text() == "mine\n"
        assert run("convert", "a.cu", "--force").code == 0


def test_copies_and_porters_own_headers(run: Run, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path, src__a_DOT_cu=KERNEL, src__notes_DOT_txt="one\n", src__data_DOT_bin="two\n")
    assert run("convert", "src").code == 0
    out = tmp_path / "src-hip"
    (out / "notes.txt").write_text("mine\n")
    header = out / "porter/warp.h"
    header.write_text(header.read_text() + "// mine\n")
    (tmp_path / "src/data.bin").write_text("three\n")
    assert run("convert", "src").code == 0
    assert (out / "notes.txt").read_text() == "mine\n" and (out / "data.bin").read_text() == "three\n"
    assert header.read_text().endswith("// mine\n")
    (tmp_path / "src/notes.txt").write_text("new\n")
    result = run("convert", "src")
    assert result.code == 2 and (out / "notes.txt").read_text() == "mine\n"
    one_line_for(result, "notes.txt", "changed by hand", "--force")
    assert run("convert", "src", "--force").code == 0
    assert (out / "notes.txt").read_text() == "new\n" and not header.read_text().endswith("// mine\n")


def test_a_header_of_the_users_in_a_folder_called_porter(run: Run, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path, a_DOT_cu=KERNEL, porter__warp_DOT_h="int mine;\n")
    result = run("convert", "a.cu")
    assert result.code == 2 and (tmp_path / "porter/warp.h").read_text() == "int mine;\n"
    one_line_for(result, "porter/warp.h", "not what porter wrote", "--force")


def test_ports_whose_sources_are_gone_are_named(run: Run, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path, src__a_DOT_cu=KERNEL, src__deep__b_DOT_cu=KERNEL, src__notes_DOT_txt="one\n", c_DOT_cu=KERNEL)
    assert "without a source" not in run("convert", "src").err
    (tmp_path / "src/deep/b.cu").unlink()
    (tmp_path / "src/notes.txt").unlink()
    for again in ([], ["--check"]):
        (line,) = [line for line in run("convert", "src", *again).err.splitlines() if "without a source" in line]
        assert (
            "src-hip/deep/b.hip" in line
            and "src-hip/notes.txt" in line
            and "a.hip" not in line
            and "porter/" not in line
        )
    assert (tmp_path / "src-hip/deep/b.hip").is_file()
    (tmp_path / "src-hip/deep/b.hip").unlink()
    (tmp_path / "src-hip/notes.txt").unlink()
    assert "without a source" not in run("convert", "src").err
    run("convert", "c.cu")
    assert (
        "without a source" not in run("convert", "src/a.cu", "-o", "a.hip").err
    )  # a file's neighbours are others' ports
