// porter stub headers: Thrust, generate.
#pragma once

#include "../porter_stubs/thrust/all.h"
