// porter's stand-in for rocThrust, a part of porter_thrust.h: policies, function objects, pair and tuple.
#ifndef PORTER_THRUST_TYPES
#define PORTER_THRUST_TYPES
#pragma clang system_header

namespace thrust {

// Policies.
struct host_policy {
  template <class... A>
  host_policy operator()(A &&...) const { return {}; }
};
struct device_policy {
  hipStream_t stream = nullptr;
  device_policy on(hipStream_t s) const { return {s}; }
  template <class... A>
  device_policy operator()(A &&...) const { return *this; }
};
static const host_policy host, seq;
static const device_policy device;
typedef host_policy host_system_tag;
typedef device_policy device_system_tag;
namespace hip {
static const device_policy par, par_nosync;
}
namespace hip_rocprim {
static const device_policy par, par_nosync;
}

// Function objects.
#define PORTER_BINARY(name, result, expression)                                                  \
  template <class T = void>                                                                      \
  struct name {                                                                                  \
    typedef T first_argument_type;                                                               \
    typedef T second_argument_type;                                                              \
    typedef result result_type;                                                                  \
    PORTER_HD constexpr result operator()(const T &a, const T &b) const { return expression; }   \
  };                                                                                             \
  template <>                                                                                    \
  struct name<void> {                                                                            \
    template <class T, class U>                                                                  \
    PORTER_HD constexpr auto operator()(const T &a, const U &b) const { return expression; }     \
  };
PORTER_BINARY(plus, T, a + b)
PORTER_BINARY(minus, T, a - b)
PORTER_BINARY(multiplies, T, a *b)
PORTER_BINARY(divides, T, a / b)
PORTER_BINARY(modulus, T, a % b)
PORTER_BINARY(bit_and, T, a &b)
PORTER_BINARY(bit_or, T, a | b)
PORTER_BINARY(bit_xor, T, a ^ b)
PORTER_BINARY(maximum, T, a < b ? b : a)
PORTER_BINARY(minimum, T, b < a ? b : a)
PORTER_BINARY(less, bool, a < b)
PORTER_BINARY(less_equal, bool, a <= b)
PORTER_BINARY(greater, bool, a > b)
PORTER_BINARY(greater_equal, bool, a >= b)
PORTER_BINARY(equal_to, bool, a == b)
PORTER_BINARY(not_equal_to, bool, a != b)

template <class T>
PORTER_HD constexpr T min(const T &a, const T &b) { return b < a ? b : a; }
template <class T, class Less>
PORTER_HD constexpr T min(const T &a, const T &b, Less less) { return less(b, a) ? b : a; }
template <class T>
PORTER_HD constexpr T max(const T &a, const T &b) { return a < b ? b : a; }
template <class T, class Less>
PORTER_HD constexpr T max(const T &a, const T &b, Less less) { return less(a, b) ? b : a; }
PORTER_BINARY(logical_and, bool, a && b)
PORTER_BINARY(logical_or, bool, a || b)
#undef PORTER_BINARY
template <class T = void>
struct negate {
  PORTER_HD T operator()(const T &a) const { return -a; }
};
template <class T = void>
struct square {
  PORTER_HD T operator()(const T &a) const { return a * a; }
};
template <class T = void>
struct logical_not {
  PORTER_HD bool operator()(const T &a) const { return !a; }
};
template <class T = void>
struct identity {
  PORTER_HD T operator()(const T &a) const { return a; }
};
template <class A, class R>
struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};
template <class A, class B, class R>
struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};

// pair and tuple: std's own, whose members are constexpr, cannot be assigned to on the device before C++20.
template <class A, class B>
struct pair {
  typedef A first_type;
  typedef B second_type;
  A first;
  B second;
  pair() = default;
  PORTER_HD pair(const A &a, const B &b) : first(a), second(b) {}
  template <class C, class D>
  PORTER_HD pair(const pair<C, D> &o) : first(o.first), second(o.second) {}
  PORTER_HD bool operator==(const pair &o) const { return first == o.first && second == o.second; }
  PORTER_HD bool operator<(const pair &o) const { return first < o.first || (!(o.first < first) && second < o.second); }
};
template <class A, class B>
PORTER_HD pair<A, B> make_pair(A a, B b) { return {a, b}; }

template <class A, class B>
PORTER_HD void swap(pair<A, B> &a, pair<A, B> &b) {
  pair<A, B> old = a;
  a = b;
  b = old;
}

template <class... T>
struct tuple;
template <>
struct tuple<> {
  PORTER_HD bool operator==(const tuple &) const { return true; }
  PORTER_HD bool operator<(const tuple &) const { return false; }
};
template <class H, class... T>
struct tuple<H, T...> {
  H head;
  tuple<T...> tail;
  tuple() = default;
  tuple(const tuple &) = default;
  PORTER_HD tuple(H h, T... t) : head(static_cast<H &&>(h)), tail(static_cast<T &&>(t)...) {}
  template <class G, class... U, class = std::enable_if_t<sizeof...(U) == sizeof...(T) && !std::is_same<tuple<G, U...>, tuple>::value>>
  PORTER_HD tuple(const tuple<G, U...> &o) : head(o.head), tail(o.tail) {}
  PORTER_HD tuple &operator=(const tuple &o) {
    head = o.head;
    tail = o.tail;
    return *this;
  }
  template <class G, class... U>
  PORTER_HD tuple &operator=(const tuple<G, U...> &o) {
    head = o.head;
    tail = o.tail;
    return *this;
  }
  template <class A, class B>
  PORTER_HD tuple &operator=(const pair<A, B> &o) {
    static_assert(sizeof...(T) == 1);
    head = o.first;
    tail.head = o.second;
    return *this;
  }
  template <class G, class... U>
  PORTER_HD bool operator==(const tuple<G, U...> &o) const { return head == o.head && tail == o.tail; }
  template <class G, class... U>
  PORTER_HD bool operator!=(const tuple<G, U...> &o) const { return !(*this == o); }
  template <class G, class... U>
  PORTER_HD bool operator<(const tuple<G, U...> &o) const { return head < o.head || (!(o.head < head) && tail < o.tail); }
  // By index; const of a tuple does not reach through a reference.
  template <int I>
  PORTER_HD auto &at() {
    if constexpr (I == 0) return head;
    else return tail.template at<I - 1>();
  }
  template <int I>
  PORTER_HD decltype(auto) at() const {
    if constexpr (I == 0) return (head);
    else return tail.template at<I - 1>();
  }
};
template <class... T>
PORTER_HD tuple<T...> make_tuple(T... t) { return tuple<T...>(t...); }
template <class... T>
PORTER_HD tuple<T &...> tie(T &...t) { return tuple<T &...>(t...); }
template <int I, class... T>
PORTER_HD auto &get(tuple<T...> &t) { return t.template at<I>(); }
template <int I, class... T>
PORTER_HD decltype(auto) get(const tuple<T...> &t) { return t.template at<I>(); }
template <size_t I, class T>
struct tuple_element;
template <size_t I, class H, class... T>
struct tuple_element<I, tuple<H, T...>> : tuple_element<I - 1, tuple<T...>> {};
template <class H, class... T>
struct tuple_element<0, tuple<H, T...>> {
  typedef H type;
};
template <class T>
struct tuple_size;
template <class... T>
struct tuple_size<tuple<T...>> : std::integral_constant<size_t, sizeof...(T)> {};

}  // namespace thrust

#endif  // PORTER_THRUST_TYPES
