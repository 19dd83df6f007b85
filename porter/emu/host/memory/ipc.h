// What ipc.cpp has for the other files of the runtime: sharing between processes.
#pragma once
#include "host.h"

namespace host {

// The part of a file that holds an allocation.
struct SharedFile {
  int file = -1;
  u64 start = 0, size = 0;
};
// allocations.cpp: moves the pages of this allocation into a file, where they are not yet in one.
bool share_pages(const Allocation &allocation, SharedFile *out);

// Whether anything is shared, so that kernels may wait for what another process does.
bool other_processes();
void note_sharing();
// Of hipIpcOpenMemHandle and hipMemPoolImportPointer; false: nothing was opened here.
bool close_opened(u64 start);

// How often an event was recorded, and the last of these records that its stream has come to.
struct SharedEvent {
  struct Counts {
    std::atomic<u64> asked, done;
  };
  int file;
  Counts *counts = nullptr;

  explicit SharedEvent(int from);
  SharedEvent(const SharedEvent &) = delete;
  ~SharedEvent();
};
std::shared_ptr<SharedEvent> new_shared_event();
hipError_t export_event(const SharedEvent &event, hipIpcEventHandle_t *out);
hipError_t open_event(const hipIpcEventHandle_t &from, std::shared_ptr<SharedEvent> *out);

hipError_t export_pool(int device, int *out);
hipError_t open_pool(int file, int *device);
hipError_t export_pool_pointer(void *pointer, hipMemPoolPtrExportData *out);
hipError_t open_pool_pointer(void **out, hipMemPool_t pool, const hipMemPoolPtrExportData &from);

// What this process calls a device of the machine; the current one where it does not see that.
int local_device(int physical);

// The file that an importing call names: by its number, or by a pointer to that.
int shared_file_of(void *handle);

}  // namespace host
