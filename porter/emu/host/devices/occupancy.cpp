// What a kernel needs and how much of it fits on a compute unit.
#include "host.h"

using namespace host;

namespace {

hipError_t kernel_of(const void *handle, const Kernel **out, Function **function = nullptr) {
  Function *found = find_function(handle);
  Located at;
  if (const hipError_t error = locate(found, current_device(), &at)) return error;
  *out = at.kernel;
  if (function) *function = found;
  return hipSuccess;
}

hipError_t active(int *blocks, const void *handle, int block, size_t lds) {
  if (!blocks) return done(hipErrorInvalidValue);
  if (block <= 0) return done(hipErrorInvalidValue);
  const Kernel *k;
  if (const hipError_t error = kernel_of(handle, &k)) return done(error);
  *blocks = blocks_per_unit(*k, (u64)block, lds);
  return done(hipSuccess);
}

// The block size that keeps most waves running, the largest of those that do.
template <class Lds>
hipError_t potential(int *grid, int *block, const void *handle, Lds lds, int limit) {
  if (!grid || !block || limit < 0) return done(hipErrorInvalidValue);
  const Kernel *k;
  if (const hipError_t error = kernel_of(handle, &k)) return done(error);
  int most = k->max_threads < MAX_THREADS ? (int)k->max_threads : MAX_THREADS;
  if (limit && limit < most) most = limit;
  int best = 0, best_threads = 0;
  for (int size = (most + WAVE - 1) / WAVE * WAVE; size > 0; size -= WAVE) {
    const int now = size < most ? size : most;
    const int blocks = blocks_per_unit(*k, (u64)now, lds(now));
    if (blocks * now > best_threads) best = now, best_threads = blocks * now;
  }
  if (!best) return done(hipErrorInvalidConfiguration);
  *block = best;
  *grid = best_threads / best * COMPUTE_UNITS;
  return done(hipSuccess);
}

hipError_t attribute(int *value, hipFunction_attribute which, const Kernel &k, const Function &f) {
  switch (which) {
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = (int)k.max_threads; break;
    case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)k.lds; break;
    case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = 0; break;
    case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)k.scratch; break;
    case HIP_FUNC_ATTRIBUTE_NUM_REGS: *value = (int)(k.vgprs + k.agprs); break;
    case HIP_FUNC_ATTRIBUTE_PTX_VERSION: case HIP_FUNC_ATTRIBUTE_BINARY_VERSION: *value = 10 * CHIP_MAJOR + CHIP_MINOR; break;
    case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = 0; break;
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = f.max_dynamic_lds ? f.max_dynamic_lds : (int)(LDS_BYTES - k.lds);
      break;
    case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = 0; break;
    default: return hipErrorInvalidValue;
  }
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *f, int block, size_t lds) {
  return active(blocks, f, block, lds);
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *f, int block, size_t lds, unsigned flags) {
  return flags > hipOccupancyDisableCachingOverride ? done(hipErrorInvalidValue) : active(blocks, f, block, lds);
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, hipFunction_t f, int block, size_t lds) {
  return active(blocks, f, block, lds);
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, hipFunction_t f, int block, size_t lds,
                                                                       unsigned flags) {
  return flags > hipOccupancyDisableCachingOverride ? done(hipErrorInvalidValue) : active(blocks, f, block, lds);
}
hipError_t hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *f, size_t lds, int limit) {
  return potential(grid, block, f, [=](int) { return lds; }, limit);
}
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block, hipFunction_t f, size_t lds, int limit) {
  return potential(grid, block, f, [=](int) { return lds; }, limit);
}
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, hipFunction_t f, size_t lds, int limit,
                                                            unsigned flags) {
  if (flags > hipOccupancyDisableCachingOverride) return done(hipErrorInvalidValue);
  return potential(grid, block, f, [=](int) { return lds; }, limit);
}

hipError_t hipFuncGetAttributes(hipFuncAttributes *out, const void *f) {
  if (!out) return done(hipErrorInvalidValue);
  const Kernel *k;
  Function *function;
  if (const hipError_t error = kernel_of(f, &k, &function)) return done(error);
  *out = {};
  out->binaryVersion = out->ptxVersion = 10 * CHIP_MAJOR + CHIP_MINOR;
  out->localSizeBytes = k->scratch;
  out->maxDynamicSharedSizeBytes = function->max_dynamic_lds ? function->max_dynamic_lds : (int)(LDS_BYTES - k->lds);
  out->maxThreadsPerBlock = (int)k->max_threads;
  out->numRegs = (int)(k->vgprs + k->agprs);
  out->sharedSizeBytes = k->lds;
  return done(hipSuccess);
}
hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute which, hipFunction_t f) {
  if (!value) return done(hipErrorInvalidValue);
  const Kernel *k;
  Function *function;
  if (const hipError_t error = kernel_of(f, &k, &function)) return done(error);
  return done(attribute(value, which, *k, *function));
}
hipError_t hipFuncSetAttribute(const void *f, hipFuncAttribute which, int value) {
  const Kernel *k;
  Function *function;
  if (const hipError_t error = kernel_of(f, &k, &function)) return done(error);
  if (which == hipFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || (u64)value + k->lds > LDS_BYTES) return done(hipErrorInvalidValue);
    function->max_dynamic_lds = value;
    return done(hipSuccess);
  }
  if (which != hipFuncAttributePreferredSharedMemoryCarveout || value < -1 || value > 100) return done(hipErrorInvalidValue);
  return done(hipSuccess);  // LDS is not carved out of a cache here
}
hipError_t hipFuncSetCacheConfig(const void *f, hipFuncCache_t) { return done(f ? hipSuccess : hipErrorInvalidDeviceFunction); }
hipError_t hipFuncSetSharedMemConfig(const void *f, hipSharedMemConfig) {
  return done(f ? hipSuccess : hipErrorInvalidDeviceFunction);
}

}
