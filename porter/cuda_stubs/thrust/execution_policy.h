// porter stub headers: Thrust, execution policies.
#pragma once

#include "../porter_stubs/thrust/execution.h"
