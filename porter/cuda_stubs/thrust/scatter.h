// porter stub headers: Thrust, scatter.
#pragma once

#include "../porter_stubs/thrust/all.h"
