// porter stub headers: NVML, events, virtual GPUs, MIG and links
#pragma once
#include "types.h"

extern "C" {
nvmlReturn_t nvmlComputeInstanceDestroy(nvmlComputeInstance_t);
nvmlReturn_t nvmlComputeInstanceGetInfo(nvmlComputeInstance_t, nvmlComputeInstanceInfo_t *);
nvmlReturn_t nvmlComputeInstanceGetInfo_v2(nvmlComputeInstance_t, nvmlComputeInstanceInfo_t *);
nvmlReturn_t nvmlDeviceCreateGpuInstance(nvmlDevice_t, unsigned int, nvmlGpuInstance_t *);
nvmlReturn_t nvmlDeviceCreateGpuInstanceWithPlacement(nvmlDevice_t, unsigned int, const nvmlGpuInstancePlacement_t *,
    nvmlGpuInstance_t *);
nvmlReturn_t nvmlDeviceFreezeNvLinkUtilizationCounter(nvmlDevice_t, unsigned int, unsigned int, nvmlEnableState_t);
nvmlReturn_t nvmlDeviceGetAccountingBufferSize(nvmlDevice_t, unsigned int *);
nvmlReturn_t nvmlDeviceGetAccountingMode(nvmlDevice_t, nvmlEnableState_t *);
nvmlReturn_t nvmlDeviceGetAccountingPids(nvmlDevice_t, unsigned int *, unsigned int *);
nvmlReturn_t nvmlDeviceGetAccountingStats(nvmlDevice_t, unsigned int, nvmlAccountingStats_t *);
nvmlReturn_t nvmlDeviceGetActiveVgpus(nvmlDevice_t, unsigned int *, nvmlVgpuInstance_t *);
nvmlReturn_t nvmlDeviceGetComputeInstanceId(nvmlDevice_t, unsigned int *);
nvmlReturn_t nvmlDeviceGetCreatableVgpus(nvmlDevice_t, unsigned int *, nvmlVgpuTypeId_t *);
nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t, unsigned long long *);
nvmlReturn_t nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t, nvmlDevice_t *);
nvmlReturn_t nvmlDeviceGetEncoderCapacity(nvmlDevice_t, nvmlEncoderType_t, unsigned int *);
nvmlReturn_t nvmlDeviceGetEncoderSessions(nvmlDevice_t, unsigned int *, nvmlEncoderSessionInfo_t *);
nvmlReturn_t nvmlDeviceGetEncoderStats(nvmlDevice_t, unsigned int *, unsigned int *, unsigned int *);
nvmlReturn_t nvmlDeviceGetEncoderUtilization(nvmlDevice_t, unsigned int *, unsigned int *);
nvmlReturn_t nvmlDeviceGetFBCSessions(nvmlDevice_t, unsigned int *, nvmlFBCSessionInfo_t *);
nvmlReturn_t nvmlDeviceGetFBCStats(nvmlDevice_t, nvmlFBCStats_t *);
nvmlReturn_t nvmlDeviceGetGpuInstanceById(nvmlDevice_t, unsigned int, nvmlGpuInstance_t *);
nvmlReturn_t nvmlDeviceGetGpuInstanceId(nvmlDevice_t, unsigned int *);
nvmlReturn_t nvmlDeviceGetGpuInstancePossiblePlacements(nvmlDevice_t, unsigned int, nvmlGpuInstancePlacement_t *,
    unsigned int *);
nvmlReturn_t nvmlDeviceGetGpuInstancePossiblePlacements_v2(nvmlDevice_t, unsigned int, nvmlGpuInstancePlacement_t *,
    unsigned int *);
nvmlReturn_t nvmlDeviceGetGpuInstanceProfileInfo(nvmlDevice_t, unsigned int, nvmlGpuInstanceProfileInfo_t *);
nvmlReturn_t nvmlDeviceGetGpuInstanceProfileInfoV(nvmlDevice_t, unsigned int, nvmlGpuInstanceProfileInfo_v2_t *);
nvmlReturn_t nvmlDeviceGetGpuInstanceRemainingCapacity(nvmlDevice_t, unsigned int, unsigned int *);
nvmlReturn_t nvmlDeviceGetGpuInstances(nvmlDevice_t, unsigned int, nvmlGpuInstance_t *, unsigned int *);
nvmlReturn_t nvmlDeviceGetHostVgpuMode(nvmlDevice_t, nvmlHostVgpuMode_t *);
nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t, unsigned int *);
nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t, unsigned int, nvmlDevice_t *);
nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t, unsigned int *, unsigned int *);
nvmlReturn_t nvmlDeviceGetNvLinkCapability(nvmlDevice_t, unsigned int, nvmlNvLinkCapability_t, unsigned int *);
nvmlReturn_t nvmlDeviceGetNvLinkErrorCounter(nvmlDevice_t, unsigned int, nvmlNvLinkErrorCounter_t,
    unsigned long long *);
nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t, unsigned int, nvmlIntNvLinkDeviceType_t *);
nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo(nvmlDevice_t, unsigned int, nvmlPciInfo_t *);
nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t, unsigned int, nvmlPciInfo_t *);
nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t, unsigned int, nvmlEnableState_t *);
nvmlReturn_t nvmlDeviceGetNvLinkUtilizationControl(nvmlDevice_t, unsigned int, unsigned int,
    nvmlNvLinkUtilizationControl_t *);
nvmlReturn_t nvmlDeviceGetNvLinkUtilizationCounter(nvmlDevice_t, unsigned int, unsigned int, unsigned long long *,
    unsigned long long *);
nvmlReturn_t nvmlDeviceGetNvLinkVersion(nvmlDevice_t, unsigned int, unsigned int *);
nvmlReturn_t nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t, unsigned long long *);
nvmlReturn_t nvmlDeviceGetSupportedEventTypes(nvmlDevice_t, unsigned long long *);
nvmlReturn_t nvmlDeviceGetSupportedVgpus(nvmlDevice_t, unsigned int *, nvmlVgpuTypeId_t *);
nvmlReturn_t nvmlDeviceGetVgpuCapabilities(nvmlDevice_t, nvmlDeviceVgpuCapability_t, unsigned int *);
nvmlReturn_t nvmlDeviceGetVgpuMetadata(nvmlDevice_t, nvmlVgpuPgpuMetadata_t *, unsigned int *);
nvmlReturn_t nvmlDeviceGetVgpuProcessUtilization(nvmlDevice_t, unsigned long long, unsigned int *,
    nvmlVgpuProcessUtilizationSample_t *);
nvmlReturn_t nvmlDeviceGetVgpuSchedulerCapabilities(nvmlDevice_t, nvmlVgpuSchedulerCapabilities_t *);
nvmlReturn_t nvmlDeviceGetVgpuSchedulerLog(nvmlDevice_t, nvmlVgpuSchedulerLog_t *);
nvmlReturn_t nvmlDeviceGetVgpuSchedulerState(nvmlDevice_t, nvmlVgpuSchedulerGetState_t *);
nvmlReturn_t nvmlDeviceGetVgpuUtilization(nvmlDevice_t, unsigned long long, nvmlValueType_t *, unsigned int *,
    nvmlVgpuInstanceUtilizationSample_t *);
nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t, unsigned int *);
nvmlReturn_t nvmlDeviceRegisterEvents(nvmlDevice_t, unsigned long long, nvmlEventSet_t);
nvmlReturn_t nvmlDeviceResetNvLinkErrorCounters(nvmlDevice_t, unsigned int);
nvmlReturn_t nvmlDeviceResetNvLinkUtilizationCounter(nvmlDevice_t, unsigned int, unsigned int);
nvmlReturn_t nvmlDeviceSetAccountingMode(nvmlDevice_t, nvmlEnableState_t);
nvmlReturn_t nvmlDeviceSetMigMode(nvmlDevice_t, unsigned int, nvmlReturn_t *);
nvmlReturn_t nvmlDeviceSetNvLinkDeviceLowPowerThreshold(nvmlDevice_t, nvmlNvLinkPowerThres_t *);
nvmlReturn_t nvmlDeviceSetNvLinkUtilizationControl(nvmlDevice_t, unsigned int, unsigned int,
    nvmlNvLinkUtilizationControl_t *, unsigned int);
