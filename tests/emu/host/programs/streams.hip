// Streams, events, pools, captures and graphs.
#include "check.h"

__global__ void scale(int *x, int factor) { x[threadIdx.x] *= factor; }
__global__ void bump(int *x, int amount) { x[threadIdx.x] += amount; }

static int calls;
static void called(void *data) { calls += *(int *)data; }
static void finished(hipStream_t, hipError_t status, void *data) { calls += status == hipSuccess ? *(int *)data : -1000; }

static int first(const int *x) {
  int value;
  HIP(hipMemcpy(&value, x, 4, hipMemcpyDeviceToHost));
  return value;
}

int main() {
  int *x = device<int>(64), one = 1, start[64];
  for (int &v : start) v = 3;
  hipStream_t s, t;
  HIP(hipStreamCreate(&s));
  HIP(hipStreamCreateWithFlags(&t, hipStreamNonBlocking));
  hipEvent_t begin, end, join;
  HIP(hipEventCreate(&begin));
  HIP(hipEventCreate(&end));
  HIP(hipEventCreateWithFlags(&join, hipEventDisableTiming));
  float ms = -1;
  GIVES(hipEventElapsedTime(&ms, begin, end), hipErrorInvalidHandle);
  HIP(hipEventRecord(begin, s));
  HIP(hipMemcpyAsync(x, start, sizeof start, hipMemcpyHostToDevice, s));
  scale<<<1, 64, 0, s>>>(x, 5);
  HIP(hipEventRecord(end, s));
  HIP(hipStreamWaitEvent(t, end, 0));
  HIP(hipStreamAddCallback(t, finished, &one, 0));
  HIP(hipLaunchHostFunc(t, called, &one));
  HIP(hipStreamSynchronize(t));
  HIP(hipEventElapsedTime(&ms, begin, end));
  EXPECT(first(x) == 15 && calls == 2 && ms > 0);
  HIP(hipStreamQuery(s));

  // a pool's memory
  int *y;
  HIP(hipMallocAsync((void **)&y, 256, s));
  HIP(hipMemsetAsync(y, 0, 256, s));
  bump<<<1, 64, 0, s>>>(y, 4);
  EXPECT(first(y) == 4);
  HIP(hipFreeAsync(y, s));

  // a capture over two streams, run three times
  hipGraph_t graph;
  hipGraphExec_t exec;
  HIP(hipMemset(x, 0, 256));
  HIP(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  bump<<<1, 64, 0, s>>>(x, 1);
  HIP(hipEventRecord(join, s));
  HIP(hipStreamWaitEvent(t, join, 0));
  scale<<<1, 64, 0, t>>>(x, 2);
  HIP(hipLaunchHostFunc(t, called, &one));
  HIP(hipEventRecord(join, t));
  HIP(hipStreamWaitEvent(s, join, 0));
  bump<<<1, 64, 0, s>>>(x, 10);
  hipStreamCaptureStatus status;
  HIP(hipStreamIsCapturing(s, &status));
  EXPECT(status == hipStreamCaptureStatusActive);
  HIP(hipStreamEndCapture(s, &graph));
  size_t count = 0, edges = 0;
  HIP(hipGraphGetNodes(graph, nullptr, &count));
  HIP(hipGraphGetEdges(graph, nullptr, nullptr, &edges));
  EXPECT(count == 4 && edges == 4);
  EXPECT(first(x) == 0 && calls == 2);
  HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 3; i++) HIP(hipGraphLaunch(exec, s));
  HIP(hipStreamSynchronize(s));
  EXPECT(first(x) == ((12 * 2 + 12) * 2 + 12) && calls == 5);
  HIP(hipGraphExecDestroy(exec));
  HIP(hipGraphDestroy(graph));

  // captures that cannot be
  HIP(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  GIVES(hipMemcpy(start, x, 4, hipMemcpyDeviceToHost), hipErrorStreamCaptureUnsupported);
  GIVES(hipStreamEndCapture(s, &graph), hipErrorStreamCaptureInvalidated);
  HIP(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  HIP(hipEventRecord(join, s));
  HIP(hipStreamWaitEvent(t, join, 0));
  bump<<<1, 64, 0, t>>>(x, 1);
  GIVES(hipStreamEndCapture(s, &graph), hipErrorStreamCaptureUnjoined);
  GIVES(hipStreamEndCapture(s, &graph), hipErrorIllegalState);

  // nodes by hand, in an order that only the edges give
  hipGraphNode_t fill, kernel, copy, host, empty;
  int amount = 7, result[64] = {0};
  void *arguments[] = {&x, &amount};
  hipKernelNodeParams work{};
  work.func = (void *)bump;
  work.gridDim = dim3(1);
  work.blockDim = dim3(64);
  work.kernelParams = arguments;
  hipMemsetParams zero{};
  zero.dst = x, zero.elementSize = 4, zero.width = 64, zero.height = 1, zero.value = 100;
  hipHostNodeParams function{called, &one};
  HIP(hipGraphCreate(&graph, 0));
  HIP(hipGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, result, x, sizeof result, hipMemcpyDeviceToHost));
  HIP(hipGraphAddKernelNode(&kernel, graph, nullptr, 0, &work));
  HIP(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));
  HIP(hipGraphAddEmptyNode(&empty, graph, &fill, 1));
  HIP(hipGraphAddHostNode(&host, graph, &copy, 1, &function));
  hipGraphNode_t from[] = {empty, kernel}, to[] = {kernel, copy};
  HIP(hipGraphAddDependencies(graph, from, to, 2));
  amount = 0;  // the node has its own copy of the arguments
  HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  HIP(hipGraphLaunch(exec, nullptr));
  HIP(hipDeviceSynchronize());
  EXPECT(result[0] == 107 && result[63] == 107 && calls == 6);
  hipKernelNodeParams same;
  HIP(hipGraphKernelNodeGetParams(kernel, &same));
  EXPECT(same.func == (void *)bump && *(int *)same.kernelParams[1] == 7);
  amount = 20;
  HIP(hipGraphExecKernelNodeSetParams(exec, kernel, &work));
  HIP(hipGraphLaunch(exec, s));
  HIP(hipStreamSynchronize(s));
  EXPECT(result[0] == 120);
  work.func = (void *)scale;
  amount = 3;
  HIP(hipGraphKernelNodeSetParams(kernel, &work));
  hipGraphNode_t bad;
  hipGraphExecUpdateResult update;
  HIP(hipGraphExecUpdate(exec, graph, &bad, &update));
  HIP(hipGraphNodeSetEnabled(exec, fill, 0));
  HIP(hipGraphLaunch(exec, s));
  HIP(hipStreamSynchronize(s));
  EXPECT(update == hipGraphExecUpdateSuccess && result[0] == 360);
  HIP(hipGraphDestroyNode(empty));
  GIVES(hipGraphExecUpdate(exec, graph, &bad, &update), hipErrorGraphExecUpdateFailure);
  EXPECT(update == hipGraphExecUpdateErrorTopologyChanged);
  HIP(hipGraphAddDependencies(graph, &copy, &kernel, 1));
  GIVES(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0), hipErrorInvalidValue);  // a cycle
  hipGraph_t captured;
  HIP(hipStreamBeginCapture(hipStreamPerThread, hipStreamCaptureModeGlobal));
  GIVES(hipStreamIsCapturing(nullptr, &status), hipErrorStreamCaptureImplicit);
  HIP(hipStreamEndCapture(hipStreamPerThread, &captured));
  HIP(hipStreamIsCapturing(hipStreamPerThread, &status));
  EXPECT(status == hipStreamCaptureStatusNone);
  HIP(hipStreamDestroy(s));
  GIVES(hipStreamSynchronize(s), hipErrorContextIsDestroyed);
  puts("end");
}
