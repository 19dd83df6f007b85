// Processes, one for each GPU, that share memory and events by handles. They are made before HIP is used.
// The argument "crash": one dies while the other has its memory.
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

__global__ void pass(int *mine, int *other, int rank, int rounds) {  // a number to and fro
  for (int i = 0; i < rounds; i++) {
    const int wanted = 2 * i + rank;
    while (__hip_atomic_load(mine, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) < wanted) {
    }
    __hip_atomic_store(other, wanted + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
  }
}
__global__ void fill(int *to, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value + i;
}

int line;  // to the other process
template <class T>
void tell(const T &value) {
  if (write(line, &value, sizeof value) != sizeof value) exit(3);
}
template <class T>
T hear() {
  T value;
  if (read(line, &value, sizeof value) != sizeof value) exit(4);
  return value;
}
void meet() {
  tell('x');
  hear<char>();
}

void send_file(int file) {
  char control[CMSG_SPACE(sizeof file)] = {}, byte = 'f';
  iovec part{&byte, 1};
  msghdr message{};
  message.msg_iov = &part, message.msg_iovlen = 1;
  message.msg_control = control, message.msg_controllen = sizeof control;
  cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(sizeof file);
  memcpy(CMSG_DATA(head), &file, sizeof file);
  if (sendmsg(line, &message, 0) != 1) exit(5);
}
int receive_file() {
  char control[CMSG_SPACE(sizeof(int))] = {}, byte;
  iovec part{&byte, 1};
  msghdr message{};
  message.msg_iov = &part, message.msg_iovlen = 1;
  message.msg_control = control, message.msg_controllen = sizeof control;
  if (recvmsg(line, &message, 0) != 1) exit(6);
  int file;
  memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
  return file;
}

void memory(int rank) {
  // Small and large blocks, and a place in the middle of one
  for (const size_t bytes : {size_t(256), size_t(1) << 20}) {
    int *mine = device<int>(bytes / 4);
    HIP(hipMemset(mine, 0, bytes));
    HIP(hipDeviceSynchronize());
    hipIpcMemHandle_t handle;
    HIP(hipIpcGetMemHandle(&handle, mine));
    void *refused;
    GIVES(hipIpcOpenMemHandle(&refused, handle, hipIpcMemLazyEnablePeerAccess), hipErrorInvalidContext);
    GIVES(hipIpcCloseMemHandle(mine), hipErrorInvalidValue);
    tell(handle);
    const auto from = hear<hipIpcMemHandle_t>();
    int *other, *again;
    HIP(hipIpcOpenMemHandle((void **)&other, from, hipIpcMemLazyEnablePeerAccess));
    HIP(hipIpcOpenMemHandle((void **)&again, from, hipIpcMemLazyEnablePeerAccess));
    EXPECT(other == again);
    hipPointerAttribute_t about;
    HIP(hipPointerGetAttributes(&about, other));
    EXPECT(about.type == hipMemoryTypeDevice && about.device == 1 - rank);
    pass<<<1, 1>>>(mine, other, rank, 4);
    HIP(hipDeviceSynchronize());
    meet();  // the other one's last store is done too
    int last;
    HIP(hipMemcpy(&last, mine, 4, hipMemcpyDeviceToHost));
    EXPECT(last == 8 - rank);
    meet();
    HIP(hipIpcCloseMemHandle(other));
    HIP(hipIpcCloseMemHandle(again));
    GIVES(hipIpcCloseMemHandle(again), hipErrorInvalidValue);
    meet();
    HIP(hipFree(mine));
  }
}

void events(int rank) {
  hipEvent_t event;
  int *shared;
  if (rank == 0) {
    shared = device<int>(1024);
    HIP(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
    hipIpcEventHandle_t handle;
    hipIpcMemHandle_t memory;
    HIP(hipIpcGetEventHandle(&handle, event));
    HIP(hipIpcGetMemHandle(&memory, shared + 24));
    tell(handle);
    tell(memory);
    fill<<<4, 256>>>(shared, 1024, 5);
    HIP(hipEventRecord(event));
    meet();
    HIP(hipDeviceSynchronize());
  } else {
    HIP(hipIpcOpenEventHandle(&event, hear<hipIpcEventHandle_t>()));
    HIP(hipIpcOpenMemHandle((void **)&shared, hear<hipIpcMemHandle_t>(), hipIpcMemLazyEnablePeerAccess));
    meet();  // the event is recorded
    hipStream_t stream;
    HIP(hipStreamCreate(&stream));
    HIP(hipStreamWaitEvent(stream, event, 0));
    int got = 0;
    HIP(hipMemcpyAsync(&got, shared, 4, hipMemcpyDeviceToHost, stream));
    HIP(hipStreamSynchronize(stream));
    EXPECT(got == 29);
    HIP(hipEventSynchronize(event));
    HIP(hipEventQuery(event));
  }
  meet();
}

void files(int rank) {  // of hipMemCreate, and of a pool
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
  properties.location = {hipMemLocationTypeDevice, 0};
  hipMemAccessDesc access{};
  access.location = {hipMemLocationTypeDevice, rank};
  access.flags = hipMemAccessFlagsProtReadWrite;
  const size_t bytes = 2 << 20;
  hipMemGenericAllocationHandle_t made;
  if (rank == 0) {
    int file;
    HIP(hipMemCreate(&made, bytes, &properties, 0));
    HIP(hipMemExportToShareableHandle(&file, made, hipMemHandleTypePosixFileDescriptor, 0));
    send_file(file);
  } else {
    int file = receive_file();
    HIP(hipMemImportFromShareableHandle(&made, (void *)(size_t)file, hipMemHandleTypePosixFileDescriptor));
    hipMemAllocationProp same;
    HIP(hipMemGetAllocationPropertiesFromHandle(&same, made));
    EXPECT(same.location.id == 0);
  }
  void *at;
  HIP(hipMemAddressReserve(&at, bytes, 0, nullptr, 0));
  HIP(hipMemMap(at, bytes, 0, made, 0));
  HIP(hipMemSetAccess(at, bytes, &access, 1));
  int got = 0;
  if (rank == 0) {
    fill<<<1, 64>>>((int *)at, 64, 100);
    HIP(hipDeviceSynchronize());
  }
  meet();
  HIP(hipMemcpy(&got, (int *)at + 63, 4, hipMemcpyDeviceToHost));
  EXPECT(got == 163);

  hipMemPool_t pool;
  int *pooled;
  if (rank == 0) {
    hipMemPoolProps props{};
    props.allocType = hipMemAllocationTypePinned;
    props.handleTypes = hipMemHandleTypePosixFileDescriptor;
    props.location = {hipMemLocationTypeDevice, 0};
    int file;
    hipMemPoolPtrExportData data;
    HIP(hipMemPoolCreate(&pool, &props));
    HIP(hipMemPoolExportToShareableHandle(&file, pool, hipMemHandleTypePosixFileDescriptor, 0));
    HIP(hipMallocFromPoolAsync((void **)&pooled, 4096, pool, nullptr));
    HIP(hipMemPoolExportPointer(&data, pooled));
    send_file(file);
    tell(data);
    fill<<<4, 256>>>(pooled, 1024, 7);
    HIP(hipDeviceSynchronize());
    meet();
  } else {
    int file = receive_file();
    // A program that keeps the number in 64 bits has anything in the upper ones: 32 are written.
    const size_t kept = (size_t)file | (size_t)0x7f12 << 32;
    HIP(hipMemPoolImportFromShareableHandle(&pool, (void *)kept, hipMemHandleTypePosixFileDescriptor, 0));
    auto data = hear<hipMemPoolPtrExportData>();
    HIP(hipMemPoolImportPointer((void **)&pooled, pool, &data));
    HIP(hipMemPoolSetAccess(pool, &access, 1));
    meet();
    HIP(hipMemcpy(&got, pooled + 1023, 4, hipMemcpyDeviceToHost));
    EXPECT(got == 1030);
    HIP(hipFreeAsync(pooled, nullptr));
    HIP(hipDeviceSynchronize());
  }
  meet();
}

void crash(int rank) {
  int *mine = device<int>(64);
  hipIpcMemHandle_t handle;
  HIP(hipMemset(mine, 0, 256));
  HIP(hipDeviceSynchronize());
  HIP(hipIpcGetMemHandle(&handle, mine));
  tell(handle);
  const auto from = hear<hipIpcMemHandle_t>();
  if (rank == 1) {
    char end;
    int *other;
    HIP(hipIpcOpenMemHandle((void **)&other, from, hipIpcMemLazyEnablePeerAccess));
    tell('x');
    EXPECT(read(line, &end, 1) == 0);  // it is gone
    fill<<<1, 64>>>(other, 64, 0);     // what was open stays
    HIP(hipDeviceSynchronize());
    HIP(hipIpcCloseMemHandle(other));
    GIVES(hipIpcOpenMemHandle((void **)&other, from, hipIpcMemLazyEnablePeerAccess), hipErrorInvalidValue);
    return;
  }
  hear<char>();
  kill(getpid(), SIGKILL);
}

int main(int argc, char **argv) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 2;
  const pid_t child = fork();
  const int rank = child == 0;
  line = ends[rank];
  close(ends[1 - rank]);
  setvbuf(stdout, nullptr, _IOLBF, 0);
  if (argc > 1) {  // the child dies, so that the parent ends in its own way
    HIP(hipSetDevice(1 - rank));
    crash(1 - rank);
    if (child) waitpid(child, nullptr, 0);
    return 0;
  }
  HIP(hipSetDevice(rank));
  memory(rank);
  events(rank);
  files(rank);
  if (!child) return 0;
  int status;
  waitpid(child, &status, 0);
  EXPECT(status == 0);
  puts("end");
}
