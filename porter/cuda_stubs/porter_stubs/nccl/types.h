// porter stub headers: NCCL, types
#pragma once
#include "../../cuda_runtime_api.h"

struct ncclComm;
struct ncclWindow_vidmem;
enum ncclDataType_t {
  ncclInt8 = 0, ncclUint8, ncclInt32, ncclUint32, ncclInt64, ncclUint64, ncclFloat16, ncclFloat32, ncclFloat64,
  ncclBfloat16 = 9, ncclFloat8e4m3, ncclFloat8e5m2, ncclNumTypes, ncclChar = ncclInt8, ncclDouble = ncclFloat64,
  ncclFloat = ncclFloat32, ncclHalf = ncclFloat16, ncclInt = ncclInt32,
};
enum ncclRedOp_dummy_t { ncclNumOps_dummy = 5 };
enum ncclRedOp_t { ncclSum = 0, ncclProd, ncclMax, ncclMin, ncclAvg, ncclNumOps, ncclMaxRedOp = 2147483647 };
enum ncclResult_t {
  ncclSuccess = 0, ncclUnhandledCudaError, ncclSystemError, ncclInternalError, ncclInvalidArgument, ncclInvalidUsage,
  ncclRemoteError = 6, ncclInProgress, ncclNumResults,
};
enum ncclScalarResidence_t { ncclScalarDevice = 0, ncclScalarHostImmediate };
typedef ncclComm *ncclComm_t;
typedef struct ncclConfig_v22800 {
  size_t size;
  unsigned int magic, version;
  int blocking, cgaClusterSize, minCTAs, maxCTAs;
  const char *netName;
  int splitShare, trafficClass;
  const char *commName;
  int collnetEnable, CTAPolicy, shrinkShare, nvlsCTAs, nChannelsPerNetPeer, nvlinkCentricSched;
} ncclConfig_t;
typedef struct ncclSimInfo_v22200 { size_t size; unsigned int magic, version; float estimatedTime; } ncclSimInfo_t;
typedef ncclWindow_vidmem *ncclWindow_t;
struct ncclUniqueId { char internal[128]; };
