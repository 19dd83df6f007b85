// What AMD's runtime refuses, and with which error: arrays, pools, managed memory, copies of graphs, counted objects.
#include <thread>

#include "check.h"

__device__ int variable[16];
__device__ int other[16];
__global__ void nothing() {}

static void count_down(void *left) { --*(int *)left; }

static void arrays() {
  hipArray_t array = (hipArray_t)&array;
  hipChannelFormatDesc format = {32, 0, 0, 0, hipChannelFormatKindFloat};
  char bytes[16];
  GIVES(hipMallocArray(&array, &format, 16, 16, 0), hipErrorNotSupported);
  GIVES(hipMallocArray(nullptr, &format, 16, 16, 0), hipErrorInvalidValue);
  GIVES(hipFreeArray(nullptr), hipErrorInvalidValue);
  GIVES(hipFreeArray(array), hipErrorContextIsDestroyed);
  GIVES(hipMemcpyAtoH(bytes, nullptr, 0, 16), hipErrorInvalidValue);
  GIVES(hipArrayGetInfo(&format, nullptr, nullptr, nullptr), hipErrorInvalidHandle);
  GIVES(hipDestroyTextureObject(nullptr), hipSuccess);
}

static void pools_and_managed() {
  hipMemPool_t pool;
  HIP(hipDeviceGetDefaultMemPool(&pool, 0));
  GIVES(hipDeviceSetMemPool(-1, pool), hipErrorInvalidValue);
  GIVES(hipDeviceGetMemPool(&pool, 1), hipErrorInvalidValue);
  GIVES(hipDeviceGetDefaultMemPool(&pool, 1), hipErrorInvalidDevice);
  void *memory;
  GIVES(hipMallocAsync(&memory, 16, (hipStream_t)&pool), hipErrorInvalidHandle);
  int *managed;
  HIP(hipMallocManaged(&managed, 4096));
  GIVES(hipMemPrefetchAsync(managed, 4096, 0, nullptr), hipSuccess);
  GIVES(hipMemPrefetchAsync(managed, 4097, 0, nullptr), hipErrorInvalidValue);
  GIVES(hipMemPrefetchAsync(managed + 1, 4093, 0, nullptr), hipErrorInvalidValue);
}

