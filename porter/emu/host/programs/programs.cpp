// Device code: what a compiled program registers before main, and modules, which are loaded later.
#include <cxxabi.h>

#include <algorithm>

#include "programs/device_code.h"

namespace host {

namespace {

struct Variable { Program *program; std::string name; u64 size; };

struct State {
  std::mutex lock;
  std::unordered_map<const void *, Function *> functions;  // by host stub, and by their own address
  std::map<std::pair<Program *, std::string>, Function *> of_modules;
  std::unordered_map<const void *, Variable> variables;  // by their shadow on the host
  std::set<Program *> programs;
};

State &state() {
  static State &all = *new State;
  return all;
}

}  // namespace

std::vector<CallConfiguration> &call_configurations() {
  static thread_local std::vector<CallConfiguration> mine;
  return mine;
}

std::string demangled(const char *name) {
  int status;
  char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = text && !status ? text : name;
  free(text);
  return result;
}

std::string kernel_name(const std::string &symbol) {
  const std::string full = demangled(symbol.c_str()), unnamed = "(anonymous namespace)";
  if (full.size() <= 100) return full;
  std::string out;
  u32 angles = 0;
  for (size_t at = full.rfind("void ", 0) == 0 ? 5 : 0; at < full.size(); at++) {
    if (!angles && full.compare(at, unnamed.size(), unnamed) == 0) {
      out += unnamed;
      at += unnamed.size() - 1;
    } else if (full[at] == '<') {
      if (angles++ == 0) out += "<...>";
    } else if (full[at] == '>' && angles) {
      angles--;
    } else if (full[at] == '(' && !angles) {
      break;
    } else if (full[at] == '(') {  // of a template's argument: a comparison stands in it
      for (u32 depth = 1; depth && ++at < full.size();) depth += (full[at] == '(') - (full[at] == ')');
    } else if (!angles) {
      out += full[at];
    }
  }
  return out;
}

Image *Program::image(int device) {
  if (!valid_device(device)) return nullptr;  // HIP_VISIBLE_DEVICES may leave none
  const std::lock_guard guard(lock);
  if (images.empty()) images.resize((size_t)device_count());
  Image *&loaded = images[(size_t)device];
  if (loaded || !error.empty()) return loaded;
  const u8 *found = nullptr;
  if (!owned.empty()) found = owned.data();
  else if (const DeviceCode code = device_code(bytes); code.image) found = code.image;
  else if (code.error == hipSuccess) owned = decoded(code, &error), found = owned.empty() ? nullptr : owned.data();
  else error = code.why;
  char why[512] = "";
  if (found) loaded = image_load(found, ((const Header *)found)->size, why, sizeof why);
  if (found && !loaded) error = why;
  if (!loaded) {
    fprintf(stderr, "porter: this program's device code cannot be loaded: %s\n", error.c_str());
    return nullptr;
  }
  if (loaded->data_size)
    remember({(u64)loaded->data, loaded->data_size, Where::variables, device, 0, 0, nullptr, "variables of the program"});
  find_managed(loaded);
  for (const Managed &variable : managed)
    if (const u64 place = image_symbol(loaded, variable.name.c_str(), nullptr)) memcpy((void *)place, variable.pointer, 8);
  return loaded;
}

// A module's managed variables are those for which its code has NAME.managed, what they are at first.
void Program::find_managed(const Image *image) {
  constexpr std::string_view SUFFIX = ".managed";
  for (u32 i = 0; i < image->symbol_count; i++) {
    std::string name = image->strings + image->symbols[i].name;
    if (image->symbols[i].kind != SYMBOL_DATA || name.size() <= SUFFIX.size()) continue;
    u64 size = 0;
    const u64 initial = image_symbol(image, name.c_str(), &size);
    if (name.compare(name.size() - SUFFIX.size(), SUFFIX.size(), SUFFIX)) continue;
    name.resize(name.size() - SUFFIX.size());
    if (std::any_of(managed.begin(), managed.end(), [&](const Managed &known) { return known.name == name; })) continue;
    void *memory = allocate(size, Where::managed, hipMemAttachGlobal, "a __managed__ variable", 0);
    if (!memory) continue;  // the kernel's access says so
    memcpy(memory, (const void *)initial, size);
    found_managed.push_back(std::make_unique<void *>(memory));
    managed.push_back({found_managed.back().get(), nullptr, name, size});
  }
}

void Program::unload() {
  for (const auto &memory : found_managed) release(*memory);

  for (Image *image : images)
    if (image) {
      forget((u64)image->data);
      image_free(image);
    }
  images.clear();
}

Program *new_program(const void *bytes) {
  Program *program = new Program;
  program->bytes = (const u8 *)bytes;
  const std::lock_guard guard(state().lock);
  state().programs.insert(program);
  return program;
}

void delete_program(Program *program) {
  State &s = state();
  {
    const std::lock_guard guard(s.lock);
    s.programs.erase(program);
    for (auto it = s.functions.begin(); it != s.functions.end();)
      it = it->second->program == program ? s.functions.erase(it) : std::next(it);
    for (auto it = s.of_modules.begin(); it != s.of_modules.end();)
      it = it->first.first == program ? s.of_modules.erase(it) : std::next(it);
    for (auto it = s.variables.begin(); it != s.variables.end();)
      it = it->second.program == program ? s.variables.erase(it) : std::next(it);
  }
  program->unload();
  delete program;
}

Function *find_function(const void *handle) {
  const std::lock_guard guard(state().lock);
  const auto found = state().functions.find(handle);
  return found == state().functions.end() ? nullptr : found->second;
}

Function *module_function(Program *program, const char *name) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  Function *&function = s.of_modules[{program, name}];
  if (!function) {
    function = new Function{program, name, 0};
    s.functions[function] = function;
  }
  return function;
}

