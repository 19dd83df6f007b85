// What streams do beside each other and beside the host.
#include <chrono>
#include <thread>

#include "check.h"

__global__ void set(int *flag, int value) { __hip_atomic_store(flag, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM); }
__global__ void wait(int *flag, int value, int *after) {
  while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) != value) {}
  if (after) *after = value;
}
__global__ void wait_counting(int *flag, int value, int *looks) {
  int n = 1;
  while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) != value) n++;
  *looks = n;
}
// Each round answers the other kernel's last one.
__global__ void answer(int *mine, int *theirs, int first, int rounds) {
  for (int i = 1; i <= rounds; i++) {
    if (first) __hip_atomic_store(mine, i, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    while (__hip_atomic_load(theirs, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != i) {}
    if (!first) __hip_atomic_store(mine, i, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  }
}
__global__ void add(int *x, int n) { *x += n; }
__global__ void twice(int *x) { *x *= 2; }

static int value(const int *x) {
  int v;
  HIP(hipMemcpy(&v, x, 4, hipMemcpyDeviceToHost));
  return v;
}

int main(int argc, char **argv) {
  int *x = device<int>(64), *flag;
  HIP(hipMemset(x, 0, 256));
  HIP(hipDeviceSynchronize());
  HIP(hipHostMalloc((void **)&flag, 256, hipHostMallocMapped));
  hipStream_t s, t;
  hipEvent_t event;
  HIP(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
  HIP(hipStreamCreateWithFlags(&t, hipStreamNonBlocking));
  HIP(hipEventCreate(&event));
  if (argc > 1 && !strcmp(argv[1], "asleep")) {  // a thread that might help, and does not
    std::thread([] { std::this_thread::sleep_for(std::chrono::seconds(100)); }).detach();
    wait<<<1, 64, 0, s>>>(x, 1, x + 1);
    return hipDeviceSynchronize() != hipErrorLaunchFailure;
  }
  if (argc > 1) {  // each waits for what the other would write then
    wait<<<1, 64, 0, s>>>(x, 1, x + 1);
    wait<<<1, 64, 0, t>>>(x + 1, 1, x);
    return hipDeviceSynchronize() != hipErrorLaunchFailure;
  }

  // nothing is done when a launch returns
  wait<<<1, 64, 0, s>>>(flag, 1, x);
  HIP(hipEventRecord(event, s));
  GIVES(hipStreamQuery(s), hipErrorNotReady);
  GIVES(hipEventQuery(event), hipErrorNotReady);
  HIP(hipStreamQuery(t));
  EXPECT(hipGetLastError() == hipSuccess);
  add<<<1, 1, 0, t>>>(x + 1, 5);  // beside the one that waits
  HIP(hipStreamSynchronize(t));
  GIVES(hipStreamQuery(s), hipErrorNotReady);
  EXPECT(value(x + 1) == 5);
  *(volatile int *)flag = 1;
  HIP(hipEventSynchronize(event));
  HIP(hipStreamQuery(s));
  EXPECT(value(x) == 1);

  // the host waits for a kernel by looking at memory, or by asking
  set<<<1, 1, 0, s>>>(flag, 2);
  while (*(volatile int *)flag != 2) {}
  EXPECT(*flag == 2);
  HIP(hipMemsetAsync(x, 0, 256, s));
  while (hipStreamQuery(s) == hipErrorNotReady) {}
  EXPECT(value(x) == 0);
  wait_counting<<<1, 64, 0, s>>>(flag, 3, x);
  std::thread later([&] { *(volatile int *)flag = 3; });
  HIP(hipStreamSynchronize(s));
  later.join();
  EXPECT(value(x) > 0);

  // two streams wait for each other through memory
  HIP(hipMemset(x, 0, 256));
  HIP(hipDeviceSynchronize());
  answer<<<1, 64, 0, s>>>(x, x + 16, 0, 5);
  answer<<<1, 64, 0, t>>>(x + 16, x, 1, 5);
  HIP(hipDeviceSynchronize());
  EXPECT(value(x) == 5 && value(x + 16) == 5);

  // an event holds a stream back, and the default stream those that were made to wait for it
  HIP(hipMemset(x, 0, 256));
  HIP(hipDeviceSynchronize());
  wait<<<1, 64, 0, s>>>(flag, 4, nullptr);
  add<<<1, 1, 0, s>>>(x, 3);
  HIP(hipEventRecord(event, s));
  HIP(hipStreamWaitEvent(t, event, 0));
  twice<<<1, 1, 0, t>>>(x);
  HIP(hipEventRecord(event, t));
  GIVES(hipEventQuery(event), hipErrorNotReady);
  float ms;
  GIVES(hipEventElapsedTime(&ms, event, event), hipErrorNotReady);
  *(volatile int *)flag = 4;
  HIP(hipEventSynchronize(event));
  EXPECT(value(x) == 6);
  hipStream_t blocking;
  HIP(hipStreamCreate(&blocking));
  wait<<<1, 64, 0, blocking>>>(flag, 5, nullptr);
  add<<<1, 1, 0, blocking>>>(x, 1);
  twice<<<1, 1>>>(x);
  add<<<1, 1, 0, blocking>>>(x, 1);
  GIVES(hipStreamQuery(nullptr), hipErrorNotReady);
  *(volatile int *)flag = 5;
  HIP(hipStreamSynchronize(blocking));
  EXPECT(value(x) == 15);

  // values that streams wait for and write; memory that goes when its stream comes to that
  HIP(hipStreamWaitValue32(s, flag, 6, hipStreamWaitValueEq, ~0u));
  HIP(hipStreamWriteValue32(s, flag, 8, 0));
  HIP(hipStreamWaitValue32(t, flag, 8, hipStreamWaitValueGte, ~0u));
  HIP(hipStreamWriteValue32(t, flag, 9, 0));
  EXPECT(*(volatile int *)flag == 5);
  *(volatile int *)flag = 6;
  HIP(hipDeviceSynchronize());
  EXPECT(*flag == 9);
  int *y;
  HIP(hipMallocAsync((void **)&y, 256, s));
  wait<<<1, 64, 0, s>>>(flag, 10, y);
  HIP(hipMemcpyAsync(flag + 1, y, 4, hipMemcpyDeviceToHost, s));
  HIP(hipFreeAsync(y, s));
  GIVES(hipFreeAsync(y, s), hipErrorInvalidValue);
  *(volatile int *)flag = 10;
  HIP(hipStreamSynchronize(s));
  EXPECT(flag[1] == 10);

  // a graph in a stream, and the order of many
  hipGraph_t graph;
  hipGraphExec_t exec;
  HIP(hipMemset(x, 0, 256));
  HIP(hipDeviceSynchronize());
  HIP(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  wait<<<1, 64, 0, s>>>(flag, 11, x);
  twice<<<1, 1, 0, s>>>(x);
  HIP(hipStreamEndCapture(s, &graph));
  HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP(hipGraphLaunch(exec, s));
  GIVES(hipStreamQuery(s), hipErrorNotReady);
  *(volatile int *)flag = 11;
  HIP(hipGraphExecDestroy(exec));
  EXPECT(value(x) == 22);

  // events that graphs record, and wait for
  hipEvent_t recorded, other;
  hipGraphNode_t node;
  HIP(hipEventCreate(&recorded));
  HIP(hipEventCreate(&other));
  HIP(hipGraphDestroy(graph));
  HIP(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  wait<<<1, 64, 0, s>>>(flag, 12, x);
  HIP(hipStreamEndCapture(s, &graph));
  size_t count = 1;
  hipGraphNode_t kernel;
  HIP(hipGraphGetNodes(graph, &kernel, &count));
  HIP(hipGraphAddEventRecordNode(&node, graph, &kernel, 1, recorded));
  HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP(hipGraphLaunch(exec, s));
  GIVES(hipEventQuery(recorded), hipErrorNotReady);
  hipGraph_t waiting;
  hipGraphExec_t waits;
  HIP(hipGraphCreate(&waiting, 0));
  HIP(hipGraphAddEventWaitNode(&node, waiting, nullptr, 0, recorded));
  HIP(hipGraphInstantiate(&waits, waiting, nullptr, nullptr, 0));
  HIP(hipGraphLaunch(waits, t));
  HIP(hipEventRecord(other, t));
  GIVES(hipEventQuery(other), hipErrorNotReady);
  *(volatile int *)flag = 12;
  HIP(hipEventSynchronize(recorded));
  EXPECT(value(x) == 12);
  HIP(hipEventSynchronize(other));

  // memory of graphs: in use from the launch that allocates it
  hipMemAllocNodeParams block{};
  block.poolProps.allocType = hipMemAllocationTypePinned;
  block.poolProps.location = {hipMemLocationTypeDevice, 0};
  block.bytesize = 4096;
  size_t used = 1;
  HIP(hipGraphAddMemAllocNode(&node, waiting, nullptr, 0, &block));
  HIP(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &used));
  EXPECT(used == 0);
  HIP(hipGraphInstantiate(&exec, waiting, nullptr, nullptr, 0));
  HIP(hipGraphLaunch(exec, t));
  HIP(hipStreamSynchronize(t));
  HIP(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &used));
  EXPECT(used == 4096);
  HIP(hipFree(block.dptr));
  HIP(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &used));
  EXPECT(used == 0);
  HIP(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &used));
  EXPECT(used == 4096);
  GIVES(hipGraphAddMemFreeNode(&node, waiting, nullptr, 0, &used), hipErrorInvalidValue);
  HIP(hipMemset(x, 0, 256));
  HIP(hipDeviceSynchronize());
  for (int i = 0; i < 200; i++) {
    add<<<1, 1, 0, s>>>(x, 1);
    if (i % 40 == 39) twice<<<1, 1, 0, s>>>(x);
  }
  HIP(hipStreamSynchronize(s));
  EXPECT(value(x) == 40 * (2 + 4 + 8 + 16 + 32));
  add<<<1, 1, 0, s>>>(x, 1);  // is done before the program ends
  puts("end");
}
