// A loaded program: what porter/emu/image.py packs, and what launches it.
#pragma once
#include <pthread.h>
#include <time.h>

#include "emu.h"

#define IMAGE_MAGIC 0x324d455245545250ull  // "PRTEREM2"

typedef enum { SYMBOL_UNDEFINED, SYMBOL_CODE, SYMBOL_DATA, SYMBOL_ABSOLUTE } SymbolKind;
typedef enum { REL_ABS64, REL_ABS32_LO, REL_ABS32_HI, REL_REL32_LO, REL_REL32_HI, REL_GOT_LO, REL_GOT_HI, REL_REL64 } RelKind;
enum { WHERE_DATA, WHERE_POOL };

// Kinds of kernel arguments; from 16 on the hidden ones, in the order of image.py
enum {
  ARG_VALUE = 0, ARG_BUFFER = 1, ARG_DYNAMIC_LDS = 2, ARG_OTHER = 3,
  HIDDEN_BLOCK_COUNT_X = 16, HIDDEN_BLOCK_COUNT_Y, HIDDEN_BLOCK_COUNT_Z,
  HIDDEN_GROUP_SIZE_X, HIDDEN_GROUP_SIZE_Y, HIDDEN_GROUP_SIZE_Z,
  HIDDEN_REMAINDER_X, HIDDEN_REMAINDER_Y, HIDDEN_REMAINDER_Z,
  HIDDEN_OFFSET_X, HIDDEN_OFFSET_Y, HIDDEN_OFFSET_Z, HIDDEN_GRID_DIMS,
  HIDDEN_DYNAMIC_LDS_SIZE, HIDDEN_SHARED_BASE, HIDDEN_PRIVATE_BASE, HIDDEN_OTHER,
  HIDDEN_GRID_SYNC, HIDDEN_HOSTCALL_BUFFER,
};

// Which user SGPRs a kernel wants, in the order the hardware fills them
enum {
  USER_PRIVATE_BUFFER = 1, USER_DISPATCH_PTR = 2, USER_QUEUE_PTR = 4, USER_KERNARG_PTR = 8, USER_DISPATCH_ID = 16,
  USER_FLAT_SCRATCH = 32, USER_PRIVATE_SIZE = 64,
  SYS_GROUP_X = 256, SYS_GROUP_Y = 512, SYS_GROUP_Z = 1024, SYS_GROUP_INFO = 2048,
};

typedef struct {
  u32 name, entry, rows, agpr_base, sgprs, lds, scratch, kernarg_size, kernarg_align, user, user_count, preload, preload_at;
  u32 mode, max_threads, first_arg, arg_count, dynamic_stack, vgprs, agprs;
} Kernel;
typedef struct { u32 offset, size, kind, name; } Argument;
typedef struct { u32 name, kind; u64 value, size; } Symbol;
typedef struct { u64 place; i64 addend; u32 where, kind, symbol, ins; } Reloc;
// The source line, of a barrier the column; of a library's code that was inlined there, where in the library
// (places.py). 0: unknown, none.
typedef struct { u32 file, line, column, inner_file, inner_line, text; } Place;

// What an instruction touches: rows and scalars read and written (a count of 0: nothing). registers.py packs it.
typedef struct {
  u16 v[4], v_out;
  u8 v_count[4], v_out_count;
  u8 s[4], s_count[4];
  u8 s_out[2], s_out_count[2];
  u8 flow;
  u16 role, unit;
} Regs;
enum {
  ROLE_ENDS_BLOCK = 1, ROLE_VMEM = 2, ROLE_LDS = 4, ROLE_SMEM = 8, ROLE_LOAD = 16, ROLE_STORE = 32, ROLE_WAIT = 64,
  ROLE_BARRIER = 128, ROLE_MFMA = 256, ROLE_COMPARE = 512, ROLE_SELECT = 1024, ROLE_FLAT = 2048, ROLE_ATOMIC = 4096,
  ROLE_NOP = 8192, ROLE_BRANCH = 16384, ROLE_PRIVATE = 32768,
};
// How undefined bits travel. Vector instructions: which sources are masks of lanes. Scalar ones: what of the result
// depends on which bits (FLOW_ALL: everything on every one), or that undefined bits of the sources matter (FLOW_SINK).
enum {
  FLOW_MASK_2 = 1, FLOW_MASK_3 = 2,
  FLOW_ALL = 4, FLOW_AND, FLOW_OR, FLOW_XOR, FLOW_SHL, FLOW_SHR, FLOW_ASHR, FLOW_SELECT, FLOW_FROM_INDEXED,
  FLOW_TO_INDEXED, FLOW_SINK,
  FLOW_FIRST_INVERTED = 16, FLOW_SECOND_INVERTED = 32, FLOW_INVERTED = 64, FLOW_EXEC = 128,  // writes EXEC besides
};
// What executes it (execution_units.py); the low byte holds a matrix instruction's passes.
enum {
  UNIT_XDL = 256, UNIT_F32 = 512, UNIT_F64 = 1024, UNIT_VALU = 2048, UNIT_DOT = 4096, UNIT_FMA64 = 8192, UNIT_EXEC = 16384,
};

