// porter's stand-in for rocThrust, a part of porter_thrust.h: memory resources, and the allocators that ask them.
#ifndef PORTER_THRUST_RESOURCES
#define PORTER_THRUST_RESOURCES
#pragma clang system_header

namespace thrust {

namespace detail {
template <class T>
T *typed(void *p) { return static_cast<T *>(p); }
template <class T>
device_ptr<T> typed(device_ptr<void> p) { return device_ptr<T>(static_cast<T *>(p.get())); }
}  // namespace detail

namespace mr {

// Bytes of one kind of pointer.
template <class Pointer = void *>
class memory_resource {
 public:
  using pointer = Pointer;
  virtual ~memory_resource() = default;
  pointer allocate(size_t bytes, size_t alignment = alignof(std::max_align_t)) { return do_allocate(bytes, alignment); }
  void deallocate(pointer p, size_t bytes, size_t alignment = alignof(std::max_align_t)) noexcept { do_deallocate(p, bytes, alignment); }
  bool is_equal(const memory_resource &o) const noexcept { return do_is_equal(o); }
  virtual pointer do_allocate(size_t bytes, size_t alignment) = 0;
  virtual void do_deallocate(pointer p, size_t bytes, size_t alignment) = 0;
  virtual bool do_is_equal(const memory_resource &o) const noexcept { return this == &o; }
};

template <class Pointer>
bool operator==(const memory_resource<Pointer> &a, const memory_resource<Pointer> &b) noexcept { return &a == &b || a.is_equal(b); }
template <class Pointer>
bool operator!=(const memory_resource<Pointer> &a, const memory_resource<Pointer> &b) noexcept { return !(a == b); }

class new_delete_resource final : public memory_resource<> {
 public:
  void *do_allocate(size_t bytes, size_t alignment) override { return ::operator new(bytes, std::align_val_t(alignment)); }
  void do_deallocate(void *p, size_t, size_t alignment) override { ::operator delete(p, std::align_val_t(alignment)); }
};

// Any resource of a kind of pointer behind one type.
template <class Pointer = void *>
class polymorphic_adaptor_resource final : public memory_resource<Pointer> {
 public:
  polymorphic_adaptor_resource(memory_resource<Pointer> *upstream) : upstream_(upstream) {}
  Pointer do_allocate(size_t bytes, size_t alignment) override { return upstream_->allocate(bytes, alignment); }
  void do_deallocate(Pointer p, size_t bytes, size_t alignment) override { upstream_->deallocate(p, bytes, alignment); }
  bool do_is_equal(const memory_resource<Pointer> &o) const noexcept override { return upstream_->is_equal(o); }  // as rocThrust's

 private:
  memory_resource<Pointer> *upstream_;
};

template <class Resource>
Resource *get_global_resource() {
  static Resource all;
  return &all;
}

template <class T, class Resource>
class allocator {
 public:
  using value_type = T;
  using pointer = decltype(detail::typed<T>(typename Resource::pointer()));
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  template <class U>
  struct rebind {
    typedef allocator<U, Resource> other;
  };
  allocator(Resource *resource) : resource_(resource) {}
  template <class U>
  allocator(const allocator<U, Resource> &o) : resource_(o.resource()) {}
  pointer allocate(size_t n) { return detail::typed<T>(resource_->do_allocate(n * sizeof(T), alignof(T))); }
  void deallocate(pointer p, size_t n) { resource_->do_deallocate(p, n * sizeof(T), alignof(T)); }
  Resource *resource() const { return resource_; }
  template <class U>
  bool operator==(const allocator<U, Resource> &o) const { return *resource_ == *o.resource(); }
  template <class U>
  bool operator!=(const allocator<U, Resource> &o) const { return !(*this == o); }

