"""Whole HIP programs, compiled for the host and for gfx942, run over the emulator's own libamdhip64."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from porter.checks import CHECKS
from porter.emu.hostlib import host_library
from porter.emu.image import build_image, image_key
from porter.errors import CompileError
from porter.execute import RunOptions, check_bits, emulator_settings
from porter.toolchain import Options, bundle, code_object, device_assembly, executable, find_toolchain
from porter.toolchain.process import in_parallel

pytestmark = pytest.mark.skipif(
    not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"
)

PROGRAMS = Path(__file__).parent / "programs"


ALL = (
    ("memory.hip",), ("streams.hip",), ("async.hip",), ("edges.hip",), ("limits.hip",), ("refusals.hip",), ("grid.hip",), ("devices.hip",), ("peers.hip",), ("ipc.hip",), ("visible.hip",), ("collectives.hip",), ("fault.hip",), ("hostile.hip",),
    ("heap.hip",), ("printing.hip",), ("stream_races.hip",), ("host_races.hip",),
    ("modules.hip",), ("served.hip",), ("rtc.hip",), ("first.hip", "second.hip"),
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def programs() -> None:
    """All of them at the same time: most of the time goes to compilers."""
    host_library()
    in_parallel([functools.partial(built, *names) for names in ALL])


@functools.cache
def built(*names: str) -> Path:
    flags = ("-fgpu-rdc",) if names[0].startswith("linked") else ()
    if names[0] == "host_races.hip":
        flags = ("-gline-tables-only",)  # as porter run --check streams has it
    return executable(
        [PROGRAMS / name for name in names],
        None,
        Options(emulator=True, flags=flags),
        image=lambda path: build_image(path.read_text()),
        image_key=image_key(),
        library=host_library(),
    ).path


def run(*names: str, arguments: tuple[str, ...] = (), **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PORTER_EMU")}
    command = [str(built(*names)), *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=100, check=False, env={**environment, **settings}
    )


def assert_all_ok(done: subprocess.CompletedProcess[str], least: int) -> None:
    lines = done.stdout.splitlines()
    assert [line for line in lines if not line.startswith("ok ")] == ["end"], done.stdout + done.stderr
    assert len(lines) > least
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("name", "least"),
    [("memory", 16), ("streams", 18), ("edges", 10), ("limits", 20), ("refusals", 40), ("grid", 2), ("rtc", 45)],
    ids=["memory", "streams", "edges", "limits", "refusals", "grid", "rtc"],
)
def test_program(name, least):
    assert_all_ok(run(f"{name}.hip"), least)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("threads", ["1", "3"])
def test_streams_beside_each_other(seed, threads):
    done = run("async.hip", PORTER_EMU_SEED=str(seed), PORTER_EMU_THREADS=threads)
    assert_all_ok(done, 22)
    assert done.stderr == ""


def test_streams_that_wait_for_each_other_in_vain():
    done = run("async.hip", arguments=("deadlock",))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count("stopped: no wave can go on\n") == 2
    assert re.search(r"async\.hip:9 ", done.stderr), done.stderr


def test_how_long_kernels_wait_for_the_host_is_an_option(tmp_path):
    settings = emulator_settings(RunOptions(patience=0), tmp_path / "report")
    done = run("async.hip", arguments=("asleep",), **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count("stopped: no wave can go on\n") == 1


def test_synchronous_calls(tmp_path):
    settings = emulator_settings(RunOptions(synchronous=True), tmp_path / "report")
    assert_all_ok(run("streams.hip", **settings), 18)
    done = run("async.hip", **settings)  # its first kernel waits for what the program does after the launch
    assert "hipErrorLaunchFailure" in done.stdout and "no wave can go on" in done.stderr


EVERY_CHECK = str(sum(check.bit for check in CHECKS if not check.counts))
STREAMS = {"PORTER_EMU_CHECKS": str(check_bits(("bounds", "streams")))}


@pytest.mark.parametrize("seed", ["0", "1", "2"])
@pytest.mark.parametrize(
    ("how", "uses"),
    [
        ("race", ["kernel produce(float*, int) on stream 1 writes", "kernel consume(float const*, float*, int) on stream 2 reads"]),
        ("copy", ["kernel produce(float*, int) on stream 1 writes", "a copy on stream 2 reads"]),
        ("copies", ["a copy on stream 1 writes", "a fill on stream 2 writes"]),
        ("nonblocking", ["kernel produce(float*, int) on stream 1 writes", "on the default stream reads"]),
        ("stale", ["kernel produce(float*, int) on stream 1 writes", "on stream 2 reads"]),
        ("fill", ["a fill on the default stream writes", "on stream 1 reads"]),
        ("fill3d", ["a fill on the default stream writes", "on stream 1 reads"]),
        ("within", ["a copy on the default stream writes", "on stream 1 reads"]),
    ],
)  # fmt: skip
def test_operations_that_nothing_orders_race_in_any_order(tmp_path, how, uses, seed):
    report = tmp_path / "launches.jsonl"
    settings = {**STREAMS, "PORTER_EMU_SEED": seed, "PORTER_EMU_REPORT": str(report)}
    done = run("stream_races.hip", arguments=(how,), **settings)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("two operations of streams use the same memory") == 1
    for use in uses:
        assert use in done.stderr
    launches = [json.loads(line) for line in report.read_text().splitlines()]
    (finding,) = [finding for launch in launches for finding in launch["findings"]]
    assert finding["kind"] == "stream-race" and finding["size"] >= 4 and "hipMalloc" in finding["allocation"]
    assert how == "copies" or (Path(finding["file"]).name == "stream_races.hip" and finding["line"] in (22, 27))


@pytest.mark.parametrize("seed", ["0", "1"])
@pytest.mark.parametrize(
    "how", ["event", "host", "query", "halves", "inner", "asked", "default", "atomics", "flag", "value", "reuse"]
)
def test_operations_that_something_orders_do_not_race(how, seed):
    done = run("stream_races.hip", arguments=(how,), **STREAMS, PORTER_EMU_SEED=seed)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("seed", ["0", "1"])
@pytest.mark.parametrize(
    ("how", "operation"),
    [
        ("managed", "kernel fill(int*) on stream 1 writes"),
        ("early-event", "kernel fill(int*) on stream 1 writes"),
        ("member", "kernel fill_member(Arguments) on stream 1 writes"),
        ("other-stream", "kernel fill(int*) on stream 1 writes"),
        ("staged", "a copy on stream 1 reads"),
        ("input", "kernel add(int const*, int*) on stream 1 reads"),
        ("fetched", "a copy on stream 1 writes"),
        ("done", "kernel fill(int*) on stream 1 writes"),
        ("registered", "kernel fill(int*) on stream 1 writes"),
    ],
)
def test_the_host_races_with_what_it_has_not_waited_for(tmp_path, how, operation, seed):
    report = tmp_path / "launches.jsonl"
    settings = {**STREAMS, "PORTER_EMU_SEED": seed, "PORTER_EMU_REPORT": str(report)}
    done = run("host_races.hip", arguments=(how,), **settings)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("the host uses memory of an operation that it has not waited for") == 1
    assert operation in done.stderr
    use = "writes" if how in ("staged", "input") else "reads"
    (line,) = re.findall(rf"    the host {use}, at \S*host_races\.hip:(\d+)\n", done.stderr)
    source = (PROGRAMS / "host_races.hip").read_text().splitlines()
    assert source[int(line) - 1].endswith(f"// {use}")
    launches = [json.loads(line) for line in report.read_text().splitlines()]
    (finding,) = [finding for launch in launches for finding in launch["findings"]]
    assert finding["kind"] == "stream-race" and Path(finding["file"]).name == "host_races.hip"
    assert finding["line"] == int(line)


@pytest.mark.parametrize("seed", ["0", "1"])
@pytest.mark.parametrize(
    "how",
    [
        "stream",
        "query",
        "event",
        "callback",
        "input-read",
        "halves",
        "before",
        "flag",
        "told",
        "file",
        "freed",
        "unregistered",
    ],
)
def test_the_host_does_not_race_behind_a_wait_or_a_signal(how, seed):
    done = run("host_races.hip", arguments=(how,), **STREAMS, PORTER_EMU_SEED=seed)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_is_known_of_streams_does_not_grow_in_a_long_run():
    done = run("stream_races.hip", arguments=("long",), **STREAMS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_two_sources_with_the_same_names():
    assert_all_ok(run("first.hip", "second.hip"), 4)


def test_device_code_of_two_sources_is_linked():
    assert_all_ok(run("linked_first.hip", "linked_second.hip"), 2)


def test_device_code_that_does_not_link():
    with pytest.raises(CompileError, match=r"device code does not link: undefined .*scaled"):
        built("linked_first.hip")


def test_several_devices():
    done = run("devices.hip", PORTER_EMU_DEVICES="3")
    assert_all_ok(done, 9)
    assert "a null pointer" in done.stderr


def test_gpus_that_reach_each_others_memory():
    for seed in ("0", "3"):
        assert_all_ok(run("peers.hip", PORTER_EMU_DEVICES="3", PORTER_EMU_SEED=seed), 6)
    for which in ("closed", "disabled"):
        done = run("peers.hip", arguments=(which,), PORTER_EMU_DEVICES="2")
        assert "hipErrorIllegalAddress" in done.stdout
        assert "access to the memory of another GPU that this one may not reach" in done.stderr
        assert "hipSetDevice(0), then hipDeviceEnablePeerAccess(1, 0) lets it" in done.stderr
    done = run("peers.hip", arguments=("pool",), PORTER_EMU_DEVICES="2")
    assert "hipMemPoolSetAccess of the pool lets it" in done.stderr
    done = run("peers.hip", arguments=("bounds",), PORTER_EMU_DEVICES="2")
    assert "0 bytes past the end of a 4096-byte allocation (hipMalloc, device 1)" in done.stderr


def test_processes_that_share_memory_and_events():
    assert_all_ok(run("ipc.hip", PORTER_EMU_DEVICES="2"), 29)


def test_a_process_that_dies_leaves_nothing_behind():
    before = set(os.listdir("/dev/shm"))
    done = run("ipc.hip", arguments=("crash",), PORTER_EMU_DEVICES="2")
    assert done.stdout.splitlines() == [
        "ok read(line, &end, 1) == 0",
        "ok hipIpcOpenMemHandle((void **)&other, from, hipIpcMemLazyEnablePeerAccess) gives hipErrorInvalidValue",
    ]
    assert "or the process has ended" in done.stderr
    assert set(os.listdir("/dev/shm")) <= before


@pytest.mark.parametrize(("how", "lines"), [("groups", 7), ("threads", 3), ("processes", 3)])
def test_collectives(how, lines):
    for seed in ("0", "5"):
        done = run("collectives.hip", arguments=(how,), PORTER_EMU_DEVICES="3", PORTER_EMU_SEED=seed)
        assert done.returncode == 0 and done.stdout.count("ok ") == done.stdout.count("\n") - (how == "groups"), done
        assert done.stdout.count("ok ") == lines
        assert "RCCL is porter's stand-in" in done.stderr


@pytest.mark.parametrize(
    ("fault", "said", "result"),
    [
        ("outside", "68 bytes of sendbuff at ", "invalid argument"),
        ("group", "one thread calls for ranks 0 and 1 outside of ncclGroupStart", "no error"),
        ("mixed", "ranks call different operations", "invalid usage"),
        ("missing", "ncclAllReduce waits for rank 1, which never calls it", "remote process exited"),
    ],
)
def test_faults_of_collectives(fault, said, result):
    done = run("collectives.hip", arguments=(fault,), PORTER_EMU_DEVICES="2")
    assert said in done.stderr and result in done.stdout


def test_windows_of_communicators():
    done = run("collectives.hip", arguments=("windows",), PORTER_EMU_DEVICES="2")
    assert [line[:3] for line in done.stdout.splitlines()] == ["ok "] * 4 and done.returncode == 0, done
    assert "ncclCommWindowRegister: 65 bytes of its buffer at " in done.stderr
    assert done.stderr.count("ncclCommWindowDeregister: this communicator has no such window") == 2


def test_visible_devices():
    done = run("visible.hip", PORTER_EMU_DEVICES="4", HIP_VISIBLE_DEVICES="2,0")
    assert done.stdout.split() == ["2", "0000:03:00.0", "0000:01:00.0"]


def test_no_visible_device():
    assert set(run("none_visible.hip", HIP_VISIBLE_DEVICES="").stdout.split()) == {"hipErrorNoDevice"}


def test_threads_and_seed_change_nothing():
    for threads, seed in (("1", "0"), ("3", "12345")):
        assert_all_ok(run("grid.hip", PORTER_EMU_THREADS=threads, PORTER_EMU_SEED=seed), 2)
        assert_all_ok(run("limits.hip", PORTER_EMU_THREADS=threads, PORTER_EMU_SEED=seed), 20)


@pytest.mark.parametrize("kind", ["image", "bundle", "elf"])
def test_modules(tmp_path, kind):
    module = tmp_path / "module"
    assembly = device_assembly(PROGRAMS / "modules.hip", Options(emulator=True, defines=("MODULE",)))
    if kind == "image":
        module.write_bytes(build_image(assembly.read_text()))
    else:
        code = code_object(assembly).read_bytes()
        module.write_bytes(bundle(code) if kind == "bundle" else code)
    assert_all_ok(run("modules.hip", arguments=(str(module),)), 6)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A code object as ROCm makes it: malloc, printf and assert are the device library's."""
    made = tmp_path_factory.mktemp("served") / "served.co"
    assembly = device_assembly(PROGRAMS / "served.hip", Options(defines=("MODULE",)))
    made.write_bytes(code_object(assembly).read_bytes())
    return made


