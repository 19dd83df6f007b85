"""The model of time: what a kernel costs when one thing about it changes, and what is predicted of whole launches."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from porter.chip import DEFAULT_CHIP
from porter.emu.assembly import parse
from porter.emu.device import Module, Recording, allow, forbid
from porter.emu.image import pack
from porter.execute import RunOptions, run_program
from porter.perf.model.boards import Inputs, board_named, likely_clock
from porter.perf.model.core import Die, Machine, Timing
from porter.perf.model.parameters import Parameters
from porter.perf.model.predict import Prediction, _on_board, predict
from porter.perf.model.recorded import Recorded, read_recorded
from porter.perf.model.rows import Kind, rows_of, rows_of_texts
from porter.perf.timeline.viewer_files import read
from porter.toolchain import Options

HEAD = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.text
\t.globl kernel
\t.type kernel,@function
kernel:
"""
TAIL = """\ts_endpgm
\t.section .rodata,"a",@progbits
\t.amdhsa_kernel kernel
\t\t.amdhsa_group_segment_fixed_size 65536
\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1
\t\t.amdhsa_user_sgpr_count 2
\t\t.amdhsa_next_free_vgpr 512
\t\t.amdhsa_accum_offset 256
\t.end_amdhsa_kernel
\t.text
\t.set kernel.num_vgpr, 256
\t.set kernel.num_agpr, 256
"""
PARAMETERS = Parameters(first_start=0, start=0)
MEMORY = ctypes.create_string_buffer(1 << 20)


def followed(
    lines: list[str], *, threads: int = 64, groups: int = 1, parameters: Parameters = PARAMETERS, keep: bool = False,
    resident: int = 1,
) -> Timing:  # fmt: skip
    """The time of a kernel of these instructions on one compute unit, that gets all workgroups."""
    program = parse(HEAD + "".join(f"\t{line}\n" if not line.endswith(":") else f"{line}\n" for line in lines) + TAIL)
    address = ctypes.addressof(MEMORY) + 4095 & ~4095
    allow(address, len(MEMORY) - 4096)
    try:
        with Module(pack(program)) as module, Recording(0, 1, groups, alone=True) as recording:
            done = module.launch("kernel", groups, threads, address.to_bytes(8, "little"), recording=recording)
            assert not done.findings
            with Die(recording, Machine(resident, compute_units=1)) as die:
                return die.time(rows_of(program), parameters, keep=keep)
    finally:
        forbid(address)


def mfmas(count: int, accumulators: int = 8) -> list[str]:
    return [
        f"v_mfma_f32_16x16x16_bf16 v[{4 * (n % accumulators)}:{4 * (n % accumulators) + 3}], v[100:101], v[102:103], "
        f"v[{4 * (n % accumulators)}:{4 * (n % accumulators) + 3}]"
        for n in range(count)
    ]  # fmt: skip


ZERO = [f"v_mov_b32_e32 v{n}, 0" for n in range(104)]


def test_matrix_instructions_follow_each_other_after_their_passes() -> None:
    cost = followed([*ZERO, *mfmas(200)]).cycles - followed([*ZERO, *mfmas(100)]).cycles
    assert cost == 100 * 16


def test_waves_of_one_simd_share_its_matrix_unit_and_those_of_four_do_not() -> None:
    lines = [*ZERO, *mfmas(100)]
    one, four, eight = (followed(lines, threads=64 * waves).cycles for waves in (1, 4, 8))
    assert four < 1.1 * one
    assert 1.7 * one < eight < 2.1 * one


def test_a_dependent_matrix_instruction_waits_for_the_result() -> None:
    chain = [f"v_mfma_f32_16x16x16_bf16 v[{4 * (n % 2)}:{4 * (n % 2) + 3}], v[{4 * ((n + 1) % 2)}:{4 * ((n + 1) % 2) + 1}], "
             f"v[102:103], v[40:43]" for n in range(100)]  # fmt: skip
    assert followed([*ZERO, *chain]).cycles > 1.5 * followed([*ZERO, *mfmas(100)]).cycles


def lds_reads(stride: int) -> list[str]:
    address = [f"v_mul_u32_u24_e32 v1, {stride}, v0", "s_nop 1", "ds_write_b32 v1, v0", "s_waitcnt lgkmcnt(0)"]
    return [*address, *[f"ds_read_b32 v{2 + n % 8}, v1" for n in range(400)], "s_waitcnt lgkmcnt(0)"]


