// porter stub headers: Thrust, tuples.
#pragma once

#include "../porter_stubs/thrust/tuple.h"
