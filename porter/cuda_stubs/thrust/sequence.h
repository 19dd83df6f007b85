// porter stub headers: Thrust, sequence.
#pragma once

#include "../porter_stubs/thrust/all.h"
