// porter stub headers: Thrust, replace.
#pragma once

#include "../porter_stubs/thrust/all.h"
