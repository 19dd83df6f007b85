// porter stub headers: Thrust, function objects and placeholders.
#pragma once
#include "config.h"
#include <tuple>
#include <utility>

namespace thrust {
template <class Argument, class Result>
struct unary_function {
  typedef Argument argument_type;
  typedef Result result_type;
};
template <class First, class Second, class Result>
struct binary_function {
  typedef First first_argument_type;
  typedef Second second_argument_type;
  typedef Result result_type;
};

template <class T = void>
struct plus {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef T result_type;
  __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
template <>
struct plus<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a + b) {
    return a + b;
  }
};
template <class T = void>
struct minus {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef T result_type;
  __host__ __device__ T operator()(const T &a, const T &b) const { return a - b; }
};
template <>
struct minus<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a - b) {
    return a - b;
  }
};
template <class T = void>
struct multiplies {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef T result_type;
  __host__ __device__ T operator()(const T &a, const T &b) const { return a * b; }
};
template <>
struct multiplies<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a * b) {
    return a * b;
  }
};
template <class T = void>
struct divides {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef T result_type;
  __host__ __device__ T operator()(const T &a, const T &b) const { return a / b; }
};
template <>
struct divides<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a / b) {
    return a / b;
  }
};
template <class T = void>
struct modulus {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef T result_type;
  __host__ __device__ T operator()(const T &a, const T &b) const { return a % b; }
};
template <>
struct modulus<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a % b) {
    return a % b;
  }
};
template <class T = void>
struct bit_and {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef T result_type;
  __host__ __device__ T operator()(const T &a, const T &b) const { return a & b; }
};
template <>
struct bit_and<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a & b) {
    return a & b;
  }
};
template <class T = void>
struct bit_or {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef T result_type;
  __host__ __device__ T operator()(const T &a, const T &b) const { return a | b; }
};
template <>
struct bit_or<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a | b) {
    return a | b;
  }
};
template <class T = void>
struct bit_xor {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef T result_type;
  __host__ __device__ T operator()(const T &a, const T &b) const { return a ^ b; }
};
template <>
struct bit_xor<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a ^ b) {
    return a ^ b;
  }
};
template <class T = void>
struct maximum {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef T result_type;
  __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a < b ? b : a) {
    return a < b ? b : a;
  }
};
template <class T = void>
struct minimum {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef T result_type;
  __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <>
struct minimum<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(b < a ? b : a) {
    return b < a ? b : a;
  }
};
template <class T = void>
struct equal_to {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef bool result_type;
  __host__ __device__ bool operator()(const T &a, const T &b) const { return a == b; }
};
template <>
struct equal_to<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a == b) {
    return a == b;
  }
};
template <class T = void>
struct not_equal_to {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef bool result_type;
  __host__ __device__ bool operator()(const T &a, const T &b) const { return a != b; }
};
template <>
struct not_equal_to<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a != b) {
    return a != b;
  }
};
template <class T = void>
struct greater {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef bool result_type;
  __host__ __device__ bool operator()(const T &a, const T &b) const { return a > b; }
};
template <>
struct greater<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a > b) {
    return a > b;
  }
};
template <class T = void>
struct less {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef bool result_type;
  __host__ __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};
template <>
struct less<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a < b) {
    return a < b;
  }
};
template <class T = void>
struct greater_equal {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef bool result_type;
  __host__ __device__ bool operator()(const T &a, const T &b) const { return a >= b; }
};
template <>
struct greater_equal<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a >= b) {
    return a >= b;
  }
};
template <class T = void>
struct less_equal {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef bool result_type;
  __host__ __device__ bool operator()(const T &a, const T &b) const { return a <= b; }
};
template <>
struct less_equal<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a <= b) {
    return a <= b;
  }
};
template <class T = void>
struct logical_and {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef bool result_type;
  __host__ __device__ bool operator()(const T &a, const T &b) const { return a && b; }
};
template <>
struct logical_and<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a && b) {
    return a && b;
  }
};
template <class T = void>
struct logical_or {
  typedef T first_argument_type;
  typedef T second_argument_type;
  typedef bool result_type;
  __host__ __device__ bool operator()(const T &a, const T &b) const { return a || b; }
};
template <>
struct logical_or<void> {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &a, const B &b) const -> decltype(a || b) {
    return a || b;
  }
};
template <class T = void>
struct negate {
  typedef T argument_type;
  typedef T result_type;
  __host__ __device__ T operator()(const T &a) const { return -a; }
};
template <>
struct negate<void> {
  template <class A>
  __host__ __device__ auto operator()(const A &a) const -> decltype(-a) {
    return -a;
  }
};
template <class T = void>
struct square {
  typedef T argument_type;
  typedef T result_type;
  __host__ __device__ T operator()(const T &a) const { return a * a; }
};
template <>
struct square<void> {
  template <class A>
  __host__ __device__ auto operator()(const A &a) const -> decltype(a * a) {
    return a * a;
  }
};
template <class T = void>
struct bit_not {
  typedef T argument_type;
  typedef T result_type;
  __host__ __device__ T operator()(const T &a) const { return ~a; }
};
template <>
struct bit_not<void> {
  template <class A>
  __host__ __device__ auto operator()(const A &a) const -> decltype(~a) {
    return ~a;
  }
};
template <class T = void>
struct logical_not {
  typedef T argument_type;
  typedef bool result_type;
  __host__ __device__ bool operator()(const T &a) const { return !a; }
};
template <>
struct logical_not<void> {
  template <class A>
  __host__ __device__ auto operator()(const A &a) const -> decltype(!a) {
    return !a;
  }
};
template <class T = void>
struct identity {
  typedef T argument_type;
  typedef T result_type;
  __host__ __device__ const T &operator()(const T &x) const { return x; }
};
template <>
struct identity<void> {
  template <class U>
  __host__ __device__ constexpr U &&operator()(U &&x) const {
    return static_cast<U &&>(x);
  }
};
template <class T1 = void, class T2 = void>
struct project1st {
  __host__ __device__ const T1 &operator()(const T1 &a, const T2 &) const { return a; }
};
template <class T1 = void, class T2 = void>
struct project2nd {
  __host__ __device__ const T2 &operator()(const T1 &, const T2 &b) const { return b; }
};

