// porter stub headers: profiler control of the driver.
#pragma once
#include "cuda.h"

extern "C" {
CUresult cuProfilerStart();
CUresult cuProfilerStop();
}