@pytest.mark.parametrize(
    "settings", [{}, {"PORTER_EMU_CHECKS": EVERY_CHECK}, {"PORTER_EMU_SEED": "3", "PORTER_EMU_THREADS": "2"}]
)
def test_what_code_objects_ask_the_device_library_for(served, settings, tmp_path):
    report = tmp_path / "report"
    done = run("served.hip", arguments=(str(served), "all"), PORTER_EMU_REPORT=str(report), **settings)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and lines[-1] == "end", done.stdout + done.stderr
    printed = {line for line in lines if line.startswith("one ")}
    assert printed == {f"one {n}  1.25 {n % 64:<4}|   1 %" for n in range(0, 40 * 64, 16)}
    long = "a name that is longer than a packet of eight words takes"
    assert {line for line in lines if line.startswith("a name")} == {
        f"{long} {n} 80.00 {n:<4}|  64 %" for n in range(0, 64, 16)
    }
    launches = [json.loads(line) for line in report.read_text().splitlines()]
    assert [launch["findings"] for launch in launches] == [[]] * 5
    assert "not freed" not in done.stderr


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("past", r"kernel past stopped: access to memory that is not allocated\n(.*\n)*.*: 0 bytes past the end of a 40-byte allocation \(malloc of kernel past"),
        ("twice", r"kernel give stopped: (.*\n)*.*into a freed 4[04]-byte allocation \(malloc of kernel take"),
        ("assert", r"demand.*`\(int\)threadIdx.x < n' failed(.*\n)*.*kernel demand stopped: the kernel executed a trap"),
    ],
)  # fmt: skip
def test_misuse_in_code_objects_is_told(served, what, said):
    done = run("served.hip", arguments=(str(served), what))
    assert re.search(said, done.stderr), done.stderr
    assert done.stdout.splitlines()[-1] == "end" and "FAILED" not in done.stdout


