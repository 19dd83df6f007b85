// Correct kernels whose compiled code moves what nobody wrote: scalars that are spilled before they are set, masks of
// lanes put together in loops, gaps and unset members of structures, registers that calls save.
#include <hip/hip_runtime.h>

// Many scalars alive at once: they spill into lanes of vector registers.
extern "C" __global__ void __attribute__((amdgpu_num_sgpr(24))) pressure(const int *in, long *out, int n) {
  int a[40];
#pragma unroll
  for (int k = 0; k < 40; k++) a[k] = in[k * n];
  long sum = 0;
  for (int j = 0; j < n; j++) {
#pragma unroll
    for (int k = 0; k < 40; k++) {
      sum += (long)a[k] * (a[(k + 7) % 40] + j) + (sum >> 3);
      if (a[k] > 70 + j) sum ^= threadIdx.x;
    }
  }
  out[threadIdx.x] = sum;
}
struct Node { int value; Node *next; bool flag; double d; };
__device__ int walk(Node *node, int depth) {
  if (!node) return depth;
  if (node->flag) return node->value + walk(node->next, depth + 1);
  return walk(node->next, depth + 2);
}
__device__ __attribute__((noinline)) bool odd(int n);
__device__ __attribute__((noinline)) bool even(int n) { return n == 0 ? true : odd(n - 1); }
__device__ __attribute__((noinline)) bool odd(int n) { return n == 0 ? false : even(n - 1); }
extern "C" __global__ void calls(long *out, int n) {
  Node nodes[4];
  const int i = threadIdx.x;
  for (int k = 0; k < 4; k++) {
    nodes[k].value = i * k;
    nodes[k].next = k < 3 && (i + k) % 5 ? &nodes[k + 1] : nullptr;
    nodes[k].flag = (i ^ k) & 1;
  }
  bool found = false;
  int where = 0;
  for (int k = 0; k < n && !found; k++) {
    if (even(k + i % 3) && nodes[k % 4].flag) { found = true; where = k; }
    else if (k > i) continue;
    else for (int m = 0; m < k; m++) { if (m * k == i) break; where += m; }
  }
  switch (i % 5) { case 0: where += 5; break; case 1: where *= 3; case 2: where -= walk(nodes, 1); break; default: where ^= 77; }
  out[i] = walk(nodes, 0) + where + found;
}
struct Inner { char tag; double weight; short small; };
struct Item { int id; char kind; Inner inner[3]; long last; };
__device__ Item make(int i) {
  Item item;
  item.id = i;
  item.inner[i % 3].weight = 2.0 * i;
  item.last = i;
  return item;
}
__device__ long use(Item item, int n) {
  Item copy = item;
  if (n > 0 && copy.id % 2) return copy.last + (long)copy.inner[copy.id % 3].weight;
  return copy.last;
}
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
extern "C" __global__ void partly_set(long *out, int n) {
  const int i = threadIdx.x;
  Item item = make(i);
  long sum = 0;
  for (int j = 0; j < n; j++) {
    if (i % 3 == j) continue;
    if (i > 60 && j > 3) break;
    sum += use(item, j);
  }
  out[i] = sum + fib(i % 7);
}

struct Out { int a; char c; double d; short s; long l; };
extern "C" __global__ void copies(Out *out, Out *again, const Out *in) {
  Out o, p = in[threadIdx.x];
  o.a = threadIdx.x; o.c = p.c + 3; o.d = 2.5 + p.d; o.s = 4 + p.s; o.l = 5;
  out[threadIdx.x] = o;
  __syncthreads();
  again[threadIdx.x] = out[63 - threadIdx.x];
}
extern "C" __global__ void fill(Out *out) {
  Out &o = out[threadIdx.x];
  o.a = 1; o.c = 2; o.d = 3; o.s = 4; o.l = 5;
}
extern "C" __global__ void shared(Out *out) {
  __shared__ Out tile[64];
  Out o; o.a = 1; o.c = 3; o.d = 2.5; o.s = 4; o.l = threadIdx.x;
  tile[threadIdx.x] = o;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
