// What the pretended devices say of themselves.
#include "host.h"

using namespace host;

namespace {

// What is not public, or not there on the chip, is 0.
void describe(hipDeviceProp_tR0600 *p, int device) {
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "AMD Instinct " CHIP_BOARD " (porter emulator)");
  snprintf(p->uuid.bytes, sizeof p->uuid.bytes, "porter-emu-%04x", (unsigned)physical_device(device));
  snprintf(p->gcnArchName, sizeof p->gcnArchName, CHIP_TARGET ":sramecc+:xnack-");
  p->totalGlobalMem = DEVICE_BYTES;
  p->sharedMemPerBlock = p->sharedMemPerMultiprocessor = p->maxSharedMemoryPerMultiProcessor = LDS_BYTES;
  p->sharedMemPerBlockOptin = LDS_BYTES;
  p->regsPerBlock = SIMDS * CHIP_VGPRS * WAVE;
  p->regsPerMultiprocessor = SIMDS * REGISTERS * WAVE;
  p->warpSize = WAVE;
  p->memPitch = INT32_MAX;
  p->maxThreadsPerBlock = MAX_THREADS;
  for (int &n : p->maxThreadsDim) n = MAX_THREADS;
  p->maxGridSize[0] = INT32_MAX, p->maxGridSize[1] = p->maxGridSize[2] = 65536;
  p->clockRate = CHIP_CLOCK_MHZ * 1000;
  p->totalConstMem = INT32_MAX;
  p->major = CHIP_MAJOR, p->minor = CHIP_MINOR;
  p->textureAlignment = p->surfaceAlignment = 256;
  p->texturePitchAlignment = 256;
  p->deviceOverlap = 1;
  p->multiProcessorCount = COMPUTE_UNITS;
  p->canMapHostMemory = 1;
  p->concurrentKernels = 1;
  p->ECCEnabled = 1;
  p->pciBusID = 1 + physical_device(device);
  p->asyncEngineCount = 16;
  p->unifiedAddressing = 1;
  p->memoryClockRate = CHIP_BOARD_MEMORY_CLOCK_MHZ * 1000;
  p->memoryBusWidth = CHIP_MEMORY_BITS;
  p->l2CacheSize = CHIP_L2_BYTES;
  p->maxThreadsPerMultiProcessor = SIMDS * MAX_WAVES * WAVE;
  p->streamPrioritiesSupported = 1;
  p->managedMemory = p->concurrentManagedAccess = 1;
  p->hostNativeAtomicSupported = 1;
  p->canUseHostPointerForRegisteredMem = p->hostRegisterSupported = 1;
  p->cooperativeLaunch = p->cooperativeMultiDeviceLaunch = 1;
  p->cooperativeMultiDeviceUnmatchedFunc = p->cooperativeMultiDeviceUnmatchedGridDim = 1;
  p->cooperativeMultiDeviceUnmatchedBlockDim = p->cooperativeMultiDeviceUnmatchedSharedMem = 1;
  p->ipcEventSupported = 1;
  p->globalL1CacheSupported = p->localL1CacheSupported = 1;
  p->persistingL2CacheMaxSize = CHIP_L2_BYTES;
  p->memoryPoolSupportedHandleTypes = hipMemHandleTypePosixFileDescriptor;
  p->directManagedMemAccessFromHost = 1;
  p->maxBlocksPerMultiProcessor = 2;
  p->memoryPoolsSupported = 1;
  p->clockInstructionRate = CHIP_TIMER_KHZ;
  p->isLargeBar = 1;
  p->asicRevision = 1;
  p->arch.hasGlobalInt32Atomics = p->arch.hasGlobalFloatAtomicExch = p->arch.hasSharedInt32Atomics = 1;
  p->arch.hasSharedFloatAtomicExch = p->arch.hasFloatAtomicAdd = 1;
  p->arch.hasGlobalInt64Atomics = p->arch.hasSharedInt64Atomics = p->arch.hasDoubles = 1;
  p->arch.hasWarpVote = p->arch.hasWarpBallot = p->arch.hasWarpShuffle = p->arch.has3dGrid = 1;
  p->arch.hasThreadFenceSystem = 1;
}

