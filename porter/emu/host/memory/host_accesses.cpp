// What the host itself reads and writes, without a call of HIP, of memory that operations use which it has not waited for
// (--check streams): managed, pinned and registered memory. Pages of it are closed to the process; the first access to one
// is a signal, which notes it and opens the page. Nothing is closed while an operation runs, as kernels are executed by
// threads of this process.
//
// A system call is no access of the program: read() into a closed page fails with EFAULT. So only pages are closed that
// an operation has used, or may be about to.
#include "memory/host_accesses.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "programs/child.h"

namespace host {

namespace {

constexpr u64 PAGE = 4096;
constexpr size_t MOST_RANGES = 4096, MOST_NOTED = 256;

struct Pages { u64 start, end; };

// What the handler works on: no lock of the runtime's, and no memory that it would have to allocate.
struct Shared {
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  Pages closed[MOST_RANGES];
  size_t count = 0;
  bool open = true;  // again, since the last ones were closed
  u64 changes = 0;
  HostAccess noted[MOST_NOTED];
  size_t noted_count = 0;
  u64 last = 0;
  struct sigaction before {};
  bool installed = false, lost = false;
};

Shared shared;

struct Alone {
  Alone() { while (shared.busy.test_and_set(std::memory_order_acquire)) {} }
  Alone(const Alone &) = delete;
  ~Alone() { shared.busy.clear(std::memory_order_release); }
};

bool wrote(const ucontext_t *context) { return context->uc_mcontext.gregs[REG_ERR] & 2; }

// The instruction itself, then where calls return to.
void note_frames(HostAccess &access, const ucontext_t *context) {
  void *at = (void *)context->uc_mcontext.gregs[REG_RIP], *frames[HostAccess::FRAMES + 8];
  const int depth = backtrace(frames, HostAccess::FRAMES + 8);
  int first = 0;
  while (first < depth && frames[first] != at) first++;
  access.frames[0] = at, access.depth = 1;
  while (++first < depth && access.depth < HostAccess::FRAMES) access.frames[access.depth++] = frames[first];
}

// False where it is no access to a closed page: not even one that another thread has opened since the signal, which is not
// so where the same access has failed before without a change.
bool note_access(u64 address, const ucontext_t *context) {
  static thread_local u64 failed, failed_at;
  const Alone alone;
  if (failed == address && failed_at == shared.changes) return false;
  failed = address, failed_at = shared.changes;
  for (size_t i = 0; i < shared.count; i++) {
    const Pages &pages = shared.closed[i];
    if (address < pages.start || address >= pages.end) continue;
    if (!shared.open) mprotect((void *)(address & ~(PAGE - 1)), PAGE, PROT_READ | PROT_WRITE);
    if (shared.noted_count == MOST_NOTED) return true;
    HostAccess &access = shared.noted[shared.noted_count++];
    access.address = address, access.writes = wrote(context), access.last = shared.last;
    note_frames(access, context);
    return true;
  }
  return shared.open;
}

void on_signal(int number, siginfo_t *info, void *context) {
  const int kept = errno;
  if (info->si_code == SEGV_ACCERR && note_access((u64)info->si_addr, (const ucontext_t *)context)) {
    errno = kept;
    return;
  }
  const struct sigaction before = shared.before;
  if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(number, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(number);
  signal(number, SIG_DFL);  // the instruction comes again
}

// False where the program has taken the signal for itself.
bool listens() {
  struct sigaction now {};
  if (!shared.installed) {
    void *frame;
    backtrace(&frame, 1);  // it loads a library when it is called for the first time
    now.sa_sigaction = on_signal;
    now.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&now.sa_mask);
    return shared.installed = sigaction(SIGSEGV, &now, &shared.before) == 0;
  }
  if (sigaction(SIGSEGV, nullptr, &now) == 0 && now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_signal) return true;
  if (!shared.lost) fprintf(stderr, "porter: streams: the program handles SIGSEGV itself, so what it reads and writes without HIP is not seen\n");
  shared.lost = true;
  return false;
}

void open_all() {
  shared.changes++;
  if (shared.open) return;
  for (size_t i = 0; i < shared.count; i++)
    mprotect((void *)shared.closed[i].start, shared.closed[i].end - shared.closed[i].start, PROT_READ | PROT_WRITE);
  shared.open = true;
}

}  // namespace

void add_host_pages(std::vector<HostPages> &to, const Allocation &of, u64 address, u64 size, bool writes) {
  u64 start = address & ~(PAGE - 1), end = (address + size + PAGE - 1) & ~(PAGE - 1);
  if (!size || of.of_device()) return;
  if (of.where == Where::registered) {  // whole pages alone: the others hold what is not HIP's at all
    start = std::max(start, (of.start + PAGE - 1) & ~(PAGE - 1));
    end = std::min(end, of.end() & ~(PAGE - 1));
    if (start >= end) return;
  }
  if (!to.empty() && to.back().end == start && to.back().writes == writes) to.back().end = end;
  else to.push_back({start, end, writes});
}

void close_to_host(const std::vector<HostPages> &pages, u64 last) {
  if (pages.empty() && !shared.installed) return;
  if (!pages.empty() && !listens()) return;
  const Alone alone;
  open_all();
  if (pages.empty()) return;
  shared.last = last, shared.count = 0, shared.open = false;
  for (const HostPages &p : pages) {
    if (shared.count == MOST_RANGES) {
      static bool said = false;
      if (!said) fprintf(stderr, "porter: streams watches the host at %zu ranges of pages; operations use more\n", MOST_RANGES);
      said = true;
      break;
    }
    if (mprotect((void *)p.start, p.end - p.start, p.writes ? PROT_NONE : PROT_READ)) continue;
    shared.closed[shared.count++] = {p.start, p.end};
  }
}

std::vector<HostAccess> take_host_accesses() {
  if (!shared.installed) return {};
  const Alone alone;
  std::vector<HostAccess> out(shared.noted, shared.noted + shared.noted_count);
  shared.noted_count = 0;
  return out;
}

HostPlace host_place(const HostAccess &access) {
  static std::map<void *, HostPlace> &known = *new std::map<void *, HostPlace>;  // under the lock of the races
  const auto found = known.find(access.frames[0]);
  if (found != known.end()) return found->second;
  std::string request;
  for (int i = 0; i < access.depth; i++) {
    Dl_info at{};
    if (!dladdr(access.frames[i], &at) || !at.dli_fname) continue;
    for (const std::string &item : {std::string(at.dli_fname), std::to_string((u64)access.frames[i]), std::to_string((u64)at.dli_fbase)})
      request += item + '\0';
  }
  HostPlace &place = known[access.frames[0]];
  const Folder folder;
  if (folder.path.empty() || !folder.write("frames", request) || python("porter.emu.host_lines", folder)) return place;
  place.text = folder.read("place");
  place.file = folder.read("file");
  place.line = (u32)strtoul(folder.read("line").c_str(), nullptr, 10);
  return place;
}

}  // namespace host