static void copies_of_graphs() {
  int *a = device<int>(16), *b = device<int>(16), host[16] = {};
  hipGraph_t graph;
  hipGraphExec_t exec;
  hipGraphNode_t between, out, from, to;
  HIP(hipGraphCreate(&graph, 0));
  HIP(hipGraphAddMemcpyNode1D(&between, graph, nullptr, 0, a, b, 64, hipMemcpyDeviceToDevice));
  HIP(hipGraphAddMemcpyNode1D(&out, graph, nullptr, 0, host, b, 64, hipMemcpyDeviceToHost));
  HIP(hipGraphAddMemcpyNodeFromSymbol(&from, graph, nullptr, 0, a, HIP_SYMBOL(variable), 64, 0, hipMemcpyDeviceToDevice));
  HIP(hipGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, HIP_SYMBOL(variable), a, 64, 0, hipMemcpyDeviceToDevice));
  HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  GIVES(hipGraphMemcpyNodeSetParams1D(between, a, a, 64, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  GIVES(hipGraphExecMemcpyNodeSetParams1D(exec, between, a, a, 64, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  GIVES(hipGraphExecMemcpyNodeSetParams1D(exec, between, host, a, 64, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  GIVES(hipGraphExecMemcpyNodeSetParams1D(exec, between, b, a, 64, hipMemcpyDeviceToDevice), hipSuccess);
  GIVES(hipGraphExecMemcpyNodeSetParams1D(exec, out, host, a, 64, hipMemcpyDeviceToHost), hipSuccess);

  GIVES(hipGraphMemcpyNodeSetParamsFromSymbol(from, host, HIP_SYMBOL(variable), 64, 0, hipMemcpyDeviceToDevice),
        hipErrorInvalidMemcpyDirection);
  GIVES(hipGraphMemcpyNodeSetParamsFromSymbol(from, b, HIP_SYMBOL(variable), 64, 0, hipMemcpyHostToDevice),
        hipErrorInvalidMemcpyDirection);
  GIVES(hipGraphMemcpyNodeSetParamsFromSymbol(from, (void *)HIP_SYMBOL(other), HIP_SYMBOL(variable), 64, 0,
                                              hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  GIVES(hipGraphMemcpyNodeSetParamsFromSymbol(from, host, HIP_SYMBOL(variable), 64, 0, hipMemcpyDeviceToHost), hipSuccess);
  GIVES(hipGraphExecMemcpyNodeSetParamsToSymbol(exec, to, HIP_SYMBOL(variable), host, 64, 0, hipMemcpyHostToDevice),
        hipErrorInvalidValue);
  GIVES(hipGraphExecMemcpyNodeSetParamsToSymbol(exec, to, HIP_SYMBOL(variable), a, 64, 0, hipMemcpyHostToDevice),
        hipErrorInvalidValue);
  GIVES(hipGraphExecMemcpyNodeSetParamsToSymbol(exec, to, HIP_SYMBOL(other), b, 64, 0, hipMemcpyDeviceToDevice), hipSuccess);

  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  for (const hipStreamCaptureMode mode : {hipStreamCaptureModeGlobal, hipStreamCaptureModeRelaxed}) {
    HIP(hipStreamBeginCapture(stream, mode));
    hipGraph_t captured = nullptr;
    hipError_t elsewhere;
    std::thread([&] { elsewhere = hipStreamEndCapture(stream, &captured); }).join();
    EXPECT(elsewhere == (mode == hipStreamCaptureModeGlobal ? hipErrorStreamCaptureWrongThread : hipSuccess));
    if (mode == hipStreamCaptureModeGlobal) HIP(hipStreamEndCapture(stream, &captured));
    HIP(hipGraphDestroy(captured));
  }

  hipGraphNodeParams unknown = {};
  unknown.type = (hipGraphNodeType)0x40;
  GIVES(hipGraphAddNode(&out, graph, nullptr, 0, &unknown), hipErrorInvalidValue);
  HIP(hipGraphLaunch(exec, nullptr));
  HIP(hipDeviceSynchronize());
  HIP(hipGraphExecDestroy(exec));
  HIP(hipGraphDestroy(graph));
}

// A release of more references than there are is taken, and does nothing.
static void counted_objects() {
  int left = 1;
  hipUserObject_t object;
  hipGraph_t graph, none;
  HIP(hipGraphCreate(&graph, 0));
  HIP(hipGraphCreate(&none, 0));
  HIP(hipUserObjectCreate(&object, &left, count_down, 2, hipUserObjectNoDestructorSync));
  HIP(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
  GIVES(hipGraphReleaseUserObject(none, object, 1), hipSuccess);
  GIVES(hipUserObjectRelease(object, 3), hipSuccess);
  GIVES(hipGraphReleaseUserObject(graph, object, 0), hipErrorInvalidValue);
  GIVES(hipUserObjectRelease(object, 1u << 31), hipErrorInvalidValue);
  EXPECT(left == 1);
  HIP(hipUserObjectRelease(object, 1));
  EXPECT(left == 1);
  HIP(hipGraphDestroy(graph));
  EXPECT(left == 0);
  GIVES(hipUserObjectRelease(object, 1), hipSuccess);
  EXPECT(left == 0);
  HIP(hipGraphDestroy(none));
}

// What is asked of a mapping may be asked at any of its addresses.
static void within_mappings() {
  const size_t size = 2 << 20;
  hipMemAllocationProp properties = {};
  properties.type = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  hipMemGenericAllocationHandle_t handle, same;
  char *place;
  HIP(hipMemCreate(&handle, size, &properties, 0));
  HIP(hipMemAddressReserve((void **)&place, size, 0, nullptr, 0));
  HIP(hipMemMap(place, size, 0, handle, 0));
  hipMemAccessDesc access = {{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  HIP(hipMemSetAccess(place, size, &access, 1));
  unsigned long long flags = 0;
  GIVES(hipMemGetAccess(&flags, &access.location, place + size - 1), hipSuccess);
  EXPECT(flags == hipMemAccessFlagsProtReadWrite);
  GIVES(hipMemGetAccess(&flags, &access.location, place + size), hipErrorInvalidValue);
  GIVES(hipMemRetainAllocationHandle(&same, place + 4096), hipSuccess);
  EXPECT(same == handle);
  HIP(hipMemUnmap(place, size));
  HIP(hipMemRelease(handle));
  HIP(hipMemRelease(same));
  HIP(hipMemAddressFree(place, size));
}

static void module_launches() {
  hipFunction_t function;
  HIP(hipGetFuncBySymbol(&function, (const void *)nothing));
  const auto launch = [&](unsigned grid, unsigned block, unsigned lds) {
    return hipModuleLaunchKernel(function, grid, 1, 1, block, 1, 1, lds, nullptr, nullptr, nullptr);
  };
  GIVES(launch(1, 64, 0), hipSuccess);
  GIVES(launch(0, 64, 0), hipErrorInvalidValue);
  GIVES(launch(1, 0, 0), hipErrorInvalidValue);
  GIVES(launch(1, 1025, 0), hipErrorInvalidValue);
  GIVES(launch(1u << 31, 1, 0), hipErrorInvalidValue);
  GIVES(launch(1, 64, 65537), hipErrorInvalidValue);
  GIVES(hipModuleLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), hipErrorInvalidResourceHandle);
}

int main() {
  arrays();
  pools_and_managed();
  copies_of_graphs();
  counted_objects();
  within_mappings();
  module_launches();
  puts("end");
}
