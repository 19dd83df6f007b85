// porter stub headers: Thrust, the sequential system.
#pragma once

#include "../../../porter_stubs/thrust/execution.h"