typedef struct {
  u64 magic;
  u64 table_hash;  // of the list of operations: an image made for another core is refused
  u32 size, ins_count, ext_count, pool_count, kernel_count, arg_count, symbol_count, reloc_count;
  u32 ins_at, ext_at, pool_at, kernel_at, arg_at, symbol_at, reloc_at, place_at, regs_at, string_at, string_size;
  u32 data_at, data_size, data_align, data_writable_at;  // before it, data that kernels only read
} Header;

#define NONE_BEYOND UINT32_MAX

struct Image {
  Ins *ins;
  u32 ins_count;
  const Ext *ext;
  u32 *pool;
  const Kernel *kernels;
  u32 *beyond;             // of each kernel: the first instruction with a register that it was not given, or NONE_BEYOND
  u32 rows;                // of vector registers that instructions name
  u32 kernel_count;
  const Argument *args;
  Symbol *symbols;
  u32 symbol_count;
  const Place *places;
  const Regs *regs;
  u64 (*scalars)[2];       // which scalars each instruction touches; made with `checked`
  Ins *checked;            // the same instructions with a check in front of each; made on first need
  u8 *polls;               // made with it
  u8 *guesses;             // loads that only guess what a compare-and-swap checks; made with it
  bool signals;            // waves signal to each other through LDS: barriers are not all that orders
  bool hazards;            // matrix hazards are possible
  const char *strings;
  u8 *data, *variables;    // all of it, read-only first; what kernels may write
  u64 data_size;
  void *blob, *data_block;
  u64 *got;
};

typedef struct {
  u32 grid[3], block[3];   // in workgroups; in threads
  u32 dynamic_lds, threads;
  u32 checks, device;      // what may be touched depends on the device
  u64 seed, max_instructions;
} LaunchOptions;

typedef struct {
  u32 kind;                // FaultKind
  u32 ins, lane, wave, size;
  u32 group[3];
  u64 address;
  i64 other;               // index of a second instruction, or -1
  u64 count;               // how often it was seen
} Finding;

#define MAX_FINDINGS 256

typedef struct {
  u64 instructions, seconds_ns;
  u32 finding_count, faulted;
  Finding findings[MAX_FINDINGS];
} Result;

// What a run counts, each array as wide as the image has instructions; zeroed by the caller.
typedef struct {
  u64 times, lanes, bytes;
  u64 lds_cycles, lds_ideal;  // LDS bank cycles, and without conflicts
  u64 lines, lines_ideal;     // 128-byte lines of global memory, and the fewest that hold as many bytes
} AccessCount;
typedef struct {
  u64 *executed;              // waves' executions of each instruction; NULL: not wanted
  AccessCount *accesses;      // of memory instructions; NULL: not wanted
  struct Recording *recording;  // what some workgroups did, one instruction after the other (record.h); NULL: not wanted
  struct Touched *touched;    // which bytes of memory the kernel touched (check_streams.h); NULL: not wanted
} Counts;

struct Launch {
  const Image *image;
  const Kernel *kernel;
  LaunchOptions options;
  const void *kernarg;
  Result *result;
  u64 clock;               // cycles when it began
  struct timespec begin;   // when it began, by the machine's time
  u64 tell_at;             // after how many nanoseconds it is told next how far it is
  const Ins *code;         // the instructions, with a check in front of each in a checked run
  const u8 *polls;         // which loads wait for another wave's signal
  u32 lds_bytes, rows;     // rows: of a wave's vector registers, all that the image's instructions name
  u64 group_count;
  u64 next_group;
  u64 printed;             // bytes that printf would have put into AMD's buffer (hostcall.c)
  u32 resident_limit;      // workgroups a worker may interleave
  bool together;           // it does so from the begin on
  int stop;                // set by the first fault: everybody returns
  int paused;              // one worker asks whether others go on; the rest wait
  int deadlock;            // the fault is that nothing advances: every worker says where its waves are
  u64 changes_at_pause;
  u64 memory_state;        // of global memory, when somebody last asked (stall.c)
  u64 changes;             // new states seen while somebody watches for a deadlock (stall.c)
  struct Worker *workers;
  u32 worker_count;
  void *race;              // who touched which global memory
  struct Recording *recording;
  struct Touched *touched;
  pthread_mutex_t lock;
  _Alignas(CHIP_LINE_BYTES) u32 packet[16];  // what the dispatch pointer of a kernel points to
};

