// porter stub headers: surface types.
#pragma once

#include "surface_types.h"