def test_bank_conflicts_cost_what_they_cost_the_lds() -> None:
    free, doubled = (followed(lds_reads(stride), threads=256) for stride in (4, 8))
    assert doubled.lds_busy == pytest.approx(2 * free.lds_busy, rel=0.01)
    assert doubled.cycles > 1.7 * free.cycles


def test_what_is_read_of_lds_comes_back_to_a_pair_of_simds_at_64_bytes_a_cycle() -> None:
    """So a lone wave has half of what two pairs get together, as in thread traces: 8 cycles for 512 bytes."""

    def cycles_of_one(waves: int) -> float:
        lines = [
            "v_lshlrev_b32_e32 v1, 3, v0",
            *[f"ds_read_b64 v[{2 + 2 * (n % 8)}:{3 + 2 * (n % 8)}], v1" for n in range(200)],
        ]
        return (followed(lines, threads=64 * waves).cycles - followed(lines[:101], threads=64 * waves).cycles) / 100

    assert cycles_of_one(1) == pytest.approx(8, abs=0.1)
    assert cycles_of_one(2) == pytest.approx(16, abs=0.1)  # of the same pair
    assert cycles_of_one(4) == pytest.approx(16, abs=0.1)


def test_a_wave_waits_at_the_barrier_for_the_slowest() -> None:
    lines = ["v_cmp_gt_u32_e32 vcc, 64, v0", "s_cbranch_vccz .Lafter", *["s_nop 15"] * 100, ".Lafter:", "s_barrier"]
    timing = followed(lines, threads=128)
    slow, fast = (wave.by_kind[Kind.BARRIER] for wave in sorted(timing.waves, key=lambda wave: wave.number))
    assert fast > 100 * 60 > slow


def loads(count: int) -> list[str]:
    start = ["s_load_dwordx2 s[2:3], s[0:1], 0x0", "v_lshlrev_b32_e32 v1, 4, v0", "s_waitcnt lgkmcnt(0)"]
    return [*start, *[f"global_load_dwordx4 v[{4 * (n % 8) + 4}:{4 * (n % 8) + 7}], v1, s[2:3]" for n in range(count)]]


def test_what_was_loaded_before_comes_from_the_nearest_cache() -> None:
    timing = followed([*loads(10), "s_waitcnt vmcnt(0)"])
    l1, _, _, _, memory = timing.lines
    assert (l1, memory) == (9 * 8, 8)


def words(times: int, offset: int = 0) -> list[str]:
    """Loads of a word of 256 bytes by each lane: of its own one, or of that of 37 lanes further on."""
    start = ["s_load_dwordx2 s[2:3], s[0:1], 0x0", f"v_mul_u32_u24_e32 v1, {times}, v0", "v_and_b32_e32 v1, 63, v1",
             "v_lshlrev_b32_e32 v1, 2, v1", "s_waitcnt lgkmcnt(0)"]  # fmt: skip
    return [*start, *[f"global_load_dword v{4 + n % 8}, v1, s[2:3] offset:{offset}" for n in range(100)]]


def test_lanes_that_do_not_lie_side_by_side_take_four_times_as_long_to_address() -> None:
    near, moved, far = (followed(words(*how), threads=256).cycles for how in ((1,), (1, 20), (37,)))
    assert moved < 1.35 * near
    assert far - near == pytest.approx(400 * (16 - 8), rel=0.05)  # sending the addresses takes eight


def test_four_lanes_that_want_different_rows_of_one_bank_of_l1_take_turns() -> None:
    apart, one_bank = (followed(words(times), threads=256).cycles for times in (37, 16))
    assert one_bank - apart == pytest.approx(400 * (64 - 16), rel=0.05)


def test_a_wait_lasts_until_the_load_is_there() -> None:
    with_wait, without = followed([*loads(1), "s_waitcnt vmcnt(0)"]), followed(loads(1))
    waited = with_wait.waves[0].by_kind[Kind.WAIT] - without.waves[0].by_kind[Kind.WAIT]
    assert waited > PARAMETERS.memory_latency / 2


