// HIP keeps these functions in its own runtime header.
#pragma once
#include <hip/hip_runtime.h>
