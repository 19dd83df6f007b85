// Error codes: their names, what they mean, and which one a thread saw last.
#include <mutex>
#include <set>

#include "host.h"

namespace host {

namespace {

struct Text { int code; const char *name, *text; };
// The meaning is hipGetErrorString's.
const Text TEXTS[] = {
#define ROW(code, text) {code, #code, text},
#include "errors.inc"
#undef ROW
};

thread_local hipError_t last = hipSuccess, last_call = hipSuccess;

const Text *find(hipError_t error) {
  for (const Text &text : TEXTS)
    if (text.code == error) return &text;
  return nullptr;
}

}  // namespace

hipError_t done(hipError_t error) {
  last_call = error;
  if (error != hipSuccess && error != hipErrorNotReady) last = error;
  return error;
}

hipError_t last_call_error() { return last_call; }

const char *error_name(hipError_t error) {
  const Text *text = find(error);
  return text ? text->name : "hipErrorUnknown";
}

namespace {

// Calls about what the chip has no instructions for: AMD's runtime refuses them there with the same error.
bool about_images(const std::string &name) {
  for (const char *part : {"Array", "array", "Mipmap", "Tex", "Surf", "AtoH", "HtoA", "AtoD", "DtoA", "AtoA"})
    if (name.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

hipError_t not_supported(const char *name) {
  static std::mutex lock;
  static std::set<std::string> &said = *new std::set<std::string>;
  const std::lock_guard guard(lock);
  if (!said.insert(name).second) return done(hipErrorNotSupported);
  if (about_images(name))
    fprintf(stderr, "porter: %s: " CHIP_TARGET " has no image instructions, and no arrays, textures or surfaces with them\n", name);
  else
    fprintf(stderr, "porter: %s is not part of the emulator's HIP runtime\n", name);
  return done(hipErrorNotSupported);
}

}  // namespace host

using namespace host;

extern "C" {

hipError_t porter_not_supported(const char *name) { return not_supported(name); }  // for the generated stubs

const char *hipGetErrorName(hipError_t error) { return error_name(error); }
const char *hipGetErrorString(hipError_t error) {
  const Text *text = find(error);
  return text ? text->text : "unknown error";
}
hipError_t hipDrvGetErrorName(hipError_t error, const char **name) {
  if (!name || !find(error)) return done(hipErrorInvalidValue);
  *name = find(error)->name;
  return done(hipSuccess);
}
hipError_t hipDrvGetErrorString(hipError_t error, const char **text) {
  if (!text || !find(error)) return done(hipErrorInvalidValue);
  *text = find(error)->text;
  return done(hipSuccess);
}

// A fault of the device comes back for ever; any other error once.
hipError_t hipPeekAtLastError() {
  const hipError_t fault = device_fault(current_device());
  return fault != hipSuccess ? fault : last;
}
hipError_t hipGetLastError() {
  const hipError_t error = hipPeekAtLastError();
  last = hipSuccess;
  return error;
}
hipError_t hipExtGetLastError() {
  const hipError_t error = last_call;
  last_call = hipSuccess;
  return error;
}

}
