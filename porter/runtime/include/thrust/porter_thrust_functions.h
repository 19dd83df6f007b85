// porter's stand-in for rocThrust, continued (porter_thrust.h includes it): placeholders (_1 + 2), functions of a tuple's
// parts, and iterators whose function is called where they are written.
#ifndef PORTER_THRUST_FUNCTIONS
#define PORTER_THRUST_FUNCTIONS
#pragma clang system_header

namespace thrust {

// Placeholders: an expression of them is a function object. Constants in it are kept by value.
namespace detail {
template <class Eval>
struct actor;
template <int I>
struct argument {
  template <class A, class... B>
  PORTER_HD static decltype(auto) of(A &&a, B &&...b) {
    if constexpr (I == 0) return static_cast<A &&>(a);
    else return argument<I - 1>::of(static_cast<B &&>(b)...);
  }
  template <class... A>
  PORTER_HD decltype(auto) operator()(A &&...a) const {
    static_assert(I < sizeof...(A), "a placeholder stands for more arguments than the function is called with");
    return of(static_cast<A &&>(a)...);
  }
};
template <class T>
struct kept {
  T value;
  template <class... A>
  PORTER_HD const T &operator()(A &&...) const { return value; }
};
template <class Op, class L, class R>
struct joined {
  L left;
  R right;
  template <class... A>
  PORTER_HD decltype(auto) operator()(A &&...a) const { return Op()(left(a...), right(a...)); }
};
template <class Op, class L>
struct changed {
  L left;
  template <class... A>
  PORTER_HD decltype(auto) operator()(A &&...a) const { return Op()(left(a...)); }
};
template <class T>
PORTER_HD constexpr actor<kept<T>> as_actor(const T &value) { return {{value}}; }
template <class Eval>
PORTER_HD constexpr actor<Eval> as_actor(const actor<Eval> &a) { return a; }
struct assigns {
  template <class T, class U>
  PORTER_HD decltype(auto) operator()(T &&a, const U &b) const { return a = b; }
};
template <class Eval>
struct actor {
  Eval eval;
  template <class... A>
  PORTER_HD decltype(auto) operator()(A &&...a) const { return eval(a...); }
  template <class T>
  PORTER_HD auto operator=(const T &value) const {
    auto right = as_actor(value);
    return actor<joined<assigns, actor, decltype(right)>>{{*this, right}};
  }
  actor(const actor &) = default;
  PORTER_HD constexpr actor(const Eval &e = Eval()) : eval(e) {}
};
template <class T>
struct is_actor : std::false_type {};
template <class Eval>
struct is_actor<actor<Eval>> : std::true_type {};

#define PORTER_JOINS(name, op, result)                                                                     \
  struct name {                                                                                            \
    template <class T, class U>                                                                            \
    PORTER_HD result operator()(T &&a, const U &b) const { return a op b; }                                \
  };                                                                                                       \
  template <class L, class R, std::enable_if_t<is_actor<L>::value || is_actor<R>::value, int> = 0>         \
  PORTER_HD auto operator op(const L &l, const R &r) {                                                     \
    auto left = as_actor(l);                                                                               \
    auto right = as_actor(r);                                                                              \
    return actor<joined<name, decltype(left), decltype(right)>>(joined<name, decltype(left), decltype(right)>{left, right}); \
  }
PORTER_JOINS(adds, +, auto)
PORTER_JOINS(subtracts, -, auto)
PORTER_JOINS(multiplies_by, *, auto)
PORTER_JOINS(divides_by, /, auto)
PORTER_JOINS(rest_of, %, auto)
PORTER_JOINS(bits_and, &, auto)
PORTER_JOINS(bits_or, |, auto)
PORTER_JOINS(bits_xor, ^, auto)
PORTER_JOINS(shifts_left, <<, auto)
PORTER_JOINS(shifts_right, >>, auto)
PORTER_JOINS(equals_to, ==, auto)
PORTER_JOINS(differs_from, !=, auto)
PORTER_JOINS(is_less, <, auto)
PORTER_JOINS(is_more, >, auto)
PORTER_JOINS(is_not_more, <=, auto)
PORTER_JOINS(is_not_less, >=, auto)
PORTER_JOINS(both_of, &&, auto)
PORTER_JOINS(one_of, ||, auto)
PORTER_JOINS(adds_to, +=, decltype(auto))
PORTER_JOINS(subtracts_from, -=, decltype(auto))
PORTER_JOINS(multiplies_itself, *=, decltype(auto))
PORTER_JOINS(divides_itself, /=, decltype(auto))
PORTER_JOINS(keeps_rest, %=, decltype(auto))
PORTER_JOINS(keeps_bits, &=, decltype(auto))
PORTER_JOINS(sets_bits, |=, decltype(auto))
PORTER_JOINS(turns_bits, ^=, decltype(auto))
PORTER_JOINS(moves_left, <<=, decltype(auto))
PORTER_JOINS(moves_right, >>=, decltype(auto))
#undef PORTER_JOINS
#define PORTER_CHANGES(name, op, result)                                                                  \
  struct name {                                                                                           \
    template <class T>                                                                                    \
    PORTER_HD result operator()(T &&a) const { return op a; }                                             \
  };                                                                                                      \
  template <class Eval>                                                                                   \
  PORTER_HD auto operator op(const actor<Eval> &a) {                                                      \
    return actor<changed<name, actor<Eval>>>(changed<name, actor<Eval>>{a});                              \
  }
PORTER_CHANGES(same_sign, +, auto)
PORTER_CHANGES(other_sign, -, auto)
PORTER_CHANGES(bits_not, ~, auto)
PORTER_CHANGES(not_so, !, auto)
PORTER_CHANGES(one_more, ++, decltype(auto))
PORTER_CHANGES(one_less, --, decltype(auto))
#undef PORTER_CHANGES
}  // namespace detail
namespace placeholders {
#define PORTER_PLACE(n) static const detail::actor<detail::argument<n - 1>> _##n;
PORTER_PLACE(1)
PORTER_PLACE(2)
PORTER_PLACE(3)
PORTER_PLACE(4)
PORTER_PLACE(5)
PORTER_PLACE(6)
PORTER_PLACE(7)
PORTER_PLACE(8)
PORTER_PLACE(9)
PORTER_PLACE(10)
#undef PORTER_PLACE
}  // namespace placeholders

// A function of several arguments, called with a tuple's parts.
template <class F>
class zip_function {
 public:
  PORTER_HD zip_function(F f) : f_(f) {}
  template <class... T>
  PORTER_HD decltype(auto) operator()(const tuple<T...> &t) const { return call(t, std::index_sequence_for<T...>()); }
  PORTER_HD F &underlying_function() const { return f_; }

