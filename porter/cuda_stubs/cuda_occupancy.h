// porter stub headers: occupancy calculator.
#pragma once
#include "driver_types.h"

struct cudaOccDeviceProp {
  int computeMajor;
  int computeMinor;
  int maxThreadsPerBlock;
  int maxThreadsPerMultiprocessor;
  int regsPerBlock;
  int regsPerMultiprocessor;
  int warpSize;
  size_t sharedMemPerBlock;
  size_t sharedMemPerMultiprocessor;
  int numSms;
  size_t sharedMemPerBlockOptin;
  size_t reservedSharedMemPerBlock;
  cudaOccDeviceProp();
  template <class P>
  cudaOccDeviceProp(const P &) PORTER_STUB_BODY
};
