// Memory and events that several processes share. What is exported lies in a file without a name (memfd), which another
// process opens by way of the exporting one's /proc/PID/fd: so nothing is left behind, whichever way a process ends.
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rccl/collectives.h"

namespace host {

namespace {

constexpr u64 PAGE = 4096;
constexpr char MAGIC[9] = "PORTERIP";
enum Kind : u32 { MEMORY = 1, EVENT = 2, POOL = 3, MEETING = 4 };

// What a handle holds, in HIP's 64 bytes.
struct Handle {
  char magic[8];
  u32 process, file;
  u64 inode, start, size, offset, id;  // `start` in the file; `offset` of the pointer that was asked for
  i32 device;  // of the machine, whichever of them the process sees
  u32 kind;
};
static_assert(sizeof(Handle) == HIP_IPC_HANDLE_SIZE);

struct Opened {
  u64 users, mapped, bytes;
};

struct State {
  std::mutex lock;
  std::map<std::pair<u64, u64>, u64> by_source;  // inode and start in the file, to the address here
  std::map<u64, Opened> opened;                  // by the address here
};

State &state() {
  static State &all = *new State;
  return all;
}

std::atomic<bool> shared{false};

Handle handle_of(const SharedFile &file, Kind kind) {
  struct stat about {};
  fstat(file.file, &about);
  Handle h{};
  memcpy(h.magic, MAGIC, sizeof h.magic);
  h.process = (u32)getpid(), h.file = (u32)file.file;
  h.inode = about.st_ino, h.start = file.start, h.size = file.size;
  h.kind = kind;
  return h;
}

bool is_handle(const Handle &h, Kind kind) { return !memcmp(h.magic, MAGIC, sizeof h.magic) && h.kind == kind; }

// The exporting process's file, open here too; -1 where it is gone.
int open_file(const Handle &h) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%u/fd/%u", h.process, h.file);
  const int file = open(path, O_RDWR | O_CLOEXEC);
  struct stat about {};
  if (file >= 0 && !fstat(file, &about) && about.st_ino == h.inode) return file;
  const bool forbidden = file < 0 && errno == EACCES;
  if (file >= 0) close(file);
  fprintf(stderr, "porter: what process %u shared cannot be opened: %s\n", h.process,
          forbidden ? "it belongs to another user" : "it was freed, or the process has ended or is in another container");
  return -1;
}

hipError_t open_memory(void **out, const Handle &h, hipMemPool_t pool, const char *what) {
  if (h.process == (u32)getpid()) return hipErrorInvalidContext;
  State &s = state();
  const std::lock_guard guard(s.lock);
  if (const auto known = s.by_source.find({h.inode, h.start}); known != s.by_source.end()) {
    s.opened[known->second].users++;
    *out = (void *)(known->second + h.offset);
    return hipSuccess;
  }
  const int file = open_file(h);
  if (file < 0) return hipErrorInvalidValue;
  const u64 first = h.start / PAGE * PAGE, bytes = (h.start + h.size + PAGE - 1) / PAGE * PAGE - first;
  void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)first);
  close(file);
  if (at == MAP_FAILED) return hipErrorMapFailed;
  const u64 start = (u64)at + h.start - first;
  s.by_source[{h.inode, h.start}] = start;
  s.opened[start] = {1, (u64)at, bytes};
  shared = true;
  memory_add(start, h.size, MEMORY_ELSEWHERE);
  Allocation a;
  a.start = start, a.size = h.size, a.where = Where::opened, a.device = local_device(h.device);
  a.opened_by = current_device();
  a.pool = pool;
  a.what = what;
  remember(a);
  *out = (void *)(start + h.offset);
  return hipSuccess;
}

hipError_t export_memory(Handle *out, void *pointer) {
  const auto found = find_allocation(pointer);
  if (!found || found->where != Where::device) return hipErrorInvalidValue;
  wait_for_all();  // the pages change their place
  SharedFile file;
  if (!share_pages(*found, &file)) return hipErrorOutOfMemory;
  shared = true;
  *out = handle_of(file, MEMORY);
  out->offset = (u64)pointer - found->start;
  out->device = physical_device(found->device);
  out->id = found->id;
  return hipSuccess;
}

template <class To>
To as(const Handle &h) {
  To to;
  static_assert(sizeof to == sizeof h);
  memcpy(&to, &h, sizeof h);
  return to;
}
template <class From>
Handle handle_in(const From &from) {
  Handle h;
  memcpy(&h, &from, sizeof h);
  return h;
}

}  // namespace

bool other_processes() { return shared; }
void note_sharing() { shared = true; }

int local_device(int physical) {
  for (int i = 0; i < device_count(); i++)
    if (physical_device(i) == physical) return i;
  return current_device();  // of a GPU that this process does not see: reached from this one
}

bool close_opened(u64 start) {
  State &s = state();
  const std::lock_guard guard(s.lock);
  const auto at = s.opened.find(start);
  if (at == s.opened.end()) return false;
  if (--at->second.users) return true;
  memory_remove(start);
  forget(start);
  munmap((void *)at->second.mapped, at->second.bytes);
  for (auto source = s.by_source.begin(); source != s.by_source.end(); ++source)
    if (source->second == start) {
      s.by_source.erase(source);
      break;
    }
  s.opened.erase(at);
  return true;
}

SharedEvent::SharedEvent(int from) : file(from) {
  void *at = file < 0 ? MAP_FAILED : mmap(nullptr, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at != MAP_FAILED) counts = (Counts *)at;
}
SharedEvent::~SharedEvent() {
  if (counts) munmap(counts, PAGE);
  if (file >= 0) close(file);
}

