// Launches: what HIP refuses, how arguments reach the kernel, and the run itself.
#include <stdarg.h>

#include "host.h"

extern "C" u64 porter_launches() {  // how many kernels ran; for tests
  extern std::atomic<u64> porter_launch_count;
  host::wait_for_all();
  return porter_launch_count.load();
}
std::atomic<u64> porter_launch_count{0};

namespace host {

namespace {

constexpr u64 SEGMENT = 65536, ROOM = 4096;

// What a kernel works with besides its image, as long as it runs.
struct Bench {
  u8 *segment;  // its arguments, and room behind them
  Result result;
};

struct State {
  std::mutex lock;
  std::vector<Bench *> benches, free;
};

State &state() {
  static State &all = *new State;
  return all;
}

Bench *take_bench() {
  State &s = state();
  const std::lock_guard guard(s.lock);
  if (s.free.empty()) {
    u8 *at = (u8 *)aligned_alloc(4096, SEGMENT + ROOM);
    memory_add((u64)at, SEGMENT, MEMORY_READ_ONLY | MEMORY_ELSEWHERE);
    memory_add((u64)at + SEGMENT, ROOM, MEMORY_ELSEWHERE);
    s.benches.push_back(new Bench{at, {}});
    s.free.push_back(s.benches.back());
  }
  Bench *bench = s.free.back();
  s.free.pop_back();
  return bench;
}
void give_bench_back(Bench *bench) {
  const std::lock_guard guard(state().lock);
  state().free.push_back(bench);
}

// What grid.sync() of a cooperative kernel works on: the layout is that of the device library's barrier.
struct GridSync {
  void *all_grids;
  u32 grid, grids;
  u64 threads_before, threads;
  u32 count, round;
  u32 blocks;
};

}  // namespace

namespace {

void give_grid_sync(const Located &at, const KernelCall &call, u8 *segment) {
  GridSync *sync = (GridSync *)(segment + SEGMENT);
  const u64 blocks = (u64)call.grid.x * call.grid.y * call.grid.z;
  const u64 threads = blocks * call.block.x * call.block.y * call.block.z;
  memset(sync, 0, ROOM);
  *sync = {sync + 1, 0, 1, 0, threads, 0, 0, (u32)blocks};
  if (call.grids) {
    sync->all_grids = call.grids->counters;
    sync->grid = call.grid_number, sync->grids = call.grids->grids;
    sync->threads_before = call.threads_before, sync->threads = call.grids->threads;
  }
  for (u32 i = 0; i < at.kernel->arg_count; i++) {
    const Argument &a = at.image->args[at.kernel->first_arg + i];
    if (a.kind == HIDDEN_GRID_SYNC) memcpy(segment + a.offset, &sync, sizeof sync);
  }
}

u64 round_up(u64 value, u64 to) { return (value + to - 1) / to * to; }

hipError_t refuse(const Function &function, hipError_t error, const char *format, ...) __attribute__((format(printf, 3, 4)));
hipError_t refuse(const Function &function, hipError_t error, const char *format, ...) {
  char why[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  fprintf(stderr, "porter: kernel %s is not launched (%s): %s\n", kernel_name(function.name).c_str(),
          error_name(error), why);
  return error;
}

hipError_t check_sizes(const Function &f, const Kernel &k, const dim3 &grid, const dim3 &block, u64 lds) {
  const u64 threads = (u64)block.x * block.y * block.z;
  if (!threads || !grid.x || !grid.y || !grid.z)
    return refuse(f, hipErrorInvalidConfiguration, "a size of the grid or block is 0");
  if (threads > MAX_THREADS || block.x > MAX_THREADS || block.y > MAX_THREADS || block.z > MAX_THREADS)
    return refuse(f, hipErrorInvalidConfiguration, "a block of %llu threads; the limit is %d", (unsigned long long)threads,
                  MAX_THREADS);
  if ((u64)grid.x * block.x > UINT32_MAX || (u64)grid.y * block.y > UINT32_MAX || (u64)grid.z * block.z > UINT32_MAX)
    return refuse(f, hipErrorInvalidConfiguration, "more than 4294967295 threads in one dimension of the grid");
  if (lds > LDS_BYTES || k.lds + lds > LDS_BYTES)
    return refuse(f, hipErrorInvalidValue, "%u bytes of static and %llu of dynamic LDS; a workgroup has %u", k.lds,
                  (unsigned long long)lds, LDS_BYTES);
  if (threads > k.max_threads)
    return refuse(f, hipErrorLaunchFailure, "a block of %llu threads; it was compiled for at most %u (__launch_bounds__)",
                  (unsigned long long)threads, k.max_threads);
  return hipSuccess;
}

// The caller's buffer in the form of HIP_LAUNCH_PARAM_*
hipError_t read_extra(void **extra, const void **buffer, u64 *size) {
  *buffer = nullptr, *size = 0;
  for (; *extra != HIP_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == HIP_LAUNCH_PARAM_BUFFER_POINTER) *buffer = extra[1];
    else if (*extra == HIP_LAUNCH_PARAM_BUFFER_SIZE) *size = *(size_t *)extra[1];
    else return hipErrorInvalidValue;
  }
  return *buffer || !*size ? hipSuccess : hipErrorInvalidValue;
}

}  // namespace

bool in_arguments(u64 address) {
  const std::lock_guard guard(state().lock);
  for (const Bench *bench : state().benches)
    if (address - (u64)bench->segment < SEGMENT) return true;
  return false;
}

// By registers, which waves get in granules out of those of a SIMD, and by LDS: as Chip.waves_per_simd in porter/chip.py.
int blocks_per_unit(const Kernel &k, u64 block, u64 dynamic_lds) {
  if (!block || block > MAX_THREADS || block > k.max_threads) return 0;
  const u64 registers =
      round_up(k.agprs ? round_up(k.vgprs, CHIP_ACCUMULATOR_ALIGNMENT) + k.agprs : k.vgprs, CHIP_REGISTER_GRANULE);
  u64 waves = registers ? REGISTERS / registers : MAX_WAVES;
  if (waves > MAX_WAVES) waves = MAX_WAVES;
  u64 blocks = waves * SIMDS / ((block + WAVE - 1) / WAVE);
  const u64 lds = round_up(k.lds + dynamic_lds, CHIP_LDS_GRANULE);
  if (lds && LDS_BYTES / lds < blocks) blocks = LDS_BYTES / lds;
  return (int)blocks;
}

hipError_t make_call(KernelCall *call, const void *handle, dim3 grid, dim3 block, void **args, void **extra, u64 lds,
                     bool cooperative) {
  Function *function = find_function(handle);
  Located at;
  if (const hipError_t error = locate(function, current_device(), &at)) {
    if (error == hipErrorInvalidDeviceFunction && function)
      fprintf(stderr, "porter: the program has no device code for the kernel %s\n", function->name.c_str());
    return error;
  }
  if (const hipError_t error = check_sizes(*function, *at.kernel, grid, block, lds)) return error;
  const u64 blocks = (u64)grid.x * grid.y * grid.z;
  if (cooperative) {
    const u64 most = (u64)blocks_per_unit(*at.kernel, (u64)block.x * block.y * block.z, lds) * COMPUTE_UNITS;
    if (blocks > most)
      return refuse(*function, hipErrorCooperativeLaunchTooLarge, "%llu blocks; %llu can run at the same time",
                    (unsigned long long)blocks, (unsigned long long)most);
  }
  *call = {};
  call->function = function, call->handle = handle;
  call->grid = grid, call->block = block, call->lds = (unsigned)lds;
  call->cooperative = cooperative;
  call->ranges = open_ranges();
  if (extra) {
    if (args) return hipErrorInvalidValue;
    const void *buffer;
    u64 size;
    if (const hipError_t error = read_extra(extra, &buffer, &size)) return error;
    if (size > SEGMENT) return hipErrorInvalidValue;
    call->arguments.assign((const u8 *)buffer, (const u8 *)buffer + size);
  }
  u64 needed = 0;
  for (u32 i = 0; i < at.kernel->arg_count; i++) {
    const Argument &a = at.image->args[at.kernel->first_arg + i];
    if (a.kind < 16 && a.offset + a.size > needed) needed = a.offset + a.size;
  }
  if (needed > SEGMENT || at.kernel->kernarg_size > SEGMENT) return hipErrorInvalidValue;
  if (needed > call->arguments.size()) call->arguments.resize(needed);
  u32 given = 0;
  for (u32 i = 0; i < at.kernel->arg_count; i++) {
    const Argument &a = at.image->args[at.kernel->first_arg + i];
    if (a.kind >= 16) continue;
    u8 *place = call->arguments.data() + a.offset;
    if (!extra) {
      if (!args || !args[given]) return refuse(*function, hipErrorInvalidValue, "argument %u is missing", given);
      memcpy(place, args[given], a.size);
    }
    call->pointers.push_back(place);
    given++;
  }
  return hipSuccess;
}

hipError_t run_kernel(const KernelCall &call, int device) {
  Located at;
  if (const hipError_t error = locate(call.function, device, &at)) return error;
  LaunchOptions o{};
  o.grid[0] = call.grid.x, o.grid[1] = call.grid.y, o.grid[2] = call.grid.z;
  o.block[0] = call.block.x, o.block[1] = call.block.y, o.block[2] = call.block.z;
  o.dynamic_lds = call.lds;
  o.threads = options().threads;
  // The core splits what is resident evenly over its threads; all of a cooperative grid has to be.
  while (call.cooperative && COMPUTE_UNITS % o.threads) o.threads--;
  o.checks = options().checks;
  o.device = (u32)device;
  o.seed = options().seed;
  o.max_instructions = options().max_instructions;
  Bench *bench = take_bench();
  Result &result = bench->result;
  kernel_arguments(at.image, at.number, &o, nullptr, bench->segment);
  if (!call.arguments.empty()) memcpy(bench->segment, call.arguments.data(), call.arguments.size());
  if (call.cooperative) give_grid_sync(at, call, bench->segment);
  give_hostcall_buffer(at, bench->segment);
  std::vector<u64> executed;
  std::vector<AccessCount> accesses;
  Counts counts{};
  counts.touched = stream_touched(at.image);
  if (options().count) {
    executed.resize(at.image->ins_count);
    accesses.resize(at.image->ins_count);
    counts.executed = executed.data(), counts.accesses = accesses.data();
  }
  Recording recording{};
  const Records records = begin_recording(at.image, call, o, &recording);
  if (records != Records::nothing) counts.recording = &recording;
  if (recording.clusters) o.threads = 1;  // how often blocks look for one another is recorded: not as the machine is busy
  begin_heap(device, call.function->name);
  tell_progress_of(call.function->name);
  launch_kernel(at.image, at.number, &o, bench->segment, &result, &counts);
  end_heap();
  const bool write = records == Records::written;
  const std::string recorded = write ? end_recording(at.image, call, o, &recording, result.instructions) : "";
  if (!write) pass_over_launch(call, o, result.instructions);
  if (records == Records::unwritten) recording_free(&recording);
  porter_launch_count++;
  advance_clock(device, (double)result.seconds_ns * 1e-9);
  fflush(stdout);
  report_launch(at.image, call, o, result, options().count ? &counts : nullptr, recorded);
  if (result.faulted) set_device_fault(device, fault_error(result));
  give_bench_back(bench);
  return hipSuccess;
}

}  // namespace host
