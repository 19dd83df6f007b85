// The same three-step pipeline as a captured graph and as one built node by node, replayed many times.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

template <typename T>
void check(T result, char const *const func, const char *const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), hipGetErrorName(result), func);
    exit(EXIT_FAILURE);
  }
}

__global__ void iota(int *v, int n, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = first + i;
}
__global__ void square(int *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= v[i];
}
__global__ void accumulate(const int *v, unsigned long long *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, (unsigned long long)v[i]);
}

struct HostData { const unsigned long long *sum; unsigned long long *seen; };

void onDone(void *data) {
  HostData *d = reinterpret_cast<HostData *>(data);
  *d->seen += *d->sum;
}

static hipGraphExec_t instantiate(hipGraph_t graph) {
  hipGraphExec_t exec;
#if 1 // CUDA: CUDART_VERSION >= 12000
  checkCudaErrors(hipGraphInstantiateWithFlags(&exec, graph, 0));
#else
  checkCudaErrors(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
#endif
  return exec;
}

int main() {
  const int n = 1000, block = 128, grid = (n + block - 1) / block;
  int first = 1, count = n, *v;
  unsigned long long *sum, *hostSum, seen = 0;
  hipStream_t stream, side;
  hipEvent_t fork, join;
  checkCudaErrors(hipMalloc(&v, n * sizeof(int)));
  checkCudaErrors(hipMalloc(&sum, sizeof(*sum)));
  checkCudaErrors(hipHostMalloc(&hostSum, sizeof(*hostSum)));
  checkCudaErrors(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, 0));
  checkCudaErrors(hipStreamCreate(&side));
  checkCudaErrors(hipEventCreateWithFlags(&fork, hipEventDisableTiming));
  checkCudaErrors(hipEventCreateWithFlags(&join, hipEventDisableTiming));
  HostData hostData = {hostSum, &seen};

  // 1: captured from a stream, with a fork and a join
  hipGraph_t captured;
  checkCudaErrors(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  checkCudaErrors(hipEventRecord(fork, stream));
  checkCudaErrors(hipStreamWaitEvent(side, fork, 0));
  checkCudaErrors(hipMemsetAsync(sum, 0, sizeof(*sum), side));
  checkCudaErrors(hipEventRecord(join, side));
  iota<<<grid, block, 0, stream>>>(v, n, first);
  square<<<grid, block, 0, stream>>>(v, n);
  checkCudaErrors(hipStreamWaitEvent(stream, join, 0));
  accumulate<<<grid, block, 0, stream>>>(v, sum, n);
  checkCudaErrors(hipMemcpyAsync(hostSum, sum, sizeof(*sum), hipMemcpyDeviceToHost, stream));
  checkCudaErrors(hipLaunchHostFunc(stream, onDone, &hostData));
  checkCudaErrors(hipStreamEndCapture(stream, &captured));

  // 2: built by hand
  hipGraph_t built;
  hipGraphNode_t clear, fill, squares, add, fetch, host;
  checkCudaErrors(hipGraphCreate(&built, 0));

  hipMemsetParams memset = {};
  memset.dst = sum;
  memset.elementSize = sizeof(int);
  memset.width = 2;
  memset.height = 1;
  checkCudaErrors(hipGraphAddMemsetNode(&clear, built, nullptr, 0, &memset));

  hipKernelNodeParams kernel = {0};
  void *fillArgs[] = {&v, &count, &first};
  kernel.func = (void *)iota;
  kernel.gridDim = dim3(grid, 1, 1);
  kernel.blockDim = dim3(block, 1, 1);
  kernel.kernelParams = fillArgs;
  checkCudaErrors(hipGraphAddKernelNode(&fill, built, nullptr, 0, &kernel));

  void *squareArgs[] = {(void *)&v, (void *)&count};
  kernel.func = reinterpret_cast<void *>(square);
  kernel.kernelParams = squareArgs;
  checkCudaErrors(hipGraphAddKernelNode(&squares, built, &fill, 1, &kernel));

  void *addArgs[] = {&v, &sum, &count};
  hipGraphNode_t both[] = {clear, squares};
  kernel.func = (void *)accumulate;
  kernel.kernelParams = addArgs;
  checkCudaErrors(hipGraphAddKernelNode(&add, built, both, 2, &kernel));

  hipMemcpy3DParms copy = {0};
  copy.srcPtr = make_hipPitchedPtr(sum, sizeof(*sum), 1, 1);
  copy.dstPtr = make_hipPitchedPtr(hostSum, sizeof(*sum), 1, 1);
  copy.extent = make_hipExtent(sizeof(*sum), 1, 1);
  copy.kind = hipMemcpyDeviceToHost;
  checkCudaErrors(hipGraphAddMemcpyNode(&fetch, built, &add, 1, &copy));

  hipHostNodeParams hostParams = {};
  hostParams.fn = onDone;
  hostParams.userData = &hostData;
  checkCudaErrors(hipGraphAddHostNode(&host, built, &fetch, 1, &hostParams));

  size_t nodes = 0;
  checkCudaErrors(hipGraphGetNodes(built, nullptr, &nodes));
  hipGraphNodeType type;
  checkCudaErrors(hipGraphNodeGetType(host, &type));

  unsigned long long expected = 0;
  for (int i = 0; i < n; i++) expected += (unsigned long long)(first + i) * (first + i);

  const int replays = 10;
  for (hipGraph_t graph : {captured, built}) {
    hipGraphExec_t exec = instantiate(graph);
    for (int r = 0; r < replays; r++) checkCudaErrors(hipGraphLaunch(exec, stream));
    checkCudaErrors(hipStreamSynchronize(stream));
    checkCudaErrors(hipGraphExecDestroy(exec));
    checkCudaErrors(hipGraphDestroy(graph));
  }
  bool ok = nodes == 6 && type == hipGraphNodeTypeHost && seen == 2 * replays * expected;
  checkCudaErrors(hipHostFree(hostSum));
  checkCudaErrors(hipFree(v));
  checkCudaErrors(hipFree(sum));
  checkCudaErrors(hipEventDestroy(fork));
  checkCudaErrors(hipEventDestroy(join));
  checkCudaErrors(hipStreamDestroy(stream));
  checkCudaErrors(hipStreamDestroy(side));
  printf("%s: %llu\n", ok ? "PASS" : "FAIL", seen);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
