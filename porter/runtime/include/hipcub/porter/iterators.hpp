// porter's stand-in for hipCUB: iterators.
#ifndef PORTER_HIPCUB_ITERATORS
#define PORTER_HIPCUB_ITERATORS
#pragma clang system_header

#include "types.hpp"

namespace hipcub {

namespace detail {
// What all of them have, given `at(n)` and `moved(n)`.
template <class Self, class T, class Offset, class Reference = T>
struct iterator {
  using value_type = T;
  using reference = Reference;
  using pointer = T *;
  using difference_type = Offset;
  using iterator_category = std::random_access_iterator_tag;
  PORTER_HD const Self &self() const { return *static_cast<const Self *>(this); }
  PORTER_HD Self &self() { return *static_cast<Self *>(this); }
  PORTER_HD Reference operator*() const { return self().at(Offset(0)); }
  template <class I>
  PORTER_HD Reference operator[](I i) const { return self().at(Offset(i)); }
  template <class I>
  PORTER_HD Self operator+(I i) const { return self().moved(Offset(i)); }
  template <class I>
  PORTER_HD Self operator-(I i) const { return self().moved(-Offset(i)); }
  template <class I>
  PORTER_HD Self &operator+=(I i) { return self() = self().moved(Offset(i)); }
  template <class I>
  PORTER_HD Self &operator-=(I i) { return self() = self().moved(-Offset(i)); }
  PORTER_HD Self &operator++() { return self() = self().moved(Offset(1)); }
  PORTER_HD Self operator++(int) {
    Self before = self();
    ++*this;
    return before;
  }
};
}  // namespace detail

template <class T, class Offset = ptrdiff_t>
struct CountingInputIterator : detail::iterator<CountingInputIterator<T, Offset>, T, Offset> {
  T first;
  PORTER_HD CountingInputIterator(const T &a) : first(a) {}
  PORTER_HD T at(Offset n) const { return first + T(n); }
  PORTER_HD CountingInputIterator moved(Offset n) const { return CountingInputIterator(first + T(n)); }
  PORTER_HD Offset operator-(const CountingInputIterator &o) const { return Offset(first - o.first); }
  PORTER_HD bool operator==(const CountingInputIterator &o) const { return first == o.first; }
  PORTER_HD bool operator!=(const CountingInputIterator &o) const { return first != o.first; }
  using detail::iterator<CountingInputIterator<T, Offset>, T, Offset>::operator-;
};
template <class T, class Offset = ptrdiff_t>
struct ConstantInputIterator : detail::iterator<ConstantInputIterator<T, Offset>, T, Offset> {
  T value;
  Offset place;
  PORTER_HD ConstantInputIterator(T a, Offset n = 0) : value(a), place(n) {}
  PORTER_HD T at(Offset) const { return value; }
  PORTER_HD ConstantInputIterator moved(Offset n) const { return ConstantInputIterator(value, place + n); }
};
template <class T, class F, class In, class Offset = ptrdiff_t>
struct TransformInputIterator : detail::iterator<TransformInputIterator<T, F, In, Offset>, T, Offset> {
  In in;
  F f;
  PORTER_HD TransformInputIterator(In a, F b) : in(a), f(b) {}
  PORTER_HD T at(Offset n) const { return f(in[n]); }
  PORTER_HD TransformInputIterator moved(Offset n) const { return TransformInputIterator(in + n, f); }
};
template <class In, class Offset = ptrdiff_t, class Value = detail::value_of<In>>
struct ArgIndexInputIterator
    : detail::iterator<ArgIndexInputIterator<In, Offset, Value>, KeyValuePair<Offset, Value>, Offset> {
  In in;
  Offset place;
  PORTER_HD ArgIndexInputIterator(In a, Offset n = 0) : in(a), place(n) {}
  PORTER_HD KeyValuePair<Offset, Value> at(Offset n) const { return {Offset(place + n), Value(in[place + n])}; }
  PORTER_HD ArgIndexInputIterator moved(Offset n) const { return ArgIndexInputIterator(in, place + n); }
  PORTER_HD void normalize() {
    in += place;
    place = 0;
  }
};
template <CacheLoadModifier Modifier, class T, class Offset = ptrdiff_t>
struct CacheModifiedInputIterator : detail::iterator<CacheModifiedInputIterator<Modifier, T, Offset>, T, Offset> {
  T *p;
  PORTER_HD CacheModifiedInputIterator(T *a) : p(a) {}
  PORTER_HD T at(Offset n) const { return p[n]; }
  PORTER_HD CacheModifiedInputIterator moved(Offset n) const { return CacheModifiedInputIterator(p + n); }
};
template <class Offset = ptrdiff_t>
struct DiscardOutputIterator {
  struct nothing {
    template <class T>
    PORTER_HD const nothing &operator=(const T &) const { return *this; }
  };
  using value_type = void;
  using reference = nothing;
  using pointer = void;
  using difference_type = Offset;
  using iterator_category = std::random_access_iterator_tag;
  Offset place = 0;
  PORTER_HD DiscardOutputIterator(Offset n = 0) : place(n) {}
  PORTER_HD nothing operator*() const { return {}; }
  template <class I>
  PORTER_HD nothing operator[](I) const { return {}; }
  template <class I>
  PORTER_HD DiscardOutputIterator operator+(I n) const { return DiscardOutputIterator(place + Offset(n)); }
  PORTER_HD DiscardOutputIterator &operator++() {
    ++place;
    return *this;
  }
};

}  // namespace hipcub

#endif