nvmlReturn_t nvmlDeviceSetVgpuSchedulerState(nvmlDevice_t, nvmlVgpuSchedulerSetState_t *);
nvmlReturn_t nvmlEventSetWait(nvmlEventSet_t, nvmlEventData_t *, unsigned int);
nvmlReturn_t nvmlEventSetWait_v2(nvmlEventSet_t, nvmlEventData_t *, unsigned int);
nvmlReturn_t nvmlGetVgpuCompatibility(nvmlVgpuMetadata_t *, nvmlVgpuPgpuMetadata_t *, nvmlVgpuPgpuCompatibility_t *);
nvmlReturn_t nvmlGetVgpuDriverCapabilities(nvmlVgpuDriverCapability_t, unsigned int *);
nvmlReturn_t nvmlGetVgpuVersion(nvmlVgpuVersion_t *, nvmlVgpuVersion_t *);
nvmlReturn_t nvmlGpmMigSampleGet(nvmlDevice_t, unsigned int, nvmlGpmSample_t);
nvmlReturn_t nvmlGpuInstanceCreateComputeInstance(nvmlGpuInstance_t, unsigned int, nvmlComputeInstance_t *);
nvmlReturn_t nvmlGpuInstanceCreateComputeInstanceWithPlacement(nvmlGpuInstance_t, unsigned int,
    const nvmlComputeInstancePlacement_t *, nvmlComputeInstance_t *);
nvmlReturn_t nvmlGpuInstanceDestroy(nvmlGpuInstance_t);
nvmlReturn_t nvmlGpuInstanceGetComputeInstanceById(nvmlGpuInstance_t, unsigned int, nvmlComputeInstance_t *);
nvmlReturn_t nvmlGpuInstanceGetComputeInstancePossiblePlacements(nvmlGpuInstance_t, unsigned int,
    nvmlComputeInstancePlacement_t *, unsigned int *);
nvmlReturn_t nvmlGpuInstanceGetComputeInstanceProfileInfo(nvmlGpuInstance_t, unsigned int, unsigned int,
    nvmlComputeInstanceProfileInfo_t *);
nvmlReturn_t nvmlGpuInstanceGetComputeInstanceProfileInfoV(nvmlGpuInstance_t, unsigned int, unsigned int,
    nvmlComputeInstanceProfileInfo_v2_t *);
nvmlReturn_t nvmlGpuInstanceGetComputeInstanceRemainingCapacity(nvmlGpuInstance_t, unsigned int, unsigned int *);
nvmlReturn_t nvmlGpuInstanceGetComputeInstances(nvmlGpuInstance_t, unsigned int, nvmlComputeInstance_t *,
    unsigned int *);