def chase(steps: list[str], rounds: int) -> int:
    """Cycles of one lane's loads, each issued when the one before is there."""
    start = ["s_load_dwordx2 s[2:3], s[0:1], 0x0", "s_mov_b64 exec, 1", "s_waitcnt lgkmcnt(0)"]
    return followed([*start, *["v_mov_b32_e32 v1, 0", *steps] * rounds]).cycles


def test_a_chase_takes_the_published_cycles() -> None:
    same = ["global_load_dword v1, v1, s[2:3]", "s_waitcnt vmcnt(0)"]  # all is 0
    assert 112 <= (chase(same * 200, 2) - chase(same * 200, 1)) / 200 <= 116
    next_line = ["global_load_dword v3, v1, s[2:3]", "s_waitcnt vmcnt(0)", "v_add_u32_e32 v1, 0x80, v1"]
    beyond_l1 = (chase(next_line * 400, 2) - chase(next_line * 400, 1)) / 400
    assert beyond_l1 == pytest.approx(224, rel=0.05)


def test_latencies_beyond_l2_are_the_published_ones_at_their_clock() -> None:
    there = PARAMETERS.at_clock(2050)
    assert (there.cache_latency, there.memory_latency) == pytest.approx((420, 861), rel=0.02)


def test_a_wave_ends_when_what_it_stored_is_done() -> None:
    stored = ["global_store_dword v1, v0, s[2:3]"]
    ends = [followed([*loads(0), *lines]).waves[0].by_kind[Kind.END] for lines in ([], stored)]
    assert ends[0] <= 4
    assert ends[1] > PARAMETERS.store_latency


def test_a_taken_branch_costs_the_fetch() -> None:
    loop = ["s_mov_b32 s4, 100", ".Lloop:", "s_sub_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 0", "s_cbranch_scc1 .Lloop"]
    straight = ["s_mov_b32 s4, 100", *["s_sub_i32 s4, s4, 1", "s_cmp_lg_u32 s4, 0"] * 100]
    assert followed(loop).cycles > followed(straight).cycles + 99 * PARAMETERS.branch


def test_a_time_of_every_instruction_is_kept_on_request() -> None:
    timing = followed([*ZERO, *mfmas(10)], keep=True)
    events = timing.waves[0].events
    assert events is not None
    assert len(events) == 104 + 10 + 1
    assert (events["time"][1:] >= events["time"][:-1]).all()
    assert int(events["duration"].sum()) == int(timing.waves[0].by_kind.sum())


def test_workgroups_take_turns_where_only_one_fits() -> None:
    lines = [*ZERO, *mfmas(50)]
    one, three = followed(lines).cycles, followed(lines, groups=3).cycles
    assert 2.9 * one < three < 3.3 * one + 3 * PARAMETERS.dispatch


def on_die(lines: list[str], units: int, groups: int, parameters: Parameters = PARAMETERS) -> tuple[Timing, Timing]:
    """The time of the first of so many compute units, and once more with the answers that memory gave."""
    program = parse(HEAD + "".join(f"\t{line}\n" for line in lines) + TAIL)
    address = ctypes.addressof(MEMORY) + 4095 & ~4095
    allow(address, len(MEMORY) - 4096)
    try:
        with Module(pack(program)) as module, Recording(0, 1, groups, alone=True) as recording:
            done = module.launch("kernel", groups, 64, address.to_bytes(8, "little"), recording=recording)
            assert not done.findings
            with Die(recording, Machine(1, compute_units=units)) as die:
                rows = rows_of(program)
                return die.time(rows, parameters), die.again(rows, parameters)
    finally:
        forbid(address)


def test_compute_units_share_the_l2_and_wait_for_lines_under_way() -> None:
    timing, _ = on_die([*loads(1), "s_waitcnt vmcnt(0)"], units=4, groups=4)
    _, l2, pending, cache, memory = timing.die_lines
    assert (cache + memory, l2 + pending) == (8, 3 * 8)
    assert pending > 0


def test_free_units_take_the_next_workgroups() -> None:
    lines = [*ZERO, *mfmas(50)]
    timing, _ = on_die(lines, units=2, groups=5)
    assert len(timing.waves) in (2, 3)
    assert timing.die_cycles > 2.9 * on_die(lines, units=1, groups=1)[0].cycles


