// porter stub headers: host compiler.
#pragma once

#include "porter_stubs/attributes.h"
