// porter stub headers: Thrust, random numbers.
#pragma once
#include "config.h"
#include <stdint.h>

namespace thrust {
namespace random {
// All engines look alike from outside.
template <class T, int kind>
class engine {
 public:
  typedef T result_type;
  static const result_type min = 0;
  static const result_type max = ~result_type(0);
  static const result_type default_seed = 1;
  __host__ __device__ explicit engine(result_type = default_seed) {}
  __host__ __device__ void seed(result_type = default_seed) PORTER_STUB_BODY
  __host__ __device__ result_type operator()() PORTER_STUB_BODY
  __host__ __device__ void discard(unsigned long long) PORTER_STUB_BODY
};
typedef engine<uint32_t, 0> minstd_rand0;
typedef engine<uint32_t, 1> minstd_rand;
typedef engine<uint32_t, 2> ranlux24;
typedef engine<uint64_t, 3> ranlux48;
typedef engine<uint32_t, 4> taus88;
typedef minstd_rand default_random_engine;

template <class T, int kind>
class distribution {
 public:
  typedef T result_type;
  __host__ __device__ explicit distribution(T = T(0), T = T(1)) {}
  template <class Engine>
  __host__ __device__ T operator()(Engine &) PORTER_STUB_BODY
  __host__ __device__ T a() const PORTER_STUB_BODY
  __host__ __device__ T b() const PORTER_STUB_BODY
  __host__ __device__ T mean() const PORTER_STUB_BODY
  __host__ __device__ T stddev() const PORTER_STUB_BODY
  __host__ __device__ void reset() PORTER_STUB_BODY
};
template <class T = int> using uniform_int_distribution = distribution<T, 0>;
template <class T = double> using uniform_real_distribution = distribution<T, 1>;
template <class T = double> using normal_distribution = distribution<T, 2>;
}  // namespace random
using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::ranlux24;
using random::ranlux48;
using random::taus88;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
}  // namespace thrust
