// Kernels, variables and every kind of memory.
#include "check.h"

__device__ int counter = 5;
static __device__ int hidden[4] = {1, 2, 3, 4};
__constant__ float table[8];
__managed__ int shared_value = 11;

struct Pair { int a; float b; };

__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
__global__ void variables(int *out, float *weights) {
  const int i = threadIdx.x;
  if (i < 4) out[i] = hidden[i] + counter;
  if (i < 8) weights[i] = 2 * table[i];
  if (i == 0) counter = 99;
  if (i == 1) shared_value += 1;
}
__global__ void grid2d(int *out, int width, Pair pair) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = 100 * y + x + pair.a;
}
__global__ void reverse(int *data, int n) {
  extern __shared__ int buffer[];
  const int i = threadIdx.x;
  if (i < n) buffer[i] = data[i];
  __syncthreads();
  if (i < n) data[i] = buffer[n - 1 - i];
}

int main() {
  const int n = 1000;
  static float a[n], b[n], c[n];
  for (int i = 0; i < n; i++) a[i] = (float)i, b[i] = 2.0f * i;
  float *da = device<float>(n), *db = device<float>(n), *dc = device<float>(n);
  unsigned poison;
  HIP(hipMemcpy(&poison, dc, 4, hipMemcpyDeviceToHost));
  EXPECT(poison == 0x7fa5a5a5u);
  HIP(hipMemcpy(da, a, sizeof a, hipMemcpyHostToDevice));
  HIP(hipMemcpy(db, b, sizeof b, hipMemcpyDefault));
  add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  HIP(hipMemcpy(c, dc, sizeof c, hipMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += c[i] != 3.0f * i;
  EXPECT(wrong == 0);

  // variables
  const float weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(table), weights, sizeof weights));
  int seven = 7, numbers[4], after;
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(counter), &seven, sizeof seven));
  int *out = device<int>(4);
  float *doubled = device<float>(8), got[8];
  variables<<<1, 64>>>(out, doubled);
  HIP(hipDeviceSynchronize());
  HIP(hipMemcpy(numbers, out, sizeof numbers, hipMemcpyDeviceToHost));
  HIP(hipMemcpy(got, doubled, sizeof got, hipMemcpyDeviceToHost));
  EXPECT(numbers[0] == 8 && numbers[3] == 11);
  EXPECT(got[0] == 2 && got[7] == 16);
  HIP(hipMemcpyFromSymbol(&after, HIP_SYMBOL(counter), sizeof after));
  EXPECT(after == 99);
  EXPECT(shared_value == 12);
  void *place;
  size_t size;
  HIP(hipGetSymbolAddress(&place, HIP_SYMBOL(hidden)));
  HIP(hipGetSymbolSize(&size, HIP_SYMBOL(hidden)));
  EXPECT(place && size == 16);
  GIVES(hipMemcpyToSymbol(HIP_SYMBOL(counter), weights, 8), hipErrorInvalidValue);

  // memory of the host that a device may touch
  int *pinned, *mapped, *managed;
  HIP(hipHostMalloc((void **)&pinned, 64 * 4, hipHostMallocMapped));
  HIP(hipHostGetDevicePointer((void **)&mapped, pinned, 0));
  for (int i = 0; i < 64; i++) pinned[i] = i;
  reverse<<<1, 64, 64 * 4>>>(mapped, 64);
  HIP(hipDeviceSynchronize());
  EXPECT(pinned[0] == 63 && pinned[63] == 0);
  HIP(hipMallocManaged((void **)&managed, 64 * 4));
  for (int i = 0; i < 64; i++) managed[i] = 2 * i;
  reverse<<<1, 64, 64 * 4>>>(managed, 50);
  HIP(hipDeviceSynchronize());
  EXPECT(managed[0] == 98 && managed[49] == 0 && managed[50] == 100);
  int *plain = (int *)malloc(64 * 4);
  for (int i = 0; i < 64; i++) plain[i] = i;
  HIP(hipHostRegister(plain, 64 * 4, hipHostRegisterDefault));
  reverse<<<1, 64, 64 * 4>>>(plain, 64);
  HIP(hipDeviceSynchronize());
  EXPECT(plain[0] == 63);
  HIP(hipHostUnregister(plain));

  // two dimensions
  const int width = 16, height = 8;
  int *image, rows[height][width];
  size_t pitch;
  HIP(hipMallocPitch((void **)&image, &pitch, width * 4, height));
  EXPECT(pitch == 256);
  HIP(hipMemset2D(image, pitch, 0xff, width * 4, height));
  grid2d<<<dim3(2, 2), dim3(8, 4)>>>(image, (int)pitch / 4, Pair{1000, 2.0f});
  HIP(hipMemcpy2D(rows, width * 4, image, pitch, width * 4, height, hipMemcpyDeviceToHost));
  EXPECT(rows[0][0] == 1000 && rows[7][15] == 1715);
  HIP(hipMemsetD32(image, 77, 3));
  HIP(hipMemcpy(rows, image, 16, hipMemcpyDeviceToHost));
  EXPECT(rows[0][2] == 77 && rows[0][3] == 1003);

  // what was advised, by page
  char *pages;
  int at[2], by[2];
  HIP(hipMallocManaged((void **)&pages, 8192));
  HIP(hipMemAdvise(pages, 4096, hipMemAdviseSetPreferredLocation, 0));
  HIP(hipMemAdvise(pages, 8192, hipMemAdviseSetAccessedBy, hipCpuDeviceId));
  HIP(hipMemPrefetchAsync(pages + 4096, 1, 0, nullptr));
  HIP(hipMemRangeGetAttribute(at, 4, hipMemRangeAttributePreferredLocation, pages, 4096));
  HIP(hipMemRangeGetAttribute(at + 1, 4, hipMemRangeAttributePreferredLocation, pages, 8192));
  EXPECT(at[0] == 0 && at[1] == hipInvalidDeviceId);
  HIP(hipMemRangeGetAttribute(at, 4, hipMemRangeAttributeLastPrefetchLocation, pages, 4096));
  HIP(hipMemRangeGetAttribute(at + 1, 4, hipMemRangeAttributeLastPrefetchLocation, pages + 4096, 4096));
  EXPECT(at[0] == hipInvalidDeviceId && at[1] == 0);
  HIP(hipMemRangeGetAttribute(by, 8, hipMemRangeAttributeAccessedBy, pages, 8192));
  EXPECT(by[0] == hipCpuDeviceId && by[1] == hipInvalidDeviceId);
  HIP(hipMemAdvise(pages, 8192, hipMemAdviseUnsetAccessedBy, hipCpuDeviceId));
  HIP(hipMemRangeGetAttribute(by, 8, hipMemRangeAttributeAccessedBy, pages, 8192));
  EXPECT(by[0] == hipInvalidDeviceId);
  GIVES(hipMemAdvise(da, 4, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
  GIVES(hipMemAdvise(pages, 4, hipMemAdviseSetPreferredLocation, 99), hipErrorInvalidDevice);
  GIVES(hipMemRangeGetAttribute(at, 8, hipMemRangeAttributeReadMostly, pages, 4), hipErrorInvalidValue);
  HIP(hipFree(pages));
  const hipChannelFormatDesc channel = hipCreateChannelDesc<float2>();
  EXPECT(channel.x == 32 && channel.y == 32 && channel.z == 0 && channel.f == hipChannelFormatKindFloat);

  // launches in parts: one stack of configurations, of <<<>>> and of hipConfigureCall
  dim3 blocks, threads;
  size_t lds;
  hipStream_t on;
  HIP(hipConfigureCall(3, 64, 16, nullptr));
  HIP(__hipPopCallConfiguration(&blocks, &threads, &lds, &on));
  EXPECT(blocks.x == 3 && threads.x == 64 && lds == 16 && !on);
  GIVES(hipLaunchByPtr((const void *)reverse), hipErrorMissingConfiguration);
  const int count = 2;
  HIP(hipMemcpy(db, c, 8, hipMemcpyHostToDevice));
  HIP(__hipPushCallConfiguration(1, 64, 256, nullptr));
  HIP(hipSetupArgument(&db, sizeof db, 0));
  HIP(hipSetupArgument(&count, sizeof count, sizeof db));
  HIP(hipLaunchByPtr((const void *)reverse));
  auto reversed = c[0];
  HIP(hipMemcpy(&reversed, db, 4, hipMemcpyDeviceToHost));
  EXPECT(reversed == c[1]);

  HIP(hipFree(da));
  HIP(hipFree(image));
  HIP(hipHostFree(pinned));
  GIVES(hipFree(da), hipErrorInvalidValue);
  GIVES(hipMemcpy(c, da, 4, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  GIVES(hipMemcpy(c, db, sizeof c + 4, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  puts("end");
}
