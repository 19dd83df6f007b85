// porter stub headers: what nvcc includes before every source.
#pragma once
#define __CUDA_RUNTIME_H__
#include "porter_stubs/attributes.h"
#include "porter_stubs/host_math.h"

// malloc and free must be known before <new>, which defines the device forms of new and delete.
#include <stdlib.h>
#include <functional>
#include <utility>
#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
#include "driver_functions.h"
#include "library_types.h"
#include "porter_stubs/device/all.h"
#include "porter_stubs/runtime/templates.h"
#include "vector_functions.h"

// Last, so that the library headers above are read with the keyword.
#include "porter_stubs/alignas.h"
