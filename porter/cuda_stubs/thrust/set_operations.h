// porter stub headers: Thrust, set operations.
#pragma once

#include "../porter_stubs/thrust/all.h"
