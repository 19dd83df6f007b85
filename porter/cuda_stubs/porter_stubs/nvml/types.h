// porter stub headers: NVML, types
// Declarations only: enough to parse CUDA sources where no CUDA toolkit is installed.
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

enum nvmlBridgeChipType_enum {
  NVML_BRIDGE_CHIP_PLX = 0,
  NVML_BRIDGE_CHIP_BRO4 = 1,
};

enum nvmlNvLinkUtilizationCountUnits_enum {
  NVML_NVLINK_COUNTER_UNIT_CYCLES = 0,
  NVML_NVLINK_COUNTER_UNIT_PACKETS = 1,
  NVML_NVLINK_COUNTER_UNIT_BYTES = 2,
  NVML_NVLINK_COUNTER_UNIT_RESERVED = 3,
  NVML_NVLINK_COUNTER_UNIT_COUNT = 4,
};

enum nvmlNvLinkUtilizationCountPktTypes_enum {
  NVML_NVLINK_COUNTER_PKTFILTER_NOP = 1,
  NVML_NVLINK_COUNTER_PKTFILTER_READ = 2,
  NVML_NVLINK_COUNTER_PKTFILTER_WRITE = 4,
  NVML_NVLINK_COUNTER_PKTFILTER_RATOM = 8,
  NVML_NVLINK_COUNTER_PKTFILTER_NRATOM = 16,
  NVML_NVLINK_COUNTER_PKTFILTER_FLUSH = 32,
  NVML_NVLINK_COUNTER_PKTFILTER_RESPDATA = 64,
  NVML_NVLINK_COUNTER_PKTFILTER_RESPNODATA = 128,
  NVML_NVLINK_COUNTER_PKTFILTER_ALL = 255,
};

enum nvmlNvLinkCapability_enum {
  NVML_NVLINK_CAP_P2P_SUPPORTED = 0,
  NVML_NVLINK_CAP_SYSMEM_ACCESS = 1,
  NVML_NVLINK_CAP_P2P_ATOMICS = 2,
  NVML_NVLINK_CAP_SYSMEM_ATOMICS = 3,
  NVML_NVLINK_CAP_SLI_BRIDGE = 4,
  NVML_NVLINK_CAP_VALID = 5,
  NVML_NVLINK_CAP_COUNT = 6,
};

enum nvmlNvLinkErrorCounter_enum {
  NVML_NVLINK_ERROR_DL_REPLAY = 0,
  NVML_NVLINK_ERROR_DL_RECOVERY = 1,
  NVML_NVLINK_ERROR_DL_CRC_FLIT = 2,
  NVML_NVLINK_ERROR_DL_CRC_DATA = 3,
  NVML_NVLINK_ERROR_DL_ECC_DATA = 4,
  NVML_NVLINK_ERROR_COUNT = 5,
};

enum nvmlIntNvLinkDeviceType_enum {
  NVML_NVLINK_DEVICE_TYPE_GPU = 0,
  NVML_NVLINK_DEVICE_TYPE_IBMNPU = 1,
  NVML_NVLINK_DEVICE_TYPE_SWITCH = 2,
  NVML_NVLINK_DEVICE_TYPE_UNKNOWN = 255,
};

enum nvmlGpuLevel_enum {
  NVML_TOPOLOGY_INTERNAL = 0,
  NVML_TOPOLOGY_SINGLE = 10,
  NVML_TOPOLOGY_MULTIPLE = 20,
  NVML_TOPOLOGY_HOSTBRIDGE = 30,
  NVML_TOPOLOGY_NODE = 40,
  NVML_TOPOLOGY_SYSTEM = 50,
};

enum nvmlGpuP2PStatus_enum {
  NVML_P2P_STATUS_OK = 0,
  NVML_P2P_STATUS_CHIPSET_NOT_SUPPORED = 1,
  NVML_P2P_STATUS_CHIPSET_NOT_SUPPORTED = 1,
  NVML_P2P_STATUS_GPU_NOT_SUPPORTED = 2,
  NVML_P2P_STATUS_IOH_TOPOLOGY_NOT_SUPPORTED = 3,
  NVML_P2P_STATUS_DISABLED_BY_REGKEY = 4,
  NVML_P2P_STATUS_NOT_SUPPORTED = 5,
  NVML_P2P_STATUS_UNKNOWN = 6,
};

enum nvmlGpuP2PCapsIndex_enum {
  NVML_P2P_CAPS_INDEX_READ = 0,
  NVML_P2P_CAPS_INDEX_WRITE = 1,
  NVML_P2P_CAPS_INDEX_NVLINK = 2,
  NVML_P2P_CAPS_INDEX_ATOMICS = 3,
  NVML_P2P_CAPS_INDEX_PROP = 4,
  NVML_P2P_CAPS_INDEX_UNKNOWN = 5,
};

enum nvmlSamplingType_enum {
  NVML_TOTAL_POWER_SAMPLES = 0,
  NVML_GPU_UTILIZATION_SAMPLES = 1,
  NVML_MEMORY_UTILIZATION_SAMPLES = 2,
  NVML_ENC_UTILIZATION_SAMPLES = 3,
  NVML_DEC_UTILIZATION_SAMPLES = 4,
  NVML_PROCESSOR_CLK_SAMPLES = 5,
  NVML_MEMORY_CLK_SAMPLES = 6,
  NVML_MODULE_POWER_SAMPLES = 7,
  NVML_SAMPLINGTYPE_COUNT = 8,
};

enum nvmlPcieUtilCounter_enum {
  NVML_PCIE_UTIL_TX_BYTES = 0,
  NVML_PCIE_UTIL_RX_BYTES = 1,
  NVML_PCIE_UTIL_COUNT = 2,
};

enum nvmlValueType_enum {
  NVML_VALUE_TYPE_DOUBLE = 0,
  NVML_VALUE_TYPE_UNSIGNED_INT = 1,
  NVML_VALUE_TYPE_UNSIGNED_LONG = 2,
  NVML_VALUE_TYPE_UNSIGNED_LONG_LONG = 3,
  NVML_VALUE_TYPE_SIGNED_LONG_LONG = 4,
  NVML_VALUE_TYPE_SIGNED_INT = 5,
  NVML_VALUE_TYPE_COUNT = 6,
};

enum nvmlPerfPolicyType_enum {
  NVML_PERF_POLICY_POWER = 0,
  NVML_PERF_POLICY_THERMAL = 1,
  NVML_PERF_POLICY_SYNC_BOOST = 2,
  NVML_PERF_POLICY_BOARD_LIMIT = 3,
  NVML_PERF_POLICY_LOW_UTILIZATION = 4,
  NVML_PERF_POLICY_RELIABILITY = 5,
  NVML_PERF_POLICY_TOTAL_APP_CLOCKS = 10,
  NVML_PERF_POLICY_TOTAL_BASE_CLOCKS = 11,
  NVML_PERF_POLICY_COUNT = 12,
};

