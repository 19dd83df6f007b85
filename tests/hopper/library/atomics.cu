// Every atomic of CUDA in a unit whose warps have roles: it happens once a thread, and the thread gets what was there.
#include <cuda/atomic>
#include <cuda/ptx>
#include <cuda_fp16.h>
#include <cstdio>

// A function of the source that has an atomic's name and a type of its own.
struct Sum {
  float value;
};
__device__ float atomicAdd(Sum *sum, float value) { return atomicAdd(&sum->value, value); }

struct Cells {
  int add, add_block, add_system, sub, sub_block, least, least_block, most, most_system, ands, ors, xors, swaps, cas, cas_block;
  unsigned inc, inc_block, inc_system, dec;
  unsigned long long wide;
  float real;
  double large;
  __half2 halves;
  Sum sum;
  int seen[5];
};

__device__ void distinct(int *seen, int before) { atomicOr(&seen[before / 32 % 4], 1 << before % 32); }

__global__ void count(Cells *c) {
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) cuda::ptx::mbarrier_init(reinterpret_cast<uint64_t *>(&bar), blockDim.x);
  __syncthreads();
  cuda::ptx::mbarrier_arrive(reinterpret_cast<uint64_t *>(&bar));
  while (!cuda::ptx::mbarrier_try_wait_parity(reinterpret_cast<uint64_t *>(&bar), 0)) {
  }
  const int t = threadIdx.x;
  distinct(c->seen, atomicAdd(&c->add, 1));
  atomicAdd_block(&c->add_block, 2);
  atomicAdd_system(&c->add_system, 3);
  atomicSub(&c->sub, 1);
  atomicSub_block(&c->sub_block, 2);
  atomicMin(&c->least, -t);
  atomicMin_block(&c->least_block, -t);
  atomicMax(&c->most, t);
  atomicMax_system(&c->most_system, t);
  atomicAnd(&c->ands, ~(1 << t % 16));
  atomicOr(&c->ors, 1 << t % 16);
  atomicXor(&c->xors, 1 << t % 16);
  atomicExch(&c->swaps, 7);
  for (int old = 0, seen; (seen = atomicCAS(&c->cas, old, old + 1)) != old;) old = seen;
  for (int old = 0, seen; (seen = atomicCAS_block(&c->cas_block, old, old + 1)) != old;) old = seen;
  atomicInc(&c->inc, 99);
  atomicInc_block(&c->inc_block, 1000);
  atomicInc_system(&c->inc_system, 1000);
  atomicDec(&c->dec, 1000);
  atomicAdd(&c->wide, 1ull << 33);
  atomicAdd(&c->real, 0.5f);
  atomicAdd(&c->large, 0.25);
  atomicAdd(&c->halves, __floats2half2_rn(1.0f, 0.5f));
  atomicAdd(&c->sum, 2.0f);
}

int main() {
  Cells zero = {}, got, *cells;
  zero.ands = -1, zero.dec = 500;
  cudaMalloc(&cells, sizeof got);
  cudaMemcpy(cells, &zero, sizeof got, cudaMemcpyHostToDevice);
  count<<<1, 128>>>(cells);
  cudaMemcpy(&got, cells, sizeof got, cudaMemcpyDeviceToHost);
  int wrong = 0;
  auto check = [&](const char *what, double is, double should) {
    if (is != should) printf("%s: %g, not %g\n", what, is, should);
    wrong += is != should;
  };
  check("add", got.add, 128), check("add_block", got.add_block, 256), check("add_system", got.add_system, 384);
  check("sub", got.sub, -128), check("sub_block", got.sub_block, -256);
  check("min", got.least, -127), check("min_block", got.least_block, -127);
  check("max", got.most, 127), check("max_system", got.most_system, 127);
  check("and", got.ands, ~0xffff), check("or", got.ors, 0xffff), check("xor", got.xors, 0);
  check("exch", got.swaps, 7), check("cas", got.cas, 128), check("cas_block", got.cas_block, 128);
  check("inc", got.inc, 28), check("inc_block", got.inc_block, 128), check("inc_system", got.inc_system, 128);
  check("dec", got.dec, 372), check("wide", double(got.wide >> 33), 128);
  check("float", got.real, 64), check("double", got.large, 32);
  check("low half", __low2float(got.halves), 128), check("high half", __high2float(got.halves), 64);
  check("the source's own", got.sum.value, 256);
  for (int i = 0; i < 4; ++i) check("what was there", got.seen[i], -1);
  printf("count: %d wrong\n", wrong);
  return wrong != 0;
}
