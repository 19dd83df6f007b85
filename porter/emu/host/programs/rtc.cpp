// hiprtc: programs that are compiled at run time, by a process of porter's own (porter/emu/rtc.py), which gets a folder
// with the request and leaves its answer there.
#include <hip/hiprtc.h>

#include <fstream>
#include <iterator>

#include "programs/child.h"

struct _hiprtcProgram {
  std::string name, source, headers, log, code, bitcode;
  std::vector<std::string> expressions, lowered;
  bool compiled = false;
};

struct ihiprtcLinkState {
  std::vector<std::string> pieces, options;
  std::string code;
};

namespace {

using host::Folder;

struct Handles {
  std::mutex lock;
  std::set<const void *> alive;

  void add(const void *handle) {
    const std::lock_guard guard(lock);
    alive.insert(handle);
  }
  bool remove(const void *handle) {
    const std::lock_guard guard(lock);
    return alive.erase(handle) != 0;
  }
  bool has(const void *handle) {
    const std::lock_guard guard(lock);
    return alive.count(handle) != 0;
  }
};

Handles &programs() {
  static Handles &all = *new Handles;
  return all;
}
Handles &links() {
  static Handles &all = *new Handles;
  return all;
}

std::string packed(const std::vector<std::string> &items) {
  std::string out;
  for (const std::string &item : items) out += item + '\0';
  return out;
}

std::vector<std::string> unpacked(const std::string &text) {
  std::vector<std::string> items;
  for (size_t at = 0, end; (end = text.find('\0', at)) != std::string::npos; at = end + 1)
    items.push_back(text.substr(at, end - at));
  return items;
}

int compile_in(const Folder &folder) { return host::python("porter.emu.rtc", folder); }

hiprtcResult result_of(int code, hiprtcResult failure) {
  return code == 0 ? HIPRTC_SUCCESS : code == 1 ? failure : HIPRTC_ERROR_INTERNAL_ERROR;
}

// "(&kernel<int>)", "&kernel<int>" and "kernel<int>" are one expression.
std::string stripped(std::string name) {
  while (name.size() > 1 && name.front() == '(' && name.back() == ')') name = name.substr(1, name.size() - 2);
  return !name.empty() && name.front() == '&' ? name.substr(1) : name;
}

hiprtcResult size_of(hiprtcProgram program, const std::string &text, size_t *size) {
  if (!program->compiled) return HIPRTC_ERROR_INVALID_PROGRAM;
  *size = text.size();
  return HIPRTC_SUCCESS;
}

hiprtcResult give(const std::string &text, char *out) {
  memcpy(out, text.data(), text.size());
  return HIPRTC_SUCCESS;
}

bool linkable(hiprtcJITInputType type) { return type == HIPRTC_JIT_INPUT_LLVM_BITCODE; }

bool known_input(hiprtcJITInputType type) {
  return linkable(type) || type == HIPRTC_JIT_INPUT_LLVM_BUNDLED_BITCODE ||
         type == HIPRTC_JIT_INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE;
}

hiprtcResult add_piece(hiprtcLinkState state, hiprtcJITInputType type, std::string piece) {
  if (!links().has(state)) return HIPRTC_ERROR_INVALID_INPUT;
  if (!linkable(type)) {
    host::not_supported("hiprtcLinkAdd for bundled bitcode");
    return HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;
  }
  state->pieces.push_back(std::move(piece));
  return HIPRTC_SUCCESS;
}

hipError_t hip_error(hiprtcResult result) {
  switch (result) {
    case HIPRTC_SUCCESS: return hipSuccess;
    case HIPRTC_ERROR_INVALID_INPUT: return hipErrorInvalidValue;
    case HIPRTC_ERROR_LINKING: return hipErrorSharedObjectInitFailed;
    default: return hipErrorUnknown;
  }
}

}  // namespace