enum nvmlThermalTarget_t {
  NVML_THERMAL_TARGET_UNKNOWN = -1,
  NVML_THERMAL_TARGET_NONE = 0,
  NVML_THERMAL_TARGET_GPU = 1,
  NVML_THERMAL_TARGET_MEMORY = 2,
  NVML_THERMAL_TARGET_POWER_SUPPLY = 4,
  NVML_THERMAL_TARGET_BOARD = 8,
  NVML_THERMAL_TARGET_VCD_BOARD = 9,
  NVML_THERMAL_TARGET_VCD_INLET = 10,
  NVML_THERMAL_TARGET_VCD_OUTLET = 11,
  NVML_THERMAL_TARGET_ALL = 15,
};

enum nvmlThermalController_t {
  NVML_THERMAL_CONTROLLER_UNKNOWN = -1,
  NVML_THERMAL_CONTROLLER_NONE = 0,
  NVML_THERMAL_CONTROLLER_GPU_INTERNAL = 1,
  NVML_THERMAL_CONTROLLER_ADM1032 = 2,
  NVML_THERMAL_CONTROLLER_ADT7461 = 3,
  NVML_THERMAL_CONTROLLER_MAX6649 = 4,
  NVML_THERMAL_CONTROLLER_MAX1617 = 5,
  NVML_THERMAL_CONTROLLER_LM99 = 6,
  NVML_THERMAL_CONTROLLER_LM89 = 7,
  NVML_THERMAL_CONTROLLER_LM64 = 8,
  NVML_THERMAL_CONTROLLER_G781 = 9,
  NVML_THERMAL_CONTROLLER_ADT7473 = 10,
  NVML_THERMAL_CONTROLLER_SBMAX6649 = 11,
  NVML_THERMAL_CONTROLLER_VBIOSEVT = 12,
  NVML_THERMAL_CONTROLLER_OS = 13,
  NVML_THERMAL_CONTROLLER_NVSYSCON_CANOAS = 14,
  NVML_THERMAL_CONTROLLER_NVSYSCON_E551 = 15,
  NVML_THERMAL_CONTROLLER_MAX6649R = 16,
  NVML_THERMAL_CONTROLLER_ADT7473S = 17,
};

enum nvmlEnableState_enum {
  NVML_FEATURE_DISABLED = 0,
  NVML_FEATURE_ENABLED = 1,
};

enum nvmlBrandType_enum {
  NVML_BRAND_UNKNOWN = 0,
  NVML_BRAND_QUADRO = 1,
  NVML_BRAND_TESLA = 2,
  NVML_BRAND_NVS = 3,
  NVML_BRAND_GRID = 4,
  NVML_BRAND_GEFORCE = 5,
  NVML_BRAND_TITAN = 6,
  NVML_BRAND_NVIDIA_VAPPS = 7,
  NVML_BRAND_NVIDIA_VPC = 8,
  NVML_BRAND_NVIDIA_VCS = 9,
  NVML_BRAND_NVIDIA_VWS = 10,
  NVML_BRAND_NVIDIA_CLOUD_GAMING = 11,
  NVML_BRAND_NVIDIA_VGAMING = 11,
  NVML_BRAND_QUADRO_RTX = 12,
  NVML_BRAND_NVIDIA_RTX = 13,
  NVML_BRAND_NVIDIA = 14,
  NVML_BRAND_GEFORCE_RTX = 15,
  NVML_BRAND_TITAN_RTX = 16,
  NVML_BRAND_COUNT = 17,
};

enum nvmlTemperatureThresholds_enum {
  NVML_TEMPERATURE_THRESHOLD_SHUTDOWN = 0,
  NVML_TEMPERATURE_THRESHOLD_SLOWDOWN = 1,
  NVML_TEMPERATURE_THRESHOLD_MEM_MAX = 2,
  NVML_TEMPERATURE_THRESHOLD_GPU_MAX = 3,
  NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MIN = 4,
  NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_CURR = 5,
  NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MAX = 6,
  NVML_TEMPERATURE_THRESHOLD_COUNT = 7,
};

enum nvmlTemperatureSensors_enum {
  NVML_TEMPERATURE_GPU = 0,
  NVML_TEMPERATURE_COUNT = 1,
};

enum nvmlComputeMode_enum {
  NVML_COMPUTEMODE_DEFAULT = 0,
  NVML_COMPUTEMODE_EXCLUSIVE_THREAD = 1,
  NVML_COMPUTEMODE_PROHIBITED = 2,
  NVML_COMPUTEMODE_EXCLUSIVE_PROCESS = 3,
  NVML_COMPUTEMODE_COUNT = 4,
};

enum nvmlMemoryErrorType_enum {
  NVML_MEMORY_ERROR_TYPE_CORRECTED = 0,
  NVML_MEMORY_ERROR_TYPE_UNCORRECTED = 1,
  NVML_MEMORY_ERROR_TYPE_COUNT = 2,
};

enum nvmlEccCounterType_enum {
  NVML_VOLATILE_ECC = 0,
  NVML_AGGREGATE_ECC = 1,
  NVML_ECC_COUNTER_TYPE_COUNT = 2,
};

enum nvmlClockType_enum {
  NVML_CLOCK_GRAPHICS = 0,
  NVML_CLOCK_SM = 1,
  NVML_CLOCK_MEM = 2,
  NVML_CLOCK_VIDEO = 3,
  NVML_CLOCK_COUNT = 4,
};

enum nvmlClockId_enum {
  NVML_CLOCK_ID_CURRENT = 0,
  NVML_CLOCK_ID_APP_CLOCK_TARGET = 1,
  NVML_CLOCK_ID_APP_CLOCK_DEFAULT = 2,
  NVML_CLOCK_ID_CUSTOMER_BOOST_MAX = 3,
  NVML_CLOCK_ID_COUNT = 4,
};

enum nvmlDriverModel_enum {
  NVML_DRIVER_WDDM = 0,
  NVML_DRIVER_WDM = 1,
};

enum nvmlPStates_enum {
  NVML_PSTATE_0 = 0,
  NVML_PSTATE_1 = 1,
  NVML_PSTATE_2 = 2,
  NVML_PSTATE_3 = 3,
  NVML_PSTATE_4 = 4,
  NVML_PSTATE_5 = 5,
  NVML_PSTATE_6 = 6,
  NVML_PSTATE_7 = 7,
  NVML_PSTATE_8 = 8,
  NVML_PSTATE_9 = 9,
  NVML_PSTATE_10 = 10,
  NVML_PSTATE_11 = 11,
  NVML_PSTATE_12 = 12,
  NVML_PSTATE_13 = 13,
  NVML_PSTATE_14 = 14,
  NVML_PSTATE_15 = 15,
  NVML_PSTATE_UNKNOWN = 32,
};

enum nvmlGom_enum {
  NVML_GOM_ALL_ON = 0,
  NVML_GOM_COMPUTE = 1,
  NVML_GOM_LOW_DP = 2,
};

