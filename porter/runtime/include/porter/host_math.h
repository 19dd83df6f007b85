// porter runtime: those of CUDA's functions of one number for host code that no C library has, in double.
#ifndef PORTER_HOST_MATH_H
#define PORTER_HOST_MATH_H

#include <cmath>
#include <limits>

namespace porter::host_math {

constexpr double pi = 3.14159265358979323846, two_over_root_pi = 1.12837916709551257390;

inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline double rcbrt(double x) { return 1 / std::cbrt(x); }

// Sine and cosine of pi * x, exact in multiples of a half.
inline void sincospi(double x, double* sine, double* cosine) {
  double whole = std::isfinite(x) ? x - 2 * std::nearbyint(x / 2) : std::numeric_limits<double>::quiet_NaN();
  double quarters = std::nearbyint(2 * whole), rest = pi * (whole - quarters / 2);
  int quadrant = quarters == quarters ? int(quarters) & 3 : 0;
  double s = std::sin(rest), c = std::cos(rest);
  *sine = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
  *cosine = quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s;
  if (*sine == 0) *sine = std::copysign(0.0, x);
  if (*cosine == 0) *cosine = 0;
}
inline double sinpi(double x) {
  double s, c;
  sincospi(x, &s, &c);
  return s;
}
inline double cospi(double x) {
  double s, c;
  sincospi(x, &s, &c);
  return c;
}

// exp(x * x) * erfc(x)
inline double erfcx(double x) {
  if (x < 25) {
    double square = x * x;
    return std::exp(square) * (1 + std::fma(x, x, -square)) * std::erfc(x);
  }
  double y = 1 / (2 * x * x);
  return (1 - y * (1 - 3 * y * (1 - 5 * y * (1 - 7 * y)))) * (two_over_root_pi / 2) / x;
}

// One step of Halley's method towards the y whose erf, or erfc with its sign, misses what is wanted by `miss`.
inline double halley(double y, double miss) {
  return y - miss / (two_over_root_pi * std::exp(-y * y) + y * miss);
}

inline double erfcinv(double p) {
  if (!(p > 0 && p < 2)) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    return p == 0 ? infinite : p == 2 ? -infinite : std::numeric_limits<double>::quiet_NaN();
  }
  double tail = p < 1 ? p : 2 - p, t = std::sqrt(-2 * std::log(tail / 2));
  double y = (t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))) / std::sqrt(2.0);
  for (int i = 0; i < 3; ++i) y = halley(y, tail - std::erfc(y));
  return p < 1 ? y : -y;
}
inline double erfinv(double x) {
  if (!(std::fabs(x) < 0.5)) return x > 0 ? erfcinv(1 - x) : -erfcinv(1 + x);
  double y = x / two_over_root_pi;
  for (int i = 0; i < 4 && x != 0; ++i) y = halley(y, std::erf(y) - x);
  return y;
}

inline double normcdf(double x) { return std::erfc(-x * std::sqrt(0.5)) / 2; }
inline double normcdfinv(double p) { return -std::sqrt(2.0) * erfcinv(2 * p); }

}  // namespace porter::host_math

#endif  // PORTER_HOST_MATH_H
