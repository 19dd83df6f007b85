// porter stub headers: Thrust, pairs.
#pragma once

#include "../porter_stubs/thrust/tuple.h"