enum nvmlInforomObject_enum {
  NVML_INFOROM_OEM = 0,
  NVML_INFOROM_ECC = 1,
  NVML_INFOROM_POWER = 2,
  NVML_INFOROM_COUNT = 3,
};

enum nvmlReturn_enum {
  NVML_SUCCESS = 0,
  NVML_ERROR_UNINITIALIZED = 1,
  NVML_ERROR_INVALID_ARGUMENT = 2,
  NVML_ERROR_NOT_SUPPORTED = 3,
  NVML_ERROR_NO_PERMISSION = 4,
  NVML_ERROR_ALREADY_INITIALIZED = 5,
  NVML_ERROR_NOT_FOUND = 6,
  NVML_ERROR_INSUFFICIENT_SIZE = 7,
  NVML_ERROR_INSUFFICIENT_POWER = 8,
  NVML_ERROR_DRIVER_NOT_LOADED = 9,
  NVML_ERROR_TIMEOUT = 10,
  NVML_ERROR_IRQ_ISSUE = 11,
  NVML_ERROR_LIBRARY_NOT_FOUND = 12,
  NVML_ERROR_FUNCTION_NOT_FOUND = 13,
  NVML_ERROR_CORRUPTED_INFOROM = 14,
  NVML_ERROR_GPU_IS_LOST = 15,
  NVML_ERROR_RESET_REQUIRED = 16,
  NVML_ERROR_OPERATING_SYSTEM = 17,
  NVML_ERROR_LIB_RM_VERSION_MISMATCH = 18,
  NVML_ERROR_IN_USE = 19,
  NVML_ERROR_MEMORY = 20,
  NVML_ERROR_NO_DATA = 21,
  NVML_ERROR_VGPU_ECC_NOT_SUPPORTED = 22,
  NVML_ERROR_INSUFFICIENT_RESOURCES = 23,
  NVML_ERROR_FREQ_NOT_SUPPORTED = 24,
  NVML_ERROR_ARGUMENT_VERSION_MISMATCH = 25,
  NVML_ERROR_DEPRECATED = 26,
  NVML_ERROR_NOT_READY = 27,
  NVML_ERROR_UNKNOWN = 999,
};

enum nvmlMemoryLocation_enum {
  NVML_MEMORY_LOCATION_L1_CACHE = 0,
  NVML_MEMORY_LOCATION_L2_CACHE = 1,
  NVML_MEMORY_LOCATION_DRAM = 2,
  NVML_MEMORY_LOCATION_DEVICE_MEMORY = 2,
  NVML_MEMORY_LOCATION_REGISTER_FILE = 3,
  NVML_MEMORY_LOCATION_TEXTURE_MEMORY = 4,
  NVML_MEMORY_LOCATION_TEXTURE_SHM = 5,
  NVML_MEMORY_LOCATION_CBU = 6,
  NVML_MEMORY_LOCATION_SRAM = 7,
  NVML_MEMORY_LOCATION_COUNT = 8,
};

enum nvmlPageRetirementCause_enum {
  NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS = 0,
  NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR = 1,
  NVML_PAGE_RETIREMENT_CAUSE_COUNT = 2,
};

enum nvmlRestrictedAPI_enum {
  NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS = 0,
  NVML_RESTRICTED_API_SET_AUTO_BOOSTED_CLOCKS = 1,
  NVML_RESTRICTED_API_COUNT = 2,
};

enum nvmlGpuVirtualizationMode {
  NVML_GPU_VIRTUALIZATION_MODE_NONE = 0,
  NVML_GPU_VIRTUALIZATION_MODE_PASSTHROUGH = 1,
  NVML_GPU_VIRTUALIZATION_MODE_VGPU = 2,
  NVML_GPU_VIRTUALIZATION_MODE_HOST_VGPU = 3,
  NVML_GPU_VIRTUALIZATION_MODE_HOST_VSGA = 4,
};

enum nvmlHostVgpuMode_enum {
  NVML_HOST_VGPU_MODE_NON_SRIOV = 0,
  NVML_HOST_VGPU_MODE_SRIOV = 1,
};

enum nvmlVgpuVmIdType {
  NVML_VGPU_VM_ID_DOMAIN_ID = 0,
  NVML_VGPU_VM_ID_UUID = 1,
};

enum nvmlVgpuGuestInfoState_enum {
  NVML_VGPU_INSTANCE_GUEST_INFO_STATE_UNINITIALIZED = 0,
  NVML_VGPU_INSTANCE_GUEST_INFO_STATE_INITIALIZED = 1,
};

enum nvmlGridLicenseFeatureCode_t {
  NVML_GRID_LICENSE_FEATURE_CODE_UNKNOWN = 0,
  NVML_GRID_LICENSE_FEATURE_CODE_VGPU = 1,
  NVML_GRID_LICENSE_FEATURE_CODE_NVIDIA_RTX = 2,
  NVML_GRID_LICENSE_FEATURE_CODE_VWORKSTATION = 2,
  NVML_GRID_LICENSE_FEATURE_CODE_GAMING = 3,
  NVML_GRID_LICENSE_FEATURE_CODE_COMPUTE = 4,
};

enum nvmlVgpuCapability_enum {
  NVML_VGPU_CAP_NVLINK_P2P = 0,
  NVML_VGPU_CAP_GPUDIRECT = 1,
  NVML_VGPU_CAP_MULTI_VGPU_EXCLUSIVE = 2,
  NVML_VGPU_CAP_EXCLUSIVE_TYPE = 3,
  NVML_VGPU_CAP_EXCLUSIVE_SIZE = 4,
  NVML_VGPU_CAP_COUNT = 5,
};

enum nvmlVgpuDriverCapability_enum {
  NVML_VGPU_DRIVER_CAP_HETEROGENEOUS_MULTI_VGPU = 0,
  NVML_VGPU_DRIVER_CAP_COUNT = 1,
};

enum nvmlDeviceVgpuCapability_enum {
  NVML_DEVICE_VGPU_CAP_FRACTIONAL_MULTI_VGPU = 0,
  NVML_DEVICE_VGPU_CAP_HETEROGENEOUS_TIMESLICE_PROFILES = 1,
  NVML_DEVICE_VGPU_CAP_HETEROGENEOUS_TIMESLICE_SIZES = 2,
  NVML_DEVICE_VGPU_CAP_READ_DEVICE_BUFFER_BW = 3,
  NVML_DEVICE_VGPU_CAP_WRITE_DEVICE_BUFFER_BW = 4,
  NVML_DEVICE_VGPU_CAP_COUNT = 5,
};

enum nvmlGpuUtilizationDomainId_t {
  NVML_GPU_UTILIZATION_DOMAIN_GPU = 0,
  NVML_GPU_UTILIZATION_DOMAIN_FB = 1,
  NVML_GPU_UTILIZATION_DOMAIN_VID = 2,
  NVML_GPU_UTILIZATION_DOMAIN_BUS = 3,
};

