"""Thread traces in the viewer's files: what is read, what is written, and that one gives the other back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_trace import CODE, pair, write_sample

from porter.errors import InputError, OutputError
from porter.perf.timeline.timeline import Timeline, Wave
from porter.perf.timeline.viewer_files import read, sources, trace_folder, write
from porter.perf.timeline.workgroups import group_waves


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return write_sample(tmp_path / "ui_output_agent_1_dispatch_2")


def shape(value: object) -> object:
    """The keys and types of a value; of a list those of its members, each once."""
    if isinstance(value, dict):
        return (
            {"0": shape(next(iter(value.values())))}
            if all(key.isdigit() for key in value)
            else {k: shape(v) for k, v in value.items()}
        )
    if isinstance(value, list):
        return sorted({json.dumps(shape(member)) for member in value})
    return type(value).__name__


def test_what_is_read(sample):
    timeline = read(sample)
    assert (timeline.kernel, timeline.source, len(timeline.waves)) == ("tile(float*)", "measured", 2)
    assert [row.text for row in timeline.instructions] == [row[0] for row in CODE]
    barrier = timeline.instructions[6]
    assert (barrier.file, barrier.line, barrier.address) == ("/src/tile.hip", 6, 4128)
    first, second = timeline.waves
    assert (first.simd, second.simd, first.workgroup, second.workgroup) == (0, 1, 0, 0)
    assert first.events[1].tolist() == [1024, 9, 100, 100, 2]
    assert first.begin == 1000 and first.end == first.ends[-1]
    assert not first.events.flags.writeable


def test_written_and_read_again(sample, tmp_path):
    timeline = read(sample)
    write(timeline, tmp_path / "again")
    assert read(tmp_path / "again") == timeline
    made = pair(together=False)
    write(made, tmp_path / "made")
    assert read(tmp_path / "made") == made


def test_written_files_have_the_shape_of_real_ones(sample, tmp_path):
    write(read(sample), tmp_path / "again")
    for real in sample.iterdir():
        written = json.loads((tmp_path / "again" / real.name).read_text())
        assert shape(written) == shape(json.loads(real.read_text())), real.name
    assert {path.name for path in (tmp_path / "again").iterdir()} - {path.name for path in sample.iterdir()} == {
        "porter.json"
    }


def test_what_follows_from_events_is_what_the_decoder_says(sample, tmp_path):
    write(read(sample), tmp_path / "again")
    for name in ("filenames.json", "se0_sm0_sl0_wv0.json", "se0_sm1_sl0_wv0.json"):
        assert json.loads((tmp_path / "again" / name).read_text()) == json.loads((sample / name).read_text()), name
    code = json.loads((tmp_path / "again" / "code.json").read_text())["code"]
    assert [row[6:] for row in code] == [row[6:] for row in CODE]
    idle = json.loads((tmp_path / "again" / "wstates1.json").read_text())
    assert (idle["time"], idle["state"]) == ([1000, 1004, 1020, 1024], [1, 2, 1, 0])


def test_numbers_are_those_of_the_list(sample):
    code = json.loads((sample / "code.json").read_text())
    for row in code["code"]:
        row[2] += 100
    (sample / "code.json").write_text(json.dumps(code))
    for path in sample.glob("se*.json"):
        wave = json.loads(path.read_text())
        for event in wave["wave"]["instructions"]:
            event[4] += 100
        path.write_text(json.dumps(wave))
    assert read(sample).waves[0].numbers.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 7, 8, 9]


def edit(path: Path, change: Callable[[dict], object]) -> None:
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def test_instructions_that_the_code_lacks_are_named(sample, tmp_path):
    edit(sample / "se0_sm0_sl0_wv0.json", lambda data: data["wave"]["instructions"][-1].__setitem__(4, 77))
    timeline = read(sample)
    assert timeline.instructions[timeline.waves[0].numbers[-1]].text == "; not in code.json"
    assert len(timeline.instructions) == len(CODE) + 1
    write(timeline, tmp_path / "again")
    assert read(tmp_path / "again") == timeline


def test_a_wave_without_instructions(sample):
    edit(sample / "se0_sm0_sl0_wv0.json", lambda data: data["wave"].update(instructions=None, timeline=None))
    assert len(read(sample).waves[0].events) == 0


def test_columns_by_their_names(sample):
    before = read(sample)

    def turn(data: dict) -> None:
        data["header"] = ", ".join(reversed(data["header"].split(", ")))
        data["code"] = [row[::-1] for row in data["code"]]

    edit(sample / "code.json", turn)
    assert read(sample) == before


def test_inlined_code_is_at_the_line_of_the_user(sample, tmp_path):
    chains = {
        1: "/opt/rocm/include/hip/amd_detail/amd_device_functions.h:50 -> /src/tile.h:9 -> /src/tile.hip:3",
        2: "/src/tile.h:9 -> /src/tile.hip:3",
    }
    edit(sample / "code.json", lambda data: [data["code"][n].__setitem__(3, text) for n, text in chains.items()])
    timeline = read(sample)
    assert [(row.place, row.inlined) for row in timeline.instructions[1:3]] == [
        ("/src/tile.h:9", chains[1]), ("/src/tile.h:9", chains[2]),
    ]  # fmt: skip
    write(timeline, tmp_path / "again")
    assert read(tmp_path / "again") == timeline


def test_sources_are_kept(sample, tmp_path):
    """Those at hand, and those that the trace read keeps though they are gone."""
    (tmp_path / "tile.hip").write_text("one\ntwo\n")
    timeline = read(sample)
    at_hand = replace(timeline.instructions[1], file=str(tmp_path / "tile.hip"))
    timeline = replace(timeline, instructions=(timeline.instructions[0], at_hand, *timeline.instructions[2:]))
    write(timeline, tmp_path / "first")
    (tmp_path / "tile.hip").unlink()
    kept = sources(tmp_path / "first")
    assert {name: path.read_text() for name, path in kept.items()} == {str(tmp_path / "tile.hip"): "one\ntwo\n"}
    write(timeline, tmp_path / "second", kept)
    assert [path.name for path in sources(tmp_path / "second").values()] == ["source_0_tile.hip"]
    assert sources(sample) == {}


def test_the_only_trace_of_a_folder(sample):
    assert trace_folder(sample.parent) == sample
    write_sample(sample.parent / "ui_output_agent_1_dispatch_3")
    with pytest.raises(InputError, match="2 thread traces"):
        trace_folder(sample.parent)


def test_what_is_no_trace_is_named(sample, tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        read(tmp_path / "nothing")
    with pytest.raises(InputError, match=r"no folder"):
        read(sample / "code.json")
    with pytest.raises(InputError, match=r"no code\.json"):
        read(sample.parent.joinpath("empty").mkdir() or sample.parent / "empty")
    wave = sample / "se0_sm0_sl0_wv0.json"
    whole = wave.read_text()
    for broken, message in (
        (whole[:-30], "no JSON"),
        ("{}", "not as rocprofv3 writes a wave"),
    ):
        wave.write_text(broken)
        with pytest.raises(InputError, match=message):
            read(sample)
    wave.write_text(whole)
    (sample / "code.json").write_text('{"code": [["s_nop 0"]]}')
    with pytest.raises(InputError, match="not as rocprofv3 writes it"):
        read(sample)
    for path in sample.glob("se*.json"):
        path.unlink()
    (sample / "code.json").write_text(json.dumps({"code": CODE}))
    with pytest.raises(InputError, match="no waves"):
        read(sample)


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write"):
        write(pair(together=True), tmp_path / "file")


def test_workgroups_by_their_barriers():
    """Two workgroups of two waves begin together; their barriers tell them apart."""
    ends = [[500, 900], [700, 1200], [504, 896], [700, 1204]]
    places = [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1)]
    assert group_waves([0, 4, 8, 12], [np.array(e) for e in ends], places) == [0, 1, 0, 1]


def test_workgroups_without_barriers_by_their_begins():
    none = [np.zeros(0, np.int64)] * 4
    places = [(0, 0, 0), (0, 1, 0), (0, 0, 0), (0, 1, 0)]
    assert group_waves([0, 4, 1000, 1004], none, places) == [0, 0, 1, 1]
    # A slot holds one wave of a workgroup
    assert group_waves([0, 4, 8, 12], none, places) == [0, 0, 1, 1]


def test_a_wave_without_events(tmp_path):
    timeline = pair(together=True)
    timeline = replace(timeline, waves=(Wave(0, 0, 0, 10, 90, np.zeros((0, 5), np.int64)),))
    write(timeline, tmp_path / "out")
    assert read(tmp_path / "out") == timeline
    assert json.loads((tmp_path / "out" / "se0_sm0_sl0_wv0.json").read_text())["wave"]["timeline"] == [[1, 80]]
    assert Timeline("k", "measured", "", (), ()).end == 0
