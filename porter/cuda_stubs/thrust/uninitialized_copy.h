// porter stub headers: Thrust, uninitialized copy.
#pragma once

#include "../porter_stubs/thrust/all.h"
