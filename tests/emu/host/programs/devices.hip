// Three devices: each has its own variables, memory is reached across, and errors stay where they happened.
#include "check.h"

__device__ int value = 1;
__global__ void add(int *x, int n) { *x += value + n; }

int main() {
  int count, can, where;
  HIP(hipGetDeviceCount(&count));
  EXPECT(count == 3);
  int *x[3];
  for (int i = 0; i < 3; i++) {
    HIP(hipSetDevice(i));
    x[i] = device<int>(1);
    const int start = 10 * i;
    HIP(hipMemcpyToSymbol(HIP_SYMBOL(value), &start, 4));
    HIP(hipMemset(x[i], 0, 4));
  }
  for (int i = 0; i < 3; i++) {
    HIP(hipSetDevice(i));
    add<<<1, 1>>>(x[i], 1);
  }
  int got[3];
  for (int i = 0; i < 3; i++) HIP(hipMemcpy(&got[i], x[i], 4, hipMemcpyDeviceToHost));
  EXPECT(got[0] == 1 && got[1] == 11 && got[2] == 21);
  HIP(hipDeviceCanAccessPeer(&can, 0, 2));
  EXPECT(can == 1);
  HIP(hipDeviceEnablePeerAccess(0, 0));
  GIVES(hipDeviceEnablePeerAccess(0, 0), hipErrorPeerAccessAlreadyEnabled);
  add<<<1, 1>>>(x[0], 5);
  HIP(hipMemcpyPeer(x[1], 1, x[0], 0, 4));
  HIP(hipMemcpy(got, x[1], 4, hipMemcpyDeviceToHost));
  EXPECT(got[0] == 26);
  hipStream_t stream;
  HIP(hipSetDevice(1));
  HIP(hipStreamCreate(&stream));
  HIP(hipDeviceEnablePeerAccess(2, 0));
  HIP(hipSetDevice(0));
  HIP(hipStreamGetDevice(stream, &where));
  EXPECT(where == 1);
  add<<<1, 1, 0, stream>>>(x[2], 0);  // on the device of the stream
  HIP(hipMemcpy(got, x[2], 4, hipMemcpyDeviceToHost));
  EXPECT(got[0] == 31);
  hipPointerAttribute_t about;
  HIP(hipPointerGetAttributes(&about, x[2]));
  EXPECT(about.device == 2 && about.type == hipMemoryTypeDevice);
  add<<<1, 1, 0, stream>>>(nullptr, 0);
  EXPECT(hipStreamSynchronize(stream) == hipErrorIllegalAddress);
  (void)hipGetLastError();
  EXPECT(hipDeviceSynchronize() == hipSuccess);
  puts("end");
}
