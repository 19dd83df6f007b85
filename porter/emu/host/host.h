// The stand-in HIP runtime: what its files share. A device's memory is memory of this process. What streams have to do
// is done by threads of the runtime, one operation at a time (queue.cpp).
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hip_runtime_api.h>

extern "C" {
#include "image.h"
#include "record.h"
}
#undef likely
#undef unlikely

namespace host {

// ---- errors.cpp -----------------------------------------------------------------------------------------------------

// Every entry point returns through this: an error stays until hipGetLastError.
hipError_t done(hipError_t error);
hipError_t last_call_error();
const char *error_name(hipError_t error);
// Says once that a function is not there. No part of HIP succeeds without doing its work.
hipError_t not_supported(const char *name);

// ---- device.cpp -----------------------------------------------------------------------------------------------------

constexpr int WAVE = CHIP_WAVE, COMPUTE_UNITS = CHIP_COMPUTE_UNITS, SIMDS = CHIP_SIMDS, MAX_WAVES = CHIP_MAX_WAVES,
              MAX_THREADS = CHIP_MAX_THREADS;
constexpr unsigned LDS_BYTES = CHIP_LDS_BYTES, REGISTERS = CHIP_REGISTERS;
constexpr u64 DEVICE_BYTES = CHIP_BOARD_BYTES;

struct Options {  // of the environment, read once
  unsigned devices, threads, checks;
  std::vector<int> visible;  // of them, in this order (HIP_VISIBLE_DEVICES)
  bool count;
  u64 seed, max_instructions, memory;
  u64 apart;  // bytes of address space between two allocations at least; 0: small ones lie close together
  bool synchronous;        // a call returns when what it asks for is done
  double patience;         // seconds for which kernels wait for the host in vain before they are deadlocked
  std::string report;
  std::string recordings;  // folder for what waves did (recordings.cpp); empty: not wanted
  bool recorded_alone;     // run only the workgroups that are recorded
  u64 recorded_dies;       // that workgroups go round
  u64 recorded_words;      // of a launch at most
};
const Options &options();
int device_count();
int current_device();
bool valid_device(int device);
int physical_device(int device);  // its number where HIP_VISIBLE_DEVICES chooses
// What a kernel did to its device: set by the first fault, returned by whatever would wait for that kernel.
hipError_t device_fault(int device);
void set_device_fault(int device, hipError_t error);

// ---- memory.cpp -----------------------------------------------------------------------------------------------------

// heap: of kernels (heap.cpp); opened: of another process (ipc.cpp)
enum class Where { device, managed, pinned, registered, variables, mapped, heap, opened };

struct Allocation {
  u64 start = 0, size = 0;
  Where where = Where::device;
  int device = 0;
  unsigned flags = 0;
  u64 id = 0;
  hipMemPool_t pool = nullptr;
  std::string what;  // the call that made it
  int opened_by = 0;  // the device that reaches what another process owns

