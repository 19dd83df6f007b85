// porter stub headers: NVTX, types
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>
#include "../../cuda_runtime_api.h"
#include "../../cuda.h"

struct nvtxDomainRegistration_st;
struct nvtxResourceHandle;
struct nvtxStringRegistration_st;
struct nvtxSyncUser;
struct nvtxSyncUserAttributes_v0;
enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB };
enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_TYPE_UNICODE, NVTX_MESSAGE_TYPE_REGISTERED,
};
enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, NVTX_PAYLOAD_TYPE_INT64, NVTX_PAYLOAD_TYPE_DOUBLE,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4, NVTX_PAYLOAD_TYPE_INT32, NVTX_PAYLOAD_TYPE_FLOAT,
};
enum nvtxResourceGenericType_t {
  NVTX_RESOURCE_TYPE_UNKNOWN = 0, NVTX_RESOURCE_TYPE_GENERIC_POINTER = 65537, NVTX_RESOURCE_TYPE_GENERIC_HANDLE,
  NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = 65539, NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX,
};
typedef nvtxDomainRegistration_st nvtxDomainRegistration;
typedef nvtxDomainRegistration *nvtxDomainHandle_t;
union nvtxEventAttributes_v2_payload_t {
  uint64_t ullValue;
  int64_t llValue;
  double dValue;
  uint32_t uiValue;
  int32_t iValue;
  float fValue;
};
typedef nvtxStringRegistration_st nvtxStringRegistration;
typedef nvtxStringRegistration *nvtxStringHandle_t;
union nvtxMessageValue_t { const char *ascii; const wchar_t *unicode; nvtxStringHandle_t registered; };
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  nvtxEventAttributes_v2_payload_t payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;
typedef uint64_t nvtxRangeId_t;
union nvtxResourceAttributes_v0_identifier_t { const void *pValue; uint64_t ullValue; };
typedef struct nvtxResourceAttributes_v0 {
  uint16_t version, size;
  int32_t identifierType;
  nvtxResourceAttributes_v0_identifier_t identifier;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxResourceAttributes_t;
typedef nvtxResourceHandle *nvtxResourceHandle_t;
typedef nvtxSyncUserAttributes_v0 nvtxSyncUserAttributes_t;
typedef nvtxSyncUser *nvtxSyncUser_t;
typedef void *nvtx_CUcontext;
typedef int nvtx_CUdevice;
typedef void *nvtx_CUevent;
typedef void *nvtx_CUstream;
typedef void *nvtx_cl_command_queue;
typedef void *nvtx_cl_context;
typedef void *nvtx_cl_device_id;
typedef void *nvtx_cl_event;
typedef void *nvtx_cl_kernel;
typedef void *nvtx_cl_mem;
typedef void *nvtx_cl_platform_id;
typedef void *nvtx_cl_program;
typedef void *nvtx_cl_sampler;
typedef void *nvtx_cudaEvent_t;
typedef void *nvtx_cudaStream_t;
typedef void nvtx_nvtxSyncUserAttributes_t;
typedef void *nvtx_nvtxSyncUser_t;