def test_printf_and_assert(tmp_path):
    report = tmp_path / "report"
    done = run("printing.hip", PORTER_EMU_REPORT=str(report))
    lines = done.stdout.splitlines()
    rest = "|   42|42   |00042|+42|4000000000|10|0xff|FF|-5000000000|-3|65535|     7|"
    assert lines[0] == "before" and lines[-2] == "after" and lines[-1].startswith("ok ")
    assert lines[1] == f"-1{rest}a|text|abc|   right|0x1234|%"
    assert lines[2] == f"0{rest}b|text|abc|   right|0x1234|%"
    assert set(lines[3:-2]) == {
        "1.500000|0.67| 1.235e+04|1e-05|0x1p+0|10.0    |", "no arguments", "12345", "6 written",
    }  # fmt: skip
    assert lines.index("12345") + 1 == lines.index("6 written")
    assert "void check(int): Device-side assertion `(int)threadIdx.x < n' failed." in done.stderr
    launches = [json.loads(line) for line in report.read_text().splitlines()]
    assert [launch["kernel"] for launch in launches] == ["print(int)", "check(int)", "check(int)"]
    [finding] = [finding for launch in launches for finding in launch["findings"]]
    assert finding["kind"] == "assert" and finding["lane"] == 63
    assert finding["file"].endswith("printing.hip") and finding["line"] == 19


