// porter stub headers: fp4 types and functions.
#pragma once
#include "porter_stubs/attributes.h"
#include <cstring>
#include <utility>
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_fp8.h"
#include "porter_stubs/fp/fp4.h"
