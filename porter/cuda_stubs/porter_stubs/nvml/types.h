// porter stub headers: NVML, types
#pragma once
#include <stdint.h>
#include "../attributes.h"
#define NVML_API_VERSION 12
#define NVML_VALUE_NOT_AVAILABLE (-1)
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE 16
#define NVML_NVLINK_MAX_LINKS 18
#define NVML_MAX_PHYSICAL_BRIDGE 128
#define NVML_MAX_THERMAL_SENSORS_PER_GPU 3
#define nvmlFlagDefault 0
#define nvmlFlagForce 1
#define NVML_MAX_GPU_PERF_PSTATES 16
#define NVML_GRID_LICENSE_EXPIRY_NOT_AVAILABLE 0
#define NVML_GRID_LICENSE_EXPIRY_INVALID 1
#define NVML_GRID_LICENSE_EXPIRY_VALID 2
#define NVML_GRID_LICENSE_EXPIRY_NOT_APPLICABLE 3
#define NVML_GRID_LICENSE_EXPIRY_PERMANENT 4
#define NVML_GRID_LICENSE_BUFFER_SIZE 128
#define NVML_VGPU_NAME_BUFFER_SIZE 64
#define NVML_GRID_LICENSE_FEATURE_MAX_COUNT 3
#define NVML_VGPU_VIRTUALIZATION_CAP_MIGRATION_NO 0
#define NVML_VGPU_VIRTUALIZATION_CAP_MIGRATION_YES 1
#define NVML_VGPU_PGPU_VIRTUALIZATION_CAP_MIGRATION_NO 0
#define NVML_VGPU_PGPU_VIRTUALIZATION_CAP_MIGRATION_YES 1
#define NVML_VGPU_SCHEDULER_POLICY_UNKNOWN 0
#define NVML_VGPU_SCHEDULER_POLICY_BEST_EFFORT 1
#define NVML_VGPU_SCHEDULER_POLICY_EQUAL_SHARE 2
#define NVML_VGPU_SCHEDULER_POLICY_FIXED_SHARE 3
#define NVML_SUPPORTED_VGPU_SCHEDULER_POLICY_COUNT 3
#define NVML_SCHEDULER_SW_MAX_LOG_ENTRIES 200
#define NVML_VGPU_SCHEDULER_ARR_DEFAULT 0
#define NVML_VGPU_SCHEDULER_ARR_DISABLE 1
#define NVML_VGPU_SCHEDULER_ARR_ENABLE 2
#define NVML_GRID_LICENSE_STATE_UNKNOWN 0
#define NVML_GRID_LICENSE_STATE_UNINITIALIZED 1
#define NVML_GRID_LICENSE_STATE_UNLICENSED_UNRESTRICTED 2
#define NVML_GRID_LICENSE_STATE_UNLICENSED_RESTRICTED 3
#define NVML_GRID_LICENSE_STATE_UNLICENSED 4
#define NVML_GRID_LICENSE_STATE_LICENSED 5
#define NVML_GSP_FIRMWARE_VERSION_BUF_SIZE 64
#define NVML_DEVICE_ARCH_KEPLER 2
#define NVML_DEVICE_ARCH_MAXWELL 3
#define NVML_DEVICE_ARCH_PASCAL 4
#define NVML_DEVICE_ARCH_VOLTA 5
#define NVML_DEVICE_ARCH_TURING 6
#define NVML_DEVICE_ARCH_AMPERE 7
#define NVML_DEVICE_ARCH_ADA 8
#define NVML_DEVICE_ARCH_HOPPER 9
#define NVML_DEVICE_ARCH_UNKNOWN 4294967295
#define NVML_BUS_TYPE_UNKNOWN 0
#define NVML_BUS_TYPE_PCI 1
#define NVML_BUS_TYPE_PCIE 2
#define NVML_BUS_TYPE_FPCI 3
#define NVML_BUS_TYPE_AGP 4
#define NVML_FAN_POLICY_TEMPERATURE_CONTINOUS_SW 0
#define NVML_FAN_POLICY_MANUAL 1
#define NVML_POWER_SOURCE_AC 0
#define NVML_POWER_SOURCE_BATTERY 1
#define NVML_POWER_SOURCE_UNDERSIZED 2
#define NVML_PCIE_LINK_MAX_SPEED_INVALID 0
#define NVML_PCIE_LINK_MAX_SPEED_2500MBPS 1
#define NVML_PCIE_LINK_MAX_SPEED_5000MBPS 2
#define NVML_PCIE_LINK_MAX_SPEED_8000MBPS 3
#define NVML_PCIE_LINK_MAX_SPEED_16000MBPS 4
#define NVML_PCIE_LINK_MAX_SPEED_32000MBPS 5
#define NVML_PCIE_LINK_MAX_SPEED_64000MBPS 6
#define NVML_ADAPTIVE_CLOCKING_INFO_STATUS_DISABLED 0
#define NVML_ADAPTIVE_CLOCKING_INFO_STATUS_ENABLED 1
#define NVML_MAX_GPU_UTILIZATIONS 8
#define nvmlEventTypeSingleBitEccError 1
#define nvmlEventTypeDoubleBitEccError 2
#define nvmlEventTypePState 4
#define nvmlEventTypeXidCriticalError 8
#define nvmlEventTypeClock 16
#define nvmlEventTypePowerSourceChange 128
#define nvmlEventMigConfigChange 256
#define nvmlEventTypeNone 0
#define nvmlEventTypeAll 415
#define nvmlClocksEventReasonGpuIdle 1
#define nvmlClocksEventReasonApplicationsClocksSetting 2
#define nvmlClocksThrottleReasonUserDefinedClocks 2
#define nvmlClocksEventReasonSwPowerCap 4
#define nvmlClocksThrottleReasonHwSlowdown 8
#define nvmlClocksEventReasonSyncBoost 16
#define nvmlClocksEventReasonSwThermalSlowdown 32
#define nvmlClocksThrottleReasonHwThermalSlowdown 64
#define nvmlClocksThrottleReasonHwPowerBrakeSlowdown 128
#define nvmlClocksEventReasonDisplayClockSetting 256
#define nvmlClocksEventReasonNone 0
#define nvmlClocksThrottleReasonAll 511
#define nvmlClocksThrottleReasonGpuIdle 1
#define nvmlClocksThrottleReasonApplicationsClocksSetting 2
#define nvmlClocksThrottleReasonSyncBoost 16
#define nvmlClocksThrottleReasonSwPowerCap 4
#define nvmlClocksThrottleReasonSwThermalSlowdown 32
#define nvmlClocksThrottleReasonDisplayClockSetting 256
#define nvmlClocksThrottleReasonNone 0
#define NVML_NVFBC_SESSION_FLAG_DIFFMAP_ENABLED 1
#define NVML_NVFBC_SESSION_FLAG_CLASSIFICATIONMAP_ENABLED 2
#define NVML_NVFBC_SESSION_FLAG_CAPTURE_WITH_WAIT_NO_WAIT 4
#define NVML_NVFBC_SESSION_FLAG_CAPTURE_WITH_WAIT_INFINITE 8
#define NVML_NVFBC_SESSION_FLAG_CAPTURE_WITH_WAIT_TIMEOUT 16
#define NVML_CC_SYSTEM_CPU_CAPS_NONE 0
#define NVML_CC_SYSTEM_CPU_CAPS_AMD_SEV 1
#define NVML_CC_SYSTEM_CPU_CAPS_INTEL_TDX 2
#define NVML_CC_SYSTEM_GPUS_CC_NOT_CAPABLE 0
#define NVML_CC_SYSTEM_GPUS_CC_CAPABLE 1
#define NVML_CC_SYSTEM_DEVTOOLS_MODE_OFF 0
#define NVML_CC_SYSTEM_DEVTOOLS_MODE_ON 1
#define NVML_CC_SYSTEM_ENVIRONMENT_UNAVAILABLE 0
#define NVML_CC_SYSTEM_ENVIRONMENT_SIM 1
#define NVML_CC_SYSTEM_ENVIRONMENT_PROD 2
#define NVML_CC_SYSTEM_FEATURE_DISABLED 0
#define NVML_CC_SYSTEM_FEATURE_ENABLED 1
#define NVML_CC_ACCEPTING_CLIENT_REQUESTS_FALSE 0
#define NVML_CC_ACCEPTING_CLIENT_REQUESTS_TRUE 1
#define NVML_GPU_CERT_CHAIN_SIZE 4096
#define NVML_GPU_ATTESTATION_CERT_CHAIN_SIZE 5120
#define NVML_CC_GPU_CEC_NONCE_SIZE 32
#define NVML_CC_GPU_ATTESTATION_REPORT_SIZE 8192
#define NVML_CC_GPU_CEC_ATTESTATION_REPORT_SIZE 4096
#define NVML_CC_CEC_ATTESTATION_REPORT_NOT_PRESENT 0
#define NVML_CC_CEC_ATTESTATION_REPORT_PRESENT 1
#define NVML_GPU_FABRIC_UUID_LEN 16
#define NVML_GPU_FABRIC_STATE_NOT_SUPPORTED 0
#define NVML_GPU_FABRIC_STATE_NOT_STARTED 1
#define NVML_GPU_FABRIC_STATE_IN_PROGRESS 2
#define NVML_GPU_FABRIC_STATE_COMPLETED 3
#define NVML_POWER_SCOPE_GPU 0
#define NVML_POWER_SCOPE_MODULE 1
#define NVML_INIT_FLAG_NO_GPUS 1
#define NVML_INIT_FLAG_NO_ATTACH 2
#define NVML_DEVICE_INFOROM_VERSION_BUFFER_SIZE 16
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
#define NVML_DEVICE_UUID_V2_BUFFER_SIZE 96
#define NVML_DEVICE_PART_NUMBER_BUFFER_SIZE 80
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80
#define NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE 80
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define NVML_DEVICE_SERIAL_BUFFER_SIZE 30
#define NVML_DEVICE_VBIOS_VERSION_BUFFER_SIZE 32
#define NVML_AFFINITY_SCOPE_NODE 0
#define NVML_AFFINITY_SCOPE_SOCKET 1
#define NVML_DEVICE_MIG_DISABLE 0
#define NVML_DEVICE_MIG_ENABLE 1
#define NVML_GPU_INSTANCE_PROFILE_1_SLICE 0
#define NVML_GPU_INSTANCE_PROFILE_2_SLICE 1
#define NVML_GPU_INSTANCE_PROFILE_3_SLICE 2
#define NVML_GPU_INSTANCE_PROFILE_4_SLICE 3
#define NVML_GPU_INSTANCE_PROFILE_7_SLICE 4
#define NVML_GPU_INSTANCE_PROFILE_8_SLICE 5
#define NVML_GPU_INSTANCE_PROFILE_6_SLICE 6
#define NVML_GPU_INSTANCE_PROFILE_1_SLICE_REV1 7
#define NVML_GPU_INSTANCE_PROFILE_2_SLICE_REV1 8
#define NVML_GPU_INSTANCE_PROFILE_1_SLICE_REV2 9
#define NVML_GPU_INSTANCE_PROFILE_COUNT 10
#define NVML_COMPUTE_INSTANCE_PROFILE_1_SLICE 0
#define NVML_COMPUTE_INSTANCE_PROFILE_2_SLICE 1
#define NVML_COMPUTE_INSTANCE_PROFILE_3_SLICE 2
#define NVML_COMPUTE_INSTANCE_PROFILE_4_SLICE 3
#define NVML_COMPUTE_INSTANCE_PROFILE_7_SLICE 4
#define NVML_COMPUTE_INSTANCE_PROFILE_8_SLICE 5
#define NVML_COMPUTE_INSTANCE_PROFILE_6_SLICE 6
#define NVML_COMPUTE_INSTANCE_PROFILE_1_SLICE_REV1 7
#define NVML_COMPUTE_INSTANCE_PROFILE_COUNT 8
#define NVML_COMPUTE_INSTANCE_ENGINE_PROFILE_SHARED 0
#define NVML_COMPUTE_INSTANCE_ENGINE_PROFILE_COUNT 1
#define NVML_GPM_METRICS_GET_VERSION 1
#define NVML_GPM_SUPPORT_VERSION 1
#define NVML_NVLINK_POWER_STATE_HIGH_SPEED 0
#define NVML_NVLINK_POWER_STATE_LOW 1
#define NVML_NVLINK_LOW_POWER_THRESHOLD_MIN 1
#define NVML_NVLINK_LOW_POWER_THRESHOLD_MAX 8191
#define NVML_NVLINK_LOW_POWER_THRESHOLD_RESET 4294967295

