// porter stub headers: Thrust, sort.
#pragma once

#include "../porter_stubs/thrust/all.h"
