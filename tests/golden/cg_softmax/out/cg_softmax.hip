// Row softmax three times: a warp a row, a block a row, and one cooperative launch over the grid.
#include "porter/groups.h"
#include <hip/hip_runtime.h>
#include "porter/math.h"

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = porter::cg;
using namespace porter::cg;

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(hipError_t code, const char *file, int line, bool abort = true)
{
   if (code != hipSuccess)
   {
      fprintf(stderr, "GPUassert: %s %s %d\n", hipGetErrorString(code), file, line);
      if (abort) exit(code);
   }
}

template <typename Group>
__device__ float tile_max(const Group &g, float v)
{
    for (int i = g.size() / 2; i > 0; i /= 2) v = fmaxf(v, g.shfl_xor(v, i));
    return v;
}

__global__ void softmax_warp(const float *in, float *out, int rows, int cols)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= rows) return;
    const float *x = in + row * cols;
    float m = -FLT_MAX, s = 0.f;
    for (int c = warp.thread_rank(); c < cols; c += warp.size()) m = fmaxf(m, x[c]);
    m = tile_max(warp, m);
    for (int c = warp.thread_rank(); c < cols; c += warp.size()) s += __expf(x[c] - m);
    s = cg::reduce(warp, s, cg::plus<float>());
    for (int c = warp.thread_rank(); c < cols; c += warp.size()) out[row * cols + c] = porter::fdividef(__expf(x[c] - m), s);
    warp.sync();
}

__global__ void softmax_block(const float *in, float *out, int cols)
{
    extern __shared__ float scratch[];
    auto block = this_thread_block();
    auto tile = tiled_partition<16>(block);
    const float *x = in + block.group_index().x * cols;
    float m = -FLT_MAX, s = 0.f;
    for (int c = block.thread_rank(); c < cols; c += block.size()) m = fmaxf(m, x[c]);
    m = tile_max(tile, m);
    if (tile.thread_rank() == 0) scratch[block.thread_rank() / tile.size()] = m;
    block.sync();
    for (unsigned i = 0; i < block.size() / tile.size(); ++i) m = fmaxf(m, scratch[i]);
    cg::sync(block);
    for (int c = block.thread_rank(); c < cols; c += block.size()) s += expf(x[c] - m);
    for (int i = tile.size() / 2; i > 0; i /= 2) s += tile.shfl_down(s, i);
    if (tile.thread_rank() == 0) scratch[block.thread_rank() / tile.size()] = s;
    block.sync();
    s = 0.f;
    for (unsigned i = 0; i < block.size() / tile.size(); ++i) s += scratch[i];
    for (int c = block.thread_rank(); c < cols; c += block.size())
        out[block.group_index().x * cols + c] = expf(x[c] - m) / s;
}

// Counts what is larger than its row's mean; lanes that agree elect one to add for all of them.
__global__ void count_and_normalise(float *x, const float *means, int *above, float *sum, int rows, int cols)
{
    cg::grid_group grid = cg::this_grid();
    for (int i = grid.thread_rank(); i < rows * cols; i += grid.size()) {
        if (x[i] > means[i / cols]) {
            cg::coalesced_group active = cg::coalesced_threads();
            if (active.thread_rank() == 0) atomicAdd(above, (int)active.size());
        }
        atomicAdd(sum, x[i]);
    }
    grid.sync();
    const float total = *sum;
    for (int i = grid.thread_rank(); i < rows * cols; i += grid.size()) x[i] /= total;
}

int main()
{
    const int rows = 37, cols = 501, n = rows * cols;
    std::vector<float> h(n), expected(n), got(n), means(rows, 1.0f / cols);
    for (int i = 0; i < n; ++i) h[i] = sinf(i * 0.37f) * 3;
    int expected_above = 0;
    for (int r = 0; r < rows; ++r) {
        float m = -FLT_MAX; double s = 0;
        for (int c = 0; c < cols; ++c) m = std::fmax(m, h[r * cols + c]);
        for (int c = 0; c < cols; ++c) s += std::exp(h[r * cols + c] - m);
        for (int c = 0; c < cols; ++c) expected[r * cols + c] = float(std::exp(h[r * cols + c] - m) / s);
    }
    float *in, *out, *d_means, *sum; int *above;
    gpuErrchk(hipMalloc(&in, n * sizeof(float)));
    gpuErrchk(hipMalloc(&out, n * sizeof(float)));
    gpuErrchk(hipMalloc(&d_means, rows * sizeof(float)));
    gpuErrchk(hipMalloc(&sum, sizeof(float)));
    gpuErrchk(hipMalloc(&above, sizeof(int)));
    gpuErrchk(hipMemcpy(in, h.data(), n * sizeof(float), hipMemcpyHostToDevice));
    gpuErrchk(hipMemcpy(d_means, means.data(), rows * sizeof(float), hipMemcpyHostToDevice));

    bool ok = true;
    for (int which = 0; which < 2; ++which) {
        if (which == 0) softmax_warp<<<(rows + 3) / 4, 128>>>(in, out, rows, cols);
        else softmax_block<<<rows, 128, 8 * sizeof(float)>>>(in, out, cols);
        gpuErrchk(hipPeekAtLastError());
        gpuErrchk(hipMemcpy(got.data(), out, n * sizeof(float), hipMemcpyDeviceToHost));
        for (int i = 0; i < n; ++i) ok = ok && std::fabs(got[i] - expected[i]) < 1e-6f;
    }
    for (int i = 0; i < n; ++i) expected_above += got[i] > means[i / cols];

    int device = 0, supported = 0, per_sm = 0, sms = 0;
    gpuErrchk(hipGetDevice(&device));
    gpuErrchk(hipDeviceGetAttribute(&supported, hipDeviceAttributeCooperativeLaunch, device));
    gpuErrchk(hipDeviceGetAttribute(&sms, hipDeviceAttributeMultiprocessorCount, device));
    if (supported) {
        gpuErrchk(hipOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, count_and_normalise, 256, 0));
        gpuErrchk(hipMemset(sum, 0, sizeof(float)));
        gpuErrchk(hipMemset(above, 0, sizeof(int)));
        int r = rows, c = cols;
        void *args[] = {&out, &d_means, &above, &sum, &r, &c};
        gpuErrchk(hipLaunchCooperativeKernel((void *)count_and_normalise, dim3(per_sm * sms), dim3(256), args, 0, 0));
        int count = 0;
        gpuErrchk(hipMemcpy(&count, above, sizeof(int), hipMemcpyDeviceToHost));
        gpuErrchk(hipMemcpy(got.data(), out, n * sizeof(float), hipMemcpyDeviceToHost));
        double total = 0;
        for (float v : got) total += v;
        ok = ok && count == expected_above && std::fabs(total - 1) < 1e-3;
    }
    printf(ok ? "PASS\n" : "FAIL\n");
    for (void *p : {(void *)in, (void *)out, (void *)d_means, (void *)sum, (void *)above}) hipFree(p);
    return !ok;
}