@pytest.mark.parametrize(
    ("what", "said", "lane"),
    [
        ("past", r"0 bytes past the end of a 400-byte allocation \(hipMalloc, device 0\) at 0x", 60),
        ("freed", r"0 bytes into a freed 256-byte allocation \(hipMalloc, device 0\)", 0),
        ("null", r"a null pointer", 0),
        ("host", r"ordinary memory of the host", 0),
    ],
)
def test_a_fault_is_named_and_stays(tmp_path, what, said, lane):
    report = tmp_path / "report"
    done = run("fault.hip", arguments=(what,), PORTER_EMU_REPORT=str(report))
    lines = done.stdout.splitlines()
    assert len(lines) == 5 and all(line.startswith("ok ") for line in lines), done.stdout + done.stderr
    assert done.returncode == 3  # the program's own
    assert "porter: kernel store(int*, int) stopped: access to memory that is not allocated\n" in done.stderr
    assert re.search(rf"fault\.hip:4    global_store_dword .*\n    workgroup \(0, 0, 0\), wave 0, lane {lane}: thread \({lane}, 0, 0\)\n    4 bytes at 0x[0-9a-f]+: {said}", done.stderr)  # fmt: skip
    launches = [json.loads(line) for line in report.read_text().splitlines()]
    assert [launch["faulted"] for launch in launches] == [True, False]
    [finding] = launches[0]["findings"]
    assert finding["kind"] == "out-of-bounds"
    assert finding["file"].endswith("fault.hip") and finding["line"] == 4
    assert finding["instruction"].startswith("global_store_dword")
    assert (finding["lane"], finding["wave"], finding["group"], finding["size"]) == (lane, 0, [0, 0, 0], 4)
    assert re.search(said, finding["allocation"])


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("constant", r"write to constant memory.*\n.*hostile\.hip:20 .*\n.*\n.*variables of the program"),
        ("argument", r"write to constant memory.*\n.*hostile\.hip:21 .*\n.*\n.*: arguments of the kernel"),
        ("code", r"not allocated\n.*hostile\.hip:22 .*\n.*\n.*: code of the program"),
        ("recursion", r"past the lane's private memory\n.*hostile\.hip:\d .*\n.*\n    the kernel recurses"),
        ("endless", r"no wave can go on\n.*hostile\.hip:24 "),
        ("wild", r"not allocated\n.*hostile\.hip:25 .*\n.*\n.*: no allocation is near"),
        ("misaligned", r"misaligned access\n.*hostile\.hip:26 "),
        ("hungry", r"not allocated\n.*hostile\.hip:29 .*\n.*\n.*: a null pointer\n    malloc of 100000 bytes in this kernel gave null: of the device heap 8300000 of 8388608 bytes"),
    ],
)  # fmt: skip
def test_hostile_kernels_are_stopped(what, said):
    done = run("hostile.hip", arguments=(what,))
    assert done.returncode == 1, done.stdout + done.stderr
    assert len(re.findall("porter: kernel", done.stderr)) == 1
    assert re.search(f"porter: kernel .* stopped: .*{said}", done.stderr), done.stderr


