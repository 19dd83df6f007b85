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
    memory_add((u64)at, SEGMENT, MEMORY_READ_ONLY);
    memory_add((u64)at + SEGMENT, ROOM, 0);
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

// What multi_grid.sync() works on, in memory that all devices reach.
struct GridOfGrids {
  u32 *counters = (u32 *)allocate(64, Where::pinned, 0, "counters of a cooperative launch", 0);
  u32 grids = 0;
  u64 threads = 0;

  GridOfGrids() = default;
  GridOfGrids(const GridOfGrids &) = delete;
  ~GridOfGrids() { release(counters); }
};

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
  fprintf(stderr, "porter: kernel %s is not launched (%s): %s\n", demangled(function.name.c_str()).c_str(),
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
  const bool records = begin_recording(call, o, &recording);
  if (records) counts.recording = &recording;
  begin_heap(device, call.function->name);
  launch_kernel(at.image, at.number, &o, bench->segment, &result, &counts);
  end_heap();
  const std::string recorded = records ? end_recording(at.image, call, o, &recording) : "";
  porter_launch_count++;
  advance_clock(device, (double)result.seconds_ns * 1e-9);
  fflush(stdout);
  report_launch(at.image, call, o, result, options().count ? &counts : nullptr, recorded);
  if (result.faulted) set_device_fault(device, fault_error(result));
  give_bench_back(bench);
  return hipSuccess;
}

}  // namespace host

using namespace host;

namespace {

hipError_t start(const void *function, dim3 grid, dim3 block, void **args, void **extra, u64 lds, hipStream_t stream,
                 bool cooperative = false) {
  if (!function) return done(hipErrorInvalidDeviceFunction);
  if (!stream_of(stream)) return done(hipErrorContextIsDestroyed);
  Work work;
  work.type = hipGraphNodeTypeKernel;
  if (const hipError_t error = make_call(&work.kernel, function, grid, block, args, extra, lds, cooperative))
    return done(error);
  return done(submit(stream, std::move(work)));
}

hipError_t mark(hipEvent_t event, hipStream_t stream) { return event ? hipEventRecord(event, stream) : hipSuccess; }

// Sizes of OpenCL's kind count threads, and have to be whole blocks here.
hipError_t in_blocks(u32 threads[3], const u32 block[3]) {
  for (int i = 0; i < 3; i++) {
    if (!block[i] || threads[i] % block[i]) return hipErrorInvalidConfiguration;
    threads[i] /= block[i];
  }
  return hipSuccess;
}

bool cooperative_in(const hipLaunchAttribute *attributes, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (attributes[i].id == hipLaunchAttributeCooperative) return attributes[i].value.cooperative != 0;
  return false;
}

}  // namespace

