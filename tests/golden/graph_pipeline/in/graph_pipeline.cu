// The same three-step pipeline as a captured graph and as one built node by node, replayed many times.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

template <typename T>
void check(T result, char const *const func, const char *const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), cudaGetErrorName(result), func);
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

void CUDART_CB onDone(void *data) {
  HostData *d = reinterpret_cast<HostData *>(data);
  *d->seen += *d->sum;
}

static cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t exec;
#if CUDART_VERSION >= 12000
  checkCudaErrors(cudaGraphInstantiate(&exec, graph, 0));
#else
  checkCudaErrors(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
#endif
  return exec;
}

int main() {
  const int n = 1000, block = 128, grid = (n + block - 1) / block;
  int first = 1, count = n, *v;
  unsigned long long *sum, *hostSum, seen = 0;
  cudaStream_t stream, side;
  cudaEvent_t fork, join;
  checkCudaErrors(cudaMalloc(&v, n * sizeof(int)));
  checkCudaErrors(cudaMalloc(&sum, sizeof(*sum)));
  checkCudaErrors(cudaMallocHost(&hostSum, sizeof(*hostSum)));
  checkCudaErrors(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0));
  checkCudaErrors(cudaStreamCreate(&side));
  checkCudaErrors(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  checkCudaErrors(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  HostData hostData = {hostSum, &seen};

  // 1: captured from a stream, with a fork and a join
  cudaGraph_t captured;
  checkCudaErrors(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  checkCudaErrors(cudaEventRecord(fork, stream));
  checkCudaErrors(cudaStreamWaitEvent(side, fork, 0));
  checkCudaErrors(cudaMemsetAsync(sum, 0, sizeof(*sum), side));
  checkCudaErrors(cudaEventRecord(join, side));
  iota<<<grid, block, 0, stream>>>(v, n, first);
  square<<<grid, block, 0, stream>>>(v, n);
  checkCudaErrors(cudaStreamWaitEvent(stream, join, 0));
  accumulate<<<grid, block, 0, stream>>>(v, sum, n);
  checkCudaErrors(cudaMemcpyAsync(hostSum, sum, sizeof(*sum), cudaMemcpyDeviceToHost, stream));
  checkCudaErrors(cudaLaunchHostFunc(stream, onDone, &hostData));
  checkCudaErrors(cudaStreamEndCapture(stream, &captured));

  // 2: built by hand
  cudaGraph_t built;
  cudaGraphNode_t clear, fill, squares, add, fetch, host;
  checkCudaErrors(cudaGraphCreate(&built, 0));

  cudaMemsetParams memset = {};
  memset.dst = sum;
  memset.elementSize = sizeof(int);
  memset.width = 2;
  memset.height = 1;
  checkCudaErrors(cudaGraphAddMemsetNode(&clear, built, nullptr, 0, &memset));

  cudaKernelNodeParams kernel = {0};
  void *fillArgs[] = {&v, &count, &first};
  kernel.func = (void *)iota;
  kernel.gridDim = dim3(grid, 1, 1);
  kernel.blockDim = dim3(block, 1, 1);
  kernel.kernelParams = fillArgs;
  checkCudaErrors(cudaGraphAddKernelNode(&fill, built, nullptr, 0, &kernel));

  void *squareArgs[] = {(void *)&v, (void *)&count};
  kernel.func = reinterpret_cast<void *>(square);
  kernel.kernelParams = squareArgs;
  checkCudaErrors(cudaGraphAddKernelNode(&squares, built, &fill, 1, &kernel));

  void *addArgs[] = {&v, &sum, &count};
  cudaGraphNode_t both[] = {clear, squares};
  kernel.func = (void *)accumulate;
  kernel.kernelParams = addArgs;
  checkCudaErrors(cudaGraphAddKernelNode(&add, built, both, 2, &kernel));

  cudaMemcpy3DParms copy = {0};
  copy.srcPtr = make_cudaPitchedPtr(sum, sizeof(*sum), 1, 1);
  copy.dstPtr = make_cudaPitchedPtr(hostSum, sizeof(*sum), 1, 1);
  copy.extent = make_cudaExtent(sizeof(*sum), 1, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  checkCudaErrors(cudaGraphAddMemcpyNode(&fetch, built, &add, 1, &copy));

  cudaHostNodeParams hostParams = {};
  hostParams.fn = onDone;
  hostParams.userData = &hostData;
  checkCudaErrors(cudaGraphAddHostNode(&host, built, &fetch, 1, &hostParams));

  size_t nodes = 0;
  checkCudaErrors(cudaGraphGetNodes(built, nullptr, &nodes));
  cudaGraphNodeType type;
  checkCudaErrors(cudaGraphNodeGetType(host, &type));

  unsigned long long expected = 0;
  for (int i = 0; i < n; i++) expected += (unsigned long long)(first + i) * (first + i);

  const int replays = 10;
  for (cudaGraph_t graph : {captured, built}) {
    cudaGraphExec_t exec = instantiate(graph);
    for (int r = 0; r < replays; r++) checkCudaErrors(cudaGraphLaunch(exec, stream));
    checkCudaErrors(cudaStreamSynchronize(stream));
    checkCudaErrors(cudaGraphExecDestroy(exec));
    checkCudaErrors(cudaGraphDestroy(graph));
  }
  bool ok = nodes == 6 && type == cudaGraphNodeTypeHost && seen == 2 * replays * expected;
  checkCudaErrors(cudaFreeHost(hostSum));
  checkCudaErrors(cudaFree(v));
  checkCudaErrors(cudaFree(sum));
  checkCudaErrors(cudaEventDestroy(fork));
  checkCudaErrors(cudaEventDestroy(join));
  checkCudaErrors(cudaStreamDestroy(stream));
  checkCudaErrors(cudaStreamDestroy(side));
  printf("%s: %llu\n", ok ? "PASS" : "FAIL", seen);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