hipError_t locate(Function *function, int device, Located *out) {
  if (!function) return hipErrorInvalidDeviceFunction;
  if (!valid_device(device)) return hipErrorNoDevice;
  Image *image = function->program->image(device);
  if (!image) return hipErrorNoBinaryForGpu;
  const int number = image_find_kernel(image, function->name.c_str());
  if (number < 0) return hipErrorInvalidDeviceFunction;
  *out = {image, &image->kernels[number], (u32)number};
  return hipSuccess;
}

hipError_t symbol_place(const void *symbol, void **address, u64 *size) {
  if (!symbol) return hipErrorInvalidSymbol;
  Variable variable;
  {
    const std::lock_guard guard(state().lock);
    const auto found = state().variables.find(symbol);
    if (found != state().variables.end()) variable = found->second;
  }
  if (variable.name.empty()) {  // a managed variable's name stands for its memory
    const auto found = find_allocation(symbol);
    if (!found || found->where != Where::managed) return hipErrorInvalidSymbol;
    *address = (void *)symbol;
    *size = found->end() - (u64)symbol;
    return hipSuccess;
  }
  if (!valid_device(current_device())) return hipErrorNoDevice;
  const Image *image = variable.program->image(current_device());
  if (!image) return hipErrorNoBinaryForGpu;
  *address = (void *)image_symbol(image, variable.name.c_str(), nullptr);
  *size = variable.size;
  return *address ? hipSuccess : hipErrorInvalidSymbol;
}

}  // namespace host

using namespace host;

namespace {

struct Wrapper { u32 magic, version; const void *bundle; const void *unused; };

u8 *read_file(const char *name, std::vector<u8> *out) {
  FILE *file = fopen(name, "rb");
  if (!file) return nullptr;
  u8 buffer[65536];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;) out->insert(out->end(), buffer, buffer + n);
  fclose(file);
  return out->size() >= 32 ? out->data() : nullptr;
}