struct nvmlDevice_st;
struct nvmlUnit_st;
struct nvmlEventSet_st;
struct nvmlGpuInstance_st;
struct nvmlComputeInstance_st;
struct nvmlGpmSample_st;
typedef enum nvmlBridgeChipType_enum { NVML_BRIDGE_CHIP_PLX = 0, NVML_BRIDGE_CHIP_BRO4 } nvmlBridgeChipType_t;
typedef enum nvmlNvLinkUtilizationCountUnits_enum {
  NVML_NVLINK_COUNTER_UNIT_CYCLES = 0, NVML_NVLINK_COUNTER_UNIT_PACKETS, NVML_NVLINK_COUNTER_UNIT_BYTES,
  NVML_NVLINK_COUNTER_UNIT_RESERVED = 3, NVML_NVLINK_COUNTER_UNIT_COUNT,
} nvmlNvLinkUtilizationCountUnits_t;
typedef enum nvmlNvLinkUtilizationCountPktTypes_enum {
  NVML_NVLINK_COUNTER_PKTFILTER_NOP = 1, NVML_NVLINK_COUNTER_PKTFILTER_READ, NVML_NVLINK_COUNTER_PKTFILTER_WRITE = 4,
  NVML_NVLINK_COUNTER_PKTFILTER_RATOM = 8, NVML_NVLINK_COUNTER_PKTFILTER_NRATOM = 16,
  NVML_NVLINK_COUNTER_PKTFILTER_FLUSH = 32, NVML_NVLINK_COUNTER_PKTFILTER_RESPDATA = 64,
  NVML_NVLINK_COUNTER_PKTFILTER_RESPNODATA = 128, NVML_NVLINK_COUNTER_PKTFILTER_ALL = 255,
} nvmlNvLinkUtilizationCountPktTypes_t;
typedef enum nvmlNvLinkCapability_enum {
  NVML_NVLINK_CAP_P2P_SUPPORTED = 0, NVML_NVLINK_CAP_SYSMEM_ACCESS, NVML_NVLINK_CAP_P2P_ATOMICS,
  NVML_NVLINK_CAP_SYSMEM_ATOMICS = 3, NVML_NVLINK_CAP_SLI_BRIDGE, NVML_NVLINK_CAP_VALID, NVML_NVLINK_CAP_COUNT,
} nvmlNvLinkCapability_t;
typedef enum nvmlNvLinkErrorCounter_enum {
  NVML_NVLINK_ERROR_DL_REPLAY = 0, NVML_NVLINK_ERROR_DL_RECOVERY, NVML_NVLINK_ERROR_DL_CRC_FLIT,
  NVML_NVLINK_ERROR_DL_CRC_DATA = 3, NVML_NVLINK_ERROR_DL_ECC_DATA, NVML_NVLINK_ERROR_COUNT,
} nvmlNvLinkErrorCounter_t;
typedef enum nvmlIntNvLinkDeviceType_enum {
  NVML_NVLINK_DEVICE_TYPE_GPU = 0, NVML_NVLINK_DEVICE_TYPE_IBMNPU, NVML_NVLINK_DEVICE_TYPE_SWITCH,
  NVML_NVLINK_DEVICE_TYPE_UNKNOWN = 255,
} nvmlIntNvLinkDeviceType_t;
typedef enum nvmlGpuLevel_enum {
  NVML_TOPOLOGY_INTERNAL = 0, NVML_TOPOLOGY_SINGLE = 10, NVML_TOPOLOGY_MULTIPLE = 20, NVML_TOPOLOGY_HOSTBRIDGE = 30,
  NVML_TOPOLOGY_NODE = 40, NVML_TOPOLOGY_SYSTEM = 50,
} nvmlGpuTopologyLevel_t;
typedef enum nvmlGpuP2PStatus_enum {
  NVML_P2P_STATUS_OK = 0, NVML_P2P_STATUS_CHIPSET_NOT_SUPPORED, NVML_P2P_STATUS_CHIPSET_NOT_SUPPORTED = 1,
  NVML_P2P_STATUS_GPU_NOT_SUPPORTED = 2, NVML_P2P_STATUS_IOH_TOPOLOGY_NOT_SUPPORTED,
  NVML_P2P_STATUS_DISABLED_BY_REGKEY = 4, NVML_P2P_STATUS_NOT_SUPPORTED, NVML_P2P_STATUS_UNKNOWN,
} nvmlGpuP2PStatus_t;
typedef enum nvmlGpuP2PCapsIndex_enum {
  NVML_P2P_CAPS_INDEX_READ = 0, NVML_P2P_CAPS_INDEX_WRITE, NVML_P2P_CAPS_INDEX_NVLINK, NVML_P2P_CAPS_INDEX_ATOMICS,
  NVML_P2P_CAPS_INDEX_PROP = 4, NVML_P2P_CAPS_INDEX_UNKNOWN,
} nvmlGpuP2PCapsIndex_t;
typedef enum nvmlSamplingType_enum {
  NVML_TOTAL_POWER_SAMPLES = 0, NVML_GPU_UTILIZATION_SAMPLES, NVML_MEMORY_UTILIZATION_SAMPLES,
  NVML_ENC_UTILIZATION_SAMPLES = 3, NVML_DEC_UTILIZATION_SAMPLES, NVML_PROCESSOR_CLK_SAMPLES, NVML_MEMORY_CLK_SAMPLES,
  NVML_MODULE_POWER_SAMPLES = 7, NVML_SAMPLINGTYPE_COUNT,
} nvmlSamplingType_t;
typedef enum nvmlPcieUtilCounter_enum {
  NVML_PCIE_UTIL_TX_BYTES = 0, NVML_PCIE_UTIL_RX_BYTES, NVML_PCIE_UTIL_COUNT,
} nvmlPcieUtilCounter_t;
typedef enum nvmlValueType_enum {
  NVML_VALUE_TYPE_DOUBLE = 0, NVML_VALUE_TYPE_UNSIGNED_INT, NVML_VALUE_TYPE_UNSIGNED_LONG,
  NVML_VALUE_TYPE_UNSIGNED_LONG_LONG = 3, NVML_VALUE_TYPE_SIGNED_LONG_LONG, NVML_VALUE_TYPE_SIGNED_INT,
  NVML_VALUE_TYPE_COUNT = 6,
} nvmlValueType_t;
typedef enum nvmlPerfPolicyType_enum {
  NVML_PERF_POLICY_POWER = 0, NVML_PERF_POLICY_THERMAL, NVML_PERF_POLICY_SYNC_BOOST, NVML_PERF_POLICY_BOARD_LIMIT,
  NVML_PERF_POLICY_LOW_UTILIZATION = 4, NVML_PERF_POLICY_RELIABILITY, NVML_PERF_POLICY_TOTAL_APP_CLOCKS = 10,
  NVML_PERF_POLICY_TOTAL_BASE_CLOCKS = 11, NVML_PERF_POLICY_COUNT,
} nvmlPerfPolicyType_t;
enum nvmlThermalTarget_t {
  NVML_THERMAL_TARGET_UNKNOWN = -1, NVML_THERMAL_TARGET_NONE, NVML_THERMAL_TARGET_GPU, NVML_THERMAL_TARGET_MEMORY,
  NVML_THERMAL_TARGET_POWER_SUPPLY = 4, NVML_THERMAL_TARGET_BOARD = 8, NVML_THERMAL_TARGET_VCD_BOARD,
  NVML_THERMAL_TARGET_VCD_INLET = 10, NVML_THERMAL_TARGET_VCD_OUTLET, NVML_THERMAL_TARGET_ALL = 15,
};
enum nvmlThermalController_t {
  NVML_THERMAL_CONTROLLER_UNKNOWN = -1, NVML_THERMAL_CONTROLLER_NONE, NVML_THERMAL_CONTROLLER_GPU_INTERNAL,
  NVML_THERMAL_CONTROLLER_ADM1032 = 2, NVML_THERMAL_CONTROLLER_ADT7461, NVML_THERMAL_CONTROLLER_MAX6649,
  NVML_THERMAL_CONTROLLER_MAX1617 = 5, NVML_THERMAL_CONTROLLER_LM99, NVML_THERMAL_CONTROLLER_LM89,
  NVML_THERMAL_CONTROLLER_LM64 = 8, NVML_THERMAL_CONTROLLER_G781, NVML_THERMAL_CONTROLLER_ADT7473,
  NVML_THERMAL_CONTROLLER_SBMAX6649 = 11, NVML_THERMAL_CONTROLLER_VBIOSEVT, NVML_THERMAL_CONTROLLER_OS,
  NVML_THERMAL_CONTROLLER_NVSYSCON_CANOAS = 14, NVML_THERMAL_CONTROLLER_NVSYSCON_E551,
  NVML_THERMAL_CONTROLLER_MAX6649R = 16, NVML_THERMAL_CONTROLLER_ADT7473S,
};
typedef enum nvmlEnableState_enum { NVML_FEATURE_DISABLED = 0, NVML_FEATURE_ENABLED } nvmlEnableState_t;
typedef enum nvmlBrandType_enum {
  NVML_BRAND_UNKNOWN = 0, NVML_BRAND_QUADRO, NVML_BRAND_TESLA, NVML_BRAND_NVS, NVML_BRAND_GRID, NVML_BRAND_GEFORCE,
  NVML_BRAND_TITAN = 6, NVML_BRAND_NVIDIA_VAPPS, NVML_BRAND_NVIDIA_VPC, NVML_BRAND_NVIDIA_VCS, NVML_BRAND_NVIDIA_VWS,
  NVML_BRAND_NVIDIA_CLOUD_GAMING = 11, NVML_BRAND_NVIDIA_VGAMING = 11, NVML_BRAND_QUADRO_RTX, NVML_BRAND_NVIDIA_RTX,
  NVML_BRAND_NVIDIA = 14, NVML_BRAND_GEFORCE_RTX, NVML_BRAND_TITAN_RTX, NVML_BRAND_COUNT,
} nvmlBrandType_t;
typedef enum nvmlTemperatureThresholds_enum {
  NVML_TEMPERATURE_THRESHOLD_SHUTDOWN = 0, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN, NVML_TEMPERATURE_THRESHOLD_MEM_MAX,
  NVML_TEMPERATURE_THRESHOLD_GPU_MAX = 3, NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MIN,
  NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_CURR = 5, NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MAX,
  NVML_TEMPERATURE_THRESHOLD_COUNT = 7,
} nvmlTemperatureThresholds_t;
typedef enum nvmlTemperatureSensors_enum {
  NVML_TEMPERATURE_GPU = 0, NVML_TEMPERATURE_COUNT,
} nvmlTemperatureSensors_t;
typedef enum nvmlComputeMode_enum {
  NVML_COMPUTEMODE_DEFAULT = 0, NVML_COMPUTEMODE_EXCLUSIVE_THREAD, NVML_COMPUTEMODE_PROHIBITED,
  NVML_COMPUTEMODE_EXCLUSIVE_PROCESS = 3, NVML_COMPUTEMODE_COUNT,
} nvmlComputeMode_t;
typedef enum nvmlMemoryErrorType_enum {
  NVML_MEMORY_ERROR_TYPE_CORRECTED = 0, NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_MEMORY_ERROR_TYPE_COUNT,
} nvmlMemoryErrorType_t;
typedef enum nvmlEccCounterType_enum {
  NVML_VOLATILE_ECC = 0, NVML_AGGREGATE_ECC, NVML_ECC_COUNTER_TYPE_COUNT,
} nvmlEccCounterType_t;
typedef enum nvmlClockType_enum {
  NVML_CLOCK_GRAPHICS = 0, NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_CLOCK_VIDEO, NVML_CLOCK_COUNT,
} nvmlClockType_t;
typedef enum nvmlClockId_enum {
  NVML_CLOCK_ID_CURRENT = 0, NVML_CLOCK_ID_APP_CLOCK_TARGET, NVML_CLOCK_ID_APP_CLOCK_DEFAULT,
  NVML_CLOCK_ID_CUSTOMER_BOOST_MAX = 3, NVML_CLOCK_ID_COUNT,
} nvmlClockId_t;
typedef enum nvmlDriverModel_enum { NVML_DRIVER_WDDM = 0, NVML_DRIVER_WDM } nvmlDriverModel_t;
typedef enum nvmlPStates_enum {
  NVML_PSTATE_0 = 0, NVML_PSTATE_1, NVML_PSTATE_2, NVML_PSTATE_3, NVML_PSTATE_4, NVML_PSTATE_5, NVML_PSTATE_6,
  NVML_PSTATE_7 = 7, NVML_PSTATE_8, NVML_PSTATE_9, NVML_PSTATE_10, NVML_PSTATE_11, NVML_PSTATE_12, NVML_PSTATE_13,
  NVML_PSTATE_14 = 14, NVML_PSTATE_15, NVML_PSTATE_UNKNOWN = 32,
} nvmlPstates_t;
typedef enum nvmlGom_enum { NVML_GOM_ALL_ON = 0, NVML_GOM_COMPUTE, NVML_GOM_LOW_DP } nvmlGpuOperationMode_t;
typedef enum nvmlInforomObject_enum {
  NVML_INFOROM_OEM = 0, NVML_INFOROM_ECC, NVML_INFOROM_POWER, NVML_INFOROM_COUNT,
} nvmlInforomObject_t;
typedef enum nvmlReturn_enum {
  NVML_SUCCESS = 0, NVML_ERROR_UNINITIALIZED, NVML_ERROR_INVALID_ARGUMENT, NVML_ERROR_NOT_SUPPORTED,
  NVML_ERROR_NO_PERMISSION = 4, NVML_ERROR_ALREADY_INITIALIZED, NVML_ERROR_NOT_FOUND, NVML_ERROR_INSUFFICIENT_SIZE,
  NVML_ERROR_INSUFFICIENT_POWER = 8, NVML_ERROR_DRIVER_NOT_LOADED, NVML_ERROR_TIMEOUT, NVML_ERROR_IRQ_ISSUE,
  NVML_ERROR_LIBRARY_NOT_FOUND = 12, NVML_ERROR_FUNCTION_NOT_FOUND, NVML_ERROR_CORRUPTED_INFOROM,
  NVML_ERROR_GPU_IS_LOST = 15, NVML_ERROR_RESET_REQUIRED, NVML_ERROR_OPERATING_SYSTEM,
  NVML_ERROR_LIB_RM_VERSION_MISMATCH = 18, NVML_ERROR_IN_USE, NVML_ERROR_MEMORY, NVML_ERROR_NO_DATA,
  NVML_ERROR_VGPU_ECC_NOT_SUPPORTED = 22, NVML_ERROR_INSUFFICIENT_RESOURCES, NVML_ERROR_FREQ_NOT_SUPPORTED,
  NVML_ERROR_ARGUMENT_VERSION_MISMATCH = 25, NVML_ERROR_DEPRECATED, NVML_ERROR_NOT_READY, NVML_ERROR_UNKNOWN = 999,
} nvmlReturn_t;
typedef enum nvmlMemoryLocation_enum {
  NVML_MEMORY_LOCATION_L1_CACHE = 0, NVML_MEMORY_LOCATION_L2_CACHE, NVML_MEMORY_LOCATION_DRAM,
  NVML_MEMORY_LOCATION_DEVICE_MEMORY = 2, NVML_MEMORY_LOCATION_REGISTER_FILE, NVML_MEMORY_LOCATION_TEXTURE_MEMORY,
  NVML_MEMORY_LOCATION_TEXTURE_SHM = 5, NVML_MEMORY_LOCATION_CBU, NVML_MEMORY_LOCATION_SRAM,
  NVML_MEMORY_LOCATION_COUNT = 8,
} nvmlMemoryLocation_t;
typedef enum nvmlPageRetirementCause_enum {
  NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS = 0, NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR,
  NVML_PAGE_RETIREMENT_CAUSE_COUNT = 2,
} nvmlPageRetirementCause_t;
typedef enum nvmlRestrictedAPI_enum {
  NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS = 0, NVML_RESTRICTED_API_SET_AUTO_BOOSTED_CLOCKS,
  NVML_RESTRICTED_API_COUNT = 2,
} nvmlRestrictedAPI_t;
typedef enum nvmlGpuVirtualizationMode {
  NVML_GPU_VIRTUALIZATION_MODE_NONE = 0, NVML_GPU_VIRTUALIZATION_MODE_PASSTHROUGH, NVML_GPU_VIRTUALIZATION_MODE_VGPU,
  NVML_GPU_VIRTUALIZATION_MODE_HOST_VGPU = 3, NVML_GPU_VIRTUALIZATION_MODE_HOST_VSGA,
} nvmlGpuVirtualizationMode_t;
typedef enum nvmlHostVgpuMode_enum {
  NVML_HOST_VGPU_MODE_NON_SRIOV = 0, NVML_HOST_VGPU_MODE_SRIOV,
} nvmlHostVgpuMode_t;
typedef enum nvmlVgpuVmIdType { NVML_VGPU_VM_ID_DOMAIN_ID = 0, NVML_VGPU_VM_ID_UUID } nvmlVgpuVmIdType_t;
typedef enum nvmlVgpuGuestInfoState_enum {
  NVML_VGPU_INSTANCE_GUEST_INFO_STATE_UNINITIALIZED = 0, NVML_VGPU_INSTANCE_GUEST_INFO_STATE_INITIALIZED,
} nvmlVgpuGuestInfoState_t;
enum nvmlGridLicenseFeatureCode_t {
  NVML_GRID_LICENSE_FEATURE_CODE_UNKNOWN = 0, NVML_GRID_LICENSE_FEATURE_CODE_VGPU,
  NVML_GRID_LICENSE_FEATURE_CODE_NVIDIA_RTX = 2, NVML_GRID_LICENSE_FEATURE_CODE_VWORKSTATION = 2,
  NVML_GRID_LICENSE_FEATURE_CODE_GAMING = 3, NVML_GRID_LICENSE_FEATURE_CODE_COMPUTE,
};
typedef enum nvmlVgpuCapability_enum {
  NVML_VGPU_CAP_NVLINK_P2P = 0, NVML_VGPU_CAP_GPUDIRECT, NVML_VGPU_CAP_MULTI_VGPU_EXCLUSIVE,
  NVML_VGPU_CAP_EXCLUSIVE_TYPE = 3, NVML_VGPU_CAP_EXCLUSIVE_SIZE, NVML_VGPU_CAP_COUNT,
} nvmlVgpuCapability_t;
typedef enum nvmlVgpuDriverCapability_enum {
  NVML_VGPU_DRIVER_CAP_HETEROGENEOUS_MULTI_VGPU = 0, NVML_VGPU_DRIVER_CAP_COUNT,
} nvmlVgpuDriverCapability_t;
typedef enum nvmlDeviceVgpuCapability_enum {
  NVML_DEVICE_VGPU_CAP_FRACTIONAL_MULTI_VGPU = 0, NVML_DEVICE_VGPU_CAP_HETEROGENEOUS_TIMESLICE_PROFILES,
  NVML_DEVICE_VGPU_CAP_HETEROGENEOUS_TIMESLICE_SIZES = 2, NVML_DEVICE_VGPU_CAP_READ_DEVICE_BUFFER_BW,
  NVML_DEVICE_VGPU_CAP_WRITE_DEVICE_BUFFER_BW = 4, NVML_DEVICE_VGPU_CAP_COUNT,
} nvmlDeviceVgpuCapability_t;
enum nvmlGpuUtilizationDomainId_t {
  NVML_GPU_UTILIZATION_DOMAIN_GPU = 0, NVML_GPU_UTILIZATION_DOMAIN_FB, NVML_GPU_UTILIZATION_DOMAIN_VID,
  NVML_GPU_UTILIZATION_DOMAIN_BUS = 3,
};
typedef enum nvmlFanState_enum { NVML_FAN_NORMAL = 0, NVML_FAN_FAILED } nvmlFanState_t;
typedef enum nvmlLedColor_enum { NVML_LED_COLOR_GREEN = 0, NVML_LED_COLOR_AMBER } nvmlLedColor_t;
typedef enum nvmlEncoderQueryType_enum { NVML_ENCODER_QUERY_H264 = 0, NVML_ENCODER_QUERY_HEVC } nvmlEncoderType_t;
typedef enum nvmlFBCSessionType_enum {
  NVML_FBC_SESSION_TYPE_UNKNOWN = 0, NVML_FBC_SESSION_TYPE_TOSYS, NVML_FBC_SESSION_TYPE_CUDA,
  NVML_FBC_SESSION_TYPE_VID = 3, NVML_FBC_SESSION_TYPE_HWENC,
} nvmlFBCSessionType_t;
typedef enum nvmlDetachGpuState_enum { NVML_DETACH_GPU_KEEP = 0, NVML_DETACH_GPU_REMOVE } nvmlDetachGpuState_t;
typedef enum nvmlPcieLinkState_enum { NVML_PCIE_LINK_KEEP = 0, NVML_PCIE_LINK_SHUT_DOWN } nvmlPcieLinkState_t;
typedef enum nvmlClockLimitId_enum {
  NVML_CLOCK_LIMIT_ID_RANGE_START = 4294967040, NVML_CLOCK_LIMIT_ID_TDP, NVML_CLOCK_LIMIT_ID_UNLIMITED,
} nvmlClockLimitId_t;
typedef enum nvmlVgpuVmCompatibility_enum {
  NVML_VGPU_VM_COMPATIBILITY_NONE = 0, NVML_VGPU_VM_COMPATIBILITY_COLD, NVML_VGPU_VM_COMPATIBILITY_HIBERNATE,
  NVML_VGPU_VM_COMPATIBILITY_SLEEP = 4, NVML_VGPU_VM_COMPATIBILITY_LIVE = 8,
} nvmlVgpuVmCompatibility_t;
typedef enum nvmlVgpuPgpuCompatibilityLimitCode_enum {
  NVML_VGPU_COMPATIBILITY_LIMIT_NONE = 0, NVML_VGPU_COMPATIBILITY_LIMIT_HOST_DRIVER,
  NVML_VGPU_COMPATIBILITY_LIMIT_GUEST_DRIVER = 2, NVML_VGPU_COMPATIBILITY_LIMIT_GPU = 4,
  NVML_VGPU_COMPATIBILITY_LIMIT_OTHER = 2147483648,
} nvmlVgpuPgpuCompatibilityLimitCode_t;
enum nvmlGpmMetricId_t {
  NVML_GPM_METRIC_GRAPHICS_UTIL = 1, NVML_GPM_METRIC_SM_UTIL, NVML_GPM_METRIC_SM_OCCUPANCY,
  NVML_GPM_METRIC_INTEGER_UTIL = 4, NVML_GPM_METRIC_ANY_TENSOR_UTIL, NVML_GPM_METRIC_DFMA_TENSOR_UTIL,
  NVML_GPM_METRIC_HMMA_TENSOR_UTIL = 7, NVML_GPM_METRIC_IMMA_TENSOR_UTIL = 9, NVML_GPM_METRIC_DRAM_BW_UTIL,
  NVML_GPM_METRIC_FP64_UTIL = 11, NVML_GPM_METRIC_FP32_UTIL, NVML_GPM_METRIC_FP16_UTIL,
  NVML_GPM_METRIC_PCIE_TX_PER_SEC = 20, NVML_GPM_METRIC_PCIE_RX_PER_SEC, NVML_GPM_METRIC_NVDEC_0_UTIL = 30,
  NVML_GPM_METRIC_NVDEC_1_UTIL = 31, NVML_GPM_METRIC_NVDEC_2_UTIL, NVML_GPM_METRIC_NVDEC_3_UTIL,
  NVML_GPM_METRIC_NVDEC_4_UTIL = 34, NVML_GPM_METRIC_NVDEC_5_UTIL, NVML_GPM_METRIC_NVDEC_6_UTIL,
  NVML_GPM_METRIC_NVDEC_7_UTIL = 37, NVML_GPM_METRIC_NVJPG_0_UTIL = 40, NVML_GPM_METRIC_NVJPG_1_UTIL,
  NVML_GPM_METRIC_NVJPG_2_UTIL = 42, NVML_GPM_METRIC_NVJPG_3_UTIL, NVML_GPM_METRIC_NVJPG_4_UTIL,
  NVML_GPM_METRIC_NVJPG_5_UTIL = 45, NVML_GPM_METRIC_NVJPG_6_UTIL, NVML_GPM_METRIC_NVJPG_7_UTIL,
  NVML_GPM_METRIC_NVOFA_0_UTIL = 50, NVML_GPM_METRIC_NVLINK_TOTAL_RX_PER_SEC = 60,
  NVML_GPM_METRIC_NVLINK_TOTAL_TX_PER_SEC = 61, NVML_GPM_METRIC_NVLINK_L0_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L0_TX_PER_SEC = 63, NVML_GPM_METRIC_NVLINK_L1_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L1_TX_PER_SEC = 65, NVML_GPM_METRIC_NVLINK_L2_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L2_TX_PER_SEC = 67, NVML_GPM_METRIC_NVLINK_L3_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L3_TX_PER_SEC = 69, NVML_GPM_METRIC_NVLINK_L4_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L4_TX_PER_SEC = 71, NVML_GPM_METRIC_NVLINK_L5_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L5_TX_PER_SEC = 73, NVML_GPM_METRIC_NVLINK_L6_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L6_TX_PER_SEC = 75, NVML_GPM_METRIC_NVLINK_L7_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L7_TX_PER_SEC = 77, NVML_GPM_METRIC_NVLINK_L8_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L8_TX_PER_SEC = 79, NVML_GPM_METRIC_NVLINK_L9_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L9_TX_PER_SEC = 81, NVML_GPM_METRIC_NVLINK_L10_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L10_TX_PER_SEC = 83, NVML_GPM_METRIC_NVLINK_L11_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L11_TX_PER_SEC = 85, NVML_GPM_METRIC_NVLINK_L12_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L12_TX_PER_SEC = 87, NVML_GPM_METRIC_NVLINK_L13_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L13_TX_PER_SEC = 89, NVML_GPM_METRIC_NVLINK_L14_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L14_TX_PER_SEC = 91, NVML_GPM_METRIC_NVLINK_L15_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L15_TX_PER_SEC = 93, NVML_GPM_METRIC_NVLINK_L16_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L16_TX_PER_SEC = 95, NVML_GPM_METRIC_NVLINK_L17_RX_PER_SEC,
  NVML_GPM_METRIC_NVLINK_L17_TX_PER_SEC = 97, NVML_GPM_METRIC_MAX,
};
typedef nvmlDevice_st *nvmlDevice_t;
typedef struct nvmlPciInfo_st {
  char busIdLegacy[16];
  unsigned int domain, bus, device, pciDeviceId, pciSubSystemId;
  char busId[32];
} nvmlPciInfo_t;
typedef struct nvmlEccErrorCounts_st {
  unsigned long long l1Cache, l2Cache, deviceMemory, registerFile;
} nvmlEccErrorCounts_t;
typedef struct nvmlUtilization_st { unsigned int gpu, memory; } nvmlUtilization_t;
typedef struct nvmlMemory_st { unsigned long long total, free, used; } nvmlMemory_t;
typedef struct nvmlMemory_v2_st {
  unsigned int version;
  unsigned long long total, reserved, free, used;
} nvmlMemory_v2_t;
typedef struct nvmlBAR1Memory_st { unsigned long long bar1Total, bar1Free, bar1Used; } nvmlBAR1Memory_t;
typedef struct nvmlProcessInfo_v1_st { unsigned int pid; unsigned long long usedGpuMemory; } nvmlProcessInfo_v1_t;
typedef struct nvmlProcessInfo_v2_st {
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId, computeInstanceId;
} nvmlProcessInfo_v2_t;
typedef nvmlProcessInfo_v2_st nvmlProcessInfo_t;
struct nvmlProcessDetail_v1_t {
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId, computeInstanceId;
  unsigned long long usedGpuCcProtectedMemory;
};
typedef struct nvmlProcessDetailList_v1_t {
  unsigned int version, mode, numProcArrayEntries;
  nvmlProcessDetail_v1_t *procArray;
} nvmlProcessDetailList_t;
typedef struct nvmlDeviceAttributes_st {
  unsigned int multiprocessorCount, sharedCopyEngineCount, sharedDecoderCount, sharedEncoderCount, sharedJpegCount,
    sharedOfaCount, gpuInstanceSliceCount, computeInstanceSliceCount;
  unsigned long long memorySizeMB;
} nvmlDeviceAttributes_t;
typedef struct nvmlRowRemapperHistogramValues_st {
  unsigned int max, high, partial, low, none;
} nvmlRowRemapperHistogramValues_t;
typedef struct nvmlNvLinkUtilizationControl_st {
  nvmlNvLinkUtilizationCountUnits_t units;
  nvmlNvLinkUtilizationCountPktTypes_t pktfilter;
} nvmlNvLinkUtilizationControl_t;
typedef struct nvmlBridgeChipInfo_st { nvmlBridgeChipType_t type; unsigned int fwVersion; } nvmlBridgeChipInfo_t;
typedef struct nvmlBridgeChipHierarchy_st {
  unsigned char bridgeCount;
  nvmlBridgeChipInfo_t bridgeChipInfo[128];
} nvmlBridgeChipHierarchy_t;
typedef union nvmlValue_st {
  double dVal;
  int siVal;
  unsigned int uiVal;
  unsigned long ulVal;
  unsigned long long ullVal;
  long long sllVal;
} nvmlValue_t;
typedef struct nvmlSample_st { unsigned long long timeStamp; nvmlValue_t sampleValue; } nvmlSample_t;
typedef struct nvmlViolationTime_st { unsigned long long referenceTime, violationTime; } nvmlViolationTime_t;
typedef struct nvmlClkMonFaultInfo_struct { unsigned int clkApiDomain, clkDomainFaultMask; } nvmlClkMonFaultInfo_t;
typedef struct nvmlClkMonStatus_status {
  unsigned int bGlobalStatus, clkMonListSize;
  nvmlClkMonFaultInfo_t clkMonList[32];
} nvmlClkMonStatus_t;
typedef unsigned int nvmlVgpuTypeId_t;
typedef unsigned int nvmlVgpuInstance_t;
typedef struct nvmlVgpuInstanceUtilizationSample_st {
  nvmlVgpuInstance_t vgpuInstance;
  unsigned long long timeStamp;
  nvmlValue_t smUtil, memUtil, encUtil, decUtil;
} nvmlVgpuInstanceUtilizationSample_t;
typedef struct nvmlVgpuProcessUtilizationSample_st {
  nvmlVgpuInstance_t vgpuInstance;
  unsigned int pid;
  char processName[64];
  unsigned long long timeStamp;
  unsigned int smUtil, memUtil, encUtil, decUtil;
} nvmlVgpuProcessUtilizationSample_t;
typedef struct nvmlVgpuSchedulerLogEntries_st {
  unsigned long long timestamp, timeRunTotal, timeRun;
  unsigned int swRunlistId;
  unsigned long long targetTimeSlice, cumulativePreemptionTime;
} nvmlVgpuSchedulerLogEntry_t;
union nvmlVgpuSchedulerParams_t {
  struct { unsigned int avgFactor, timeslice; } vgpuSchedDataWithARR;
  struct { unsigned int timeslice; } vgpuSchedData;
};
typedef struct nvmlVgpuSchedulerLog_st {
  unsigned int engineId, schedulerPolicy, arrMode;
  nvmlVgpuSchedulerParams_t schedulerParams;
  unsigned int entriesCount;
  nvmlVgpuSchedulerLogEntry_t logEntries[200];
} nvmlVgpuSchedulerLog_t;
typedef struct nvmlVgpuSchedulerGetState_st {
  unsigned int schedulerPolicy, arrMode;
  nvmlVgpuSchedulerParams_t schedulerParams;
} nvmlVgpuSchedulerGetState_t;
union nvmlVgpuSchedulerSetParams_t {
  struct { unsigned int avgFactor, frequency; } vgpuSchedDataWithARR;
  struct { unsigned int timeslice; } vgpuSchedData;
};
typedef struct nvmlVgpuSchedulerSetState_st {
  unsigned int schedulerPolicy, enableARRMode;
  nvmlVgpuSchedulerSetParams_t schedulerParams;
} nvmlVgpuSchedulerSetState_t;
typedef struct nvmlVgpuSchedulerCapabilities_st {
  unsigned int supportedSchedulers[3], maxTimeslice, minTimeslice, isArrModeSupported, maxFrequencyForARR,
    minFrequencyForARR, maxAvgFactorForARR, minAvgFactorForARR;
} nvmlVgpuSchedulerCapabilities_t;
typedef struct nvmlVgpuLicenseExpiry_st {
  unsigned int year;
  unsigned short month, day, hour, min, sec;
  unsigned char status;
} nvmlVgpuLicenseExpiry_t;
typedef struct nvmlVgpuLicenseInfo_st {
  unsigned char isLicensed;
  nvmlVgpuLicenseExpiry_t licenseExpiry;
  unsigned int currentState;
} nvmlVgpuLicenseInfo_t;
typedef struct nvmlProcessUtilizationSample_st {
  unsigned int pid;
  unsigned long long timeStamp;
  unsigned int smUtil, memUtil, encUtil, decUtil;
} nvmlProcessUtilizationSample_t;
typedef struct nvmlGridLicenseExpiry_st {
  unsigned int year;
  unsigned short month, day, hour, min, sec;
  unsigned char status;
} nvmlGridLicenseExpiry_t;
typedef struct nvmlGridLicensableFeature_st {
  nvmlGridLicenseFeatureCode_t featureCode;
  unsigned int featureState;
  char licenseInfo[128], productName[128];
  unsigned int featureEnabled;
  nvmlGridLicenseExpiry_t licenseExpiry;
} nvmlGridLicensableFeature_t;
typedef struct nvmlGridLicensableFeatures_st {
  int isGridLicenseSupported;
  unsigned int licensableFeaturesCount;
  nvmlGridLicensableFeature_t gridLicensableFeatures[3];
} nvmlGridLicensableFeatures_t;
typedef unsigned int nvmlDeviceArchitecture_t;
typedef unsigned int nvmlBusType_t;
typedef unsigned int nvmlFanControlPolicy_t;
typedef unsigned int nvmlPowerSource_t;
typedef struct nvmlGpuDynamicPstatesInfo_st {
  unsigned int flags;
  struct { unsigned int bIsPresent, percentage, incThreshold, decThreshold; } utilization[8];
} nvmlGpuDynamicPstatesInfo_t;
typedef struct nvmlFieldValue_st {
  unsigned int fieldId, scopeId;
  long long timestamp, latencyUsec;
  nvmlValueType_t valueType;
  nvmlReturn_t nvmlReturn;
  nvmlValue_t value;
} nvmlFieldValue_t;
typedef nvmlUnit_st *nvmlUnit_t;
typedef struct nvmlHwbcEntry_st { unsigned int hwbcId; char firmwareVersion[32]; } nvmlHwbcEntry_t;
typedef struct nvmlLedState_st { char cause[256]; nvmlLedColor_t color; } nvmlLedState_t;
typedef struct nvmlUnitInfo_st { char name[96], id[96], serial[96], firmwareVersion[96]; } nvmlUnitInfo_t;
typedef struct nvmlPSUInfo_st { char state[256]; unsigned int current, voltage, power; } nvmlPSUInfo_t;
typedef struct nvmlUnitFanInfo_st { unsigned int speed; nvmlFanState_t state; } nvmlUnitFanInfo_t;
typedef struct nvmlUnitFanSpeeds_st { nvmlUnitFanInfo_t fans[24]; unsigned int count; } nvmlUnitFanSpeeds_t;
typedef nvmlEventSet_st *nvmlEventSet_t;
typedef struct nvmlEventData_st {
  nvmlDevice_t device;
  unsigned long long eventType, eventData;
  unsigned int gpuInstanceId, computeInstanceId;
} nvmlEventData_t;
typedef struct nvmlAccountingStats_st {
  unsigned int gpuUtilization, memoryUtilization;
  unsigned long long maxMemoryUsage, time, startTime;
  unsigned int isRunning, reserved[5];
} nvmlAccountingStats_t;
typedef struct nvmlEncoderSessionInfo_st {
  unsigned int sessionId, pid;
  nvmlVgpuInstance_t vgpuInstance;
  nvmlEncoderType_t codecType;
  unsigned int hResolution, vResolution, averageFps, averageLatency;
} nvmlEncoderSessionInfo_t;
typedef struct nvmlFBCStats_st { unsigned int sessionsCount, averageFPS, averageLatency; } nvmlFBCStats_t;
typedef struct nvmlFBCSessionInfo_st {
  unsigned int sessionId, pid;
  nvmlVgpuInstance_t vgpuInstance;
  unsigned int displayOrdinal;
  nvmlFBCSessionType_t sessionType;
  unsigned int sessionFlags, hMaxResolution, vMaxResolution, hResolution, vResolution, averageFPS, averageLatency;
} nvmlFBCSessionInfo_t;
typedef struct nvmlConfComputeSystemCaps_st { unsigned int cpuCaps, gpusCaps; } nvmlConfComputeSystemCaps_t;
typedef struct nvmlConfComputeSystemState_st {
  unsigned int environment, ccFeature, devToolsMode;
} nvmlConfComputeSystemState_t;
typedef struct nvmlConfComputeMemSizeInfo_st {
  unsigned long long protectedMemSizeKib, unprotectedMemSizeKib;
} nvmlConfComputeMemSizeInfo_t;
typedef struct nvmlConfComputeGpuCertificate_st {
  unsigned int certChainSize, attestationCertChainSize;
  unsigned char certChain[4096], attestationCertChain[5120];
} nvmlConfComputeGpuCertificate_t;
typedef struct nvmlConfComputeGpuAttestationReport_st {
  unsigned int isCecAttestationReportPresent, attestationReportSize, cecAttestationReportSize;
  unsigned char nonce[32], attestationReport[8192], cecAttestationReport[4096];
} nvmlConfComputeGpuAttestationReport_t;
typedef unsigned char nvmlGpuFabricState_t;
typedef unsigned char nvmlPowerScopeType_t;
typedef unsigned int nvmlAffinityScope_t;
typedef struct nvmlVgpuVersion_st { unsigned int minVersion, maxVersion; } nvmlVgpuVersion_t;
typedef struct nvmlVgpuMetadata_st {
  unsigned int version, revision;
  nvmlVgpuGuestInfoState_t guestInfoState;
  char guestDriverVersion[80], hostDriverVersion[80];
  unsigned int reserved[6], vgpuVirtualizationCaps, guestVgpuVersion, opaqueDataSize;
  char opaqueData[4];
} nvmlVgpuMetadata_t;
typedef struct nvmlVgpuPgpuMetadata_st {
  unsigned int version, revision;
  char hostDriverVersion[80];
  unsigned int pgpuVirtualizationCaps, reserved[5];
  nvmlVgpuVersion_t hostSupportedVgpuRange;
  unsigned int opaqueDataSize;
  char opaqueData[4];
} nvmlVgpuPgpuMetadata_t;
typedef struct nvmlVgpuPgpuCompatibility_st {
  nvmlVgpuVmCompatibility_t vgpuVmCompatibility;
  nvmlVgpuPgpuCompatibilityLimitCode_t compatibilityLimitCode;
} nvmlVgpuPgpuCompatibility_t;
typedef struct nvmlExcludedDeviceInfo_st { nvmlPciInfo_t pciInfo; char uuid[80]; } nvmlExcludedDeviceInfo_t;
typedef struct nvmlGpuInstancePlacement_st { unsigned int start, size; } nvmlGpuInstancePlacement_t;
typedef struct nvmlGpuInstanceProfileInfo_st {
  unsigned int id, isP2pSupported, sliceCount, instanceCount, multiprocessorCount, copyEngineCount, decoderCount,
    encoderCount, jpegCount, ofaCount;
  unsigned long long memorySizeMB;
} nvmlGpuInstanceProfileInfo_t;
typedef struct nvmlGpuInstanceProfileInfo_v2_st {
  unsigned int version, id, isP2pSupported, sliceCount, instanceCount, multiprocessorCount, copyEngineCount,
    decoderCount, encoderCount, jpegCount, ofaCount;
  unsigned long long memorySizeMB;
  char name[96];
} nvmlGpuInstanceProfileInfo_v2_t;
typedef struct nvmlGpuInstanceInfo_st {
  nvmlDevice_t device;
  unsigned int id, profileId;
  nvmlGpuInstancePlacement_t placement;
} nvmlGpuInstanceInfo_t;
typedef nvmlGpuInstance_st *nvmlGpuInstance_t;
typedef struct nvmlComputeInstancePlacement_st { unsigned int start, size; } nvmlComputeInstancePlacement_t;
typedef struct nvmlComputeInstanceProfileInfo_st {
  unsigned int id, sliceCount, instanceCount, multiprocessorCount, sharedCopyEngineCount, sharedDecoderCount,
    sharedEncoderCount, sharedJpegCount, sharedOfaCount;
} nvmlComputeInstanceProfileInfo_t;
typedef struct nvmlComputeInstanceProfileInfo_v2_st {
  unsigned int version, id, sliceCount, instanceCount, multiprocessorCount, sharedCopyEngineCount, sharedDecoderCount,
    sharedEncoderCount, sharedJpegCount, sharedOfaCount;
  char name[96];
} nvmlComputeInstanceProfileInfo_v2_t;
typedef struct nvmlComputeInstanceInfo_st {
  nvmlDevice_t device;
  nvmlGpuInstance_t gpuInstance;
  unsigned int id, profileId;
  nvmlComputeInstancePlacement_t placement;
} nvmlComputeInstanceInfo_t;
typedef nvmlComputeInstance_st *nvmlComputeInstance_t;
typedef nvmlGpmSample_st *nvmlGpmSample_t;
typedef struct nvmlNvLinkPowerThres_st { unsigned int lowPwrThreshold; } nvmlNvLinkPowerThres_t;
struct nvmlGpuThermalSettings_t {
  unsigned int count;
  struct {
    nvmlThermalController_t controller;
    int defaultMinTemp, defaultMaxTemp, currentTemp;
    nvmlThermalTarget_t target;
  } sensor[3];
};
struct nvmlGpuFabricInfo_t {
  char clusterUuid[16];
  nvmlReturn_t status;
  unsigned int partitionId;
  nvmlGpuFabricState_t state;
};
struct nvmlPowerValue_v2_t { unsigned int version; nvmlPowerScopeType_t powerScope; unsigned int powerValueMw; };
struct nvmlGpmMetric_t {
  unsigned int metricId;
  nvmlReturn_t nvmlReturn;
  double value;
  struct { char *shortName, *longName, *unit; } metricInfo;
};
struct nvmlGpmMetricsGet_t {
  unsigned int version, numMetrics;
  nvmlGpmSample_t sample1, sample2;
  nvmlGpmMetric_t metrics[98];
};
struct nvmlGpmSupport_t { unsigned int version, isSupportedDevice; };
