// porter stub headers: pointers to entry points of the driver.
#pragma once

#include "cuda.h"
#include "porter_stubs/driver/entry_points.h"
