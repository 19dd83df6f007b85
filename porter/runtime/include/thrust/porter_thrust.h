// porter's stand-in for the parts of rocThrust that programs commonly use, as plain kernels (porter/parallel.h).
// rocThrust's own headers are taken where they are found: each thrust/*.h here looks for the next one first.
//
// An iterator is taken to be on the device if it is a device_ptr or made from one, or if the policy says so. Every
// call on the device has ended when it returns. What is missing is missing by name: no such header, no such member.
#ifndef PORTER_THRUST
#define PORTER_THRUST
#pragma clang system_header

#include <hip/hip_runtime.h>

#include <algorithm>
#include <cassert>  // programs count on it coming with rocThrust
#include <cstddef>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <new>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "porter/invoked.h"
#include "porter/parallel_sort.h"

#define PORTER_HD __host__ __device__ inline
#define THRUST_VERSION 200805
#define THRUST_MAJOR_VERSION (THRUST_VERSION / 100000)
#define THRUST_MINOR_VERSION (THRUST_VERSION / 100 % 1000)
#define THRUST_SUBMINOR_VERSION (THRUST_VERSION % 100)
#define THRUST_PATCH_NUMBER 0
#define THRUST_CPP_DIALECT (__cplusplus < 201703L ? 2014 : __cplusplus < 202002L ? 2017 : 2020)

#define THRUST_UNUSED_VAR(variable) ((void)(variable))

#include "porter_thrust_types.h"
#include "porter_thrust_iterators.h"
#include "porter_thrust_each.h"
#include "porter_thrust_sums.h"
#include "porter_thrust_vectors.h"
#include "porter_thrust_resources.h"
#include "porter_thrust_more.h"
#include "porter_thrust_functions.h"

#undef PORTER_HD
#undef PORTER_EITHER
#undef PORTER_POLICY
#undef PORTER_LOOP
#undef PORTER_ON_DEVICE
#endif
