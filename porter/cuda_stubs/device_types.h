// porter stub headers: rounding modes come with the runtime's types.
#pragma once

#include "driver_types.h"
