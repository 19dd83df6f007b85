// What the test programs share: a check of a HIP call, and one line a thing that was tried.
#pragma once
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define HIP(call)                                                                             \
  do {                                                                                        \
    const hipError_t error_ = (call);                                                         \
    if (error_ != hipSuccess) {                                                               \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorName(error_));          \
      exit(1);                                                                                \
    }                                                                                         \
  } while (0)

#define EXPECT(condition) printf("%s %s\n", (condition) ? "ok" : "FAILED", #condition)
#define GIVES(call, error)                                                                                     \
  do {                                                                                                         \
    const hipError_t got_ = (call);                                                                            \
    if (got_ == error) printf("ok %s gives %s\n", #call, #error);                                              \
    else printf("FAILED %s gives %s, not %s\n", #call, hipGetErrorName(got_), #error);                         \
    (void)hipGetLastError();                                                                                   \
  } while (0)

template <class T>
T *device(size_t count) {
  T *memory;
  HIP(hipMalloc(&memory, count * sizeof(T)));
  return memory;
}