 private:
  template <class... T, size_t... I>
  PORTER_HD decltype(auto) call(const tuple<T...> &t, std::index_sequence<I...>) const { return f_(thrust::get<int(I)>(t)...); }
  mutable F f_;
};
template <class F>
PORTER_HD zip_function<F> make_zip_function(F f) { return zip_function<F>(f); }

// Iterators that call a function with what is written to them; the second one calls another with what is read.
namespace detail {
template <class F, class It>
struct written {
  It it;
  mutable F f;
  template <class T>
  PORTER_HD const written &operator=(const T &value) const {
    *it = f(value);
    return *this;
  }
};
template <class Value, class In, class F, class It>
struct read_and_written : written<F, It> {
  mutable In in;
  PORTER_HD read_and_written(It it, In i, F f) : written<F, It>{it, f}, in(i) {}
  PORTER_HD operator Value() const { return in(*this->it); }
  template <class T>
  PORTER_HD const read_and_written &operator=(const T &value) const {
    *this->it = this->f(value);
    return *this;
  }
  PORTER_HD const read_and_written &operator=(const read_and_written &other) const { return *this = Value(other); }
  read_and_written(const read_and_written &) = default;
};
}  // namespace detail
template <class F, class It>
struct transform_output_iterator : iterator_base<transform_output_iterator<F, It>, value_of<It>, detail::written<F, It>> {
  It it;
  F f;
  PORTER_HD transform_output_iterator(It a, F b) : it(a), f(b) {}
  PORTER_HD detail::written<F, It> at(ptrdiff_t n) const { return {it + n, f}; }
  PORTER_HD transform_output_iterator moved(ptrdiff_t n) const { return {it + n, f}; }
  PORTER_HD ptrdiff_t from(const transform_output_iterator &o) const { return it - o.it; }
};
template <class F, class It>
transform_output_iterator<F, It> make_transform_output_iterator(It it, F f) { return {it, f}; }
template <class F, class It>
auto raw(transform_output_iterator<F, It> t) { return transform_output_iterator<F, decltype(raw(t.it))>(raw(t.it), t.f); }
template <class F, class It>
struct on_device<transform_output_iterator<F, It>> : on_device<It> {};

template <class In, class F, class It>
struct transform_input_output_iterator
    : iterator_base<transform_input_output_iterator<In, F, It>, std::decay_t<porter::invoked_t<In, value_of<It>>>,
                    detail::read_and_written<std::decay_t<porter::invoked_t<In, value_of<It>>>, In, F, It>> {
  using reference = detail::read_and_written<std::decay_t<porter::invoked_t<In, value_of<It>>>, In, F, It>;
  It it;
  In in;
  F f;
  PORTER_HD transform_input_output_iterator(It a, In i, F b) : it(a), in(i), f(b) {}
  PORTER_HD reference at(ptrdiff_t n) const { return reference(it + n, in, f); }
  PORTER_HD transform_input_output_iterator moved(ptrdiff_t n) const { return {it + n, in, f}; }
  PORTER_HD ptrdiff_t from(const transform_input_output_iterator &o) const { return it - o.it; }
};
template <class In, class F, class It>
transform_input_output_iterator<In, F, It> make_transform_input_output_iterator(It it, In in, F f) { return {it, in, f}; }
template <class In, class F, class It>
auto raw(transform_input_output_iterator<In, F, It> t) {
  return transform_input_output_iterator<In, F, decltype(raw(t.it))>(raw(t.it), t.in, t.f);
}
template <class In, class F, class It>
struct on_device<transform_input_output_iterator<In, F, It>> : on_device<It> {};

}  // namespace thrust

#endif