extern "C" {

const char *hiprtcGetErrorString(hiprtcResult result) {
  switch (result) {
#define NAMED(CODE) case CODE: return #CODE;
    NAMED(HIPRTC_SUCCESS)
    NAMED(HIPRTC_ERROR_OUT_OF_MEMORY)
    NAMED(HIPRTC_ERROR_PROGRAM_CREATION_FAILURE)
    NAMED(HIPRTC_ERROR_INVALID_INPUT)
    NAMED(HIPRTC_ERROR_INVALID_PROGRAM)
    NAMED(HIPRTC_ERROR_INVALID_OPTION)
    NAMED(HIPRTC_ERROR_COMPILATION)
    NAMED(HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    NAMED(HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    NAMED(HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    NAMED(HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    NAMED(HIPRTC_ERROR_INTERNAL_ERROR)
    NAMED(HIPRTC_ERROR_LINKING)
#undef NAMED
  }
  return nullptr;
}

hiprtcResult hiprtcVersion(int *major, int *minor) {
  if (!major || !minor) return HIPRTC_ERROR_INVALID_INPUT;
  *major = 9, *minor = 0;  // what AMD's library answers
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram *out, const char *source, const char *name, int count, const char **headers,
                                 const char **names) {
  if (!out) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!source || !*source || count < 0 || (count && (!headers || !names))) return HIPRTC_ERROR_INVALID_INPUT;
  std::vector<std::string> given;
  for (int i = 0; i < count; i++) {
    if (!headers[i] || !*headers[i] || !names[i] || !*names[i]) return HIPRTC_ERROR_INVALID_INPUT;
    given.insert(given.end(), {names[i], headers[i]});
  }
  *out = new _hiprtcProgram{name ? name : "", source, packed(given), {}, {}, {}, {}, {}};
  programs().add(*out);
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram *program) {
  if (!program) return HIPRTC_ERROR_INVALID_INPUT;
  if (!programs().remove(*program)) return HIPRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram program, const char *expression) {
  if (!expression || !*expression) return HIPRTC_ERROR_INVALID_INPUT;
  if (!programs().has(program)) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (program->compiled) return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  program->expressions.push_back(stripped(expression));
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int count, const char **options) {
  if (!programs().has(program)) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (count < 0 || (count && !options)) return HIPRTC_ERROR_INVALID_INPUT;
  std::vector<std::string> words;
  for (int i = 0; i < count; i++) {
    if (!options[i]) return HIPRTC_ERROR_INVALID_INPUT;
    words.push_back(options[i]);
  }
  const Folder folder;
  if (folder.path.empty() || !folder.write("name", program->name) || !folder.write("source", program->source) ||
      !folder.write("headers", program->headers) || !folder.write("options", packed(words)) ||
      !folder.write("expressions", packed(program->expressions)))
    return HIPRTC_ERROR_INTERNAL_ERROR;
  const int code = compile_in(folder);
  program->compiled = true;
  program->log = folder.read("log");
  if (!program->log.empty()) program->log += '\0';
  program->code = folder.read("code");
  program->bitcode = folder.read("bitcode");
  program->lowered = unpacked(folder.read("lowered"));
  if (code != 0 && code != 1) fprintf(stderr, "porter: hiprtc cannot compile: %s\n", program->log.c_str());
  return result_of(code, HIPRTC_ERROR_COMPILATION);
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char *expression, const char **name) {
  if (!expression || !name) return HIPRTC_ERROR_INVALID_INPUT;
  if (!programs().has(program)) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!program->compiled) return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  const std::string wanted = stripped(expression);
  for (size_t i = 0; i < program->expressions.size() && i < program->lowered.size(); i++)
    if (program->expressions[i] == wanted && !program->lowered[i].empty()) {
      *name = program->lowered[i].c_str();
      return HIPRTC_SUCCESS;
    }
  return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t *size) {
  if (!size) return HIPRTC_ERROR_INVALID_INPUT;
  if (!programs().has(program)) return HIPRTC_ERROR_INVALID_PROGRAM;
  *size = program->log.size();
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char *log) {
  if (!log) return HIPRTC_ERROR_INVALID_INPUT;
  return programs().has(program) ? give(program->log, log) : HIPRTC_ERROR_INVALID_PROGRAM;
}
hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t *size) {
  if (!size) return HIPRTC_ERROR_INVALID_INPUT;
  return programs().has(program) ? size_of(program, program->code, size) : HIPRTC_ERROR_INVALID_PROGRAM;
}
hiprtcResult hiprtcGetCode(hiprtcProgram program, char *code) {
  if (!code) return HIPRTC_ERROR_INVALID_INPUT;
  return programs().has(program) ? give(program->code, code) : HIPRTC_ERROR_INVALID_PROGRAM;
}
hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram program, size_t *size) {
  if (!size) return HIPRTC_ERROR_INVALID_INPUT;
  if (!programs().has(program) || program->bitcode.empty()) return HIPRTC_ERROR_INVALID_PROGRAM;
  return size_of(program, program->bitcode, size);
}
hiprtcResult hiprtcGetBitcode(hiprtcProgram program, char *bitcode) {
  if (!bitcode) return HIPRTC_ERROR_INVALID_INPUT;
  if (!programs().has(program) || program->bitcode.empty()) return HIPRTC_ERROR_INVALID_PROGRAM;
  return give(program->bitcode, bitcode);
}

// Options of the linker go to the compiler; those that are CUDA's alone have no effect in HIP either.
hiprtcResult hiprtcLinkCreate(unsigned count, hiprtcJIT_option *options, void **values, hiprtcLinkState *out) {
  if (!out || (count && (!options || !values))) return HIPRTC_ERROR_INVALID_INPUT;
  const char **words = nullptr;
  size_t word_count = 0;
  std::vector<std::string> given;
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == HIPRTC_JIT_IR_TO_ISA_OPT_EXT) words = (const char **)values[i];
    else if (options[i] == HIPRTC_JIT_IR_TO_ISA_OPT_COUNT_EXT) word_count = (size_t)values[i];
    else if (options[i] == HIPRTC_JIT_OPTIMIZATION_LEVEL) given.push_back("-O" + std::to_string((size_t)values[i]));
    else if (options[i] < 0 || options[i] >= HIPRTC_JIT_NUM_OPTIONS) return HIPRTC_ERROR_INVALID_OPTION;
  }
  if (word_count && !words) return HIPRTC_ERROR_INVALID_OPTION;
  given.insert(given.end(), words, words + word_count);
  *out = new ihiprtcLinkState{{}, given, {}};
  links().add(*out);
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcLinkAddFile(hiprtcLinkState state, hiprtcJITInputType type, const char *path, unsigned, hiprtcJIT_option *,
                               void **) {
  if (!state || !path || !known_input(type)) return HIPRTC_ERROR_INVALID_INPUT;
  std::ifstream in(path, std::ios::binary);
  if (!in) return HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;
  return add_piece(state, type, {std::istreambuf_iterator<char>(in), {}});
}
hiprtcResult hiprtcLinkAddData(hiprtcLinkState state, hiprtcJITInputType type, void *data, size_t size, const char *, unsigned,
                               hiprtcJIT_option *, void **) {
  if (!data || !size || !known_input(type)) return HIPRTC_ERROR_INVALID_INPUT;
  return add_piece(state, type, {(const char *)data, size});
}
hiprtcResult hiprtcLinkComplete(hiprtcLinkState state, void **code, size_t *size) {
  if (!code || !size || !links().has(state)) return HIPRTC_ERROR_INVALID_INPUT;
  const Folder folder;
  bool good = !folder.path.empty() && !state->pieces.empty() && folder.write("options", packed(state->options));
  for (size_t i = 0; good && i < state->pieces.size(); i++) good = folder.write("bitcode." + std::to_string(i), state->pieces[i]);
  if (!good) return HIPRTC_ERROR_LINKING;
  if (compile_in(folder)) {
    fprintf(stderr, "porter: hiprtcLinkComplete: %s\n", folder.read("log").c_str());
    return HIPRTC_ERROR_LINKING;
  }
  state->code = folder.read("code");
  *code = state->code.data();
  *size = state->code.size();
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcLinkDestroy(hiprtcLinkState state) {
  if (!links().remove(state)) return HIPRTC_ERROR_INVALID_INPUT;
  delete state;
  return HIPRTC_SUCCESS;
}

hipError_t hipLinkCreate(unsigned count, hipJitOption *options, void **values, hipLinkState_t *out) {
  return host::done(hip_error(hiprtcLinkCreate(count, options, values, (hiprtcLinkState *)out)));
}
hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char *path, unsigned count, hipJitOption *options,
                          void **values) {
  return host::done(hip_error(hiprtcLinkAddFile((hiprtcLinkState)state, type, path, count, options, values)));
}
hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void *data, size_t size, const char *name, unsigned count,
                          hipJitOption *options, void **values) {
  return host::done(hip_error(hiprtcLinkAddData((hiprtcLinkState)state, type, data, size, name, count, options, values)));
}
hipError_t hipLinkComplete(hipLinkState_t state, void **code, size_t *size) {
  return host::done(hip_error(hiprtcLinkComplete((hiprtcLinkState)state, code, size)));
}
hipError_t hipLinkDestroy(hipLinkState_t state) { return host::done(hip_error(hiprtcLinkDestroy((hiprtcLinkState)state))); }

}
