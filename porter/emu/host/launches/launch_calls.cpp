// The calls that launch kernels: <<<>>>, modules, several devices, what older compilers emit.
#include <algorithm>
#include <climits>

#include "graphs/graphs.h"
#include "host.h"

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

// What the calls for functions of modules refuse in other words than <<<>>> does
hipError_t check_module_launch(hipFunction_t function, const dim3 &grid, const dim3 &block, hipStream_t stream) {
  if (!stream_of(stream)) return hipErrorInvalidValue;
  if (!find_function(function)) return hipErrorInvalidResourceHandle;
  const u64 most = 1u << 16, threads = (u64)block.x * block.y * block.z;
  if (grid.x > INT_MAX || grid.y > most || grid.z > most) return hipErrorInvalidValue;
  if (!grid.x || !grid.y || !grid.z || !threads || threads > MAX_THREADS) return hipErrorInvalidValue;
  return hipSuccess;
}

hipError_t mark(hipEvent_t event, hipStream_t stream) { return event ? hipEventRecord(event, stream) : hipSuccess; }

// Sizes of OpenCL's kind count threads, and have to be whole blocks: clang marks every kernel so. A block that is larger
// than all of them is cut, but may be no larger than a block can be.
hipError_t in_blocks(u32 threads[3], u32 block[3]) {
  if (!threads[0] || !threads[1] || !threads[2]) return hipErrorInvalidValue;
  if (!block[0] || !block[1] || !block[2]) return hipErrorInvalidConfiguration;
  u64 size = 1;
  for (int i = 0; i < 3; i++)
    if ((size *= block[i]) > MAX_THREADS) return hipErrorInvalidValue;
  for (int i = 0; i < 3; i++) {
    block[i] = std::min(block[i], threads[i]);
    if (threads[i] % block[i]) return hipErrorInvalidValue;
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
  if (const hipError_t error = check_module_launch(function, {gx, gy, gz}, {bx, by, bz}, stream)) return done(error);
  return start(function, {gx, gy, gz}, {bx, by, bz}, args, extra, lds, stream);
}
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                            unsigned by, unsigned bz, unsigned lds, hipStream_t stream, void **args) {
  return start(function, {gx, gy, gz}, {bx, by, bz}, args, nullptr, lds, stream, true);
}
hipError_t hipExtModuleLaunchKernel(hipFunction_t function, u32 tx, u32 ty, u32 tz, u32 bx, u32 by, u32 bz, size_t lds,
                                    hipStream_t stream, void **args, void **extra, hipEvent_t begin, hipEvent_t end, u32) {
  if (!stream_of(stream)) return done(hipErrorInvalidValue);
  if (!find_function(function)) return done(hipErrorInvalidResourceHandle);
  u32 threads[3] = {tx, ty, tz};
  u32 block[3] = {bx, by, bz};
  if (const hipError_t error = in_blocks(threads, block)) return done(error);
  if (const hipError_t error = mark(begin, stream)) return error;
  const dim3 grid(threads[0], threads[1], threads[2]), size(block[0], block[1], block[2]);
  if (const hipError_t error = start(function, grid, size, args, extra, lds, stream)) return error;
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
