// porter stub headers: Thrust, copy.
#pragma once

#include "../porter_stubs/thrust/all.h"
