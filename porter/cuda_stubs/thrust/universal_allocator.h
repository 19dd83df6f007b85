// porter stub headers: Thrust, vectors.
#pragma once

#include "../porter_stubs/thrust/vector.h"
#include "../porter_stubs/thrust/all.h"
