// porter stub headers: the types of the CUDA runtime.
#pragma once
#define __DRIVER_TYPES_H__
#include <limits.h>
#include <stddef.h>
#include "library_types.h"
#include "vector_types.h"
// The order follows the dependencies between the structures.
#include "porter_stubs/runtime/handles.h"
#include "porter_stubs/runtime/error_types.h"
#include "porter_stubs/runtime/stream_types.h"
#include "porter_stubs/runtime/texture_types.h"
#include "porter_stubs/runtime/device_types.h"
#include "porter_stubs/runtime/memory_types.h"
#include "porter_stubs/runtime/launch_types.h"
#include "porter_stubs/runtime/interop_types.h"
#include "porter_stubs/runtime/graph_types.h"
#include "porter_stubs/runtime/attribute_names.h"