// -1: an attribute that does not exist
i64 attribute(hipDeviceAttribute_t which, const hipDeviceProp_tR0600 &p) {
  switch (which) {
    case hipDeviceAttributeEccEnabled: return p.ECCEnabled;
    case hipDeviceAttributeAsyncEngineCount: return p.asyncEngineCount;
    case hipDeviceAttributeCanMapHostMemory: return 1;
    case hipDeviceAttributeCanUseHostPointerForRegisteredMem: return 1;
    case hipDeviceAttributeClockRate: return p.clockRate;
    case hipDeviceAttributeConcurrentKernels: return 1;
    case hipDeviceAttributeConcurrentManagedAccess: return 1;
    case hipDeviceAttributeCooperativeLaunch: case hipDeviceAttributeCooperativeMultiDeviceLaunch: return 1;
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc: return p.cooperativeMultiDeviceUnmatchedFunc;
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim: return p.cooperativeMultiDeviceUnmatchedGridDim;
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim: return p.cooperativeMultiDeviceUnmatchedBlockDim;
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem: return p.cooperativeMultiDeviceUnmatchedSharedMem;
    case hipDeviceAttributeGlobalL1CacheSupported: return p.globalL1CacheSupported;
    case hipDeviceAttributeLocalL1CacheSupported: return p.localL1CacheSupported;
    case hipDeviceAttributePersistingL2CacheMaxSize: return p.persistingL2CacheMaxSize;
    case hipDeviceAttributeMemoryPoolSupportedHandleTypes: return p.memoryPoolSupportedHandleTypes;
    case hipDeviceAttributeCanUseStreamWaitValue: return 1;
    case hipDeviceAttributeDeviceOverlap: return 1;
    case hipDeviceAttributeDirectManagedMemAccessFromHost: return 1;
    case hipDeviceAttributeHostNativeAtomicSupported: return 1;
    case hipDeviceAttributeL2CacheSize: return p.l2CacheSize;
    case hipDeviceAttributeComputeCapabilityMajor: return p.major;
    case hipDeviceAttributeComputeCapabilityMinor: return p.minor;
    case hipDeviceAttributeManagedMemory: return 1;
    case hipDeviceAttributeMaxBlocksPerMultiProcessor: return p.maxBlocksPerMultiProcessor;
    case hipDeviceAttributeMaxBlockDimX: return p.maxThreadsDim[0];
    case hipDeviceAttributeMaxBlockDimY: return p.maxThreadsDim[1];
    case hipDeviceAttributeMaxBlockDimZ: return p.maxThreadsDim[2];
    case hipDeviceAttributeMaxGridDimX: return p.maxGridSize[0];
    case hipDeviceAttributeMaxGridDimY: return p.maxGridSize[1];
    case hipDeviceAttributeMaxGridDimZ: return p.maxGridSize[2];
    case hipDeviceAttributeMaxThreadsDim: return p.maxThreadsDim[0];
    case hipDeviceAttributeMaxThreadsPerBlock: return p.maxThreadsPerBlock;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
    case hipDeviceAttributeMaxPitch: return (i64)p.memPitch;
    case hipDeviceAttributeMemoryBusWidth: return p.memoryBusWidth;
    case hipDeviceAttributeMemoryClockRate: return p.memoryClockRate;
    case hipDeviceAttributeMultiprocessorCount: return p.multiProcessorCount;
    case hipDeviceAttributePhysicalMultiProcessorCount: return p.multiProcessorCount;
    case hipDeviceAttributePciBusId: return p.pciBusID;
    case hipDeviceAttributePciDeviceId: return p.pciDeviceID;
    case hipDeviceAttributePciDomainId: return p.pciDomainID;
    case hipDeviceAttributePciChipId: return CHIP_BOARD_PCI_ID;
    case hipDeviceAttributeMaxRegistersPerBlock: return p.regsPerBlock;
    case hipDeviceAttributeMaxRegistersPerMultiprocessor: return p.regsPerMultiprocessor;
    case hipDeviceAttributeMaxSharedMemoryPerBlock: return (i64)p.sharedMemPerBlock;
    case hipDeviceAttributeSharedMemPerBlockOptin: return (i64)p.sharedMemPerBlockOptin;
    case hipDeviceAttributeSharedMemPerMultiprocessor: return (i64)p.sharedMemPerMultiprocessor;
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor: return (i64)p.maxSharedMemoryPerMultiProcessor;
    case hipDeviceAttributeStreamPrioritiesSupported: return 1;
    case hipDeviceAttributeSurfaceAlignment: return (i64)p.surfaceAlignment;
    case hipDeviceAttributeTextureAlignment: return (i64)p.textureAlignment;
    case hipDeviceAttributeTexturePitchAlignment: return (i64)p.texturePitchAlignment;
    case hipDeviceAttributeTotalConstantMemory: return (i64)p.totalConstMem;
    case hipDeviceAttributeTotalGlobalMem: return INT32_MAX;  // an int holds no more
    case hipDeviceAttributeUnifiedAddressing: return 1;
    case hipDeviceAttributeWarpSize: return p.warpSize;
    case hipDeviceAttributeMemoryPoolsSupported: return 1;
    case hipDeviceAttributeHostRegisterSupported: return 1;
    case hipDeviceAttributeVirtualMemoryManagementSupported: return 1;
    case hipDeviceAttributeClockInstructionRate: return p.clockInstructionRate;
    case hipDeviceAttributeIsLargeBar: return 1;
    case hipDeviceAttributeAsicRevision: return p.asicRevision;
    case hipDeviceAttributeFineGrainSupport: return 1;
    case hipDeviceAttributeWallClockRate: return CHIP_TIMER_KHZ;
    case hipDeviceAttributeNumberOfXccs: return CHIP_XCDS;
    case hipDeviceAttributeMaxAvailableVgprsPerThread: return REGISTERS;
    case hipDeviceAttributeComputeMode: return hipComputeModeDefault;
    default: break;
  }
  // The rest is about what gfx942 does not have: textures, surfaces, other makers' features.
  const bool known = (which >= 0 && which <= hipDeviceAttributeMemoryPoolSupportedHandleTypes) ||
                     (which >= hipDeviceAttributeAmdSpecificBegin && which <= hipDeviceAttributePciChipId);
  return known ? 0 : -1;
}

}  // namespace

