// porter stub headers: Thrust, allocators.
#pragma once

#include "../../porter_stubs/thrust/vector.h"