std::shared_ptr<SharedEvent> new_shared_event() {
  const int file = memfd_create("porter-event", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, PAGE)) return nullptr;
  auto made = std::make_shared<SharedEvent>(file);
  return made->counts ? made : nullptr;
}

hipError_t export_event(const SharedEvent &event, hipIpcEventHandle_t *out) {
  shared = true;
  *out = as<hipIpcEventHandle_t>(handle_of({event.file, 0, PAGE}, EVENT));
  return hipSuccess;
}

hipError_t open_event(const hipIpcEventHandle_t &from, std::shared_ptr<SharedEvent> *out) {
  const Handle h = handle_in(from);
  if (!is_handle(h, EVENT)) return hipErrorInvalidValue;
  if (h.process == (u32)getpid()) return hipErrorInvalidContext;
  const int file = open_file(h);
  if (file < 0) return hipErrorInvalidValue;
  shared = true;
  *out = std::make_shared<SharedEvent>(file);
  return (*out)->counts ? hipSuccess : hipErrorMapFailed;
}

// A pool is a file with a handle in it: which device it is of.
hipError_t export_pool(int device, int *out) {
  const int file = memfd_create("porter-pool", MFD_CLOEXEC);
  if (file < 0) return hipErrorOutOfMemory;
  Handle h = handle_of({file, 0, 0}, POOL);
  h.device = physical_device(device);
  if (pwrite(file, &h, sizeof h, 0) != sizeof h) return hipErrorOutOfMemory;
  *out = file;
  return hipSuccess;
}
hipError_t open_pool(int file, int *device) {
  Handle h{};
  if (pread(file, &h, sizeof h, 0) != sizeof h || !is_handle(h, POOL)) return hipErrorInvalidValue;
  *device = local_device(h.device);
  return hipSuccess;
}
hipError_t export_pool_pointer(void *pointer, hipMemPoolPtrExportData *out) {
  Handle h;
  if (const hipError_t error = export_memory(&h, pointer)) return error;
  *out = as<hipMemPoolPtrExportData>(h);
  return hipSuccess;
}
hipError_t open_pool_pointer(void **out, hipMemPool_t pool, const hipMemPoolPtrExportData &from) {
  const Handle h = handle_in(from);
  return is_handle(h, MEMORY) ? open_memory(out, h, pool, "hipMemPoolImportPointer") : hipErrorInvalidValue;
}

// The turn is the caller's: nothing else runs that the pages could be moved under.
bool export_place(const void *at, u64 size, Place *out) {
  const auto found = find_allocation(at);
  if (!found || !fits(at, size)) return false;
  if (found->where != Where::device && found->where != Where::managed && found->where != Where::pinned) return false;
  SharedFile file;
  if (!share_pages(*found, &file)) return false;
  Handle h = handle_of(file, MEMORY);
  h.offset = (u64)at - found->start;
  memcpy(out->handle, &h, sizeof h);
  return true;
}

View::View(const Place &place) {
  const Handle h = handle_in(place.handle);
  const int file = is_handle(h, MEMORY) ? open_file(h) : -1;
  if (file < 0) return;
  const u64 first = h.start / PAGE * PAGE;
  bytes = h.start + h.size - first;
  mapped = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, (off_t)first);
  close(file);
  if (mapped == MAP_FAILED) mapped = nullptr;
  else at = (const u8 *)mapped + (h.start - first) + h.offset;
}
View::~View() {
  if (mapped) munmap(mapped, bytes);
}

int new_meeting(char id[HIP_IPC_HANDLE_SIZE]) {
  const int file = memfd_create("porter-meeting", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, sizeof(Meeting))) return -1;
  const Handle h = handle_of({file, 0, sizeof(Meeting)}, MEETING);
  memcpy(id, &h, sizeof h);
  return file;
}
Meeting *open_meeting(const char id[HIP_IPC_HANDLE_SIZE]) {
  Handle h;
  memcpy(&h, id, sizeof h);
  const int file = is_handle(h, MEETING) ? open_file(h) : -1;
  if (file < 0) return nullptr;
  void *at = mmap(nullptr, sizeof(Meeting), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return at == MAP_FAILED ? nullptr : (Meeting *)at;
}
void close_meeting(Meeting *meeting) { munmap(meeting, sizeof(Meeting)); }

int shared_file_of(void *handle) {
  // The number itself, as in CUDA and from ROCm 7.1 on, which looks at 32 bits alone; before that a pointer to it.
  const u32 number = (u32)(u64)handle;
  return number < 1u << 20 && (number == (u64)handle || fcntl((int)number, F_GETFD) >= 0) ? (int)number : *(const int *)handle;
}

}  // namespace host

using namespace host;

extern "C" {

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *pointer) {
  if (!handle || !pointer) return done(hipErrorInvalidValue);
  Handle h;
  if (const hipError_t error = export_memory(&h, pointer)) return done(error);
  *handle = as<hipIpcMemHandle_t>(h);
  return done(hipSuccess);
}
hipError_t hipIpcOpenMemHandle(void **out, hipIpcMemHandle_t handle, unsigned flags) {
  const Handle h = handle_in(handle);
  if (!out || flags != hipIpcMemLazyEnablePeerAccess || !is_handle(h, MEMORY)) return done(hipErrorInvalidValue);
  return done(open_memory(out, h, nullptr, "hipIpcOpenMemHandle"));
}
hipError_t hipIpcCloseMemHandle(void *pointer) {
  const auto found = pointer ? find_allocation(pointer) : std::nullopt;
  if (!found || found->where != Where::opened) return done(hipErrorInvalidValue);
  wait_for_all();
  return done(close_opened(found->start) ? hipSuccess : hipErrorInvalidValue);
}

}