hipError_t load(void **out, Program *program) {
  if (!program->image(current_device())) {
    delete_program(program);
    return done(valid_device(current_device()) ? hipErrorNoBinaryForGpu : hipErrorNoDevice);
  }
  *out = program;
  return done(hipSuccess);
}

hipError_t load_bytes(void **out, const void *bytes) {
  if (!out || !bytes) return done(hipErrorInvalidValue);
  DeviceCode code = device_code((const u8 *)bytes);
  std::vector<u8> copy;  // the caller may free its own
  if (code.image) copy.assign(code.image, code.image + ((const Header *)code.image)->size);
  else if (code.error == hipSuccess) copy = decoded(code, &code.why);
  if (copy.empty()) {
    fprintf(stderr, "porter: a module cannot be loaded: %s\n", code.why.c_str());
    return done(code.error == hipSuccess ? hipErrorInvalidImage : code.error);
  }
  Program *program = new_program(nullptr);
  program->owned = std::move(copy);
  return load(out, program);
}

hipError_t load_file(void **out, const char *name) {
  if (!out || !name) return done(hipErrorInvalidValue);
  std::vector<u8> bytes;
  if (!read_file(name, &bytes)) return done(hipErrorFileNotFound);
  return load_bytes(out, bytes.data());
}

hipError_t kernel_of(void **out, void *module, const char *name) {
  if (!out || !name) return done(hipErrorInvalidValue);
  if (!module) return done(hipErrorInvalidHandle);
  const Image *image = ((Program *)module)->image(current_device());
  if (!image || image_find_kernel(image, name) < 0) return done(hipErrorNotFound);
  *out = module_function((Program *)module, name);
  return done(hipSuccess);
}

}  // namespace

extern "C" {

void **__hipRegisterFatBinary(const void *data) {
  return (void **)new_program(((const Wrapper *)data)->bundle);
}
void __hipUnregisterFatBinary(void **program) {
  wait_for_all();
  delete_program((Program *)program);
}

void __hipRegisterFunction(void **program, const void *stub, char *,
                                                                  const char *name, unsigned, void *, void *, void *,
                                                                  void *, int *) {
  const std::lock_guard guard(state().lock);
  state().functions[stub] = new Function{(Program *)program, name, 0};
}
void __hipRegisterVar(void **program, void *shadow, char *, char *name, int,
                                                             size_t size, int, int) {
  const std::lock_guard guard(state().lock);
  state().variables[shadow] = {(Program *)program, name, size};
}
void __hipRegisterManagedVar(void *program, void **pointer, void *initial,
                                                                    const char *name, size_t size, unsigned) {
  *pointer = allocate(size, Where::managed, hipMemAttachGlobal, "a __managed__ variable", 0);
  if (!*pointer) {
    fprintf(stderr, "porter: no memory for the managed variable %s\n", name);
    abort();
  }
  memcpy(*pointer, initial, size);
  ((Program *)program)->managed.push_back({pointer, initial, name, size});
}
// gfx942 has no textures: whatever would use these says so.
void __hipRegisterTexture(void **, void *, char *, char *, int, int, int) {}
void __hipRegisterSurface(void **, void *, char *, char *, int, int) {}

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t lds,
                                                                             hipStream_t stream) {
  call_configurations().push_back({grid, block, lds, stream, {}});
  return hipSuccess;
}
hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *lds,
                                                                            hipStream_t *stream) {
  std::vector<CallConfiguration> &configurations = call_configurations();
  if (configurations.empty()) return done(hipErrorMissingConfiguration);
  const CallConfiguration &c = configurations.back();
  *grid = c.grid, *block = c.block, *lds = c.lds, *stream = c.stream;
  configurations.pop_back();
  return hipSuccess;
}