template <class Predicate>
struct unary_negate {
  template <class T>
  __host__ __device__ bool operator()(const T &) const PORTER_STUB_BODY
};
template <class Predicate>
struct binary_negate {
  template <class T, class U>
  __host__ __device__ bool operator()(const T &, const U &) const PORTER_STUB_BODY
};
template <class Predicate> __host__ __device__ unary_negate<Predicate> not1(const Predicate &) PORTER_STUB_BODY
template <class Predicate> __host__ __device__ binary_negate<Predicate> not2(const Predicate &) PORTER_STUB_BODY
template <class F>
struct not_fn_t {
  template <class... A>
  __host__ __device__ bool operator()(A &&...) const PORTER_STUB_BODY
};
template <class F> __host__ __device__ not_fn_t<F> not_fn(F &&) PORTER_STUB_BODY

template <class F>
struct zip_function {
  __host__ __device__ zip_function(F) {}
  template <class Tuple>
  __host__ __device__ decltype(auto) operator()(Tuple &&t) const {
    return call(static_cast<Tuple &&>(t),
                std::make_index_sequence<std::tuple_size<typename std::decay<Tuple>::type>::value>());
  }
  template <class Tuple, size_t... I>
  __host__ __device__ decltype(auto) call(Tuple &&t, std::index_sequence<I...>) const {
    return f(std::get<I>(t)...);
  }
  mutable F f;
};
template <class F>
__host__ __device__ zip_function<typename std::decay<F>::type> make_zip_function(F &&) PORTER_STUB_BODY

namespace placeholders {
// An expression over _1, _2, ... is a function object of any arguments.
struct expression {
  template <class A>
  __host__ __device__ typename std::decay<A>::type operator()(A &&) const PORTER_STUB_BODY
  template <class A, class B>
  __host__ __device__ typename std::common_type<A, B>::type operator()(A &&, B &&) const PORTER_STUB_BODY
  template <class T>
  __host__ __device__ expression operator=(const T &) const PORTER_STUB_BODY
};
__host__ __device__ expression operator+(expression, expression);
template <class T> __host__ __device__ expression operator+(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator+(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator-(expression, expression);
template <class T> __host__ __device__ expression operator-(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator-(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator*(expression, expression);
template <class T> __host__ __device__ expression operator*(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator*(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator/(expression, expression);
template <class T> __host__ __device__ expression operator/(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator/(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator%(expression, expression);
template <class T> __host__ __device__ expression operator%(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator%(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator<(expression, expression);
template <class T> __host__ __device__ expression operator<(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator<(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator>(expression, expression);
template <class T> __host__ __device__ expression operator>(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator>(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator<=(expression, expression);
template <class T> __host__ __device__ expression operator<=(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator<=(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator>=(expression, expression);
template <class T> __host__ __device__ expression operator>=(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator>=(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator==(expression, expression);
template <class T> __host__ __device__ expression operator==(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator==(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator!=(expression, expression);
template <class T> __host__ __device__ expression operator!=(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator!=(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator&&(expression, expression);
template <class T> __host__ __device__ expression operator&&(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator&&(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator||(expression, expression);
template <class T> __host__ __device__ expression operator||(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator||(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator&(expression, expression);
template <class T> __host__ __device__ expression operator&(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator&(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator|(expression, expression);
template <class T> __host__ __device__ expression operator|(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator|(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator^(expression, expression);
template <class T> __host__ __device__ expression operator^(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator^(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator<<(expression, expression);
template <class T> __host__ __device__ expression operator<<(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator<<(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator>>(expression, expression);
template <class T> __host__ __device__ expression operator>>(expression, const T &) PORTER_STUB_BODY
template <class T> __host__ __device__ expression operator>>(const T &, expression) PORTER_STUB_BODY
__host__ __device__ expression operator+=(expression, expression);
template <class T> __host__ __device__ expression operator+=(expression, const T &) PORTER_STUB_BODY
__host__ __device__ expression operator-=(expression, expression);
template <class T> __host__ __device__ expression operator-=(expression, const T &) PORTER_STUB_BODY
__host__ __device__ expression operator*=(expression, expression);
template <class T> __host__ __device__ expression operator*=(expression, const T &) PORTER_STUB_BODY
__host__ __device__ expression operator/=(expression, expression);
template <class T> __host__ __device__ expression operator/=(expression, const T &) PORTER_STUB_BODY
__host__ __device__ expression operator-(expression);
__host__ __device__ expression operator+(expression);
__host__ __device__ expression operator!(expression);
__host__ __device__ expression operator~(expression);
static constexpr expression _1{}, _2{}, _3{}, _4{}, _5{}, _6{}, _7{}, _8{}, _9{}, _10{};
}  // namespace placeholders
}  // namespace thrust
