// Device code as programs hand it over: porter's image, clang's bundle of either, or a code object (ELF).
#pragma once

#include "host.h"

namespace host {

struct DeviceCode {
  const u8 *image = nullptr;   // porter's image
  const u8 *object = nullptr;  // or a code object of the GPU, of `size` bytes
  u64 size = 0;
  hipError_t error = hipSuccess;  // or neither, and `why`
  std::string why;
};

DeviceCode device_code(const u8 *bytes);

// The image of a code object, decoded by porter's Python; empty with the reason where it cannot be.
std::vector<u8> decoded(const DeviceCode &code, std::string *why);

}  // namespace host
