// porter stub headers: Thrust, distances.
#pragma once

#include "../porter_stubs/thrust/iterators.h"
