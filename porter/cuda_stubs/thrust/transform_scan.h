// porter stub headers: Thrust, transform scan.
#pragma once

#include "../porter_stubs/thrust/all.h"
