// porter stub headers: alignas behind other specifiers.
//
// nvcc accepts `__shared__ alignas(128) float tile[64]`, which clang rejects because the standard allows
// alignas only at the start of a declaration. As a GNU attribute it may stand in either place.
#pragma once
#ifdef __CUDACC__
namespace porter_stubs {
template <class T>
constexpr __SIZE_TYPE__ alignment() {
  return alignof(T);
}
template <__SIZE_TYPE__ N>
constexpr __SIZE_TYPE__ alignment() {
  return N;
}
}  // namespace porter_stubs

#define alignas(...) __attribute__((aligned(::porter_stubs::alignment<__VA_ARGS__>())))
#endif
