// porter stub headers: Thrust, swap.
#pragma once

#include "../porter_stubs/thrust/all.h"
