// porter stub headers: attributes.
#pragma once

#include "../porter_stubs/attributes.h"