def test_a_unit_by_itself_takes_as_long_as_among_the_others() -> None:
    among, alone = on_die([*loads(40), "s_waitcnt vmcnt(0)"], units=4, groups=12)
    assert alone.cycles == pytest.approx(among.cycles, rel=0.05)
    assert [wave.group for wave in alone.waves] == [wave.group for wave in among.waves]


def test_another_seed_changes_little() -> None:
    lines = [*loads(40), "s_waitcnt vmcnt(0)"]
    one, other = (on_die(lines, 4, 8, replace(PARAMETERS, seed=seed))[0].cycles for seed in (1, 2))
    assert one == pytest.approx(other, rel=0.25)


def test_workgroups_of_one_wave_go_to_all_simds() -> None:
    lines = [*ZERO, *mfmas(100)]
    one, four, eight = (followed(lines, groups=groups, resident=8).cycles for groups in (1, 4, 8))
    assert four < 1.2 * one
    assert 1.7 * one < eight < 2.3 * one


def test_two_runs_are_the_same() -> None:
    lines = [*loads(40), "s_waitcnt vmcnt(0)"]
    assert followed(lines).cycles == followed(lines).cycles


def test_the_clock_falls_under_matrix_load_and_with_less_power() -> None:
    small, large = board_named("MI300X"), board_named("mi325x")
    assert likely_clock(DEFAULT_CHIP, small, 0) == DEFAULT_CHIP.clock_mhz
    assert likely_clock(DEFAULT_CHIP, large, 0.9) < likely_clock(DEFAULT_CHIP, large, 0.6)
    assert likely_clock(DEFAULT_CHIP, small, 0.6) < likely_clock(DEFAULT_CHIP, large, 0.6)
    assert likely_clock(DEFAULT_CHIP, large, 0.6, 0.4) < likely_clock(DEFAULT_CHIP, large, 0.6)
    assert likely_clock(DEFAULT_CHIP, small, 0, 1) == DEFAULT_CHIP.clock_mhz  # products of f32 run at it


# The chip's share by cycles that were predicted (of the traced kernels measured), and MHz by those cycles and the measured speed
@pytest.mark.parametrize(
    ("board", "share", "mhz"),
    [
        ("MI325X", 0.654, 1459), ("MI325X", 0.608, 1607), ("MI325X", 0.612, 1662), ("MI325X", 0.485, 1628),
        ("MI325X", 0.764, 1518), ("MI325X", 0.775, 1555), ("MI325X", 0.938, 1223),
        ("MI300X", 0.736, 1427), ("MI300X", 0.822, 1296), ("MI300X", 0.874, 1194), ("MI300X", 0.902, 1231),
        ("MI300X", 0.094, 2082), ("MI300X", 0.207, 1906), ("MI300X", 0.413, 1443), ("MI300X", 0.551, 1333),
    ],
)  # fmt: skip
def test_the_clock_is_near_the_measured_ones(board: str, share: float, mhz: float) -> None:
    assert likely_clock(DEFAULT_CHIP, board_named(board), share) == pytest.approx(mhz, rel=0.11)


STREAM = """#include <hip/hip_runtime.h>
__global__ void add(const float4 *x, float4 *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 a = x[i], b = y[i];
  y[i] = {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__global__ void nothing() {}
__global__ void fill(float4 *y) { y[blockIdx.x * blockDim.x + threadIdx.x] = float4{1, 2, 3, 4}; }
__global__ void sparse(float *y) { y[32 * (blockIdx.x * blockDim.x + threadIdx.x)] = 1; }
int main() {
  const int n = 1 << 21;
  float4 *x, *y;
  hipMalloc(&x, n * 16), hipMalloc(&y, n * 16);
  add<<<n / 256, 256>>>(x, y);
  nothing<<<1, 64>>>();
  fill<<<n / 256, 256>>>(y);
  sparse<<<n / 8 / 256, 256>>>((float *)y);
  return hipDeviceSynchronize();
}
"""


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Prediction]:
    folder = tmp_path_factory.mktemp("stream")
    (folder / "stream.hip").write_text(STREAM)
    how = RunOptions(emulate=True, recordings=folder, recorded_alone=True, checks=())
    outcome = run_program([folder / "stream.hip"], [], Options(), how)
    assert outcome.code == 0
    read = {launch["kernel"]: read_recorded(folder / launch["recording"]) for launch in outcome.launches}
    inputs = Inputs.CACHE
    warm = {f"warm {name}": predict(one, inputs=inputs) for name, one in read.items() if name.startswith("add")}
    larger = {f"large {name}": predict(_eight_times(one), inputs=inputs) for name, one in read.items() if "add" in name}
    return {name: predict(one) for name, one in read.items()} | warm | larger


