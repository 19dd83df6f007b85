// A line for a kernel that runs for ten seconds, and each time that it has run for twice as long: how far it is, and how
// long the rest takes at the pace so far.
#include "host.h"

namespace host {

namespace {

// No copy: what is left at the end of a program is launched after such variables of its thread are gone.
thread_local const std::string *launched;

std::string with_commas(u64 number) {
  std::string out = std::to_string(number);
  for (int at = (int)out.size() - 3; at > 0; at -= 3) out.insert((size_t)at, ",");
  return out;
}

std::string duration(double seconds) {
  const u64 s = (u64)(seconds + 0.5);
  if (s < 100) return std::to_string(s) + " s";
  if (s < 100 * 60) return std::to_string((s + 30) / 60) + " min";
  if (s < 100 * 3600) return std::to_string((s + 1800) / 3600) + " h";
  return with_commas((s + 43200) / 86400) + " days";
}

void tell(u64 begun, u64 all, u64 ns) {
  const double seconds = (double)ns * 1e-9;
  std::string line = "porter: kernel " + kernel_name(*launched) + " has run for " + duration(seconds) + ": ";
  if (begun < all) {
    line += with_commas(begun) + " of " + with_commas(all) + " workgroups have begun";
    if (begun) line += "; at this pace the rest takes " + duration(seconds / (double)begun * (double)(all - begun));
  } else {
    line += all == 1 ? "its workgroup has begun" : "all of its " + with_commas(all) + " workgroups have begun";
  }
  fprintf(stderr, "%s\n", line.c_str());
}

}  // namespace

void tell_progress_of(const std::string &kernel) {
  launched = &kernel;
  launch_lasts = tell;
}

}  // namespace host
