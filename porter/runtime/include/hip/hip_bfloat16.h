// porter's stand-in for HIP's hip_bfloat16.h, the older of its two bf16 types; HIP's own is taken where it is found.
#ifndef PORTER_HIP_BFLOAT16_H  // no #pragma once: the next one may be this file again, by another folder
#pragma clang system_header

#if __has_include_next(<hip/hip_bfloat16.h>)
#include_next <hip/hip_bfloat16.h>
#else
#define PORTER_HIP_BFLOAT16_H

#include <hip/hip_runtime.h>

#include <porter/standin_bf16.h>

#define PORTER_HD __host__ __device__ inline

struct hip_bfloat16 {
  unsigned short data;

  enum truncate_t { truncate };

  hip_bfloat16() = default;
  PORTER_HD explicit constexpr hip_bfloat16(float a) : data(porter_bf16::narrow(a)) {}
  PORTER_HD explicit constexpr hip_bfloat16(float a, truncate_t) : data(porter_bf16::narrow<porter_bf16::mode::zero>(a)) {}
  PORTER_HD constexpr operator float() const { return porter_bf16::widen(data); }
  PORTER_HD hip_bfloat16 &operator=(float a) {
    data = porter_bf16::narrow(a);
    return *this;
  }
  PORTER_HD static hip_bfloat16 round_to_bfloat16(float a) { return hip_bfloat16(a); }
  PORTER_HD static hip_bfloat16 round_to_bfloat16(float a, truncate_t t) { return hip_bfloat16(a, t); }
};
typedef struct {
  unsigned short data;
} hip_bfloat16_public;
static_assert(sizeof(hip_bfloat16) == 2);

#define PORTER_ARITHMETIC(op)                                                                                        \
  PORTER_HD hip_bfloat16 operator op(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16(float(a) op float(b)); }  \
  PORTER_HD hip_bfloat16 &operator op##=(hip_bfloat16 &a, hip_bfloat16 b) { return a = a op b; }
PORTER_ARITHMETIC(+)
PORTER_ARITHMETIC(-)
PORTER_ARITHMETIC(*)
PORTER_ARITHMETIC(/)
#undef PORTER_ARITHMETIC
#define PORTER_COMPARE(op) \
  PORTER_HD bool operator op(hip_bfloat16 a, hip_bfloat16 b) { return float(a) op float(b); }
PORTER_COMPARE(==)
PORTER_COMPARE(!=)
PORTER_COMPARE(<)
PORTER_COMPARE(<=)
PORTER_COMPARE(>)
PORTER_COMPARE(>=)
#undef PORTER_COMPARE
PORTER_HD hip_bfloat16 operator+(hip_bfloat16 a) { return a; }
PORTER_HD hip_bfloat16 operator-(hip_bfloat16 a) {
  a.data ^= 0x8000;
  return a;
}
PORTER_HD hip_bfloat16 &operator++(hip_bfloat16 &a) { return a = float(a) + 1.0f; }
PORTER_HD hip_bfloat16 &operator--(hip_bfloat16 &a) { return a = float(a) - 1.0f; }
PORTER_HD hip_bfloat16 operator++(hip_bfloat16 &a, int) {
  hip_bfloat16 before = a;
  ++a;
  return before;
}
PORTER_HD hip_bfloat16 operator--(hip_bfloat16 &a, int) {
  hip_bfloat16 before = a;
  --a;
  return before;
}

namespace std {
PORTER_HD constexpr bool isinf(hip_bfloat16 a) { return (a.data & 0x7fff) == 0x7f80; }
PORTER_HD constexpr bool isnan(hip_bfloat16 a) { return (a.data & 0x7fff) > 0x7f80; }
PORTER_HD constexpr bool iszero(hip_bfloat16 a) { return (a.data & 0x7fff) == 0; }
}  // namespace std

#undef PORTER_HD
#endif
#endif
