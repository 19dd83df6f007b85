// The host uses managed, pinned and registered memory beside its streams: in the first half without a wait, in the second
// behind one. Lines that race end with a mark.
#include <hip/hip_runtime.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

constexpr int N = 4096;

__global__ void fill(int *out) { out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; }
struct Arguments { int before, *out; };
__global__ void fill_member(Arguments a) { a.out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; }
__global__ void add(const int *in, int *out) { atomicAdd(out, in[blockIdx.x * 64 + threadIdx.x]); }
__global__ void produce(int *out, volatile int *flag) {
  out[threadIdx.x] = threadIdx.x;
  __threadfence_system();
  __syncthreads();
  if (!threadIdx.x) *flag = 1;
}
__global__ void await(volatile int *flag, int *out) {
  while (!*flag) {}
  *out = 7;
}

std::atomic<bool> told{false};
void tell(void *) { told = true; }

__attribute__((noinline)) int at(const int *p, int i) {
  return p[i];  // reads
}

int main(int, char **arguments) {
  const char *how = arguments[1];
  const auto is = [&](const char *name) { return !strcmp(how, name); };
  int *managed, *pinned, *device, sum = 0;
  hipStream_t stream;
  hipEvent_t event;
  hipStreamCreate(&stream);
  hipEventCreate(&event);
  hipMallocManaged(&managed, 2 * N * sizeof(int));
  hipHostMalloc(&pinned, N * sizeof(int));
  hipMalloc(&device, N * sizeof(int));
  memset(managed, 0, 2 * N * sizeof(int));
  memset(pinned, 0, N * sizeof(int));

  if (is("managed") || is("early-event")) {
    hipEventRecord(event, stream);
    fill<<<N / 64, 64, 0, stream>>>(managed);
    if (is("early-event")) hipEventSynchronize(event);
    sum = at(managed, 100);
  }
  if (is("member")) {
    fill_member<<<N / 64, 64, 0, stream>>>({1, managed});
    sum = at(managed, 100);
  }
  if (is("other-stream")) {
    fill<<<N / 64, 64, 0, stream>>>(managed);
    hipStream_t other;
    hipStreamCreate(&other);
    hipStreamSynchronize(other);
    sum = at(managed, 100);
  }
  if (is("staged")) {
    hipMemcpyAsync(device, pinned, N * sizeof(int), hipMemcpyHostToDevice, stream);
    pinned[7] = 1;  // writes
  }
  if (is("input")) {
    add<<<N / 64, 64, 0, stream>>>(pinned, device);
    pinned[7] = 1;  // writes
  }
  if (is("fetched")) {
    hipMemcpyAsync(pinned, device, N * sizeof(int), hipMemcpyDeviceToHost, stream);
    sum = at(pinned, 100);
  }
  if (is("done")) {  // and nobody asked
    fill<<<N / 64, 64, 0, stream>>>(managed);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    sum = at(managed, 100);
  }
  if (is("registered")) {
    int *own = (int *)aligned_alloc(4096, N * sizeof(int));
    hipHostRegister(own, N * sizeof(int), 0);
    fill<<<N / 64, 64, 0, stream>>>(own);
    sum = at(own, 100);
    hipHostUnregister(own);
  }

  if (is("stream") || is("query") || is("event") || is("callback")) {
    fill<<<N / 64, 64, 0, stream>>>(managed);
    if (is("stream")) hipStreamSynchronize(stream);
    if (is("query")) while (hipStreamQuery(stream) != hipSuccess) {}
    hipEventRecord(event, stream);
    if (is("event")) hipEventSynchronize(event);
    if (is("callback")) hipLaunchHostFunc(stream, tell, nullptr);
    while (is("callback") && !told) {}
    sum = at(managed, 100);
  }
  if (is("input-read")) {
    add<<<N / 64, 64, 0, stream>>>(pinned, device);
    sum = at(pinned, 100);
  }
  if (is("halves")) {
    fill<<<N / 64, 64, 0, stream>>>(managed);
    for (int i = N; i < 2 * N; i++) managed[i] = i;
  }
  if (is("before")) {
    managed[3] = 4;
    fill<<<N / 64, 64, 0, stream>>>(managed);
  }
  if (is("flag")) {
    produce<<<1, 64, 0, stream>>>(managed, pinned);
    while (!*(volatile int *)pinned) {}
    sum = at(managed, 10);
  }
  if (is("told")) {
    await<<<1, 1, 0, stream>>>(pinned, managed);
    *(volatile int *)pinned = 1;
  }
  if (is("freed") || is("unregistered")) {  // both wait for all streams; a stream that is done already counts
    int *own = (int *)aligned_alloc(4096, N * sizeof(int));
    hipHostRegister(own, N * sizeof(int), 0);
    fill<<<N / 64, 64, 0, stream>>>(own);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    if (is("freed")) hipFree(device);
    else hipHostUnregister(own);
    sum = at(own, 100);
    own[7] = 1;
  }
  if (is("file")) {
    fill<<<N / 64, 64, 0, stream>>>(managed);
    FILE *zeros = fopen("/dev/zero", "r");
    if (fread(pinned, sizeof(int), N, zeros) != N) return 3;
  }
  hipDeviceSynchronize();
  return sum < 0;
}
