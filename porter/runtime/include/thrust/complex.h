// porter's stand-in for rocThrust's complex numbers; rocThrust's own is taken where it is found.
#ifndef PORTER_THRUST_COMPLEX
#pragma clang system_header

#if __has_include_next(<thrust/complex.h>)
#include_next <thrust/complex.h>
#else
#define PORTER_THRUST_COMPLEX

#include <hip/hip_runtime.h>

#include <cmath>
#include <complex>

#define PORTER_HD __host__ __device__ inline

namespace thrust {

template <typename T> struct complex {
  typedef T value_type;
  T re, im;

  constexpr __host__ __device__ complex(T r = T(), T i = T()) : re(r), im(i) {}
  template <typename U>
  constexpr __host__ __device__ complex(const complex<U> &z) : re(static_cast<T>(z.re)), im(static_cast<T>(z.im)) {}
  template <typename U> __host__ complex(const std::complex<U> &z) : re(z.real()), im(z.imag()) {}
  __host__ operator std::complex<T>() const { return std::complex<T>(re, im); }

  constexpr __host__ __device__ T real() const { return re; }
  constexpr __host__ __device__ T imag() const { return im; }
  PORTER_HD void real(T r) { re = r; }
  PORTER_HD void imag(T i) { im = i; }

  PORTER_HD complex &operator+=(const complex &z) { return *this = complex(re + z.re, im + z.im); }
  PORTER_HD complex &operator-=(const complex &z) { return *this = complex(re - z.re, im - z.im); }
  PORTER_HD complex &operator*=(const complex &z) {
    return *this = complex(re * z.re - im * z.im, re * z.im + im * z.re);
  }
  PORTER_HD complex &operator/=(const complex &z) {  // scaled, so that no square overflows
    T s = std::fabs(z.re) + std::fabs(z.im), a = re / s, b = im / s, c = z.re / s, d = z.im / s, n = c * c + d * d;
    return *this = complex((a * c + b * d) / n, (b * c - a * d) / n);
  }
};

#define PORTER_OPERATOR(op, assign)                                                                                  \
  template <typename T> PORTER_HD complex<T> operator op(complex<T> a, const complex<T> &b) { return a assign b; }    \
  template <typename T> PORTER_HD complex<T> operator op(complex<T> a, const T &b) { return a assign complex<T>(b); } \
  template <typename T> PORTER_HD complex<T> operator op(const T &a, const complex<T> &b) {                           \
    return complex<T>(a) assign b;                                                                                   \
  }
PORTER_OPERATOR(+, +=)
PORTER_OPERATOR(-, -=)
PORTER_OPERATOR(*, *=)
PORTER_OPERATOR(/, /=)
#undef PORTER_OPERATOR

template <typename T> PORTER_HD complex<T> operator+(const complex<T> &z) { return z; }
template <typename T> PORTER_HD complex<T> operator-(const complex<T> &z) { return complex<T>(-z.re, -z.im); }
template <typename T> PORTER_HD bool operator==(const complex<T> &a, const complex<T> &b) {
  return a.re == b.re && a.im == b.im;
}
template <typename T> PORTER_HD bool operator!=(const complex<T> &a, const complex<T> &b) { return !(a == b); }

template <typename T> PORTER_HD T abs(const complex<T> &z) { return std::hypot(z.re, z.im); }
template <typename T> PORTER_HD T arg(const complex<T> &z) { return std::atan2(z.im, z.re); }
template <typename T> PORTER_HD T norm(const complex<T> &z) { return z.re * z.re + z.im * z.im; }
template <typename T> PORTER_HD complex<T> conj(const complex<T> &z) { return complex<T>(z.re, -z.im); }
template <typename T> PORTER_HD complex<T> polar(const T &r, const T &angle = T()) {
  return complex<T>(r * std::cos(angle), r * std::sin(angle));
}
template <typename T> PORTER_HD complex<T> proj(const complex<T> &z) {
  if (!std::isinf(z.re) && !std::isinf(z.im)) return z;
  return complex<T>(static_cast<T>(HUGE_VAL), std::copysign(T(), z.im));
}

template <typename T> PORTER_HD complex<T> exp(const complex<T> &z) { return polar(std::exp(z.re), z.im); }
template <typename T> PORTER_HD complex<T> log(const complex<T> &z) { return complex<T>(std::log(abs(z)), arg(z)); }
template <typename T> PORTER_HD complex<T> log10(const complex<T> &z) { return log(z) / T(2.302585092994045684); }
template <typename T> PORTER_HD complex<T> sqrt(const complex<T> &z) {
  T r = abs(z), a = std::sqrt((r + std::fabs(z.re)) / 2);
  if (r == T()) return complex<T>(T(), z.im);
  T b = std::fabs(z.im) / (2 * a);
  return z.re >= T() ? complex<T>(a, std::copysign(b, z.im)) : complex<T>(b, std::copysign(a, z.im));
}
template <typename T> PORTER_HD complex<T> pow(const complex<T> &a, const complex<T> &b) {
  return a == complex<T>() ? complex<T>() : exp(log(a) * b);
}
template <typename T> PORTER_HD complex<T> pow(const complex<T> &a, const T &b) { return pow(a, complex<T>(b)); }
template <typename T> PORTER_HD complex<T> pow(const T &a, const complex<T> &b) { return pow(complex<T>(a), b); }

template <typename T> PORTER_HD complex<T> sinh(const complex<T> &z) {
  return complex<T>(std::sinh(z.re) * std::cos(z.im), std::cosh(z.re) * std::sin(z.im));
}
template <typename T> PORTER_HD complex<T> cosh(const complex<T> &z) {
  return complex<T>(std::cosh(z.re) * std::cos(z.im), std::sinh(z.re) * std::sin(z.im));
}
template <typename T> PORTER_HD complex<T> tanh(const complex<T> &z) { return sinh(z) / cosh(z); }
template <typename T> PORTER_HD complex<T> sin(const complex<T> &z) {
  complex<T> w = sinh(complex<T>(-z.im, z.re));
  return complex<T>(w.im, -w.re);
}
template <typename T> PORTER_HD complex<T> cos(const complex<T> &z) { return cosh(complex<T>(-z.im, z.re)); }
template <typename T> PORTER_HD complex<T> tan(const complex<T> &z) { return sin(z) / cos(z); }
template <typename T> PORTER_HD complex<T> asinh(const complex<T> &z) { return log(z + sqrt(z * z + T(1))); }
template <typename T> PORTER_HD complex<T> acosh(const complex<T> &z) {
  return log(z + sqrt(z + T(1)) * sqrt(z - T(1)));
}
template <typename T> PORTER_HD complex<T> atanh(const complex<T> &z) {
  return (log(T(1) + z) - log(T(1) - z)) / T(2);
}
template <typename T> PORTER_HD complex<T> asin(const complex<T> &z) {
  complex<T> w = asinh(complex<T>(-z.im, z.re));
  return complex<T>(w.im, -w.re);
}
template <typename T> PORTER_HD complex<T> acos(const complex<T> &z) {
  complex<T> w = asin(z);
  return complex<T>(T(1.57079632679489661923) - w.re, -w.im);
}
template <typename T> PORTER_HD complex<T> atan(const complex<T> &z) {
  complex<T> w = atanh(complex<T>(-z.im, z.re));
  return complex<T>(w.im, -w.re);
}

}  // namespace thrust

#undef PORTER_HD
#endif
#endif