hipError_t hipModuleLoad(hipModule_t *module, const char *name) { return load_file((void **)module, name); }
hipError_t hipModuleLoadData(hipModule_t *module, const void *bytes) { return load_bytes((void **)module, bytes); }
hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *bytes, unsigned, hipJitOption *, void **) {
  return load_bytes((void **)module, bytes);
}
hipError_t hipModuleLoadFatBinary(hipModule_t *module, const void *bytes) { return load_bytes((void **)module, bytes); }
hipError_t hipModuleUnload(hipModule_t module) {
  if (!module) return done(hipErrorInvalidHandle);
  wait_for_all();
  delete_program((Program *)module);
  return done(hipSuccess);
}
hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
  return kernel_of((void **)function, module, name);
}
hipError_t hipModuleGetFunctionCount(unsigned *count, hipModule_t module) {
  if (!count) return done(hipErrorInvalidValue);
  if (!module) return done(hipErrorInvalidHandle);
  const Image *image = ((Program *)module)->image(current_device());
  if (!image) return done(hipErrorInvalidImage);
  *count = image->kernel_count;
  return done(hipSuccess);
}
hipError_t hipModuleGetGlobal(hipDeviceptr_t *address, size_t *size, hipModule_t module, const char *name) {
  if (!name || (!address && !size)) return done(hipErrorInvalidValue);
  if (!module) return done(hipErrorInvalidHandle);
  const Image *image = ((Program *)module)->image(current_device());
  for (const Managed &variable : ((Program *)module)->managed) {
    if (variable.name != name) continue;
    if (address) *address = *variable.pointer;
    if (size) *size = variable.size;
    return done(hipSuccess);
  }
  u64 bytes = 0;
  const u64 place = image ? image_symbol(image, name, &bytes) : 0;
  if (!place || place >= CODE_APERTURE) return done(hipErrorNotFound);
  if (address) *address = (void *)place;
  if (size) *size = bytes;
  return done(hipSuccess);
}

hipError_t hipLibraryLoadData(hipLibrary_t *library, const void *bytes, hipJitOption **, void **, unsigned,
                              hipLibraryOption **, void **, unsigned) {
  return load_bytes((void **)library, bytes);
}
hipError_t hipLibraryLoadFromFile(hipLibrary_t *library, const char *name, hipJitOption **, void **, unsigned,
                                  hipLibraryOption **, void **, unsigned) {
  return load_file((void **)library, name);
}
hipError_t hipLibraryUnload(hipLibrary_t library) { return hipModuleUnload((hipModule_t)library); }
hipError_t hipLibraryGetKernel(hipKernel_t *kernel, hipLibrary_t library, const char *name) {
  return kernel_of((void **)kernel, library, name);
}
hipError_t hipLibraryGetKernelCount(unsigned *count, hipLibrary_t library) {
  return hipModuleGetFunctionCount(count, (hipModule_t)library);
}

hipError_t hipGetFuncBySymbol(hipFunction_t *function, const void *stub) {
  if (!function || !stub) return done(hipErrorInvalidValue);
  Function *found = find_function(stub);
  if (!found) return done(hipErrorInvalidDeviceFunction);
  const std::lock_guard guard(state().lock);
  state().functions[found] = found;
  *function = (hipFunction_t)found;
  return done(hipSuccess);
}
const char *hipKernelNameRef(const hipFunction_t function) {
  const Function *found = find_function(function);
  return found ? found->name.c_str() : nullptr;
}
const char *hipKernelNameRefByPtr(const void *stub, hipStream_t) {
  const Function *found = find_function(stub);
  return found ? found->name.c_str() : nullptr;
}
const char *hipApiName(uint32_t) { return "unknown"; }

hipError_t hipGetSymbolAddress(void **address, const void *symbol) {
  if (!address) return done(hipErrorInvalidValue);
  u64 size;
  return done(symbol_place(symbol, address, &size));
}
hipError_t hipGetSymbolSize(size_t *size, const void *symbol) {
  if (!size) return done(hipErrorInvalidValue);
  void *address;
  u64 bytes;
  const hipError_t error = symbol_place(symbol, &address, &bytes);
  if (error == hipSuccess) *size = bytes;
  return done(error);
}

}