def test_barriers_that_differ_on_one_line_are_told():
    """No wave hangs, as the chip counts who arrives: the program ends, and porter run fails it. No check is asked for."""
    done = run("hostile.hip", arguments=("barriers",))
    assert len(re.findall("porter: kernel", done.stderr)) == 1
    assert "runs on, but: waves of a workgroup wait at different barriers\n" in done.stderr
    assert set(re.findall(r"hostile\.hip:27:(\d+) ", done.stderr)) == {"56", "92"}, done.stderr


def test_memory_is_freed_once():
    done = run("hostile.hip", arguments=("twice",))
    assert done.returncode == 0 and "FAILED" not in done.stdout
    assert re.search(r"porter: nothing is freed at 0x\w+: 0 bytes into a freed 256-byte allocation", done.stderr)


@pytest.mark.parametrize(
    "settings", [{}, {"PORTER_EMU_CHECKS": EVERY_CHECK, "PORTER_EMU_SEED": "3"}], ids=["fast", "checked"]
)
def test_the_device_heap(settings):
    done = run("heap.hip", **settings)
    assert_all_ok(done, 6)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("wild", r"did not give it.*\n.*heap\.hip:42 .*\n.*\n    0x\w+: 0 bytes into a 512-byte allocation \(hipMalloc"),
        ("twice", r"has back already\n.*heap\.hip:42 .*\n.*\n    0x\w+: 0 bytes into a freed 40-byte allocation \(malloc of"),
        ("past", r"not allocated\n.*heap\.hip:43 .*\n.*\n.*: 0 bytes past the end of a 40-byte allocation \(malloc of"),
        ("after", r"not allocated\n.*heap\.hip:43 .*\n.*\n.*: 0 bytes into a freed 40-byte allocation \(malloc of"),
    ],
)  # fmt: skip
def test_misuse_of_the_device_heap_is_stopped(what, said):
    done = run("heap.hip", arguments=(what,))
    assert done.returncode == 1, done.stdout + done.stderr
    assert len(re.findall("porter: kernel ", done.stderr)) == 1
    assert re.search(f"porter: kernel .* stopped: .*{said}", done.stderr), done.stderr


