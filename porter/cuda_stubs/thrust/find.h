// porter stub headers: Thrust, find.
#pragma once

#include "../porter_stubs/thrust/all.h"
