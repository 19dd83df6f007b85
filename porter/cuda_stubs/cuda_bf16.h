// porter stub headers: bf16 types and functions.
#pragma once
#include "porter_stubs/attributes.h"
#include <cstring>
#include <utility>
#include "cuda_fp16.h"
#include "porter_stubs/fp/bf16.h"
