// porter's stand-ins for ROCm's libraries: what a functor returns.
#ifndef PORTER_INVOKED_H
#define PORTER_INVOKED_H

#include <hip/hip_runtime.h>

#include <type_traits>
#include <utility>

namespace porter {

// Of both sides: std::invoke_result is of the host, and refuses a functor that is of the device alone.
template <class F, class... Args>
__host__ __device__ auto invoked(F &&f, Args &&...args) -> decltype(std::forward<F>(f)(std::forward<Args>(args)...));
template <class F, class... Args>
using invoked_t = decltype(invoked(std::declval<F>(), std::declval<Args>()...));

template <class Nothing, class F, class... Args> struct is_invocable_with : std::false_type {};
template <class F, class... Args>
struct is_invocable_with<std::void_t<invoked_t<F, Args...>>, F, Args...> : std::true_type {};
template <class F, class... Args> using is_invocable = is_invocable_with<void, F, Args...>;

}  // namespace porter

#endif  // PORTER_INVOKED_H