extern "C" {

hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t lds, hipStream_t stream) {
  return start(function, grid, block, args, nullptr, lds, stream);
}
hipError_t hipExtLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t lds, hipStream_t stream,
                              hipEvent_t begin, hipEvent_t end, int) {
  if (const hipError_t error = mark(begin, stream)) return error;
  if (const hipError_t error = start(function, grid, block, args, nullptr, lds, stream)) return error;
  return mark(end, stream);
}
hipError_t hipLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args, unsigned lds,
                                      hipStream_t stream) {
  return start(function, grid, block, args, nullptr, lds, stream, true);
}
// Nothing is launched where one of them is refused. Each stream first waits for what the others have to do.
hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams *list, int count, unsigned flags) {
  if (!list || count <= 0 || count > device_count() || flags > 3) return done(hipErrorInvalidValue);
  std::set<int> used;
  std::vector<Work> works((size_t)count);
  const auto all = std::make_shared<GridOfGrids>();
  all->grids = (u32)count;
  const int before = current_device();
  hipError_t error = all->counters ? hipSuccess : hipErrorOutOfMemory;
  for (int i = 0; i < count && !error; i++) {
    hipLaunchParams &p = list[i];
    ihipStream_t *stream = p.stream ? stream_of(p.stream) : nullptr;
    if (!stream || !used.insert(stream->device).second) {
      error = hipErrorInvalidValue;
      break;
    }
    (void)hipSetDevice(stream->device);
    works[(size_t)i].type = hipGraphNodeTypeKernel;
    KernelCall &call = works[(size_t)i].kernel;
    error = make_call(&call, p.func, p.gridDim, p.blockDim, p.args, nullptr, p.sharedMem, true);
    call.grids = all, call.grid_number = (u32)i, call.threads_before = all->threads;
    all->threads += (u64)p.gridDim.x * p.gridDim.y * p.gridDim.z * p.blockDim.x * p.blockDim.y * p.blockDim.z;
  }
  (void)hipSetDevice(before);
  if (!error && !(flags & hipCooperativeLaunchMultiDeviceNoPreSync))
    for (int i = 0; i < count; i++) wait_for_stream(list[i].stream);
  const Together together;
  for (int i = 0; i < count && !error; i++) error = submit(list[i].stream, std::move(works[(size_t)i]));
  return done(error);
}
hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams *list, unsigned count, unsigned flags) {
  if (!list) return done(hipErrorInvalidValue);
  std::vector<hipLaunchParams> same;
  for (unsigned i = 0; i < count; i++) {
    const hipFunctionLaunchParams &p = list[i];
    same.push_back({(void *)p.function, {p.gridDimX, p.gridDimY, p.gridDimZ}, {p.blockDimX, p.blockDimY, p.blockDimZ},
                    p.kernelParams, p.sharedMemBytes, p.hStream});
  }
  return hipLaunchCooperativeKernelMultiDevice(same.data(), (int)count, flags);
}
hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams *list, int count, unsigned) {
  if (!list || count <= 0) return done(hipErrorInvalidValue);
  for (int i = 0; i < count; i++)
    if (const hipError_t error = start(list[i].func, list[i].gridDim, list[i].blockDim, list[i].args, nullptr,
                                       list[i].sharedMem, list[i].stream))
      return error;
  return done(hipSuccess);
}
hipError_t hipLaunchKernelExC(const hipLaunchConfig_t *c, const void *function, void **args) {
  if (!c) return done(hipErrorInvalidValue);
  return start(function, c->gridDim, c->blockDim, args, nullptr, c->dynamicSmemBytes, c->stream,
               cooperative_in(c->attrs, c->numAttrs));
}
hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG *c, hipFunction_t function, void **args, void **extra) {
  if (!c) return done(hipErrorInvalidValue);
  return start(function, {c->gridDimX, c->gridDimY, c->gridDimZ}, {c->blockDimX, c->blockDimY, c->blockDimZ}, args, extra,
               c->sharedMemBytes, c->hStream, cooperative_in(c->attrs, c->numAttrs));
}
hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                 unsigned bz, unsigned lds, hipStream_t stream, void **args, void **extra) {
  return start(function, {gx, gy, gz}, {bx, by, bz}, args, extra, lds, stream);
}
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                            unsigned by, unsigned bz, unsigned lds, hipStream_t stream, void **args) {
  return start(function, {gx, gy, gz}, {bx, by, bz}, args, nullptr, lds, stream, true);
}
hipError_t hipExtModuleLaunchKernel(hipFunction_t function, u32 tx, u32 ty, u32 tz, u32 bx, u32 by, u32 bz, size_t lds,
                                    hipStream_t stream, void **args, void **extra, hipEvent_t begin, hipEvent_t end, u32) {
  u32 threads[3] = {tx, ty, tz};
  const u32 block[3] = {bx, by, bz};
  if (const hipError_t error = in_blocks(threads, block)) return done(error);
  if (const hipError_t error = mark(begin, stream)) return error;
  if (const hipError_t error = start(function, {threads[0], threads[1], threads[2]}, {bx, by, bz}, args, extra, lds, stream))
    return error;
  return mark(end, stream);
}
hipError_t hipHccModuleLaunchKernel(hipFunction_t function, u32 tx, u32 ty, u32 tz, u32 bx, u32 by, u32 bz, size_t lds,
                                    hipStream_t stream, void **args, void **extra, hipEvent_t begin, hipEvent_t end) {
  return hipExtModuleLaunchKernel(function, tx, ty, tz, bx, by, bz, lds, stream, args, extra, begin, end, 0);
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *data) {
  if (!function) return done(hipErrorInvalidValue);
  Work work;
  work.type = hipGraphNodeTypeHost;
  work.call = {function, data};
  return done(submit(stream, std::move(work)));
}

// What an older compiler emits in place of hipLaunchKernel: arguments one at a time, then the launch.
hipError_t hipConfigureCall(dim3 grid, dim3 block, size_t lds, hipStream_t stream) {
  return done(__hipPushCallConfiguration(grid, block, lds, stream));
}
hipError_t hipSetupArgument(const void *argument, size_t size, size_t offset) {
  if (call_configurations().empty()) return done(hipErrorMissingConfiguration);
  std::vector<u8> &bytes = call_configurations().back().arguments;
  if (bytes.size() < offset + size) bytes.resize(offset + size);
  memcpy(bytes.data() + offset, argument, size);
  return done(hipSuccess);
}
hipError_t hipLaunchByPtr(const void *function) {
  if (call_configurations().empty()) return done(hipErrorMissingConfiguration);
  CallConfiguration p = std::move(call_configurations().back());
  call_configurations().pop_back();
  size_t size = p.arguments.size();
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, p.arguments.data(), HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  return start(function, p.grid, p.block, nullptr, extra, p.lds, p.stream);
}

}
