// porter stub headers: Thrust, random numbers.
#pragma once

#include "../../porter_stubs/thrust/random.h"
