// The compiler's own atomics with a memory order and a scope.
#include <cstdio>
struct Cells { int add, sub, ands, ors, xors, least, most, swaps, cas, stored; float real; unsigned long long wide; int copy; };
__global__ void count(Cells *c) {
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  __nv_atomic_fetch_add(&c->add, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_sub(&c->sub, 2, __NV_ATOMIC_ACQ_REL);
  __nv_atomic_fetch_and(&c->ands, ~(1 << t % 16), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_or(&c->ors, 1 << t % 16, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_xor(&c->xors, 1 << t % 16, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_min(&c->least, -t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_max(&c->most, t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_exchange_n(&c->swaps, 7, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  int old = __nv_atomic_load_n(&c->cas, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  while (!__nv_atomic_compare_exchange_n(&c->cas, &old, old + 1, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)) {}
  __nv_atomic_add(&c->real, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER);
  __nv_atomic_fetch_add(&c->wide, 1ull << 33, __NV_ATOMIC_RELAXED);
  int five = 5, seen;
  __nv_atomic_store(&c->stored, &five, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_load(&c->stored, &seen, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store_n(&c->copy, seen, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_THREAD);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
}
int main() {
  Cells *c, h;
  cudaMalloc(&c, sizeof(Cells));
  cudaMemset(c, 0, sizeof(Cells));
  count<<<3, 96>>>(c);
  cudaMemcpy(&h, c, sizeof(Cells), cudaMemcpyDeviceToHost);
  const int n = 3 * 96;
  int wrong = (h.add != n) + (h.sub != -2 * n) + (h.ands != 0) + (h.ors != 0xffff) + (h.xors != 0) + (h.least != 1 - n) + (h.most != n - 1) + (h.swaps != 7) + (h.cas != n) + (h.stored != 5) + (h.real != 0.5f * n) + (h.wide != (1ull << 33) * n) + (h.copy != 5);
  printf("count: %d wrong\n", wrong);
  return wrong;
}
