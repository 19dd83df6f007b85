// Named ranges of the host (roctx, which NVTX becomes): which of them each launch was made in. On a GPU they are a
// library of their own (-lroctx64), which profilers read; here they are in the report of launches.
#include <atomic>
#include <mutex>

#include "host.h"

namespace host {

namespace {

thread_local std::vector<std::string> pushed;  // ranges nest in a thread

std::mutex lock;
std::map<uint64_t, std::string> &started() {  // from start to stop, by any threads
  static std::map<uint64_t, std::string> &all = *new std::map<uint64_t, std::string>;
  return all;
}

std::string text(const char *message) { return message ? message : ""; }

}  // namespace

std::vector<std::string> open_ranges() {
  std::vector<std::string> all;
  {
    const std::lock_guard<std::mutex> held(lock);
    for (const auto &one : started()) all.push_back(one.second);
  }
  all.insert(all.end(), pushed.begin(), pushed.end());
  return all;
}

}  // namespace host

extern "C" {

uint32_t roctx_version_major() { return 4; }
uint32_t roctx_version_minor() { return 1; }
void roctxMarkA(const char *) {}

// Both give the level of the range, from 0 on; a pop without a push is -1.
int roctxRangePushA(const char *message) {
  host::pushed.push_back(host::text(message));
  return (int)host::pushed.size() - 1;
}
int roctxRangePop() {
  if (host::pushed.empty()) return -1;
  host::pushed.pop_back();
  return (int)host::pushed.size();
}

uint64_t roctxRangeStartA(const char *message) {
  static std::atomic<uint64_t> next{1};
  const uint64_t id = next++;
  const std::lock_guard<std::mutex> held(host::lock);
  host::started()[id] = host::text(message);
  return id;
}
void roctxRangeStop(uint64_t id) {
  const std::lock_guard<std::mutex> held(host::lock);
  host::started().erase(id);
}

}  // extern "C"
