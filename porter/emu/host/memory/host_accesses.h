// What the host reads and writes of memory that operations of streams use (host_accesses.cpp, stream_races.cpp).
#pragma once

#include "host.h"

namespace host {

struct HostPages { u64 start, end; bool writes; };  // writes: the operation does

struct HostAccess {
  static constexpr int FRAMES = 24;
  u64 address, last;  // last: the ticket of the operation that was asked for last
  bool writes;
  int depth;
  void *frames[FRAMES];
};

// Adds the pages of these bytes of an allocation, where the host uses it.
void add_host_pages(std::vector<HostPages> &to, const Allocation &of, u64 address, u64 size, bool writes);
// From now on these pages are closed to the host, and no others: to its writes, and to its reads where the operation writes.
void close_to_host(const std::vector<HostPages> &pages, u64 last);
// The first accesses to each page since the last call.
std::vector<HostAccess> take_host_accesses();
struct HostPlace {
  std::string text;  // in words; empty where nothing is known
  std::string file;
  u32 line = 0;  // 0: without lines
};
HostPlace host_place(const HostAccess &access);

}  // namespace host
