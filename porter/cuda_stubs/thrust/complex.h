// porter stub headers: Thrust, complex numbers.
#pragma once

#include "../porter_stubs/thrust/complex.h"
