// porter stub headers: Thrust, scan.
#pragma once

#include "../porter_stubs/thrust/all.h"
