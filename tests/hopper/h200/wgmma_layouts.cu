// Where wgmma finds its operands in shared memory: descriptors with all swizzles, K-major and MN-major, with strides
// that differ, at starts inside the swizzle's pattern, against the canonical layouts of the PTX ISA. It prints a line a
// case; wgmma_layouts.txt is what an H200 printed: all right.
//
//   nvcc -gencode arch=compute_90a,code=sm_90a -std=c++17 wgmma_layouts.cu -o wgmma_layouts
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int kBytes = 64512, kRows = 64, kColumns = 128, kDepth = 16;

template <int TransposedA, int TransposedB>
__global__ void product(const uint32_t* from, uint64_t a, uint64_t b, float* out) {
  extern __shared__ __align__(1024) uint32_t memory[];
  for (int i = threadIdx.x; i < kBytes / 4; i += 128) memory[i] = from[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t base = static_cast<uint32_t>(__cvta_generic_to_shared(memory)) >> 4;
  a += base, b += base;
  float d[64] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
      "}, %64, %65, 0, 1, 1, %66, %67;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
        "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
        "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
        "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
        "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b), "n"(TransposedA), "n"(TransposedB));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int i = 0; i < 64; ++i)
    out[(16 * warp + lane / 4 + 8 * (i / 2 % 2)) * kColumns + 8 * (i / 4) + 2 * (lane % 4) + i % 2] = d[i];
}

// A matrix in shared memory. `absolute`: the pattern is that of the addresses, though `start` lies inside of it.
struct Place {
  int mode, mn_major, start, advance, leading, stride;
  bool absolute;
  int row() const { return mode == 0 ? 16 : 256 >> mode; }
  int base_offset() const { return !absolute && start % (8 * row()) != 0 ? start >> 7 & 7 : 0; }
  uint64_t descriptor() const {
    return uint64_t(start + advance) >> 4 | uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 |
           uint64_t(base_offset()) << 49 | uint64_t(mode) << 62;
  }
  int address(int mn, int k) const {
    const int t = 8, wide = row() / 16;
    int at;
    if (mn_major && mode == 0)
      at = mn % t * 2 + mn / t * stride + k % 8 * 16 + k / 8 * leading;
    else if (mn_major)
      at = mn % (t * wide) * 2 + mn / (t * wide) * leading + k % 8 * row() + k / 8 * stride;
    else if (mode == 0)
      at = mn % 8 * 16 + mn / 8 * stride + k % t * 2 + k / t * leading;
    else
      at = mn % 8 * row() + mn / 8 * stride + k * 2;
    at += advance + (absolute ? start : 0);
    return (absolute ? 0 : start) + (at ^ (at >> 3 & (wide - 1) << 4));
  }
};

static uint32_t* from;
static float* out;

static void put(std::vector<uint8_t>& memory, const Place& place, std::vector<float>& matrix) {
  for (size_t i = 0; i < matrix.size(); ++i) {
    matrix[i] = float(rand() % 17 - 8);  // exact in bf16
    uint32_t word;
    memcpy(&word, &matrix[i], 4);
    const uint16_t half = uint16_t(word >> 16);
    memcpy(&memory.at(place.address(int(i) / kDepth, int(i) % kDepth)), &half, 2);
  }
}

static void compare(const char* name, const Place& a, const Place& b) {
  std::vector<uint8_t> memory(kBytes);
  for (uint8_t& byte : memory) byte = uint8_t(rand() & 0x3f);
  std::vector<float> left(kRows * kDepth), right(kColumns * kDepth), found(kRows * kColumns);
  put(memory, a, left);
  put(memory, b, right);
  cudaMemcpy(from, memory.data(), kBytes, cudaMemcpyHostToDevice);
  const auto kernel = a.mn_major ? (b.mn_major ? product<1, 1> : product<1, 0>)
                                 : (b.mn_major ? product<0, 1> : product<0, 0>);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  kernel<<<1, 128, 65536>>>(from, a.descriptor(), b.descriptor(), out);
  const cudaError_t error = cudaMemcpy(found.data(), out, found.size() * 4, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j) {
      float sum = 0;
      for (int k = 0; k < kDepth; ++k) sum += left[i * kDepth + k] * right[j * kDepth + k];
      wrong += sum != found[i * kColumns + j];
    }
  const auto show = [](char which, const Place& p) {
    printf(" %c{%d mn%d start %d adv %d lead %d str %d}", which, p.mode, p.mn_major, p.start, p.advance, p.leading,
           p.stride);
  };
  printf("%s %-22s", wrong || error ? "BAD" : "ok ", name);
  show('a', a), show('b', b);
  printf(" wrong %d %s\n", wrong, error ? cudaGetErrorString(error) : "");
}

static Place k_major(int mode, int variant, int groups, int start) {
  const int row = mode == 0 ? 16 : 256 >> mode;
  const int plain[3][2] = {{128 * groups, 128}, {128, 256}, {16 + 128 * groups, 128}};
  if (mode == 0) return {0, 0, start, 0, plain[variant % 3][0], plain[variant % 3][1], false};
  return {mode, 0, start, 32 * (variant % (row / 32)), 16, 8 * row * (variant % 2 ? 2 : 1), false};
}

static Place mn_major(int mode, int variant, int extent, int start) {
  const int row = mode == 0 ? 16 : 256 >> mode, blocks = extent * 2 / row, block = 8 * row;
  const int deep = variant % 2 ? block : block * blocks, far = variant % 2 ? 2 * block : block;
  if (mode == 0) return {0, 1, start, 0, deep, far, false};
  return {mode, 1, start, 0, far, deep, false};
}

int main() {
  cudaMalloc(&out, kRows * kColumns * 4);
  cudaMalloc(&from, kBytes);
  for (int mode = 0; mode < 4; ++mode)
    for (int v = 0; v < 4; ++v) {
      const int other = (mode + v) % 4;
      compare("k-major", k_major(mode, v, 8, 0), k_major(other, v + 1, 16, 20480));
      compare("mn-major", mn_major(mode, v, 64, 0), mn_major(other, v + 1, 128, 20480));
      compare("mixed", k_major(mode, v, 8, 0), mn_major(other, v, 128, 20480));
      compare("mixed", mn_major(mode, v, 64, 0), k_major(other, v, 16, 20480));
    }
  for (int mode = 1; mode < 4; ++mode)
    for (int start : {128, 256, 512, 896})
      for (bool absolute : {false, true}) {
        Place a = k_major(mode, 0, 8, start), b = k_major(mode, 0, 16, 20480 + start);
        a.absolute = b.absolute = absolute;
        compare(absolute ? "elsewhere, absolute" : "elsewhere, base offset", a, b);
      }
}
