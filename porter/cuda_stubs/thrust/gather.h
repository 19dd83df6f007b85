// porter stub headers: Thrust, gather.
#pragma once

#include "../porter_stubs/thrust/all.h"