enum nvmlFanState_enum {
  NVML_FAN_NORMAL = 0,
  NVML_FAN_FAILED = 1,
};

enum nvmlLedColor_enum {
  NVML_LED_COLOR_GREEN = 0,
  NVML_LED_COLOR_AMBER = 1,
};

enum nvmlEncoderQueryType_enum {
  NVML_ENCODER_QUERY_H264 = 0,
  NVML_ENCODER_QUERY_HEVC = 1,
};

enum nvmlFBCSessionType_enum {
  NVML_FBC_SESSION_TYPE_UNKNOWN = 0,
  NVML_FBC_SESSION_TYPE_TOSYS = 1,
  NVML_FBC_SESSION_TYPE_CUDA = 2,
  NVML_FBC_SESSION_TYPE_VID = 3,
  NVML_FBC_SESSION_TYPE_HWENC = 4,
};

enum nvmlDetachGpuState_enum {
  NVML_DETACH_GPU_KEEP = 0,
  NVML_DETACH_GPU_REMOVE = 1,
};

enum nvmlPcieLinkState_enum {
  NVML_PCIE_LINK_KEEP = 0,
  NVML_PCIE_LINK_SHUT_DOWN = 1,
};

enum nvmlClockLimitId_enum {
  NVML_CLOCK_LIMIT_ID_RANGE_START = 4294967040,
  NVML_CLOCK_LIMIT_ID_TDP = 4294967041,
  NVML_CLOCK_LIMIT_ID_UNLIMITED = 4294967042,
};

enum nvmlVgpuVmCompatibility_enum {
  NVML_VGPU_VM_COMPATIBILITY_NONE = 0,
  NVML_VGPU_VM_COMPATIBILITY_COLD = 1,
  NVML_VGPU_VM_COMPATIBILITY_HIBERNATE = 2,
  NVML_VGPU_VM_COMPATIBILITY_SLEEP = 4,
  NVML_VGPU_VM_COMPATIBILITY_LIVE = 8,
};

enum nvmlVgpuPgpuCompatibilityLimitCode_enum {
  NVML_VGPU_COMPATIBILITY_LIMIT_NONE = 0,
  NVML_VGPU_COMPATIBILITY_LIMIT_HOST_DRIVER = 1,
  NVML_VGPU_COMPATIBILITY_LIMIT_GUEST_DRIVER = 2,
  NVML_VGPU_COMPATIBILITY_LIMIT_GPU = 4,
  NVML_VGPU_COMPATIBILITY_LIMIT_OTHER = 2147483648,
};

enum nvmlGpmMetricId_t {
  NVML_GPM_METRIC_GRAPHICS_UTIL = 1,
  NVML_GPM_METRIC_SM_UTIL = 2,
  NVML_GPM_METRIC_SM_OCCUPANCY = 3,
  NVML_GPM_METRIC_INTEGER_UTIL = 4,
  NVML_GPM_METRIC_ANY_TENSOR_UTIL = 5,
  NVML_GPM_METRIC_DFMA_TENSOR_UTIL = 6,
  NVML_GPM_METRIC_HMMA_TENSOR_UTIL = 7,
  NVML_GPM_METRIC_IMMA_TENSOR_UTIL = 9,
  NVML_GPM_METRIC_DRAM_BW_UTIL = 10,
  NVML_GPM_METRIC_FP64_UTIL = 11,
  NVML_GPM_METRIC_FP32_UTIL = 12,
  NVML_GPM_METRIC_FP16_UTIL = 13,
  NVML_GPM_METRIC_PCIE_TX_PER_SEC = 20,
  NVML_GPM_METRIC_PCIE_RX_PER_SEC = 21,
  NVML_GPM_METRIC_NVDEC_0_UTIL = 30,
  NVML_GPM_METRIC_NVDEC_1_UTIL = 31,
  NVML_GPM_METRIC_NVDEC_2_UTIL = 32,
  NVML_GPM_METRIC_NVDEC_3_UTIL = 33,
  NVML_GPM_METRIC_NVDEC_4_UTIL = 34,
  NVML_GPM_METRIC_NVDEC_5_UTIL = 35,
  NVML_GPM_METRIC_NVDEC_6_UTIL = 36,
  NVML_GPM_METRIC_NVDEC_7_UTIL = 37,
  NVML_GPM_METRIC_NVJPG_0_UTIL = 40,
  NVML_GPM_METRIC_NVJPG_1_UTIL = 41,
  NVML_GPM_METRIC_NVJPG_2_UTIL = 42,
  NVML_GPM_METRIC_NVJPG_3_UTIL = 43,
  NVML_GPM_METRIC_NVJPG_4_UTIL = 44,
  NVML_GPM_METRIC_NVJPG_5_UTIL = 45,
  NVML_GPM_METRIC_NVJPG_6_UTIL = 46,
  NVML_GPM_METRIC_NVJPG_7_UTIL = 47,
  NVML_GPM_METRIC_NVOFA_0_UTIL = 50,
  NVML_GPM_METRIC_NVLINK_TOTAL_RX_PER_SEC = 60,
  NVML_GPM_METRIC_NVLINK_TOTAL_TX_PER_SEC = 61,
  NVML_GPM_METRIC_NVLINK_L0_RX_PER_SEC = 62,
  NVML_GPM_METRIC_NVLINK_L0_TX_PER_SEC = 63,
  NVML_GPM_METRIC_NVLINK_L1_RX_PER_SEC = 64,
  NVML_GPM_METRIC_NVLINK_L1_TX_PER_SEC = 65,
  NVML_GPM_METRIC_NVLINK_L2_RX_PER_SEC = 66,
  NVML_GPM_METRIC_NVLINK_L2_TX_PER_SEC = 67,
  NVML_GPM_METRIC_NVLINK_L3_RX_PER_SEC = 68,
  NVML_GPM_METRIC_NVLINK_L3_TX_PER_SEC = 69,
  NVML_GPM_METRIC_NVLINK_L4_RX_PER_SEC = 70,
  NVML_GPM_METRIC_NVLINK_L4_TX_PER_SEC = 71,
  NVML_GPM_METRIC_NVLINK_L5_RX_PER_SEC = 72,
  NVML_GPM_METRIC_NVLINK_L5_TX_PER_SEC = 73,
  NVML_GPM_METRIC_NVLINK_L6_RX_PER_SEC = 74,
  NVML_GPM_METRIC_NVLINK_L6_TX_PER_SEC = 75,
  NVML_GPM_METRIC_NVLINK_L7_RX_PER_SEC = 76,
  NVML_GPM_METRIC_NVLINK_L7_TX_PER_SEC = 77,
  NVML_GPM_METRIC_NVLINK_L8_RX_PER_SEC = 78,
  NVML_GPM_METRIC_NVLINK_L8_TX_PER_SEC = 79,
  NVML_GPM_METRIC_NVLINK_L9_RX_PER_SEC = 80,
  NVML_GPM_METRIC_NVLINK_L9_TX_PER_SEC = 81,
  NVML_GPM_METRIC_NVLINK_L10_RX_PER_SEC = 82,
  NVML_GPM_METRIC_NVLINK_L10_TX_PER_SEC = 83,
  NVML_GPM_METRIC_NVLINK_L11_RX_PER_SEC = 84,
  NVML_GPM_METRIC_NVLINK_L11_TX_PER_SEC = 85,
  NVML_GPM_METRIC_NVLINK_L12_RX_PER_SEC = 86,
  NVML_GPM_METRIC_NVLINK_L12_TX_PER_SEC = 87,
  NVML_GPM_METRIC_NVLINK_L13_RX_PER_SEC = 88,
  NVML_GPM_METRIC_NVLINK_L13_TX_PER_SEC = 89,
  NVML_GPM_METRIC_NVLINK_L14_RX_PER_SEC = 90,
  NVML_GPM_METRIC_NVLINK_L14_TX_PER_SEC = 91,
  NVML_GPM_METRIC_NVLINK_L15_RX_PER_SEC = 92,
  NVML_GPM_METRIC_NVLINK_L15_TX_PER_SEC = 93,
  NVML_GPM_METRIC_NVLINK_L16_RX_PER_SEC = 94,
  NVML_GPM_METRIC_NVLINK_L16_TX_PER_SEC = 95,
  NVML_GPM_METRIC_NVLINK_L17_RX_PER_SEC = 96,
  NVML_GPM_METRIC_NVLINK_L17_TX_PER_SEC = 97,
  NVML_GPM_METRIC_MAX = 98,
};

