// porter stub headers: every type that the runtime knows.
#pragma once
#include "driver_types.h"
#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"