 private:
  Resource *resource_;
};
template <class T, class Pointer = void *>
using polymorphic_allocator = allocator<T, polymorphic_adaptor_resource<Pointer>>;

struct pool_options {
  size_t min_blocks_per_chunk = 16, min_bytes_per_chunk = 1024, max_blocks_per_chunk = 1 << 20, max_bytes_per_chunk = 1 << 30;
  size_t smallest_block_size = alignof(std::max_align_t), largest_block_size = 1 << 20, alignment = alignof(std::max_align_t);
  bool cache_oversized = true;
  size_t cached_size_cutoff_factor = 16, cached_alignment_cutoff_factor = 16;
};

// Blocks of sizes that are powers of two, which are kept when they are freed, until release(). Each is asked of the upstream
// resource by itself, not by the chunk.
template <class Upstream>
class unsynchronized_pool_resource : public memory_resource<typename Upstream::pointer> {
 public:
  using pointer = typename Upstream::pointer;
  static pool_options get_default_options() { return {}; }
  unsynchronized_pool_resource(Upstream *upstream, pool_options options = {}) : upstream_(upstream), options_(options) {}
  unsynchronized_pool_resource(pool_options options = {}) : unsynchronized_pool_resource(get_global_resource<Upstream>(), options) {}
  ~unsynchronized_pool_resource() override { release(); }
  void release() {
    for (const Block &block : all_) upstream_->do_deallocate(block.at, block.size, std::min(block.size, PAGE));
    all_.clear(), free_.clear();
  }
  pointer do_allocate(size_t bytes, size_t alignment) override {
    const size_t size = size_of(bytes, alignment);
    if (passes(size, alignment)) return upstream_->do_allocate(bytes, alignment);
    for (size_t i = free_.size(); i--;)
      if (free_[i].size == size) {
        const pointer at = free_[i].at;
        free_.erase(free_.begin() + ptrdiff_t(i));
        return at;
      }
    all_.push_back({upstream_->do_allocate(size, std::min(size, PAGE)), size});
    return all_.back().at;
  }
  void do_deallocate(pointer p, size_t bytes, size_t alignment) override {
    const size_t size = size_of(bytes, alignment);
    if (passes(size, alignment)) upstream_->do_deallocate(p, bytes, alignment);
    else free_.push_back({p, size});
  }

 private:
  struct Block {
    pointer at;
    size_t size;
  };
  size_t size_of(size_t bytes, size_t alignment) const {
    size_t size = 1;
    while (size < bytes || size < alignment || size < options_.smallest_block_size) size *= 2;
    return size;
  }
  bool passes(size_t size, size_t alignment) const {
    return alignment > PAGE || (size > options_.largest_block_size && !options_.cache_oversized);
  }
  static constexpr size_t PAGE = 4096;  // blocks are no more aligned
  Upstream *upstream_;
  pool_options options_;
  std::vector<Block> all_, free_;
};
// What is known of the blocks lies in the program's own memory, for this one as for the others: it asks the second for none.
template <class Upstream, class Bookkeeper>
class disjoint_unsynchronized_pool_resource : public unsynchronized_pool_resource<Upstream> {
 public:
  disjoint_unsynchronized_pool_resource(Upstream *upstream, Bookkeeper *, pool_options options = {})
      : unsynchronized_pool_resource<Upstream>(upstream, options) {}
  disjoint_unsynchronized_pool_resource(pool_options options = {}) : unsynchronized_pool_resource<Upstream>(options) {}
};

}  // namespace mr

using host_memory_resource = mr::new_delete_resource;
class device_memory_resource final : public mr::memory_resource<device_ptr<void>> {
 public:
  device_ptr<void> do_allocate(size_t bytes, size_t) override { return device_malloc<char>(bytes); }
  void do_deallocate(device_ptr<void> p, size_t, size_t) override { (void)hipFree(p.get()); }
};
template <class Upstream>
class device_ptr_memory_resource final : public mr::memory_resource<device_ptr<void>> {
 public:
  device_ptr_memory_resource(Upstream *upstream = mr::get_global_resource<Upstream>()) : upstream_(upstream) {}
  device_ptr<void> do_allocate(size_t bytes, size_t alignment) override { return upstream_->do_allocate(bytes, alignment); }
  void do_deallocate(device_ptr<void> p, size_t bytes, size_t alignment) override { upstream_->do_deallocate(p, bytes, alignment); }

 private:
  Upstream *upstream_;
};

}  // namespace thrust

#endif  // PORTER_THRUST_RESOURCES