struct Group {
  u32 id[3];
  u64 number;
  u32 wave_count, live, waiting;
  Wave *waves;
  u8 *lds;
  u32 *registers;
  u8 *scratch;
  struct GroupShadow *shadow;
};

// An allocation that an instruction touched last; out of date when the generation differs (memory.h).
typedef struct { u64 generation, start, end; u32 flags; } Near;
#define NEAR_COUNT 64

struct Worker {
  Launch *launch;
  Near near[NEAR_COUNT];
  u32 number;
  u64 instructions, clock; // executed; cycles when the last of its waves ended
  u64 *hits;               // runs from each instruction to the end of its block
  AccessCount *accesses;
  struct Pattern *patterns;  // check_counts.c
  struct Apart *apart;     // check_races_lanes.c
  u64 random;
  u32 idle, quiet;         // rounds without progress; turns that repeated what was
  bool repeated, watching; // of the last turn: every wave repeated a state; whether that is looked at
  int done;                // has no work left
  u64 quiet_since, seen_changes;
};

extern const Handler handlers[];
extern const u32 handler_count;
extern const u64 table_hash;

Image *image_load(const void *bytes, u64 size, char *error, u64 error_size);
void image_free(Image *image);
int image_find_kernel(const Image *image, const char *name);
// The address of a symbol of the image (data: host pointer; code: its emulated address); 0 when there is none.
u64 image_symbol(const Image *image, const char *name, u64 *size);
// Where an instruction comes from, for the reports; empty strings and zeros where that is not known.
typedef struct { const char *file, *inner_file, *text; u32 line, inner_line, column; } SourcePlace;
void image_place(const Image *image, u32 index, SourcePlace *out);
// Fills a kernarg segment: `args` are pointers to the explicit arguments, as HIP's launch calls pass them.
void kernel_arguments(const Image *image, u32 kernel, const LaunchOptions *options, void *const *args, void *segment);
// Runs a kernel to its end; 0, or -1 when it faulted (result->findings says why). `counts` may be NULL.
int launch_kernel(Image *image, u32 kernel, const LaunchOptions *options, const void *kernarg, Result *result,
                  const Counts *counts);
// Makes image->checked and image->polls.
void image_prepare_checks(Image *image);

// What malloc and free of device code ask: 0 where there is no room, and where the address is not the heap's.
typedef struct {
  u64 (*allocate)(u64 size);
  int (*release)(u64 address);
} Heap;
extern const Heap *device_heap;  // hostcall.c; NULL: there is none
// Where the device library asks the host for something: memory that is not looked at for races, and what is called when a
// wave sends an interrupt. NULL: nobody listens.
typedef struct {
  void (*interrupt)(void);
  u64 start, size;
} Mailbox;
extern Mailbox device_mailbox;  // hostcall.c
// Called where nothing in a launch advances, or where it has run for long: others may go on meanwhile. Returns 0 where
// nobody is left who could. NULL: a launch that does not advance is deadlocked.
extern int (*launch_waits)(int progressed);  // run.c
// Called after ten seconds of a launch, and each time after twice as long, in the thread that asked for it: workgroups that
// have begun, all of them. NULL: nobody is told.
extern void (*launch_lasts)(u64 begun, u64 all, u64 ns);  // run.c
#define WORKER_NAME "porter-emulator"  // of the threads that run kernels, as the system shows them

// allocations.c: what device code may touch
// Flags of memory_add. MEMORY_ELSEWHERE: how far it is from other memory is the system's choice, not the runtime's.
enum { MEMORY_READ_ONLY = 1, MEMORY_ELSEWHERE = 2 };
void memory_add(u64 start, u64 size, u32 flags);
int memory_remove(u64 start);
// Which devices may read, and write, the ranges that start in here, a bit each; all of them where nothing was said.
void memory_reach(u64 start, u64 size, u64 readers, u64 writers);