def test_what_kernels_do_not_free_is_told_and_no_fault():
    done = run("heap.hip", arguments=("left",))
    assert_all_ok(done, 1)
    assert done.stderr == (
        "porter: kernels have not freed 3 blocks of the device heap, 120 bytes, one of them from malloc of kernel take(void**, unsigned long)\n"
    )


def test_report_of_a_launch(tmp_path):
    report = tmp_path / "report"
    assert_all_ok(run("memory.hip", PORTER_EMU_REPORT=str(report), PORTER_EMU_COUNT="1"), 16)
    launches = [json.loads(line) for line in report.read_text().splitlines()]
    first, tiles = launches[0], next(launch for launch in launches if launch["kernel"].startswith("grid2d"))
    assert first["kernel"] == "add(float const*, float const*, float*, int)"
    assert first["grid"] == [4, 1, 1] and first["block"] == [256, 1, 1]
    assert first["instructions"] > 16 * 10 and first["seconds"] > 0
    assert tiles["grid"] == [2, 2, 1] and tiles["block"] == [8, 4, 1]
    assert {launch["dynamic_lds"] for launch in launches} == {0, 256}
    loads = [row for row in first["counts"] if row[0].startswith("global_load_dword")]
    assert len(loads) == 2 and all(row[3] == 16 for row in loads)
    assert all(row[1].endswith("memory.hip") and row[2] > 0 for row in loads)


def test_a_kernel_without_end_is_stopped():
    done = run("limits.hip", PORTER_EMU_MAX_INSTRUCTIONS="20")
    assert "more instructions than the limit allows" in done.stderr
    assert done.returncode != 0


def test_a_program_that_was_built_for_a_gpu_runs():
    program = executable([PROGRAMS / "fault.hip"], None, library=host_library()).path
    done = subprocess.run([str(program), "past"], capture_output=True, text=True, timeout=100, check=False)
    assert "FAILED" not in done.stdout and len(done.stdout.splitlines()) == 5
    assert "0 bytes past the end of a 400-byte allocation" in done.stderr and "global_store" in done.stderr
