// porter stub headers: Thrust, remove.
#pragma once

#include "../porter_stubs/thrust/all.h"
