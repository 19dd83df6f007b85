// porter stub headers: Thrust, uninitialized fill.
#pragma once

#include "../porter_stubs/thrust/all.h"
