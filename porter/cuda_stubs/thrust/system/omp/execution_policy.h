// porter stub headers: Thrust, the OpenMP system.
#pragma once

#include "../../../porter_stubs/thrust/execution.h"