def _eight_times(launch: Recorded) -> Recorded:
    """The same workgroups of a launch that has more: its 512 MiB are more than the last cache holds."""
    return replace(launch, grid=(8 * launch.grid[0], *launch.grid[1:]))


def test_a_launch_without_matrix_instructions_is_followed_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "stream.hip").write_text(STREAM.replace("1 << 21", "1 << 12"))
    how = RunOptions(emulate=True, recordings=tmp_path, recorded_alone=True, checks=())
    launch = run_program([tmp_path / "stream.hip"], [], Options(), how).launches[0]
    recorded = read_recorded(tmp_path / launch["recording"])
    monkeypatch.setattr(Die, "first_round", lambda *_: pytest.fail("the clock is known"))
    assert predict(recorded).clock_mhz[1] == DEFAULT_CHIP.clock_mhz


def test_a_kernel_that_streams_is_bound_by_memory(stream: dict[str, Prediction]) -> None:
    add = next(one for name, one in stream.items() if name.startswith("add"))
    moved = 3 * (16 << 21)
    low, likely, high = add.microseconds
    assert low < likely < high
    assert 2500 < moved / likely / 1e3 < DEFAULT_CHIP.boards[0].memory_gbs * 1.3
    assert add.bound == "memory bandwidth"  # memory is full: what else its waves wait for does not matter
    assert not add.flops


def test_inputs_in_the_last_cache_come_sooner_as_far_as_there_is_room(stream: dict[str, Prediction]) -> None:
    (cold,), (warm,), (large,) = (
        [one for name, one in stream.items() if name.startswith(start)] for start in ("add", "warm", "large")
    )
    reads = 2 / 3  # of the lines; the others are written
    assert cold.lines[4] == pytest.approx(sum(cold.lines), rel=0.05)
    assert warm.lines[3] == pytest.approx(reads * sum(warm.lines), rel=0.05)
    kept = 0.203  # of a launch that uses twice as much as there is room: exp(-2 (1 - kept))
    assert large.lines[3] == pytest.approx(kept * reads * sum(large.lines), rel=0.05)
    assert warm.microseconds[1] < 0.9 * cold.microseconds[1]


def test_halves_of_lines_leave_l2_that_were_stored_to(stream: dict[str, Prediction]) -> None:
    (whole,), (parts,) = (
        [one for name, one in stream.items() if name.startswith(kernel)] for kernel in ("fill", "sparse")
    )
    assert whole.lines[4] == parts.lines[4]  # as many lines
    assert 2.5 < (16 << 21) / whole.microseconds[1] / 1e6 < 3.7  # TB/s: what leaves the dies where nothing comes in
    assert parts.microseconds[1] < 0.8 * whole.microseconds[1]


def test_a_kernel_that_does_nothing_costs_its_launch(stream: dict[str, Prediction]) -> None:
    nothing = next(one for name, one in stream.items() if name.startswith("nothing"))
    assert 1 < nothing.microseconds[1] < 4


SMALL = """#include <hip/hip_runtime.h>
__global__ void add(const float *x, float *y, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += x[(i * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
int main() {
  float *x, *y;
  hipMalloc(&x, 64 << 16), hipMalloc(&y, 4 << 16);
  add<<<256, 256>>>(x, y, 16);
  return hipDeviceSynchronize();
}
"""


