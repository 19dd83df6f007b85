// Runs some workgroups of a HipKittens GEMM kernel and compares every element that they wrote with a dot product of
// the CPU. The kernel's file is named by -DGEMM_FILE; its shape is the file's own, so are its block size and grid.
//
// Factors are small multiples of 1/64, so that a sum of products is exact in f32 in any order and the comparison can
// be of all bits. Rounding to bf16 may be to nearest or, as HipKittens does it on CDNA 3, by cutting bits off.
//
//   porter run benchmarks/hipkittens/gemm.hip -I benchmarks/hipkittens -I $HIPKITTENS/include -I rocm/include/hip
//     -DKITTENS_CDNA3 '-DGEMM_FILE="..."' -std c++20 --flag=-w -- BLOCKS
#include GEMM_FILE

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                             \
  do {                                                                          \
    const hipError_t error = (call);                                            \
    if (error != hipSuccess) {                                                  \
      std::printf("%s: %s\n", #call, hipGetErrorString(error));                 \
      return 1;                                                                 \
    }                                                                           \
  } while (0)

static const uint16_t UNTOUCHED = 0x7fc1;  // a NaN that no product gives

static float wide(uint16_t x) {
  const uint32_t bits = uint32_t(x) << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

static float narrow(float x, bool nearest) {
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  if (nearest) bits += 0x7fff + (bits >> 16 & 1);
  return wide(uint16_t(bits >> 16));
}

// Multiples of 1/64 in (-1, 1]
static void fill(std::vector<uint16_t> &words, std::vector<float> &values, uint32_t state) {
  for (size_t i = 0; i < words.size(); i++) {
    state = state * 1664525u + 1013904223u;
    values[i] = (int(state >> 25) - 63) / 64.f;
    uint32_t bits;
    std::memcpy(&bits, &values[i], 4);
    words[i] = uint16_t(bits >> 16);
  }
}

static float dot(const float *a, const float *b, int n) {
  float sums[32] = {};
  for (int k = 0; k < n; k += 32)
    for (int j = 0; j < 32; j++) sums[j] += a[k + j] * b[k + j];
  double sum = 0;
  for (float part : sums) sum += part;
  return float(sum);
}

int main(int argc, char **argv) {
  std::vector<uint16_t> a(size_t(M) * K), b(size_t(N) * K), c(size_t(M) * N, UNTOUCHED);
  std::vector<float> wide_a(a.size()), wide_b(b.size());
  fill(a, wide_a, 1);
  fill(b, wide_b, 2);
  uint16_t *da, *db, *dc;
  CHECK(hipMalloc(&da, a.size() * 2));
  CHECK(hipMalloc(&db, b.size() * 2));
  CHECK(hipMalloc(&dc, c.size() * 2));
  CHECK(hipMemcpy(da, a.data(), a.size() * 2, hipMemcpyHostToDevice));
  CHECK(hipMemcpy(db, b.data(), b.size() * 2, hipMemcpyHostToDevice));
  CHECK(hipMemcpy(dc, c.data(), c.size() * 2, hipMemcpyHostToDevice));

  micro_globals g{make_gl<_gl_A>(uint64_t(da), 1, 1, M, K), make_gl<_gl_B>(uint64_t(db), 1, 1, N, K),
                  make_gl<_gl_C>(uint64_t(dc), 1, 1, M, N)};
  dim3 grid = g.grid();
  const unsigned all = grid.x * grid.y;
  if (argc > 1) grid = dim3(unsigned(std::atoi(argv[1])));
  CHECK(hipFuncSetAttribute((void *)micro_tk, hipFuncAttributeMaxDynamicSharedMemorySize, g.dynamic_shared_memory()));
  const auto began = std::chrono::steady_clock::now();
  micro_tk<<<grid, g.block(), g.dynamic_shared_memory()>>>(g);
  CHECK(hipGetLastError());
  CHECK(hipDeviceSynchronize());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  CHECK(hipMemcpy(c.data(), dc, c.size() * 2, hipMemcpyDeviceToHost));

  size_t written = 0, wrong = 0, cut = 0;
  for (int row = 0; row < M; row++)
    for (int col = 0; col < N; col++) {
      const uint16_t got = c[size_t(row) * N + col];
      if (got == UNTOUCHED) continue;
      written++;
      const float want = dot(&wide_a[size_t(row) * K], &wide_b[size_t(col) * K], K);
      if (wide(got) == narrow(want, true)) continue;
      if (wide(got) == narrow(want, false)) cut++;
      else if (wrong++ < 10)
        std::printf("C[%d][%d] is %g, not %g\n", row, col, wide(got), want);
    }
  const size_t expected = size_t(M) * N / all * grid.x * grid.y;
  std::printf("%u of %u workgroups, %zu elements written of %zu, %zu rounded to zero, %zu wrong, %.2f s, %.2f GFLOP/s\n",
              grid.x * grid.y, all, written, expected, cut, wrong, seconds, 2e-9 * double(written) * K / seconds);
  return wrong || written != expected;
}
