// porter stub headers: Thrust, pinned memory.
#pragma once

#include "../../../../porter_stubs/thrust/vector.h"
