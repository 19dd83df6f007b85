// Reductions of RCCL's element types, on the host. Narrow floats are reduced in f32 and rounded after each step.
#include <math.h>

#include <algorithm>
#include <array>

#include "rccl/collectives.h"

namespace host {

namespace {

float bits_to_float(u32 bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}
u32 float_to_bits(float value) {
  u32 bits;
  memcpy(&bits, &value, 4);
  return bits;
}

struct Half {
  u16 bits;
  float get() const {
    const u32 sign = (u32)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
    if (exponent == 31) return bits_to_float(sign | 0x7f800000 | mantissa << 13);
    const float value = exponent ? ldexpf((float)(1024 + mantissa), (int)exponent - 25) : ldexpf((float)mantissa, -24);
    return sign ? -value : value;
  }
  void set(float value) {
    const u16 sign = (u16)(float_to_bits(value) >> 16 & 0x8000);
    const float size = fabsf(value);
    if (isnan(value)) bits = (u16)(sign | 0x7e00);
    else if (size >= 65520) bits = (u16)(sign | 0x7c00);
    else if (size < 0x1p-14f) bits = (u16)(sign | (u16)lrintf(size * 0x1p24f));  // a denormal, or the first number above
    else {
      const u32 all = float_to_bits(size);
      bits = (u16)(sign | (u16)((all + 0xfff + (all >> 13 & 1) - (112u << 23)) >> 13));
    }
  }
};

struct Brain {
  u16 bits;
  float get() const { return bits_to_float((u32)bits << 16); }
  void set(float value) {
    const u32 all = float_to_bits(value);
    bits = isnan(value) ? (u16)(all >> 16 | 0x40) : (u16)((all + 0x7fff + (all >> 16 & 1)) >> 16);
  }
};

// gfx942's: the exponent's bias is one more than in OCP's, there is no infinity, and 0x80 is the NaN.
template <int MANTISSA>
struct Eight {
  u8 bits;
  static float value_of(u32 code) {
    constexpr int bias = MANTISSA == 3 ? 8 : 16;
    const int exponent = (int)(code >> MANTISSA), mantissa = (int)(code & ((1 << MANTISSA) - 1));
    return exponent ? ldexpf((float)((1 << MANTISSA) + mantissa), exponent - bias - MANTISSA)
                    : ldexpf((float)mantissa, 1 - bias - MANTISSA);
  }
  static const std::array<float, 128> &values() {
    static const std::array<float, 128> all = [] {
      std::array<float, 128> made{};
      for (u32 i = 0; i < 128; i++) made[i] = value_of(i);
      return made;
    }();
    return all;
  }
  float get() const {
    if (bits == 0x80) return NAN;
    return bits & 0x80 ? -values()[bits & 0x7f] : values()[bits];
  }
  void set(float value) {  // the largest where it is larger
    if (isnan(value)) {
      bits = 0x80;
      return;
    }
    const auto &all = values();
    const float size = fabsf(value);
    u32 code = (u32)(std::lower_bound(all.begin(), all.end(), size) - all.begin());
    if (code == 128) code = 127;
    else if (code && (size - all[code - 1] < all[code] - size || (size - all[code - 1] == all[code] - size && code & 1)))
      code--;
    bits = (u8)(code ? code | (value < 0 ? 0x80 : 0) : 0);
  }
};

template <class T>
struct Plain {
  T value;
  T get() const { return value; }
  void set(T x) { value = x; }
};

// Sums and products of integers wrap.
template <class T>
T combine(T a, T b, ncclRedOp_t op) {
  using Wide = std::conditional_t<std::is_integral_v<T>, u64, T>;
  switch (op) {
    case ncclProd: return (T)((Wide)a * (Wide)b);
    case ncclMax: return a > b ? a : b;
    case ncclMin: return a < b ? a : b;
    default: return (T)((Wide)a + (Wide)b);
  }
}
template <>
float combine(float a, float b, ncclRedOp_t op) {
  switch (op) {
    case ncclProd: return a * b;
    case ncclMax: return fmaxf(a, b);
    case ncclMin: return fminf(a, b);
    default: return a + b;
  }
}

template <class Element>
void reduce(void *to, const void *from, u64 count, ncclRedOp_t op, bool first, double scale) {
  Element *out = (Element *)to;
  const Element *in = (const Element *)from;
  using Number = decltype(in->get());
  for (u64 i = 0; i < count; i++) {
    Element x = in[i];
    if (scale != 1) x.set((Number)(x.get() * (Number)scale));
    if (first) out[i] = x;
    else out[i].set(combine<Number>(out[i].get(), x.get(), op));
  }
}

template <class F>
void by_type(ncclDataType_t type, F &&f) {
  switch (type) {
    case ncclInt8: f(Plain<i8>()); break;
    case ncclUint8: f(Plain<u8>()); break;
    case ncclInt32: f(Plain<i32>()); break;
    case ncclUint32: f(Plain<u32>()); break;
    case ncclInt64: f(Plain<i64>()); break;
    case ncclUint64: f(Plain<u64>()); break;
    case ncclFloat16: f(Half()); break;
    case ncclFloat32: f(Plain<float>()); break;
    case ncclFloat64: f(Plain<double>()); break;
    case ncclBfloat16: f(Brain()); break;
    case ncclFloat8e4m3: f(Eight<3>()); break;
    case ncclFloat8e5m2: f(Eight<2>()); break;
    default: break;
  }
}

}  // namespace

u64 element_size(ncclDataType_t type) {
  u64 size = 0;
  by_type(type, [&](auto element) { size = sizeof element; });
  return size;
}

void reduce_into(void *to, const void *from, u64 count, ncclDataType_t type, ncclRedOp_t op, bool first, double scale) {
  by_type(type, [&](auto element) { reduce<decltype(element)>(to, from, count, op, first, scale); });
}

void divide_integers(void *values, u64 count, ncclDataType_t type, int by) {
  by_type(type, [&](auto element) {
    using Number = decltype(element.get());
    auto *at = (decltype(element) *)values;
    if constexpr (std::is_integral_v<Number>)
      for (u64 i = 0; i < count; i++) at[i].set((Number)(at[i].get() / (Number)by));
  });
}

double element_at(const void *at, ncclDataType_t type) {
  double value = 0;
  by_type(type, [&](auto element) {
    memcpy(&element, at, sizeof element);
    value = (double)element.get();
  });
  return value;
}

}  // namespace host