def test_a_launch_again_finds_in_l2_what_fits_there(tmp_path: Path) -> None:
    (tmp_path / "small.hip").write_text(SMALL)
    board = board_named("MI300A")
    how = RunOptions(emulate=True, recordings=tmp_path, dies=board.xcds, recorded_alone=True, checks=())
    (launch,) = run_program([tmp_path / "small.hip"], [], Options(), how).launches
    recorded = read_recorded(tmp_path / launch["recording"])
    assert (recorded.stride, recorded.groups) == (6, 43)  # of 256 workgroups on six dies
    first, again = (predict(recorded, board=board, inputs=inputs) for inputs in (Inputs.CACHE, Inputs.L2))
    assert first.lines[1] + first.lines[2] < 0.1 * sum(first.lines) < 0.9 * sum(again.lines) < again.lines[1]
    assert again.cycles < 0.8 * first.cycles
    larger = predict(replace(recorded, grid=(256 * 16, 1, 1)), board=board, inputs=Inputs.L2)  # 64 MiB and 16
    assert larger.lines[3] == pytest.approx(first.lines[3], rel=0.05)


@pytest.mark.parametrize("options", [["--time", "--inputs", "cache"], ["--time", "--partial", "--board", "MI325X"]])
@pytest.mark.sample(1)
def test_run_prints_the_prediction(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "stream.hip").write_text(STREAM.replace("<< 21", "<< 14"))
    command = [sys.executable, "-m", "porter", "run", "stream.hip", "--emulate", "--json", "out.json", *options]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "200"}
    )
    assert done.returncode == 0, done.stderr
    board, inputs = ("MI300X", "the last cache") if "cache" in options else ("MI325X", "memory")
    assert f"predicted for an {board}, inputs in {inputs}" in done.stderr
    launches = json.loads((tmp_path / "out.json").read_text())["launches"]
    assert all(launch["predicted"]["microseconds"][1] > 0 for launch in launches)


