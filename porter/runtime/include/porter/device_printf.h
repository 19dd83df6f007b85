// porter: how device code that runs in porter's emulator reaches the host. Only in emulator builds
// (__PORTER_EMULATOR__, set by porter.toolchain.build); a GPU never sees any of this.
//
// A call is one instruction that no compiler emits and that gfx942's assembler takes:
//
//     s_incperflevel 0x5000 + kind
//
// v[0:1] hold, in each active lane, the address of that lane's record, a flat pointer, usually into the
// lane's scratch. All memory operations before it have been waited for.
//
//   kind 1, printf:  u32 number of u64 words that follow the first 8 bytes (2 per value)
//                    u32 result; the emulator stores printf's return value here
//                    then per value  u64 tag (0 integer or pointer, 1 double, 2 pointer to a string), u64 value
//                    The first value is the format. Integers are sign- or zero-extended by their own type.
//   kind 2, assert:  as kind 1 with four values: the expression, the file, the line, the function.
//                    The lane stops there; what follows is s_trap 2.
//   kind 3, malloc:  u64 number of bytes
//                    u64 result; the emulator stores the address here, 0 where the heap has no room
//   kind 4, free:    u64 address
//   kind 7, printf of -mprintf-kind=buffered: as kind 1; the result is 0, or -1 where AMD's buffer would be full
#ifndef PORTER_DEVICE_PRINTF_H
#define PORTER_DEVICE_PRINTF_H

#if defined(__HIP__) && defined(__PORTER_EMULATOR__)

// HIP's own definitions of abort and of assert's failure are skipped: with __HIP__ hidden the header is empty,
// and it says #pragma once.
#pragma push_macro("__HIP__")
#undef __HIP__
#include <hip/amd_detail/hip_assert.h>
#pragma pop_macro("__HIP__")
#undef __hip_assert
#if defined(NDEBUG)
#define __hip_assert(COND)
#else
#define __hip_assert(COND)            \
  do {                                \
    if (!(COND)) __builtin_trap();    \
  } while (0)
#endif

extern "C" __attribute__((device)) inline __attribute__((weak)) void abort() { __builtin_trap(); }

#if defined(__HIP_DEVICE_COMPILE__)

#define PORTER_HOST_CALL(kind, record)                                                                              \
  asm volatile("s_waitcnt vmcnt(0) lgkmcnt(0)\n\ts_incperflevel %0" : : "n"(0x5000 + kind), "{v[0:1]}"(record) : "memory")

#if defined(PORTER_PRINTF_BUFFERED)
#define PORTER_PRINTF 7
#else
#define PORTER_PRINTF 1
#endif

namespace porter_emulator {

struct value {
  unsigned long long tag, bits;
};
template <class T, bool = __is_floating_point(T), bool = __is_enum(T) || __is_integral(T)>
struct describe {  // pointers, nullptr
  __attribute__((device)) static value of(T x) { return {0, (unsigned long long)(__UINTPTR_TYPE__)(const volatile void *)x}; }
};
template <class T>
struct describe<T, true, false> {
  __attribute__((device)) static value of(T x) { return {1, __builtin_bit_cast(unsigned long long, (double)x)}; }
};
template <class T>
struct describe<T, false, true> {
  __attribute__((device)) static value of(T x) { return {0, (unsigned long long)(long long)x}; }
};
template <>
struct describe<_Float16, false, false> {
  __attribute__((device)) static value of(_Float16 x) { return {1, __builtin_bit_cast(unsigned long long, (double)x)}; }
};
template <>
struct describe<const char *, false, false> {
  __attribute__((device)) static value of(const char *x) { return {2, (unsigned long long)x}; }
};
template <>
struct describe<char *, false, false> : describe<const char *, false, false> {};

template <unsigned Count>
struct record {
  unsigned words, result;
  value values[Count];
};

}  // namespace porter_emulator

// noinline: the record and the call stay out of the kernel's own code.
template <class... A>
__attribute__((device, noinline)) int printf(const char *format, A... arguments) {
  using namespace porter_emulator;
  record<1 + sizeof...(A)> call = {
      2 * (1 + sizeof...(A)), 0, {describe<const char *>::of(format), describe<A>::of(arguments)...}};
  PORTER_HOST_CALL(PORTER_PRINTF, &call);
  return (int)call.result;
}
// For a call with the format alone, which the declaration in HIP's headers takes before any template.
extern "C" __attribute__((device, noinline, weak)) int printf(const char *format, ...) {
  porter_emulator::record<1> call = {2, 0, {porter_emulator::describe<const char *>::of(format)}};
  PORTER_HOST_CALL(PORTER_PRINTF, &call);
  return (int)call.result;
}

extern "C" __attribute__((device, noinline, weak)) void __assert_fail(const char *expression, const char *file,
                                                                      unsigned int line, const char *function) {
  using text = porter_emulator::describe<const char *>;
  porter_emulator::record<4> call = {8, 0, {text::of(expression), text::of(file), {0, line}, text::of(function)}};
  PORTER_HOST_CALL(2, &call);
  __builtin_trap();
}
extern "C" __attribute__((device, noinline, weak)) void __assertfail() { __builtin_trap(); }

// What clang's malloc and free of device code call, and by them new and delete. These stand in for the device library's.
extern "C" __attribute__((device, noinline, weak)) unsigned long long __ockl_dm_alloc(unsigned long long size) {
  unsigned long long call[2] = {size, 0};
  PORTER_HOST_CALL(3, call);
  return call[1];
}
extern "C" __attribute__((device, noinline, weak)) void __ockl_dm_dealloc(unsigned long long address) {
  unsigned long long call[1] = {address};
  PORTER_HOST_CALL(4, call);
}

#else

extern "C" __attribute__((device, weak)) void __assert_fail(const char *, const char *, unsigned int, const char *) {}
extern "C" __attribute__((device, weak)) void __assertfail() {}

#endif
#endif

#endif  // PORTER_DEVICE_PRINTF_H
