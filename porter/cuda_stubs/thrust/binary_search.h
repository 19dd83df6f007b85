// porter stub headers: Thrust, binary search.
#pragma once

#include "../porter_stubs/thrust/all.h"