def test_a_trace_of_a_program_is_predicted(tmp_path: Path) -> None:
    (tmp_path / "stream.hip").write_text(STREAM.replace("<< 21", "<< 14"))
    command = [sys.executable, "-m", "porter", "trace", "stream.hip", "--kernel", "add", "--json", "--viewer", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (trace,) = json.loads(done.stdout)["traces"]
    assert trace["source"] == "predicted"
    timeline = read(tmp_path / "out")
    assert len(timeline.waves) == 4
    texts = {timeline.instructions[n].mnemonic for wave in timeline.waves for n in wave.numbers}
    assert {"global_load_dwordx4", "global_store_dwordx4", "s_endpgm"} <= texts
    assert all((wave.events[1:, 0] >= wave.ends[:-1]).all() for wave in timeline.waves)


def test_a_wave_goes_on_two_turns_after_a_wide_product() -> None:
    wide = [*ZERO, *["v_mad_u64_u32 v[2:3], s[6:7], v1, 3, 1"] * 64]
    narrow = [*ZERO, *["v_fma_f64 v[2:3], v[4:5], v[6:7], v[8:9]"] * 64]
    one = followed(wide).waves[0].by_kind[Kind.VALU] - followed(narrow).waves[0].by_kind[Kind.VALU]
    assert one == pytest.approx(4 * 64, abs=16)


def test_exponentials_keep_the_lanes_of_their_simd() -> None:
    lines = ["v_exp_f32_e32 v1, v0"] * 64
    one, two = (followed(lines, threads=threads).cycles for threads in (64, 512))
    assert two == pytest.approx(2 * one, rel=0.05)  # two waves on each SIMD
    wide = ["v_mad_u64_u32 v[2:3], s[6:7], v1, 3, 1"] * 64
    assert followed(wide, threads=512).cycles < 1.2 * followed(wide).cycles


def test_half_a_line_comes_to_l1_in_half_the_time() -> None:
    place = ["s_load_dwordx2 s[2:3], s[0:1], 0x0", "v_and_b32_e32 v0, 63, v0", "v_lshlrev_b32_e32 v1, 7, v0"]
    slow = replace(PARAMETERS, return_line=100)

    def cycles(*texts: str) -> int:  # of 64 lines that L1 has not
        return followed([*place, "s_waitcnt lgkmcnt(0)", *texts, "s_waitcnt vmcnt(0)"], parameters=slow).cycles

    half = cycles("global_load_dword v8, v1, s[2:3]")
    both = cycles("global_load_dword v8, v1, s[2:3]", "global_load_dword v9, v1, s[2:3] offset:64")
    assert 64 * 50 <= half < 64 * 70
    assert both - half == pytest.approx(64 * 50, rel=0.1)


def test_a_scalar_load_of_a_loop_finds_its_line_from_the_second_turn_on() -> None:
    load = ["s_load_dword s8, s[0:1], 0x0", "s_waitcnt lgkmcnt(0)"]
    lines = ["s_mov_b32 s9, 0", "again:", *load, "s_add_i32 s9, s9, 1", "s_cmp_lt_i32 s9, 10", "s_cbranch_scc1 again"]
    plain = followed(lines, parameters=replace(PARAMETERS, scalar_hit=PARAMETERS.scalar_latency)).cycles
    saved = plain - followed(lines).cycles
    assert saved == pytest.approx(9 * (PARAMETERS.scalar_latency - PARAMETERS.scalar_hit), rel=0.05)


def test_a_die_begins_one_workgroup_after_the_other() -> None:
    few, many = (followed(["s_nop 0"], groups=groups, resident=8).cycles for groups in (100, 200))
    assert many - few >= 100 * PARAMETERS.group_rate
    chip, launch = DEFAULT_CHIP, SimpleNamespace(all_groups=1000)
    for board, dies in (("MI300A", 6), ("MI300X", 8)):  # the chip's dispatcher serves its dies in turn
        assert _on_board(PARAMETERS, chip, board_named(board), launch).group_rate == dies * PARAMETERS.group_rate
    slow = replace(PARAMETERS, group_rate=100)
    assert followed(["s_nop 0"], groups=100, resident=8, parameters=slow).cycles > 90 * 100


def test_atomic_operations_and_parts_of_lines_hold_the_channels_of_l2() -> None:
    place = ["s_load_dwordx2 s[2:3], s[0:1], 0x0", "v_and_b32_e32 v0, 63, v0", "s_waitcnt lgkmcnt(0)"]

    def cost(shift: int, text: str, **changed: float) -> int:
        lines = [*place, f"v_lshlrev_b32_e32 v1, {shift}, v0", *[f"{text} v1, v0, s[2:3]"] * 40]
        return followed(lines, threads=1024, groups=2, parameters=replace(PARAMETERS, **changed)).cycles

    # a wave asks for 64 lines, 4 of each channel
    assert cost(7, "global_atomic_add", atomic=100) >= 2 * 16 * 40 * 4 * 100
    assert cost(7, "global_store_dword", atomic=100) < 2 * 16 * 40 * 4 * 50
    assert cost(7, "global_store_dword", part=100) >= 2 * 16 * 40 * 4 * 90
    assert cost(2, "global_store_dword", part=100) == cost(2, "global_store_dword")


def test_an_atomic_operation_on_memory_waits_for_its_line_and_a_store_does_not() -> None:
    place = ["s_load_dwordx2 s[2:3], s[0:1], 0x0", "v_lshlrev_b32_e32 v1, 7, v0", "s_waitcnt lgkmcnt(0)"]

    def cost(text: str, times: int = 1, step: int = 0, **changed: float) -> int:
        updates = [line for _ in range(times) for line in (f"{text} v1, v0, s[2:3]", f"v_add_u32_e32 v1, {step}, v1")]
        return followed([*place, *updates], parameters=replace(PARAMETERS, **changed)).cycles

    far = {"memory_latency": PARAMETERS.memory_latency + 5000}
    assert cost("global_atomic_add", **far) - cost("global_atomic_add") == pytest.approx(5000, abs=4)
    assert cost("global_store_dword", **far) == cost("global_store_dword")
    again = cost("global_atomic_add", times=9, step=0)  # the lines are there
    assert again - cost("global_atomic_add") < 8 * 64 * PARAMETERS.atomic
    # of 64 lines each, and each to other ones: one after the other where no more are under way
    few, many = (cost("global_atomic_add", times=8, step=0x2000, updates_in_flight=most) for most in (64, 512))
    assert few - many > 6 * PARAMETERS.memory_latency


def test_an_atomic_operation_loads_only_where_it_gives_the_old_value() -> None:
    texts = [
        "global_atomic_add v1, v2, s[2:3]",
        "global_atomic_add v3, v1, v2, s[2:3] sc0",
        "global_load_dword v1, v2, s[2:3]",
    ]
    rows = rows_of_texts(texts, [0, 8, 16])
    assert [Kind(row[0]) for row in rows] == [Kind.STORE, Kind.LOAD, Kind.LOAD]
    assert [row[6] for row in rows] == [1, 1, 0]
