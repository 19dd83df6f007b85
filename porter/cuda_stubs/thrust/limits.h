// porter stub headers: Thrust, limits.
#pragma once

#include "../porter_stubs/thrust/config.h"
