// porter stub headers: fp16 types and functions.
#pragma once
#include "porter_stubs/attributes.h"
#include <cstring>
#include <utility>
#include "porter_stubs/fp/fp16.h"
