// porter stub headers: NVML.
#pragma once
#include "porter_stubs/nvml/device.h"
#include "porter_stubs/nvml/events.h"
#define NVML_API_VERSION 12
#define NVML_API_VERSION_STR "12"