extern "C" {

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *properties, int device) {
  if (!properties) return done(hipErrorInvalidValue);
  if (valid_device(device)) describe(properties, device);
  return done(valid_device(device) ? hipSuccess : hipErrorInvalidDevice);
}
hipError_t hipChooseDeviceR0600(int *device, const hipDeviceProp_tR0600 *properties) {
  if (!device || !properties) return done(hipErrorInvalidValue);
  *device = 0;
  return done(hipSuccess);
}
hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t which, int device) {
  if (!value) return done(hipErrorInvalidValue);
  if (!valid_device(device)) return done(hipErrorInvalidDevice);
  hipDeviceProp_tR0600 properties;
  describe(&properties, device);
  const i64 found = attribute(which, properties);
  if (found < 0) return done(hipErrorInvalidValue);
  *value = (int)found;
  return done(hipSuccess);
}
hipError_t hipDeviceGetName(char *name, int size, hipDevice_t device) {
  if (!name || size <= 0) return done(hipErrorInvalidValue);
  if (!valid_device(device)) return done(hipErrorInvalidDevice);
  hipDeviceProp_tR0600 properties;
  describe(&properties, device);
  snprintf(name, (size_t)size, "%s", properties.name);
  return done(hipSuccess);
}
hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device) {
  if (!uuid) return done(hipErrorInvalidValue);
  if (!valid_device(device)) return done(hipErrorInvalidDevice);
  hipDeviceProp_tR0600 properties;
  describe(&properties, device);
  *uuid = properties.uuid;
  return done(hipSuccess);
}

}
