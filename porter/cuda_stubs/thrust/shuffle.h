// porter stub headers: Thrust, shuffle.
#pragma once

#include "../porter_stubs/thrust/all.h"
