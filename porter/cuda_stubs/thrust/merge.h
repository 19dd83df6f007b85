// porter stub headers: Thrust, merge.
#pragma once

#include "../porter_stubs/thrust/all.h"
