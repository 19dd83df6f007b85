// Streams that use the same memory: argument 1 says how. Prints nothing where all is well.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    const hipError_t error = (call);                                                    \
    if (error != hipSuccess) {                                                          \
      printf("%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorName(error));                \
      exit(1);                                                                          \
    }                                                                                   \
  } while (0)

constexpr int N = 4096;

__global__ void produce(float *to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = (float)i;
}

__global__ void consume(const float *from, float *to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = 2 * from[i];
}

__global__ void count(int *counter) { atomicAdd(counter, 1); }

__global__ void publish(float *data, int *flag) {
  *data = 1;
  __threadfence_system();
  __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}

__global__ void await(const float *data, int *flag, float *out) {
  while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) == 0) __builtin_amdgcn_s_sleep(1);
  *out = *data;
}

int main(int argc, char **argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  float *x, *y, *pinned;
  int *counter;
  hipStream_t a, b;
  hipEvent_t done;
  CHECK(hipMalloc(&x, N * sizeof(float)));
  CHECK(hipMalloc(&y, N * sizeof(float)));
  CHECK(hipMalloc(&counter, 2 * sizeof(int)));
  CHECK(hipHostMalloc(&pinned, N * sizeof(float)));
  CHECK(hipMemset(counter, 0, 2 * sizeof(int)));
  CHECK(hipDeviceSynchronize());
  const unsigned flags = how == "default" ? hipStreamDefault : hipStreamNonBlocking;
  CHECK(hipStreamCreateWithFlags(&a, flags));
  CHECK(hipStreamCreateWithFlags(&b, flags));
  CHECK(hipEventCreate(&done));
  const dim3 grid(N / 256), block(256);

  if (how == "race" || how == "event" || how == "host" || how == "query" || how == "halves") {
    const int n = how == "halves" ? N / 2 : N;
    produce<<<grid, block, 0, a>>>(x, n);
    if (how == "event") {
      CHECK(hipEventRecord(done, a));
      CHECK(hipStreamWaitEvent(b, done, 0));
    }
    if (how == "host") CHECK(hipStreamSynchronize(a));
    if (how == "query")
      while (hipStreamQuery(a) == hipErrorNotReady) {
      }
    consume<<<grid, block, 0, b>>>(how == "halves" ? x + n : x, y, n);
  } else if (how == "copy") {  // the result is copied by another stream
    produce<<<grid, block, 0, a>>>(x, N);
    CHECK(hipMemcpyAsync(pinned, x, N * sizeof(float), hipMemcpyDeviceToHost, b));
  } else if (how == "copies") {
    CHECK(hipMemcpyAsync(x, pinned, N * sizeof(float), hipMemcpyHostToDevice, a));
    CHECK(hipMemsetAsync(x, 0, sizeof(float), b));
  } else if (how == "nonblocking") {  // the default stream does not wait for such streams
    produce<<<grid, block, 0, a>>>(x, N);
    consume<<<grid, block>>>(x, y, N);
  } else if (how == "fill") {  // hipMemset and hipMemcpy return before the memory of a device has got what they write
    CHECK(hipMemset(x, 0, N * sizeof(float)));
    consume<<<grid, block, 0, a>>>(x, y, N);
  } else if (how == "fill3d") {
    CHECK(hipMemset3D({x, 256, 256, 8}, 0, {256, 8, 8}));
    consume<<<grid, block, 0, a>>>(x, y, N);
  } else if (how == "within") {
    CHECK(hipMemcpy(x, y, N * sizeof(float), hipMemcpyDeviceToDevice));
    consume<<<grid, block, 0, a>>>(x, pinned, N);
  } else if (how == "inner") {  // but not where a fill begins within an allocation, nor in memory of the host
    CHECK(hipMemset(x + 1, 0, (N - 1) * sizeof(float)));
    CHECK(hipMemset(pinned, 0, N * sizeof(float)));
    consume<<<grid, block, 0, a>>>(x + 1, pinned, N - 1);
  } else if (how == "asked") {
    const unsigned on = 1;
    CHECK(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, x));
    CHECK(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, y + 5));
    CHECK(hipMemcpy(x, y, N * sizeof(float), hipMemcpyDeviceToDevice));
    consume<<<grid, block, 0, a>>>(x, pinned, N);
  } else if (how == "default") {  // these wait for it
    produce<<<grid, block, 0, a>>>(x, N);
    consume<<<grid, block>>>(x, y, N);
    produce<<<grid, block, 0, b>>>(y, N);
  } else if (how == "stale") {  // an event that was recorded too early
    CHECK(hipEventRecord(done, a));
    produce<<<grid, block, 0, a>>>(x, N);
    CHECK(hipStreamWaitEvent(b, done, 0));
    consume<<<grid, block, 0, b>>>(x, y, N);
  } else if (how == "atomics") {
    count<<<1, 64, 0, a>>>(counter);
    count<<<1, 64, 0, b>>>(counter);
  } else if (how == "flag") {  // two kernels that talk
    await<<<1, 1, 0, b>>>(x, counter, y);
    publish<<<1, 1, 0, a>>>(x, counter);
    consume<<<1, 1, 0, b>>>(x, y + 1, 1);
  } else if (how == "value") {  // a stream that waits for a value in memory
    produce<<<grid, block, 0, a>>>(x, N);
    CHECK(hipStreamWriteValue32(a, counter, 1, 0));
    CHECK(hipStreamWaitValue32(b, counter, 1, hipStreamWaitValueGte, 0xffffffff));
    consume<<<grid, block, 0, b>>>(x, y, N);
  } else if (how == "reuse") {  // memory of a pool that went from one stream to another
    float *p, *q;
    CHECK(hipMallocAsync((void **)&p, N * sizeof(float), a));
    produce<<<grid, block, 0, a>>>(p, N);
    CHECK(hipFreeAsync(p, a));
    CHECK(hipMallocAsync((void **)&q, N * sizeof(float), b));
    produce<<<grid, block, 0, b>>>(q, N);
    CHECK(hipFreeAsync(q, b));
  } else if (how == "long") {  // what is remembered of how operations are ordered does not grow
    const auto resident = [] {
      unsigned long whole = 0, pages = 0;
      FILE *file = fopen("/proc/self/statm", "r");
      if (!file || fscanf(file, "%lu %lu", &whole, &pages) != 2) exit(1);
      fclose(file);
      return pages * 4096;
    };
    unsigned long before = 0;
    for (int i = 0; i < 12000; i++) {
      if (i == 2000) before = resident();
      CHECK(hipStreamWriteValue32(a, counter, i, 0));
      CHECK(hipEventRecord(done, a));
      CHECK(hipStreamWaitEvent(b, done, 0));
      CHECK(hipStreamWaitValue32(b, counter, i, hipStreamWaitValueGte, 0xffffffff));
      CHECK(hipMemsetAsync(x, i, 4, b));
      if (i % 20 == 0) CHECK(hipStreamSynchronize(b));
    }
    CHECK(hipDeviceSynchronize());
    if (resident() - before > 3ul << 20) printf("%lu bytes more\n", resident() - before);
  }
  CHECK(hipDeviceSynchronize());
  consume<<<grid, block, 0, a>>>(x, y, N);  // after all that, nobody races with this
  CHECK(hipDeviceSynchronize());
  return 0;
}
