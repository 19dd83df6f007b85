// porter stub headers: Thrust, count.
#pragma once

#include "../porter_stubs/thrust/all.h"
