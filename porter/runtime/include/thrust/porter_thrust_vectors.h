// porter's stand-in for rocThrust, a part of porter_thrust.h: host_vector and device_vector.
#ifndef PORTER_THRUST_VECTORS
#define PORTER_THRUST_VECTORS
#pragma clang system_header

namespace thrust {

// Vectors.
namespace detail {
template <class A, class T, class = void>
struct constructs : std::false_type {};
template <class A, class T>
struct constructs<A, T, std::void_t<decltype(std::declval<A &>().construct(std::declval<T *>()))>> : std::true_type {};
}  // namespace detail
template <class T, class A = std::allocator<T>>
class host_vector;
template <class T, class A = device_allocator<T>>
class device_vector {
 public:
  using value_type = T;
  using allocator_type = A;
  using iterator = device_ptr<T>;
  using const_iterator = device_ptr<const T>;
  using reference = device_reference<T>;
  using size_type = size_t;
  using pointer = device_ptr<T>;
  device_vector() = default;
  explicit device_vector(const A &a) : allocator_(a) {}
  explicit device_vector(size_t n, const A &a = A()) : allocator_(a) { resize(n); }
  device_vector(size_t n, const T &value, const A &a = A()) : allocator_(a) { resize(n, value); }
  device_vector(const device_vector &o) : allocator_(o.allocator_) { assign(o.begin(), o.end()); }
  template <class U, class B>
  device_vector(const device_vector<U, B> &o) { assign(o.begin(), o.end()); }
  device_vector(device_vector &&o) noexcept { swap(o); }
  template <class B>
  device_vector(const host_vector<T, B> &o) { assign(o.begin(), o.end()); }
  template <class B>
  device_vector(const std::vector<T, B> &o) { assign(o.begin(), o.end()); }
  device_vector(std::initializer_list<T> o) { assign(o.begin(), o.end()); }
  template <class It, class = value_of<It>, class = std::enable_if_t<!std::is_integral<It>::value>>
  device_vector(It first, It last) { assign(first, last); }
  ~device_vector() { release(); }
  device_vector &operator=(const device_vector &o) {
    if (this != &o) assign(o.begin(), o.end());
    return *this;
  }
  device_vector &operator=(device_vector &&o) noexcept {
    swap(o);
    return *this;
  }
  template <class B>
  device_vector &operator=(const std::vector<T, B> &o) {
    assign(o.begin(), o.end());
    return *this;
  }
  template <class It, class = std::enable_if_t<!std::is_integral<It>::value>>
  void assign(It first, It last) {
    size_ = 0;
    reserve(size_t(last - first));
    size_ = size_t(last - first);
    thrust::copy(first, last, begin());
  }
  void assign(size_t n, const T &value) {
    size_ = 0;
    resize(n, value);
  }
  void reserve(size_t n) {
    if (n <= room_) return;
    device_ptr<T> more = allocator_.allocate(n);
    if (size_) (void)hipMemcpy((void *)more.p, (const void *)p_.p, size_ * sizeof(T), hipMemcpyDeviceToDevice);
    release();
    p_ = more;
    room_ = n;
  }
  void resize(size_t n, const T &value) {
    reserve(n);
    if (n > size_) thrust::fill(begin() + size_, begin() + n, value);
    size_ = n;
  }
  // What new elements are is the allocator's affair where it has a function for it.
  void resize(size_t n) {
    if constexpr (detail::constructs<A, T>::value) {
      reserve(n);
      if (n > size_) detail::each(nullptr, n - size_, [a = allocator_, p = p_.p + size_] __device__(size_t i) mutable { a.construct(p + i); });
      size_ = n;
    } else {
      resize(n, T());
    }
  }
  A get_allocator() const { return allocator_; }
  void push_back(const T &value) {
    if (size_ == room_) reserve(room_ ? 2 * room_ : 8);
    p_[ptrdiff_t(size_++)] = value;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void shrink_to_fit() {}
  void swap(device_vector &o) {
    std::swap(allocator_, o.allocator_);
    std::swap(p_, o.p_);
    std::swap(size_, o.size_);
    std::swap(room_, o.room_);
  }
  iterator erase(iterator first, iterator last) {
    std::vector<T> rest(size_t(end() - last));
    thrust::copy(last, end(), rest.begin());
    thrust::copy(rest.begin(), rest.end(), first);
    size_ -= size_t(last - first);
    return first;
  }
  size_t size() const { return size_; }
  size_t capacity() const { return room_; }
  bool empty() const { return size_ == 0; }
  iterator begin() { return p_; }
  iterator end() { return p_ + ptrdiff_t(size_); }
  const_iterator begin() const { return const_iterator(p_.p); }
  const_iterator end() const { return const_iterator(p_.p + size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reference operator[](size_t i) { return p_[ptrdiff_t(i)]; }
  T operator[](size_t i) const { return device_reference<const T>(p_.p + i); }
  reference front() const { return p_[0]; }
  reference back() const { return p_[ptrdiff_t(size_ - 1)]; }
  pointer data() { return p_; }
  device_ptr<const T> data() const { return begin(); }

 private:
  void release() {
    if (p_) allocator_.deallocate(p_, room_);
  }
  A allocator_;
  device_ptr<T> p_;
  size_t size_ = 0, room_ = 0;
};
template <class T, class A>
class host_vector : public std::vector<T, A> {
 public:
  using std::vector<T, A>::vector;
  host_vector() = default;
  host_vector(const std::vector<T, A> &o) : std::vector<T, A>(o) {}
  template <class B>
  host_vector(const device_vector<T, B> &o) { *this = o; }
  template <class B>
  host_vector &operator=(const device_vector<T, B> &o) {
    this->resize(o.size());
    thrust::copy(o.begin(), o.end(), this->begin());
    return *this;
  }
};
template <class T, class A>
bool operator==(const device_vector<T, A> &a, const device_vector<T, A> &b) {
  return a.size() == b.size() && thrust::equal(a.begin(), a.end(), b.begin());
}

}  // namespace thrust

#endif  // PORTER_THRUST_VECTORS
