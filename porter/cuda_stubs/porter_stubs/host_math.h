// porter stub headers: the host's math functions, so that device code has overloads beside them.
#pragma once
// libc++'s overloads are not constexpr, so clang takes them as the host's alone.
#if __has_include(<__math/traits.h>)
#include <__algorithm/max.h>
#include <__utility/swap.h>
#include <limits>
#include <type_traits>
#pragma clang force_cuda_host_device begin
#include <__math/abs.h>
#include <__math/copysign.h>
#include <__math/error_functions.h>
#include <__math/exponential_functions.h>
#include <__math/fdim.h>
#include <__math/fma.h>
#include <__math/gamma.h>
#include <__math/hyperbolic_functions.h>
#include <__math/hypot.h>
#include <__math/inverse_hyperbolic_functions.h>
#include <__math/inverse_trigonometric_functions.h>
#include <__math/logarithms.h>
#include <__math/min_max.h>
#include <__math/modulo.h>
#include <__math/remainder.h>
#include <__math/roots.h>
#include <__math/rounding_functions.h>
#include <__math/traits.h>
#include <__math/trigonometric_functions.h>
#pragma clang force_cuda_host_device end
#endif