  u64 end() const { return start + size; }
  bool of_device() const { return where != Where::managed && where != Where::pinned && where != Where::registered; }
};

// nullptr when the pretended device, or this machine, has no such memory.
void *allocate(u64 size, Where where, unsigned flags, const char *what, int device, hipMemPool_t pool = nullptr);
bool release(void *start);
// Of pools, which keep what is freed: a retired allocation is freed to whoever touches it, but can be given out again.
bool retire(void *start);
void revive(void *start, const char *what);
void release_retired(void *start);
void make_undefined(void *start);  // what it holds
// A block of the device heap. `later`: its addresses are used again only after release_later().
void release_block(u64 start, bool later);
void release_later();
// Says again which devices reach the memory of this one, or of a pool, and what was allocated there.
void update_reach(int device);
void update_reach(hipMemPool_t pool);
void remember(const Allocation &allocation);  // memory that somebody else owns: registered, variables of a program
void forget(u64 start);
std::optional<Allocation> find_allocation(const void *address);
bool synchronous_memory(const Allocation &allocation);  // it has HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS (memory.cpp)
// Whether `size` bytes from here lie in one allocation; addresses outside all of them belong to the program itself.
bool fits(const void *address, u64 size);
// "16 bytes past the end of a 4096-byte allocation (hipMalloc, device 0) at 0x..."
std::string describe_address(u64 address);
void memory_info(int device, u64 *free, u64 *total);

// ---- contexts.cpp ---------------------------------------------------------------------------------------------------

// The devices that reach what is allocated on this one, a bit each.
u64 devices_reaching(int device);
// ---- pools.cpp ------------------------------------------------------------------------------------------------------

void pool_reach(hipMemPool_t pool, u64 *readers, u64 *writers);
// The host has waited for work of this device: its pools give back what they keep above their thresholds.
void release_kept(int device);
// A stream waits, by the operation with its ticket, for the event that another recorded: what that one freed before is its own to take.
void pools_follow(const ihipStream_t *recorded_by, u64 event, const ihipStream_t *waiting, u64 ticket);
void freed_from_pool(hipMemPool_t pool, u64 size);  // by hipFree

// ---- heap.cpp -------------------------------------------------------------------------------------------------------

// The heap that kernels of this device get, until its kernel has ended.
void begin_heap(int device, const std::string &kernel);
void end_heap();
struct HeapOwner {
  int device = 0;
  std::string kernel, what;  // what its blocks are called, once it has any
  u64 refused = 0;           // bytes that the kernel asked for in vain
};
HeapOwner heap_owner();  // the kernel that runs; another one may, before it goes on
void set_heap_owner(const HeapOwner &owner);
u64 heap_size(int device);  // hipLimitMallocHeapSize
std::string heap_refusal();  // where the kernel got null from malloc: a line that says so, else empty

// ---- advice.cpp -----------------------------------------------------------------------------------------------------

void forget_advice(u64 start, u64 size);  // of memory that is given back

// ---- programs.cpp: fat binaries and modules, which are the same thing -------------------------------------------------

struct Managed {
  void **pointer;
  const void *initial;
  std::string name;
  u64 size;
};

struct Program {
  const u8 *bytes = nullptr;  // a bundle or a bare image
  std::vector<u8> owned;
  std::vector<Image *> images;  // one a device, loaded when it is first needed
  std::vector<Managed> managed;
  std::vector<std::unique_ptr<void *>> found_managed;  // the memory of a module's, which nobody registers
  std::mutex lock;
  std::string error;

  Image *image(int device);  // nullptr: `error` says why
  void unload();
  void find_managed(const Image *image);
};

struct Function {
  Program *program = nullptr;
  std::string name;
  int max_dynamic_lds = 0;
};

Program *new_program(const void *bytes);
void delete_program(Program *program);
Function *find_function(const void *host_or_handle);  // a kernel's host stub, or a hipFunction_t
Function *module_function(Program *program, const char *name);
struct Located { Image *image; const Kernel *kernel; u32 number; };
// What code of AMD's device library reaches the host by, where the kernel has an argument for it: hostcalls.cpp
void give_hostcall_buffer(const Located &at, u8 *segment);
// Where a kernel's code is on a device; an error where it is not.
hipError_t locate(Function *function, int device, Located *out);
hipError_t symbol_place(const void *symbol, void **address, u64 *size);
std::string demangled(const char *name);
std::string kernel_name(const std::string &symbol);  // for a message: a long one without its arguments and its template's

// What <<<>>> and hipConfigureCall leave for the launch that follows, of this thread.
struct CallConfiguration {
  dim3 grid, block;
  size_t lds;
  hipStream_t stream;
  std::vector<u8> arguments;  // of hipSetupArgument
};
std::vector<CallConfiguration> &call_configurations();

// ---- launch.cpp -----------------------------------------------------------------------------------------------------

// What multi_grid.sync() works on, in memory that all devices reach.
struct GridOfGrids {
  u32 *counters = (u32 *)allocate(64, Where::pinned, 0, "counters of a cooperative launch", 0);
  u32 grids = 0;
  u64 threads = 0;

