// porter stub headers: Thrust, reverse.
#pragma once

#include "../porter_stubs/thrust/all.h"
