// porter stub headers: Thrust, extrema.
#pragma once

#include "../porter_stubs/thrust/all.h"
