// porter's stand-in for hipRAND's device interface; hipRAND's own is taken where it is found.
//
// XORWOW (Marsaglia 2003), Philox 4x32-10 (Salmon et al. 2011) and MRG32k3a (L'Ecuyer 1999): uniform, normal,
// log-normal and Poisson numbers. The generators are the published ones; seeding and skipping are porter's own, so
// the numbers differ from rocRAND's for the same seed. Not here: Sobol, MTGP32; the host interface is in hiprand.h.
#ifndef PORTER_HIPRAND_KERNEL
#pragma clang system_header

#if __has_include_next(<hiprand/hiprand_kernel.h>)
#include_next <hiprand/hiprand_kernel.h>
#else
#define PORTER_HIPRAND_KERNEL

#include <hip/hip_runtime.h>

#define PORTER_D __device__ inline

namespace porter_rand {

// SplitMix64: spreads a seed over a state.
PORTER_D unsigned long long spread(unsigned long long &x) {
  unsigned long long z = (x += 0x9e3779b97f4a7c15ull);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
// (0, 1]
PORTER_D float open_uniform(unsigned x) { return (float)x * 0x1p-32f + 0x1p-33f; }
PORTER_D double open_uniform_double(unsigned x, unsigned y) {
  return (double)(((unsigned long long)x << 32 | y) >> 11) * 0x1p-53 + 0x1p-54;
}
PORTER_D float2 box_muller(float u, float v) {
  float r = sqrtf(-2.0f * logf(u)), s, c;
  sincosf(6.2831853f * v, &s, &c);
  return make_float2(r * s, r * c);
}
PORTER_D double2 box_muller(double u, double v) {
  double r = sqrt(-2.0 * log(u)), s, c;
  sincos(6.283185307179586 * v, &s, &c);
  return make_double2(r * s, r * c);
}

// What every generator keeps beside its own state: the second of two normal numbers.
struct spare {
  float one = 0;
  double two = 0;
  bool has_one = false, has_two = false;
};

}  // namespace porter_rand

struct hiprandStateXORWOW : porter_rand::spare {
  unsigned words[5], weyl;  // not CUDA's v and d: hipRAND's state shows none of its members
  PORTER_D void seed(unsigned long long s, unsigned long long sequence, unsigned long long offset) {
    static_cast<porter_rand::spare &>(*this) = {};
    unsigned long long x = s ^ (sequence * 0xd1342543de82ef95ull + 1);
    for (unsigned &word : words) word = (unsigned)porter_rand::spread(x) | 1u;
    weyl = (unsigned)porter_rand::spread(x);
    for (; offset != 0; --offset) next();
  }
  PORTER_D unsigned next() {
    unsigned t = words[0] ^ words[0] >> 2;
    words[0] = words[1], words[1] = words[2], words[2] = words[3], words[3] = words[4];
    words[4] = words[4] ^ words[4] << 4 ^ t ^ t << 1;
    weyl += 362437u;
    return words[4] + weyl;
  }
};

struct hiprandStatePhilox4_32_10 : porter_rand::spare {
  unsigned counter[4], key[2], out[4], at;
  PORTER_D void seed(unsigned long long s, unsigned long long sequence, unsigned long long offset) {
    static_cast<porter_rand::spare &>(*this) = {};
    key[0] = (unsigned)s, key[1] = (unsigned)(s >> 32);
    counter[0] = (unsigned)(offset / 4), counter[1] = (unsigned)(offset / 4 >> 32);
    counter[2] = (unsigned)sequence, counter[3] = (unsigned)(sequence >> 32);
    at = (unsigned)(offset % 4);
    rounds();
  }
  PORTER_D void rounds() {
    unsigned a = counter[0], b = counter[1], c = counter[2], e = counter[3], k = key[0], l = key[1];
    for (int i = 0; i < 10; ++i) {
      unsigned long long p = 0xd2511f53ull * a, q = 0xcd9e8d57ull * c;
      a = (unsigned)(q >> 32) ^ b ^ k, b = (unsigned)q;
      c = (unsigned)(p >> 32) ^ e ^ l, e = (unsigned)p;
      k += 0x9e3779b9u, l += 0xbb67ae85u;
    }
    out[0] = a, out[1] = b, out[2] = c, out[3] = e;
  }
  PORTER_D unsigned next() {
    if (at == 4) {
      at = 0;
      for (unsigned &word : counter)
        if (++word != 0) break;
      rounds();
    }
    return out[at++];
  }
};

struct hiprandStateMRG32k3a : porter_rand::spare {
  unsigned long long x[3], y[3];
  PORTER_D void seed(unsigned long long s, unsigned long long sequence, unsigned long long offset) {
    static_cast<porter_rand::spare &>(*this) = {};
    unsigned long long z = s ^ (sequence * 0xd1342543de82ef95ull + 1);
    for (unsigned long long &word : x) word = porter_rand::spread(z) % 4294967086ull + 1;
    for (unsigned long long &word : y) word = porter_rand::spread(z) % 4294944442ull + 1;
    for (; offset != 0; --offset) next();
  }
  PORTER_D unsigned next() {
    const unsigned long long m = 4294967087ull, n = 4294944443ull;
    unsigned long long p = (1403580ull * x[1] + (m - 810728ull) * x[0] % m) % m;
    unsigned long long q = (527612ull * y[2] + (n - 1370589ull) * y[0] % n) % n;
    x[0] = x[1], x[1] = x[2], x[2] = p;
    y[0] = y[1], y[1] = y[2], y[2] = q;
    // From 1 .. m to all 32 bits.
    return (unsigned)((double)(p > q ? p - q : p + m - q) * (4294967295.0 / 4294967087.0));
  }
};

typedef hiprandStateXORWOW hiprandStateXORWOW_t, hiprandState, hiprandState_t;
typedef hiprandStatePhilox4_32_10 hiprandStatePhilox4_32_10_t;
typedef hiprandStateMRG32k3a hiprandStateMRG32k3a_t;

template <class S>
PORTER_D void hiprand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, S *state) {
  state->seed(seed, sequence, offset);
}
template <class S>
PORTER_D void skipahead(unsigned long long n, S *state) {
  for (; n != 0; --n) state->next();
}
template <class S>
PORTER_D unsigned hiprand(S *state) { return state->next(); }
template <class S>
PORTER_D float hiprand_uniform(S *state) { return porter_rand::open_uniform(state->next()); }
template <class S>
PORTER_D double hiprand_uniform_double(S *state) {
  unsigned x = state->next();
  return porter_rand::open_uniform_double(x, state->next());
}
template <class S>
PORTER_D float2 hiprand_normal2(S *state) {
  float u = hiprand_uniform(state);
  return porter_rand::box_muller(u, hiprand_uniform(state));
}
template <class S>
PORTER_D double2 hiprand_normal2_double(S *state) {
  double u = hiprand_uniform_double(state);
  return porter_rand::box_muller(u, hiprand_uniform_double(state));
}
template <class S>
PORTER_D float hiprand_normal(S *state) {
  if (state->has_one) {
    state->has_one = false;
    return state->one;
  }
  float2 pair = hiprand_normal2(state);
  state->one = pair.y;
  state->has_one = true;
  return pair.x;
}
template <class S>
PORTER_D double hiprand_normal_double(S *state) {
  if (state->has_two) {
    state->has_two = false;
    return state->two;
  }
  double2 pair = hiprand_normal2_double(state);
  state->two = pair.y;
  state->has_two = true;
  return pair.x;
}
template <class S>
PORTER_D float hiprand_log_normal(S *state, float mean, float deviation) { return expf(mean + deviation * hiprand_normal(state)); }
template <class S>
PORTER_D double hiprand_log_normal_double(S *state, double mean, double deviation) { return exp(mean + deviation * hiprand_normal_double(state)); }
// Knuth's product, in steps that a float can hold.
template <class S>
PORTER_D unsigned hiprand_poisson(S *state, double lambda) {
  unsigned count = 0;
  for (; lambda > 0; lambda -= 16) {
    double least = exp(-(lambda < 16 ? lambda : 16.0)), product = hiprand_uniform_double(state);
    for (; product > least; ++count) product *= hiprand_uniform_double(state);
  }
  return count;
}
PORTER_D uint4 hiprand4(hiprandStatePhilox4_32_10 *state) {
  unsigned a = state->next(), b = state->next(), c = state->next();
  return make_uint4(a, b, c, state->next());
}
PORTER_D float4 hiprand_uniform4(hiprandStatePhilox4_32_10 *state) {
  uint4 x = hiprand4(state);
  return make_float4(porter_rand::open_uniform(x.x), porter_rand::open_uniform(x.y), porter_rand::open_uniform(x.z), porter_rand::open_uniform(x.w));
}
PORTER_D float4 hiprand_normal4(hiprandStatePhilox4_32_10 *state) {
  float2 a = hiprand_normal2(state), b = hiprand_normal2(state);
  return make_float4(a.x, a.y, b.x, b.y);
}

#undef PORTER_D
#endif
#endif
