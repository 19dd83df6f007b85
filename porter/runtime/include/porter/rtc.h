// porter runtime: programs that are compiled while the program runs, given to hiprtc as NVRTC was given them.
#ifndef PORTER_RTC_H
#define PORTER_RTC_H

#include <hip/hiprtc.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rtc_headers.h"

namespace porter {

// The program, with porter's headers beside its own: its text may include them.
inline hiprtcResult create_program(hiprtcProgram *program, const char *source, const char *name, int count,
                                   const char *const *headers, const char *const *names) {
  if (count < 0 || (count && (!headers || !names))) return HIPRTC_ERROR_INVALID_INPUT;
  std::vector<const char *> texts(headers, headers + count), called(names, names + count);
  const std::vector<rtc_header> ours = rtc_headers();
  for (const rtc_header &header : ours) {
    texts.push_back(header.text.c_str());
    called.push_back(header.name.c_str());
  }
  return hiprtcCreateProgram(program, source, name, static_cast<int>(texts.size()), texts.data(), called.data());
}

// Options that name an architecture of NVIDIA's are dropped: hiprtc compiles for the device that the program runs on. An option
// that is several words of clang's, or none, stands in one string.
inline hiprtcResult compile_program(hiprtcProgram program, int count, const char *const *options) {
  std::vector<std::string> words;
  for (int i = 0; i < count; i++) {
    if (!options || !options[i]) return HIPRTC_ERROR_INVALID_INPUT;
    const std::string option = options[i];
    const bool defines = option.compare(0, 2, "-D") == 0 || option.compare(0, 2, "-I") == 0 || option.compare(0, 2, "--") == 0;
    for (size_t at = 0; at < option.size();) {
      const size_t end = defines ? option.size() : std::min(option.find(' ', at), option.size());
      const std::string word = option.substr(at, end - at);
      const bool arch = word.find("-arch") != std::string::npos || word.find("-gpu-architecture") != std::string::npos;
      const bool theirs = word.find("=compute_") != std::string::npos || word.find("=sm_") != std::string::npos;
      if (!word.empty() && !(arch && theirs)) words.push_back(word);
      at = end + 1;
    }
  }
  std::vector<const char *> given;
  for (const std::string &word : words) given.push_back(word.c_str());
  return hiprtcCompileProgram(program, static_cast<int>(given.size()), given.data());
}

}  // namespace porter

#endif  // PORTER_RTC_H