  GridOfGrids() = default;
  GridOfGrids(const GridOfGrids &) = delete;
  ~GridOfGrids() { release(counters); }
};

struct KernelCall {
  Function *function = nullptr;
  const void *handle = nullptr;  // what the caller named it by
  dim3 grid, block;
  unsigned lds = 0;
  bool cooperative = false;
  std::shared_ptr<GridOfGrids> grids;  // of a cooperative launch on several devices
  u32 grid_number = 0;
  u64 threads_before = 0;
  std::vector<u8> arguments;  // the explicit part of the kernarg segment
  std::vector<void *> pointers;  // to each of them in `arguments`
  std::vector<std::string> ranges;  // of the host that it was made in, outer ones first (ranges.cpp)
};
// Those that are open in this thread.
std::vector<std::string> open_ranges();

// Packs the arguments; they are copied, as the caller's may be gone when a graph runs.
hipError_t make_call(KernelCall *call, const void *function, dim3 grid, dim3 block, void **args, void **extra, u64 lds,
                     bool cooperative);
hipError_t run_kernel(const KernelCall &call, int device);
void tell_progress_of(const std::string &kernel);  // progress.cpp: what this thread launches next
bool in_arguments(u64 address);  // of kernels
int blocks_per_unit(const Kernel &kernel, u64 block, u64 dynamic_lds);

// ---- report.cpp -----------------------------------------------------------------------------------------------------

// `counts` is NULL where nothing was counted; `recorded` is what end_recording returned, or empty.
void report_launch(const Image *image, const KernelCall &call, const LaunchOptions &options, const Result &result,
                   const Counts *counts, const std::string &recorded);

// "file:line:column    instruction"
std::string source_text(const Image *image, u32 ins);
// What one side of a race between streams, or of one with the host, did: a line of text, and where.
struct StreamUse {
  std::string text;
  const Image *image = nullptr;  // of a kernel; `ins` is its instruction and 1, 0: not known
  u32 ins = 0;
  bool host = false;  // the program itself, in this line of its source, where that is known
  std::string file;
  u32 line = 0;
};
void report_stream_race(const StreamUse &a, const StreamUse &b, u64 address, u64 size);  // size 0: not known

// ---- recordings.cpp -------------------------------------------------------------------------------------------------

// What is to be recorded of a launch. Nothing, where no recordings are wanted or earlier ones stand for this launch; where none but
// recorded workgroups run, `unwritten` holds it to those of the earlier one.
enum class Records { nothing, unwritten, written };
Records begin_recording(const Image *image, const KernelCall &call, const LaunchOptions &o, Recording *out);
// Writes it to a file, unless the launch executed as much as one that is there, and gives back its memory. What the launch's
// line of JSON says of it: the file's name, and how much its workgroups executed.
std::string end_recording(const Image *image, const KernelCall &call, const LaunchOptions &o, Recording *r, u64 instructions);
// What a launch executed that was not to be written: where no recording is like it, the next ones are tried.
void pass_over_launch(const KernelCall &call, const LaunchOptions &o, u64 instructions);
hipError_t fault_error(const Result &result);

// ---- streams.cpp ----------------------------------------------------------------------------------------------------

// Seconds of emulation on this device so far: the only clock that events know.
double device_clock(int device);
void advance_clock(int device, double seconds);

}  // namespace host

struct hipGraphNode;
struct hipGraphExec;
struct ihipGraph;

