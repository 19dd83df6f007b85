// porter stub headers: Thrust, the CUDA system.
#pragma once

#include "../../../porter_stubs/thrust/vector.h"
