// porter stub headers: Thrust, complex numbers.
#pragma once
#include "config.h"
#include <complex>
#include <ostream>

namespace thrust {
template <class T>
struct complex {
  typedef T value_type;
  complex() = default;
  __host__ __device__ complex(const T &) PORTER_STUB_BODY
  __host__ __device__ complex(const T &, const T &) PORTER_STUB_BODY
  template <class U>
  __host__ __device__ complex(const complex<U> &) PORTER_STUB_BODY
  template <class U>
  __host__ complex(const std::complex<U> &) PORTER_STUB_BODY
  __host__ __device__ complex &operator=(const T &) PORTER_STUB_BODY
  template <class U>
  __host__ __device__ complex &operator=(const complex<U> &) PORTER_STUB_BODY
  template <class U>
  __host__ __device__ complex &operator+=(const U &) PORTER_STUB_BODY
  template <class U>
  __host__ __device__ complex &operator-=(const U &) PORTER_STUB_BODY
  template <class U>
  __host__ __device__ complex &operator*=(const U &) PORTER_STUB_BODY
  template <class U>
  __host__ __device__ complex &operator/=(const U &) PORTER_STUB_BODY
  __host__ __device__ T real() const PORTER_STUB_BODY
  __host__ __device__ T imag() const PORTER_STUB_BODY
  __host__ __device__ void real(T) PORTER_STUB_BODY
  __host__ __device__ void imag(T) PORTER_STUB_BODY
  __host__ operator std::complex<T>() const PORTER_STUB_BODY
  T x, y;
};

template <class T, class U>
__host__ __device__ complex<typename std::common_type<T, U>::type> operator+(const complex<T> &,
    const complex<U> &) PORTER_STUB_BODY
template <class T, class U, class = typename std::enable_if<std::is_arithmetic<U>::value>::type>
__host__ __device__ complex<typename std::common_type<T, U>::type> operator+(const complex<T> &,
    const U &) PORTER_STUB_BODY
template <class T, class U, class = typename std::enable_if<std::is_arithmetic<U>::value>::type>
__host__ __device__ complex<typename std::common_type<T, U>::type> operator+(const U &,
    const complex<T> &) PORTER_STUB_BODY
template <class T, class U>
__host__ __device__ complex<typename std::common_type<T, U>::type> operator-(const complex<T> &,
    const complex<U> &) PORTER_STUB_BODY
template <class T, class U, class = typename std::enable_if<std::is_arithmetic<U>::value>::type>
__host__ __device__ complex<typename std::common_type<T, U>::type> operator-(const complex<T> &,
    const U &) PORTER_STUB_BODY
template <class T, class U, class = typename std::enable_if<std::is_arithmetic<U>::value>::type>
__host__ __device__ complex<typename std::common_type<T, U>::type> operator-(const U &,
    const complex<T> &) PORTER_STUB_BODY
template <class T, class U>
__host__ __device__ complex<typename std::common_type<T, U>::type> operator*(const complex<T> &,
    const complex<U> &) PORTER_STUB_BODY
template <class T, class U, class = typename std::enable_if<std::is_arithmetic<U>::value>::type>
__host__ __device__ complex<typename std::common_type<T, U>::type> operator*(const complex<T> &,
    const U &) PORTER_STUB_BODY
template <class T, class U, class = typename std::enable_if<std::is_arithmetic<U>::value>::type>
__host__ __device__ complex<typename std::common_type<T, U>::type> operator*(const U &,
    const complex<T> &) PORTER_STUB_BODY
template <class T, class U>
__host__ __device__ complex<typename std::common_type<T, U>::type> operator/(const complex<T> &,
    const complex<U> &) PORTER_STUB_BODY
template <class T, class U, class = typename std::enable_if<std::is_arithmetic<U>::value>::type>
__host__ __device__ complex<typename std::common_type<T, U>::type> operator/(const complex<T> &,
    const U &) PORTER_STUB_BODY
template <class T, class U, class = typename std::enable_if<std::is_arithmetic<U>::value>::type>
__host__ __device__ complex<typename std::common_type<T, U>::type> operator/(const U &,
    const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> operator+(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> operator-(const complex<T> &) PORTER_STUB_BODY
template <class T, class U> __host__ __device__ bool operator==(const complex<T> &, const complex<U> &) PORTER_STUB_BODY
template <class T> __host__ __device__ bool operator==(const T &, const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ bool operator==(const complex<T> &, const T &) PORTER_STUB_BODY
template <class T, class U> __host__ __device__ bool operator!=(const complex<T> &, const complex<U> &) PORTER_STUB_BODY
template <class T> __host__ __device__ bool operator!=(const T &, const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ bool operator!=(const complex<T> &, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ T abs(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ T arg(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ T norm(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> conj(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> proj(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> exp(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> log(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> log10(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> sqrt(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> cos(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> cosh(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> sin(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> sinh(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> tan(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> tanh(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> acos(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> acosh(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> asin(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> asinh(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> atan(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> atanh(const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> polar(const T &, const T & = T(0)) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> pow(const complex<T> &, const complex<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> pow(const complex<T> &, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ complex<T> pow(const T &, const complex<T> &) PORTER_STUB_BODY
template <class T> std::ostream &operator<<(std::ostream &, const complex<T> &) PORTER_STUB_BODY
}  // namespace thrust
