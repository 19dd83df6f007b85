// porter stub headers: Thrust, device memory.
#pragma once

#include "../porter_stubs/thrust/pointer.h"
