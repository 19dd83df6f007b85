// All-reduce over one address for the memory of all GPUs. The argument "processes": one for each GPU; else one for all.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int DEVICES = 3, COUNT = 3 * 256;
constexpr CUmemAllocationHandleType FILES = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

struct Data {
  float sums[COUNT];
  __nv_bfloat162 halves[COUNT];
  int most[COUNT];
  int arrived;
};

void must(bool good, int line) {
  if (!good) printf("line %d: FAIL\n", line), exit(1);
}
#define MUST(call) must((call) == 0, __LINE__)

__global__ void fill(Data *own, int rank) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  own->sums[i] = float((rank + 1) * i);
  own->halves[i] = __floats2bfloat162_rn(float(rank + i % 8), float(rank) * 0.25f);
  own->most[i] = (rank * 7 + i) % 5;
  if (i == 0) own->arrived = 0;
}

__global__ void reduce(Data *all, int rank) {
  const int i = rank * blockDim.x + threadIdx.x;
  float sum;
  asm volatile("multimem.ld_reduce.relaxed.sys.global.add.f32 %0, [%1];" : "=f"(sum) : "l"(&all->sums[i]) : "memory");
  asm volatile("multimem.st.relaxed.sys.global.f32 [%0], %1;" ::"l"(&all->sums[i]), "f"(sum) : "memory");
  if (threadIdx.x % 4 == 0) {
    unsigned a, b, c, d;
    asm volatile("multimem.ld_reduce.weak.global.add.acc::f32.v4.bf16x2 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(&all->halves[i]) : "memory");
    asm volatile("multimem.st.weak.global.v4.bf16x2 [%0], {%1, %2, %3, %4};"
                 ::"l"(&all->halves[i]), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
  }
  int most;
  asm volatile("multimem.ld_reduce.weak.global.max.s32 %0, [%1];" : "=r"(most) : "l"(&all->most[i]) : "memory");
  asm volatile("multimem.st.weak.global.s32 [%0], %1;" ::"l"(&all->most[i]), "r"(most) : "memory");
  asm volatile("{multimem.red.release.sys.global.add.s32 [%0], %1;}" ::"l"(&all->arrived), "r"(1) : "memory");
}

int check(const Data &got) {
  int wrong = got.arrived != COUNT;
  for (int i = 0; i < COUNT; i++) {
    int most = 0;
    for (int rank = 0; rank < DEVICES; rank++) most = (rank * 7 + i) % 5 > most ? (rank * 7 + i) % 5 : most;
    const float2 halves = __bfloat1622float2(got.halves[i]);
    wrong += got.sums[i] != 6.0f * i || halves.x != 3.0f + 3 * (i % 8) || halves.y != 0.75f || got.most[i] != most;
  }
  return wrong;
}

int lines[DEVICES];  // of process 0 to the others; of another one lines[0] to process 0
void meet(int rank) {
  char byte = 'm';
  for (int other = rank ? 0 : 1; other < (rank ? 1 : DEVICES); other++)
    must(rank ? write(lines[0], &byte, 1) == 1 && read(lines[0], &byte, 1) == 1 : read(lines[other], &byte, 1) == 1, __LINE__);
  for (int other = 1; rank == 0 && other < DEVICES; other++) must(write(lines[other], &byte, 1) == 1, __LINE__);
}
int pass(int line, int file, bool sends) {
  char control[CMSG_SPACE(sizeof file)] = {}, byte = 'f';
  iovec part{&byte, 1};
  msghdr message{};
  message.msg_iov = &part, message.msg_iovlen = 1, message.msg_control = control, message.msg_controllen = sizeof control;
  if (sends) {
    cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(head), &file, sizeof file);
    must(sendmsg(line, &message, 0) == 1, __LINE__);
  } else {
    must(recvmsg(line, &message, 0) == 1, __LINE__);
    memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
  }
  return file;
}

// Of the devices first to last - 1, in this process.
int run(int first, int last, bool alone) {
  MUST(cuInit(0));
  CUmulticastObjectProp wanted = {};
  wanted.numDevices = DEVICES, wanted.handleTypes = FILES, wanted.size = sizeof(Data);
  size_t size, step;
  MUST(cuMulticastGetGranularity(&step, &wanted, CU_MULTICAST_GRANULARITY_RECOMMENDED));
  wanted.size = size = (sizeof(Data) + step - 1) / step * step;

  std::vector<CUmemAccessDesc> access(DEVICES);
  for (int i = 0; i < DEVICES; i++) access[i] = {{CU_MEM_LOCATION_TYPE_DEVICE, i}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemGenericAllocationHandle object, memory[DEVICES];
  CUdeviceptr own[DEVICES], all;
  MUST(cudaSetDevice(first));
  int able = 0;
  MUST(cuDeviceGetAttribute(&able, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, first));
  must(able, __LINE__);
  MUST(cuDeviceGetAttribute(&able, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, first));
  must(able, __LINE__);
  MUST(cuDeviceGetAttribute(&able, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED, first));
  must(!able, __LINE__);
  if (first == 0) MUST(cuMulticastCreate(&object, &wanted));
  if (!alone && first == 0) {
    int file;
    MUST(cuMemExportToShareableHandle(&file, object, FILES, 0));
    for (int other = 1; other < DEVICES; other++) pass(lines[other], file, true);
  } else if (!alone) {
    MUST(cuMemImportFromShareableHandle(&object, (void *)(long)pass(lines[0], 0, false), FILES));
  }
  for (int i = first; i < last; i++) MUST(cuMulticastAddDevice(object, i));
  if (!alone) meet(first);
  for (int i = first; i < last; i++) {
    CUmemAllocationProp properties = {};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, i};
    properties.requestedHandleTypes = FILES;
    MUST(cudaSetDevice(i));
    MUST(cuMemCreate(&memory[i], size, &properties, 0));
    MUST(cuMemAddressReserve(&own[i], size, 0, 0, 0));
    MUST(cuMemMap(own[i], size, 0, memory[i], 0));
    MUST(cuMemSetAccess(own[i], size, access.data(), access.size()));
    MUST(cuMulticastBindMem(object, 0, memory[i], 0, size, 0));
    fill<<<DEVICES, COUNT / DEVICES>>>((Data *)own[i], i);
    MUST(cudaDeviceSynchronize());
  }
  if (!alone) meet(first);
  MUST(cuMemAddressReserve(&all, size, 0, 0, 0));
  MUST(cuMemMap(all, size, 0, object, 0));
  MUST(cuMemSetAccess(all, size, access.data(), access.size()));
  for (int i = first; i < last; i++) {
    MUST(cudaSetDevice(i));
    reduce<<<1, COUNT / DEVICES>>>((Data *)all, i);
    MUST(cudaDeviceSynchronize());
  }
  if (!alone) meet(first);
  int wrong = 0;
  for (int i = first; i < last; i++) {
    static Data got;
    MUST(cuMemcpyDtoH(&got, own[i], sizeof got));
    wrong += check(got);
  }
  if (!alone) meet(first);
  MUST(cuMemUnmap(all, size));
  MUST(cuMemAddressFree(all, size));
  for (int i = first; i < last; i++) {
    MUST(cuMulticastUnbind(object, i, 0, size));
    MUST(cuMemUnmap(own[i], size));
    MUST(cuMemAddressFree(own[i], size));
    MUST(cuMemRelease(memory[i]));
  }
  MUST(cuMemRelease(object));
  return wrong;
}

int main(int count, char **words) {
  int wrong = 0;
  if (count > 1 && !strcmp(words[1], "processes")) {
    int rank = 0;
    for (int other = 1; other < DEVICES && rank == 0; other++) {
      int ends[2];
      MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
      lines[other] = ends[0];
      if (fork() == 0) rank = other, lines[0] = ends[1];
    }
    wrong = run(rank, rank + 1, false);
    if (rank) return wrong != 0;
    for (int other = 1, status; other < DEVICES; other++) wrong += wait(&status) < 0 || status != 0;
  } else {
    wrong = run(0, DEVICES, true);
  }
  printf("all-reduce of %d GPUs: %s\n", DEVICES, wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