typedef nvmlDevice_st *nvmlDevice_t;

struct nvmlPciInfo_st {
  char busIdLegacy[16];
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int pciDeviceId;
  unsigned int pciSubSystemId;
  char busId[32];
};

typedef nvmlPciInfo_st nvmlPciInfo_t;

struct nvmlEccErrorCounts_st {
  unsigned long long l1Cache;
  unsigned long long l2Cache;
  unsigned long long deviceMemory;
  unsigned long long registerFile;
};

typedef nvmlEccErrorCounts_st nvmlEccErrorCounts_t;

struct nvmlUtilization_st {
  unsigned int gpu;
  unsigned int memory;
};

typedef nvmlUtilization_st nvmlUtilization_t;

struct nvmlMemory_st {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

typedef nvmlMemory_st nvmlMemory_t;

struct nvmlMemory_v2_st {
  unsigned int version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;
};

typedef nvmlMemory_v2_st nvmlMemory_v2_t;

struct nvmlBAR1Memory_st {
  unsigned long long bar1Total;
  unsigned long long bar1Free;
  unsigned long long bar1Used;
};

typedef nvmlBAR1Memory_st nvmlBAR1Memory_t;

struct nvmlProcessInfo_v1_st {
  unsigned int pid;
  unsigned long long usedGpuMemory;
};

typedef nvmlProcessInfo_v1_st nvmlProcessInfo_v1_t;

struct nvmlProcessInfo_v2_st {
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId;
  unsigned int computeInstanceId;
};

typedef nvmlProcessInfo_v2_st nvmlProcessInfo_v2_t;
typedef nvmlProcessInfo_v2_st nvmlProcessInfo_t;

struct nvmlProcessDetail_v1_t {
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId;
  unsigned int computeInstanceId;
  unsigned long long usedGpuCcProtectedMemory;
};

struct nvmlProcessDetailList_v1_t {
  unsigned int version;
  unsigned int mode;
  unsigned int numProcArrayEntries;
  nvmlProcessDetail_v1_t *procArray;
};

typedef nvmlProcessDetailList_v1_t nvmlProcessDetailList_t;

struct nvmlDeviceAttributes_st {
  unsigned int multiprocessorCount;
  unsigned int sharedCopyEngineCount;
  unsigned int sharedDecoderCount;
  unsigned int sharedEncoderCount;
  unsigned int sharedJpegCount;
  unsigned int sharedOfaCount;
  unsigned int gpuInstanceSliceCount;
  unsigned int computeInstanceSliceCount;
  unsigned long long memorySizeMB;
};

typedef nvmlDeviceAttributes_st nvmlDeviceAttributes_t;

struct nvmlRowRemapperHistogramValues_st {
  unsigned int max;
  unsigned int high;
  unsigned int partial;
  unsigned int low;
  unsigned int none;
};

typedef nvmlRowRemapperHistogramValues_st nvmlRowRemapperHistogramValues_t;
typedef nvmlBridgeChipType_enum nvmlBridgeChipType_t;
typedef nvmlNvLinkUtilizationCountUnits_enum nvmlNvLinkUtilizationCountUnits_t;
typedef nvmlNvLinkUtilizationCountPktTypes_enum nvmlNvLinkUtilizationCountPktTypes_t;

struct nvmlNvLinkUtilizationControl_st {
  nvmlNvLinkUtilizationCountUnits_t units;
  nvmlNvLinkUtilizationCountPktTypes_t pktfilter;
};

typedef nvmlNvLinkUtilizationControl_st nvmlNvLinkUtilizationControl_t;
typedef nvmlNvLinkCapability_enum nvmlNvLinkCapability_t;
typedef nvmlNvLinkErrorCounter_enum nvmlNvLinkErrorCounter_t;
typedef nvmlIntNvLinkDeviceType_enum nvmlIntNvLinkDeviceType_t;
typedef nvmlGpuLevel_enum nvmlGpuTopologyLevel_t;
typedef nvmlGpuP2PStatus_enum nvmlGpuP2PStatus_t;
typedef nvmlGpuP2PCapsIndex_enum nvmlGpuP2PCapsIndex_t;

struct nvmlBridgeChipInfo_st {
  nvmlBridgeChipType_t type;
  unsigned int fwVersion;
};

typedef nvmlBridgeChipInfo_st nvmlBridgeChipInfo_t;

struct nvmlBridgeChipHierarchy_st {
  unsigned char bridgeCount;
  nvmlBridgeChipInfo_t bridgeChipInfo[128];
};

typedef nvmlBridgeChipHierarchy_st nvmlBridgeChipHierarchy_t;
typedef nvmlSamplingType_enum nvmlSamplingType_t;
typedef nvmlPcieUtilCounter_enum nvmlPcieUtilCounter_t;
typedef nvmlValueType_enum nvmlValueType_t;

union nvmlValue_st {
  double dVal;
  int siVal;
  unsigned int uiVal;
  unsigned long ulVal;
  unsigned long long ullVal;
  long long sllVal;
};

typedef nvmlValue_st nvmlValue_t;

struct nvmlSample_st {
  unsigned long long timeStamp;
  nvmlValue_t sampleValue;
};

typedef nvmlSample_st nvmlSample_t;
typedef nvmlPerfPolicyType_enum nvmlPerfPolicyType_t;

struct nvmlViolationTime_st {
  unsigned long long referenceTime;
  unsigned long long violationTime;
};

typedef nvmlViolationTime_st nvmlViolationTime_t;
typedef nvmlEnableState_enum nvmlEnableState_t;
typedef nvmlBrandType_enum nvmlBrandType_t;
typedef nvmlTemperatureThresholds_enum nvmlTemperatureThresholds_t;
typedef nvmlTemperatureSensors_enum nvmlTemperatureSensors_t;
typedef nvmlComputeMode_enum nvmlComputeMode_t;

struct nvmlClkMonFaultInfo_struct {
  unsigned int clkApiDomain;
  unsigned int clkDomainFaultMask;
};

typedef nvmlClkMonFaultInfo_struct nvmlClkMonFaultInfo_t;

struct nvmlClkMonStatus_status {
  unsigned int bGlobalStatus;
  unsigned int clkMonListSize;
  nvmlClkMonFaultInfo_t clkMonList[32];
};

typedef nvmlClkMonStatus_status nvmlClkMonStatus_t;
typedef nvmlMemoryErrorType_enum nvmlMemoryErrorType_t;
typedef nvmlEccCounterType_enum nvmlEccCounterType_t;
typedef nvmlClockType_enum nvmlClockType_t;
typedef nvmlClockId_enum nvmlClockId_t;
typedef nvmlDriverModel_enum nvmlDriverModel_t;
typedef nvmlPStates_enum nvmlPstates_t;
typedef nvmlGom_enum nvmlGpuOperationMode_t;
typedef nvmlInforomObject_enum nvmlInforomObject_t;
typedef nvmlReturn_enum nvmlReturn_t;
typedef nvmlMemoryLocation_enum nvmlMemoryLocation_t;
typedef nvmlPageRetirementCause_enum nvmlPageRetirementCause_t;
typedef nvmlRestrictedAPI_enum nvmlRestrictedAPI_t;
typedef nvmlGpuVirtualizationMode nvmlGpuVirtualizationMode_t;
typedef nvmlHostVgpuMode_enum nvmlHostVgpuMode_t;
typedef nvmlVgpuVmIdType nvmlVgpuVmIdType_t;
typedef nvmlVgpuGuestInfoState_enum nvmlVgpuGuestInfoState_t;
typedef nvmlVgpuCapability_enum nvmlVgpuCapability_t;
typedef nvmlVgpuDriverCapability_enum nvmlVgpuDriverCapability_t;
typedef nvmlDeviceVgpuCapability_enum nvmlDeviceVgpuCapability_t;
typedef unsigned int nvmlVgpuTypeId_t;
typedef unsigned int nvmlVgpuInstance_t;

struct nvmlVgpuInstanceUtilizationSample_st {
  nvmlVgpuInstance_t vgpuInstance;
  unsigned long long timeStamp;
  nvmlValue_t smUtil;
  nvmlValue_t memUtil;
  nvmlValue_t encUtil;
  nvmlValue_t decUtil;
};

typedef nvmlVgpuInstanceUtilizationSample_st nvmlVgpuInstanceUtilizationSample_t;

struct nvmlVgpuProcessUtilizationSample_st {
  nvmlVgpuInstance_t vgpuInstance;
  unsigned int pid;
  char processName[64];
  unsigned long long timeStamp;
  unsigned int smUtil;
  unsigned int memUtil;
  unsigned int encUtil;
  unsigned int decUtil;
};

typedef nvmlVgpuProcessUtilizationSample_st nvmlVgpuProcessUtilizationSample_t;

struct nvmlVgpuSchedulerLogEntries_st {
  unsigned long long timestamp;
  unsigned long long timeRunTotal;
  unsigned long long timeRun;
  unsigned int swRunlistId;
  unsigned long long targetTimeSlice;
  unsigned long long cumulativePreemptionTime;
};

typedef nvmlVgpuSchedulerLogEntries_st nvmlVgpuSchedulerLogEntry_t;

union nvmlVgpuSchedulerParams_t {
  struct {
    unsigned int avgFactor;
    unsigned int timeslice;
  } vgpuSchedDataWithARR;
  struct {
    unsigned int timeslice;
  } vgpuSchedData;
};

struct nvmlVgpuSchedulerLog_st {
  unsigned int engineId;
  unsigned int schedulerPolicy;
  unsigned int arrMode;
  nvmlVgpuSchedulerParams_t schedulerParams;
  unsigned int entriesCount;
  nvmlVgpuSchedulerLogEntry_t logEntries[200];
};

typedef nvmlVgpuSchedulerLog_st nvmlVgpuSchedulerLog_t;

struct nvmlVgpuSchedulerGetState_st {
  unsigned int schedulerPolicy;
  unsigned int arrMode;
  nvmlVgpuSchedulerParams_t schedulerParams;
};

typedef nvmlVgpuSchedulerGetState_st nvmlVgpuSchedulerGetState_t;

union nvmlVgpuSchedulerSetParams_t {
  struct {
    unsigned int avgFactor;
    unsigned int frequency;
  } vgpuSchedDataWithARR;
  struct {
    unsigned int timeslice;
  } vgpuSchedData;
};

struct nvmlVgpuSchedulerSetState_st {
  unsigned int schedulerPolicy;
  unsigned int enableARRMode;
  nvmlVgpuSchedulerSetParams_t schedulerParams;
};

typedef nvmlVgpuSchedulerSetState_st nvmlVgpuSchedulerSetState_t;

struct nvmlVgpuSchedulerCapabilities_st {
  unsigned int supportedSchedulers[3];
  unsigned int maxTimeslice;
  unsigned int minTimeslice;
  unsigned int isArrModeSupported;
  unsigned int maxFrequencyForARR;
  unsigned int minFrequencyForARR;
  unsigned int maxAvgFactorForARR;
  unsigned int minAvgFactorForARR;
};

typedef nvmlVgpuSchedulerCapabilities_st nvmlVgpuSchedulerCapabilities_t;

struct nvmlVgpuLicenseExpiry_st {
  unsigned int year;
  unsigned short month;
  unsigned short day;
  unsigned short hour;
  unsigned short min;
  unsigned short sec;
  unsigned char status;
};

typedef nvmlVgpuLicenseExpiry_st nvmlVgpuLicenseExpiry_t;

struct nvmlVgpuLicenseInfo_st {
  unsigned char isLicensed;
  nvmlVgpuLicenseExpiry_t licenseExpiry;
  unsigned int currentState;
};

typedef nvmlVgpuLicenseInfo_st nvmlVgpuLicenseInfo_t;

struct nvmlProcessUtilizationSample_st {
  unsigned int pid;
  unsigned long long timeStamp;
  unsigned int smUtil;
  unsigned int memUtil;
  unsigned int encUtil;
  unsigned int decUtil;
};

typedef nvmlProcessUtilizationSample_st nvmlProcessUtilizationSample_t;

struct nvmlGridLicenseExpiry_st {
  unsigned int year;
  unsigned short month;
  unsigned short day;
  unsigned short hour;
  unsigned short min;
  unsigned short sec;
  unsigned char status;
};

typedef nvmlGridLicenseExpiry_st nvmlGridLicenseExpiry_t;

struct nvmlGridLicensableFeature_st {
  nvmlGridLicenseFeatureCode_t featureCode;
  unsigned int featureState;
  char licenseInfo[128];
  char productName[128];
  unsigned int featureEnabled;
  nvmlGridLicenseExpiry_t licenseExpiry;
};

typedef nvmlGridLicensableFeature_st nvmlGridLicensableFeature_t;

struct nvmlGridLicensableFeatures_st {
  int isGridLicenseSupported;
  unsigned int licensableFeaturesCount;
  nvmlGridLicensableFeature_t gridLicensableFeatures[3];
};

typedef nvmlGridLicensableFeatures_st nvmlGridLicensableFeatures_t;
typedef unsigned int nvmlDeviceArchitecture_t;
typedef unsigned int nvmlBusType_t;
typedef unsigned int nvmlFanControlPolicy_t;
typedef unsigned int nvmlPowerSource_t;

struct nvmlGpuDynamicPstatesInfo_st {
  unsigned int flags;
  struct {
    unsigned int bIsPresent;
    unsigned int percentage;
    unsigned int incThreshold;
    unsigned int decThreshold;
  } utilization[8];
};

typedef nvmlGpuDynamicPstatesInfo_st nvmlGpuDynamicPstatesInfo_t;

struct nvmlFieldValue_st {
  unsigned int fieldId;
  unsigned int scopeId;
  long long timestamp;
  long long latencyUsec;
  nvmlValueType_t valueType;
  nvmlReturn_t nvmlReturn;
  nvmlValue_t value;
};

typedef nvmlFieldValue_st nvmlFieldValue_t;
typedef nvmlUnit_st *nvmlUnit_t;

struct nvmlHwbcEntry_st {
  unsigned int hwbcId;
  char firmwareVersion[32];
};

typedef nvmlHwbcEntry_st nvmlHwbcEntry_t;
typedef nvmlFanState_enum nvmlFanState_t;
typedef nvmlLedColor_enum nvmlLedColor_t;

struct nvmlLedState_st {
  char cause[256];
  nvmlLedColor_t color;
};

typedef nvmlLedState_st nvmlLedState_t;

struct nvmlUnitInfo_st {
  char name[96];
  char id[96];
  char serial[96];
  char firmwareVersion[96];
};

typedef nvmlUnitInfo_st nvmlUnitInfo_t;

struct nvmlPSUInfo_st {
  char state[256];
  unsigned int current;
  unsigned int voltage;
  unsigned int power;
};

typedef nvmlPSUInfo_st nvmlPSUInfo_t;

struct nvmlUnitFanInfo_st {
  unsigned int speed;
  nvmlFanState_t state;
};

typedef nvmlUnitFanInfo_st nvmlUnitFanInfo_t;

struct nvmlUnitFanSpeeds_st {
  nvmlUnitFanInfo_t fans[24];
  unsigned int count;
};

typedef nvmlUnitFanSpeeds_st nvmlUnitFanSpeeds_t;
typedef nvmlEventSet_st *nvmlEventSet_t;

struct nvmlEventData_st {
  nvmlDevice_t device;
  unsigned long long eventType;
  unsigned long long eventData;
  unsigned int gpuInstanceId;
  unsigned int computeInstanceId;
};

typedef nvmlEventData_st nvmlEventData_t;

struct nvmlAccountingStats_st {
  unsigned int gpuUtilization;
  unsigned int memoryUtilization;
  unsigned long long maxMemoryUsage;
  unsigned long long time;
  unsigned long long startTime;
  unsigned int isRunning;
  unsigned int reserved[5];
};

typedef nvmlAccountingStats_st nvmlAccountingStats_t;
typedef nvmlEncoderQueryType_enum nvmlEncoderType_t;

struct nvmlEncoderSessionInfo_st {
  unsigned int sessionId;
  unsigned int pid;
  nvmlVgpuInstance_t vgpuInstance;
  nvmlEncoderType_t codecType;
  unsigned int hResolution;
  unsigned int vResolution;
  unsigned int averageFps;
  unsigned int averageLatency;
};

typedef nvmlEncoderSessionInfo_st nvmlEncoderSessionInfo_t;
typedef nvmlFBCSessionType_enum nvmlFBCSessionType_t;

struct nvmlFBCStats_st {
  unsigned int sessionsCount;
  unsigned int averageFPS;
  unsigned int averageLatency;
};

typedef nvmlFBCStats_st nvmlFBCStats_t;

struct nvmlFBCSessionInfo_st {
  unsigned int sessionId;
  unsigned int pid;
  nvmlVgpuInstance_t vgpuInstance;
  unsigned int displayOrdinal;
  nvmlFBCSessionType_t sessionType;
  unsigned int sessionFlags;
  unsigned int hMaxResolution;
  unsigned int vMaxResolution;
  unsigned int hResolution;
  unsigned int vResolution;
  unsigned int averageFPS;
  unsigned int averageLatency;
};

typedef nvmlFBCSessionInfo_st nvmlFBCSessionInfo_t;
typedef nvmlDetachGpuState_enum nvmlDetachGpuState_t;
typedef nvmlPcieLinkState_enum nvmlPcieLinkState_t;

struct nvmlConfComputeSystemCaps_st {
  unsigned int cpuCaps;
  unsigned int gpusCaps;
};

typedef nvmlConfComputeSystemCaps_st nvmlConfComputeSystemCaps_t;

struct nvmlConfComputeSystemState_st {
  unsigned int environment;
  unsigned int ccFeature;
  unsigned int devToolsMode;
};

typedef nvmlConfComputeSystemState_st nvmlConfComputeSystemState_t;

struct nvmlConfComputeMemSizeInfo_st {
  unsigned long long protectedMemSizeKib;
  unsigned long long unprotectedMemSizeKib;
};

typedef nvmlConfComputeMemSizeInfo_st nvmlConfComputeMemSizeInfo_t;

struct nvmlConfComputeGpuCertificate_st {
  unsigned int certChainSize;
  unsigned int attestationCertChainSize;
  unsigned char certChain[4096];
  unsigned char attestationCertChain[5120];
};

typedef nvmlConfComputeGpuCertificate_st nvmlConfComputeGpuCertificate_t;

struct nvmlConfComputeGpuAttestationReport_st {
  unsigned int isCecAttestationReportPresent;
  unsigned int attestationReportSize;
  unsigned int cecAttestationReportSize;
  unsigned char nonce[32];
  unsigned char attestationReport[8192];
  unsigned char cecAttestationReport[4096];
};

typedef nvmlConfComputeGpuAttestationReport_st nvmlConfComputeGpuAttestationReport_t;
typedef unsigned char nvmlGpuFabricState_t;
typedef unsigned char nvmlPowerScopeType_t;
typedef unsigned int nvmlAffinityScope_t;
typedef nvmlClockLimitId_enum nvmlClockLimitId_t;

struct nvmlVgpuVersion_st {
  unsigned int minVersion;
  unsigned int maxVersion;
};

typedef nvmlVgpuVersion_st nvmlVgpuVersion_t;

struct nvmlVgpuMetadata_st {
  unsigned int version;
  unsigned int revision;
  nvmlVgpuGuestInfoState_t guestInfoState;
  char guestDriverVersion[80];
  char hostDriverVersion[80];
  unsigned int reserved[6];
  unsigned int vgpuVirtualizationCaps;
  unsigned int guestVgpuVersion;
  unsigned int opaqueDataSize;
  char opaqueData[4];
};

typedef nvmlVgpuMetadata_st nvmlVgpuMetadata_t;

struct nvmlVgpuPgpuMetadata_st {
  unsigned int version;
  unsigned int revision;
  char hostDriverVersion[80];
  unsigned int pgpuVirtualizationCaps;
  unsigned int reserved[5];
  nvmlVgpuVersion_t hostSupportedVgpuRange;
  unsigned int opaqueDataSize;
  char opaqueData[4];
};

typedef nvmlVgpuPgpuMetadata_st nvmlVgpuPgpuMetadata_t;
typedef nvmlVgpuVmCompatibility_enum nvmlVgpuVmCompatibility_t;
typedef nvmlVgpuPgpuCompatibilityLimitCode_enum nvmlVgpuPgpuCompatibilityLimitCode_t;

struct nvmlVgpuPgpuCompatibility_st {
  nvmlVgpuVmCompatibility_t vgpuVmCompatibility;
  nvmlVgpuPgpuCompatibilityLimitCode_t compatibilityLimitCode;
};

typedef nvmlVgpuPgpuCompatibility_st nvmlVgpuPgpuCompatibility_t;

struct nvmlExcludedDeviceInfo_st {
  nvmlPciInfo_t pciInfo;
  char uuid[80];
};

typedef nvmlExcludedDeviceInfo_st nvmlExcludedDeviceInfo_t;

struct nvmlGpuInstancePlacement_st {
  unsigned int start;
  unsigned int size;
};

typedef nvmlGpuInstancePlacement_st nvmlGpuInstancePlacement_t;

struct nvmlGpuInstanceProfileInfo_st {
  unsigned int id;
  unsigned int isP2pSupported;
  unsigned int sliceCount;
  unsigned int instanceCount;
  unsigned int multiprocessorCount;
  unsigned int copyEngineCount;
  unsigned int decoderCount;
  unsigned int encoderCount;
  unsigned int jpegCount;
  unsigned int ofaCount;
  unsigned long long memorySizeMB;
};

typedef nvmlGpuInstanceProfileInfo_st nvmlGpuInstanceProfileInfo_t;

struct nvmlGpuInstanceProfileInfo_v2_st {
  unsigned int version;
  unsigned int id;
  unsigned int isP2pSupported;
  unsigned int sliceCount;
  unsigned int instanceCount;
  unsigned int multiprocessorCount;
  unsigned int copyEngineCount;
  unsigned int decoderCount;
  unsigned int encoderCount;
  unsigned int jpegCount;
  unsigned int ofaCount;
  unsigned long long memorySizeMB;
  char name[96];
};

typedef nvmlGpuInstanceProfileInfo_v2_st nvmlGpuInstanceProfileInfo_v2_t;

struct nvmlGpuInstanceInfo_st {
  nvmlDevice_t device;
  unsigned int id;
  unsigned int profileId;
  nvmlGpuInstancePlacement_t placement;
};

typedef nvmlGpuInstanceInfo_st nvmlGpuInstanceInfo_t;
typedef nvmlGpuInstance_st *nvmlGpuInstance_t;

struct nvmlComputeInstancePlacement_st {
  unsigned int start;
  unsigned int size;
};

typedef nvmlComputeInstancePlacement_st nvmlComputeInstancePlacement_t;

struct nvmlComputeInstanceProfileInfo_st {
  unsigned int id;
  unsigned int sliceCount;
  unsigned int instanceCount;
  unsigned int multiprocessorCount;
  unsigned int sharedCopyEngineCount;
  unsigned int sharedDecoderCount;
  unsigned int sharedEncoderCount;
  unsigned int sharedJpegCount;
  unsigned int sharedOfaCount;
};

typedef nvmlComputeInstanceProfileInfo_st nvmlComputeInstanceProfileInfo_t;

struct nvmlComputeInstanceProfileInfo_v2_st {
  unsigned int version;
  unsigned int id;
  unsigned int sliceCount;
  unsigned int instanceCount;
  unsigned int multiprocessorCount;
  unsigned int sharedCopyEngineCount;
  unsigned int sharedDecoderCount;
  unsigned int sharedEncoderCount;
  unsigned int sharedJpegCount;
  unsigned int sharedOfaCount;
  char name[96];
};

typedef nvmlComputeInstanceProfileInfo_v2_st nvmlComputeInstanceProfileInfo_v2_t;

struct nvmlComputeInstanceInfo_st {
  nvmlDevice_t device;
  nvmlGpuInstance_t gpuInstance;
  unsigned int id;
  unsigned int profileId;
  nvmlComputeInstancePlacement_t placement;
};

typedef nvmlComputeInstanceInfo_st nvmlComputeInstanceInfo_t;
typedef nvmlComputeInstance_st *nvmlComputeInstance_t;
typedef nvmlGpmSample_st *nvmlGpmSample_t;

struct nvmlNvLinkPowerThres_st {
  unsigned int lowPwrThreshold;
};

typedef nvmlNvLinkPowerThres_st nvmlNvLinkPowerThres_t;

struct nvmlGpuThermalSettings_t {
  unsigned int count;
  struct {
    nvmlThermalController_t controller;
    int defaultMinTemp;
    int defaultMaxTemp;
    int currentTemp;
    nvmlThermalTarget_t target;
  } sensor[3];
};

struct nvmlGpuFabricInfo_t {
  char clusterUuid[16];
  nvmlReturn_t status;
  unsigned int partitionId;
  nvmlGpuFabricState_t state;
};

struct nvmlPowerValue_v2_t {
  unsigned int version;
  nvmlPowerScopeType_t powerScope;
  unsigned int powerValueMw;
};

struct nvmlGpmMetric_t {
  unsigned int metricId;
  nvmlReturn_t nvmlReturn;
  double value;
  struct {
    char *shortName;
    char *longName;
    char *unit;
  } metricInfo;
};

struct nvmlGpmMetricsGet_t {
  unsigned int version;
  unsigned int numMetrics;
  nvmlGpmSample_t sample1;
  nvmlGpmSample_t sample2;
  nvmlGpmMetric_t metrics[98];
};

struct nvmlGpmSupport_t {
  unsigned int version;
  unsigned int isSupportedDevice;
};
