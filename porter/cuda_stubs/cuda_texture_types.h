// porter stub headers: texture types.
#pragma once

#include "texture_types.h"
