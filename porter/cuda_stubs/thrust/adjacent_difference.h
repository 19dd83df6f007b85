// porter stub headers: Thrust, adjacent difference.
#pragma once

#include "../porter_stubs/thrust/all.h"
