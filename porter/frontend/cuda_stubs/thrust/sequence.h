// porter stub headers: Thrust, sequence.
#pragma once

#include "../porter_stubs/thrust/transform.h"