nvmlReturn_t nvmlGpuInstanceGetInfo(nvmlGpuInstance_t, nvmlGpuInstanceInfo_t *);
nvmlReturn_t nvmlSetVgpuVersion(nvmlVgpuVersion_t *);
nvmlReturn_t nvmlSystemGetNvlinkBwMode(unsigned int *);
nvmlReturn_t nvmlSystemSetNvlinkBwMode(unsigned int);
nvmlReturn_t nvmlUnitGetCount(unsigned int *);
nvmlReturn_t nvmlUnitGetDevices(nvmlUnit_t, unsigned int *, nvmlDevice_t *);
nvmlReturn_t nvmlUnitGetFanSpeedInfo(nvmlUnit_t, nvmlUnitFanSpeeds_t *);
nvmlReturn_t nvmlUnitGetHandleByIndex(unsigned int, nvmlUnit_t *);
nvmlReturn_t nvmlUnitGetLedState(nvmlUnit_t, nvmlLedState_t *);
nvmlReturn_t nvmlUnitGetPsuInfo(nvmlUnit_t, nvmlPSUInfo_t *);
nvmlReturn_t nvmlUnitGetTemperature(nvmlUnit_t, unsigned int, unsigned int *);
nvmlReturn_t nvmlUnitGetUnitInfo(nvmlUnit_t, nvmlUnitInfo_t *);
nvmlReturn_t nvmlUnitSetLedState(nvmlUnit_t, nvmlLedColor_t);
nvmlReturn_t nvmlVgpuInstanceClearAccountingPids(nvmlVgpuInstance_t);
nvmlReturn_t nvmlVgpuInstanceGetAccountingMode(nvmlVgpuInstance_t, nvmlEnableState_t *);
nvmlReturn_t nvmlVgpuInstanceGetAccountingPids(nvmlVgpuInstance_t, unsigned int *, unsigned int *);
nvmlReturn_t nvmlVgpuInstanceGetAccountingStats(nvmlVgpuInstance_t, unsigned int, nvmlAccountingStats_t *);
nvmlReturn_t nvmlVgpuInstanceGetEccMode(nvmlVgpuInstance_t, nvmlEnableState_t *);
nvmlReturn_t nvmlVgpuInstanceGetEncoderCapacity(nvmlVgpuInstance_t, unsigned int *);
nvmlReturn_t nvmlVgpuInstanceGetEncoderSessions(nvmlVgpuInstance_t, unsigned int *, nvmlEncoderSessionInfo_t *);
nvmlReturn_t nvmlVgpuInstanceGetEncoderStats(nvmlVgpuInstance_t, unsigned int *, unsigned int *, unsigned int *);
nvmlReturn_t nvmlVgpuInstanceGetFBCSessions(nvmlVgpuInstance_t, unsigned int *, nvmlFBCSessionInfo_t *);
nvmlReturn_t nvmlVgpuInstanceGetFBCStats(nvmlVgpuInstance_t, nvmlFBCStats_t *);
nvmlReturn_t nvmlVgpuInstanceGetFbUsage(nvmlVgpuInstance_t, unsigned long long *);
nvmlReturn_t nvmlVgpuInstanceGetFrameRateLimit(nvmlVgpuInstance_t, unsigned int *);
nvmlReturn_t nvmlVgpuInstanceGetGpuInstanceId(nvmlVgpuInstance_t, unsigned int *);
nvmlReturn_t nvmlVgpuInstanceGetGpuPciId(nvmlVgpuInstance_t, char *, unsigned int *);
nvmlReturn_t nvmlVgpuInstanceGetLicenseInfo(nvmlVgpuInstance_t, nvmlVgpuLicenseInfo_t *);
nvmlReturn_t nvmlVgpuInstanceGetLicenseInfo_v2(nvmlVgpuInstance_t, nvmlVgpuLicenseInfo_t *);
nvmlReturn_t nvmlVgpuInstanceGetLicenseStatus(nvmlVgpuInstance_t, unsigned int *);
nvmlReturn_t nvmlVgpuInstanceGetMdevUUID(nvmlVgpuInstance_t, char *, unsigned int);
nvmlReturn_t nvmlVgpuInstanceGetMetadata(nvmlVgpuInstance_t, nvmlVgpuMetadata_t *, unsigned int *);
nvmlReturn_t nvmlVgpuInstanceGetType(nvmlVgpuInstance_t, nvmlVgpuTypeId_t *);
nvmlReturn_t nvmlVgpuInstanceGetUUID(nvmlVgpuInstance_t, char *, unsigned int);
nvmlReturn_t nvmlVgpuInstanceGetVmDriverVersion(nvmlVgpuInstance_t, char *, unsigned int);
nvmlReturn_t nvmlVgpuInstanceGetVmID(nvmlVgpuInstance_t, char *, unsigned int, nvmlVgpuVmIdType_t *);
nvmlReturn_t nvmlVgpuInstanceSetEncoderCapacity(nvmlVgpuInstance_t, unsigned int);
nvmlReturn_t nvmlVgpuTypeGetCapabilities(nvmlVgpuTypeId_t, nvmlVgpuCapability_t, unsigned int *);
nvmlReturn_t nvmlVgpuTypeGetClass(nvmlVgpuTypeId_t, char *, unsigned int *);
nvmlReturn_t nvmlVgpuTypeGetDeviceID(nvmlVgpuTypeId_t, unsigned long long *, unsigned long long *);
nvmlReturn_t nvmlVgpuTypeGetFrameRateLimit(nvmlVgpuTypeId_t, unsigned int *);
nvmlReturn_t nvmlVgpuTypeGetFramebufferSize(nvmlVgpuTypeId_t, unsigned long long *);
nvmlReturn_t nvmlVgpuTypeGetGpuInstanceProfileId(nvmlVgpuTypeId_t, unsigned int *);
nvmlReturn_t nvmlVgpuTypeGetLicense(nvmlVgpuTypeId_t, char *, unsigned int);
nvmlReturn_t nvmlVgpuTypeGetMaxInstances(nvmlDevice_t, nvmlVgpuTypeId_t, unsigned int *);
nvmlReturn_t nvmlVgpuTypeGetMaxInstancesPerVm(nvmlVgpuTypeId_t, unsigned int *);
nvmlReturn_t nvmlVgpuTypeGetName(nvmlVgpuTypeId_t, char *, unsigned int *);
nvmlReturn_t nvmlVgpuTypeGetNumDisplayHeads(nvmlVgpuTypeId_t, unsigned int *);
nvmlReturn_t nvmlVgpuTypeGetResolution(nvmlVgpuTypeId_t, unsigned int, unsigned int *, unsigned int *);
}