struct ihipStream_t {
  int device = 0, priority = 0;
  unsigned flags = 0;
  u64 id = 0;
  // A capture: where its nodes go, and which of them the next one depends on
  ihipGraph *capture = nullptr;
  bool capture_origin = false;
  pthread_t capture_thread{};  // the thread that began it
  hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
  std::vector<hipGraphNode *> tail;
  std::vector<u32> cu_mask;
  u64 last = 0;  // the ticket of what it was last given to do
};

namespace host {

// The stream behind a handle (null, legacy and per-thread ones included); nullptr for one that does not exist.
ihipStream_t *stream_of(hipStream_t handle);
// Done now, or a node of the graph that the stream is captured into.
struct Work;
hipError_t submit(hipStream_t stream, Work &&work, u64 *ticket = nullptr, const std::vector<u64> &after = {});
// As long as one lives, what this thread submits is waited for at its end, where calls are to be synchronous.
class Together {
 public:
  Together();
  Together(const Together &) = delete;
  ~Together();
};
// Submits, and waits where the work is not part of a capture.
hipError_t submit_and_wait(hipStream_t stream, Work &&work);
void wait_for_stream(ihipStream_t *stream);
void wait_for_device(int device);
bool any_capture();
// A synchronous call while a stream captures is an error that ends the capture.
hipError_t refuse_in_capture();

// ---- copies.cpp -----------------------------------------------------------------------------------------------------

hipError_t check_copy(const void *dst, const void *src, u64 size, hipMemcpyKind kind);
hipError_t check_copy3d(const hipMemcpy3DParms &p);
void run_copy3d(const hipMemcpy3DParms &p);
void run_fill(const hipMemsetParams &p);
hipError_t check_fill(const hipMemsetParams &p);

// ---- graphs.cpp -----------------------------------------------------------------------------------------------------

// One thing for a stream to do, and so what a node of a graph holds.
struct Work {
  hipGraphNodeType type = hipGraphNodeTypeEmpty;
  KernelCall kernel;
  struct { void *dst; const void *src; u64 size; hipMemcpyKind kind; } copy{};  // one-dimensional, `flat`
  bool flat = false;
  hipMemcpy3DParms copy3d{};
  hipMemsetParams fill{};
  hipHostNodeParams call{};
  std::shared_ptr<std::function<void()>> action;  // what has no parameters that HIP lets one ask for
  ihipGraph *child = nullptr;
  hipGraphExec *exec = nullptr;  // a launch of it
  hipEvent_t event = nullptr;
  hipMemAllocNodeParams allocation{};
  void *pointer = nullptr;
};
hipError_t run_work(const Work &work, int device);
hipError_t capture(ihipStream_t *stream, Work &&work);

// ---- stream_races.cpp: all of them do nothing without --check streams -----------------------------------------------

std::string operation_name(const Work &work, const ihipStream_t &stream);
void stream_asked(u64 ticket, const void *line, const std::vector<u64> &after, const Work &work);
void stream_known(const std::vector<u64> &tickets);  // by the host: they are done
void stream_all_known(u64 last);                     // and all that was asked for up to then
// Around an operation, by the thread that does it
void stream_begins(u64 ticket, const void *line, const std::string &name);
void stream_ends(bool waited, bool of_host);  // `waited`: for a value in memory; of_host: it was a function of the host
struct Touched *stream_touched(const Image *image);  // where a kernel of the running operation notes what it touches
void stream_touches(const void *address, u64 size, bool writes);
void stream_forgets(u64 start, u64 size);  // memory that is given to somebody else

// ---- queue.cpp ------------------------------------------------------------------------------------------------------

// Puts work in the queue, behind that of these tickets, and returns its own ticket.
u64 ask(Work &&work, int device, const void *stream, std::vector<u64> &&after, const std::string &name);
bool is_done(u64 ticket);  // where it is not, it begins as soon as it can
void wait_for(const std::vector<u64> &tickets);
void wait_for_all();
// For work that waits in the middle: lets others in until `holds`. False: nobody is left who could make it hold.
bool wait_until(const std::function<bool()> &holds);

}  // namespace host
