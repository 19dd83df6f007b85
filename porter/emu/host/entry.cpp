// Entry points by name.
#include <dlfcn.h>

#include "host.h"

using namespace host;

namespace {

void *own_symbol(const std::string &name) {
  static void *const library = [] {
    Dl_info info;
    if (!dladdr((void *)&hipInit, &info)) return (void *)nullptr;
    return dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  }();
  return library ? dlsym(library, name.c_str()) : nullptr;
}

hipError_t entry(const char *name, void **out, u64 flags) {
  if (!name || !*name || !out || flags > 2) return done(hipErrorInvalidValue);
  *out = nullptr;
  // Names whose meaning changed have their version in the symbol.
  const std::string plain = name;
  if (plain == "hipGetDeviceProperties" || plain == "hipChooseDevice") *out = own_symbol(plain + "R0600");
  if (!*out) *out = own_symbol(plain);
  return done(*out ? hipSuccess : hipErrorNotFound);
}

}  // namespace

extern "C" {

hipError_t hipGetProcAddress(const char *name, void **out, int, uint64_t flags, hipDriverProcAddressQueryResult *status) {
  const hipError_t error = entry(name, out, flags);
  if (status) *status = error == hipSuccess ? HIP_GET_PROC_ADDRESS_SUCCESS : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return error;
}
hipError_t hipGetDriverEntryPoint(const char *name, void **out, unsigned long long flags, hipDriverEntryPointQueryResult *status) {
  const hipError_t error = entry(name, out, flags);
  if (status) *status = error == hipSuccess ? hipDriverEntryPointSuccess : hipDriverEntryPointSymbolNotFound;
  return error;
}

}
