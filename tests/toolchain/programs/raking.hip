#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>
template <int N> using L = hipcub::BlockRakingLayout<float, N>;
static_assert(L<128>::RAKING_THREADS == 64 && L<128>::SEGMENT_LENGTH == 2 && !L<128>::USE_SEGMENT_PADDING && L<128>::UNGUARDED, "");
static_assert(L<24>::MAX_RAKING_THREADS == 32 && L<24>::RAKING_THREADS == 24 && L<24>::GRID_ELEMENTS == 24, "");
static_assert(L<500>::SEGMENT_LENGTH == 8 && L<500>::RAKING_THREADS == 63 && L<500>::GRID_ELEMENTS == 63 * 9 && !L<500>::UNGUARDED, "");
static_assert(sizeof(L<500>::TempStorage) == 2272, "");
__global__ void k(float *p) {
  __shared__ L<256>::TempStorage storage;
  *L<256>::PlacementPtr(storage, threadIdx.x) = p[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < L<256>::RAKING_THREADS) p[threadIdx.x] = L<256>::RakingPtr(storage, threadIdx.x)[3];
  hipcub::Uninitialized<float4> whole;
  whole.Alias().x = 1;
  p[0] = hipcub::ShuffleDown<16>(whole.Alias(), 1, 15, ~0u).x + hipcub::ShuffleUp<32>(1.0, 1, 0, ~0u);
}
