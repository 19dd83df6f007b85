// Stands in for porter/cuda_math.h: the numbers of these tests have one type, which the mock has functions for.
#pragma once
