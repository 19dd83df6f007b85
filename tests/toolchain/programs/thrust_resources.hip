// Prints what memory resources of rocThrust are asked for by its allocators and vectors. thrust_resources.txt has what rocThrust
// prints.
#include <hip/hip_runtime.h>
#include <iostream>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/device_memory_resource.h>
#include <thrust/mr/disjoint_pool.h>
#include <thrust/mr/new.h>
#include <thrust/mr/pool.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>

// Passes on what it is asked for, and counts.
template <class Upstream>
struct Counted final : thrust::mr::memory_resource<typename Upstream::pointer> {
  using pointer = typename Upstream::pointer;
  explicit Counted(Upstream *u) : upstream(u) {}
  pointer do_allocate(std::size_t bytes, std::size_t alignment) override {
    taken++, live += long(bytes);
    return upstream->do_allocate(bytes, alignment);
  }
  void do_deallocate(pointer p, std::size_t bytes, std::size_t alignment) override {
    given++, live -= long(bytes);
    upstream->do_deallocate(p, bytes, alignment);
  }
  Upstream *upstream;
  int taken = 0, given = 0;
  long live = 0;
};

template <class Vector>
void use(const char *name, typename Vector::allocator_type alloc) {
  Vector a(alloc), b(alloc);
  a.resize(1000);
  thrust::sequence(a.begin(), a.end(), 1);
  b = a;
  a.swap(b);
  b.clear();
  b.push_back(7);
  std::cout << name << ": " << thrust::reduce(a.begin(), a.end(), 0) << " " << b.size() << " " << b.back() << "\n";
}

int main() {
  using New = thrust::mr::new_delete_resource;
  New memory;
  Counted<New> counted(&memory);
  {
    using Alloc = thrust::mr::allocator<int, Counted<New>>;
    use<thrust::host_vector<int, Alloc>>("own", Alloc(&counted));
    std::cout << (Alloc(&counted) == Alloc(&counted)) << " " << counted.live << " " << (counted.taken == counted.given && counted.taken > 0) << "\n";
  }
  thrust::mr::polymorphic_adaptor_resource<void *> first(&counted), second(&counted), third(&memory);
  std::cout << "equal: " << first.is_equal(second) << first.is_equal(third) << (first == second) << "\n";
  {
    using Alloc = thrust::mr::polymorphic_allocator<int, void *>;
    use<thrust::host_vector<int, Alloc>>("polymorphic", Alloc(&first));
    std::cout << counted.live << "\n";
  }
  {
    using Resource = thrust::device_ptr_memory_resource<thrust::device_memory_resource>;
    thrust::mr::polymorphic_adaptor_resource<thrust::device_ptr<void>> adaptor(thrust::mr::get_global_resource<Resource>());
    using Alloc = thrust::mr::polymorphic_allocator<int, thrust::device_ptr<void>>;
    use<thrust::device_vector<int, Alloc>>("device", Alloc(&adaptor));
    Counted<Resource> on_device(thrust::mr::get_global_resource<Resource>());
    using Counting = thrust::mr::allocator<int, Counted<Resource>>;
    use<thrust::device_vector<int, Counting>>("counted", Counting(&on_device));
    std::cout << (on_device.taken > 0) << " " << on_device.live << "\n";
  }
  {
    using Pool = thrust::mr::unsynchronized_pool_resource<Counted<New>>;
    Pool pool(&counted);
    using Alloc = thrust::mr::allocator<int, Pool>;
    use<thrust::host_vector<int, Alloc>>("pool", Alloc(&pool));
    const int taken = counted.taken;
    for (int i = 0; i < 100; i++) {  // what is freed is kept, and given again
      void *p = pool.allocate(100, 64), *q = pool.allocate(3000);
      if (reinterpret_cast<std::size_t>(p) % 64) std::cout << "not aligned\n";
      pool.deallocate(p, 100, 64);
      pool.deallocate(q, 3000);
    }
    std::cout << (counted.taken - taken <= 2) << " " << (counted.live > 0) << "\n";
    pool.release();
  }
  std::cout << counted.live << "\n";
  {
    using Pool = thrust::mr::disjoint_unsynchronized_pool_resource<New, New>;
    Pool pool(&memory, &memory);
    using Alloc = thrust::mr::allocator<int, Pool>;
    use<thrust::host_vector<int, Alloc>>("disjoint", Alloc(&pool));
  }
}
