// The model of time: one compute unit in cycles, fed with what the waves of its workgroups did (emu/core/record.h).
// porter/perf/model/core.py has the same structures.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

// What executes an instruction. PORT_KINDS first: of those a SIMD issues one in each turn, from different waves.
typedef enum {
  SALU, SMEM, VALU, MFMA, LDS_READ, LDS_WRITE, LOAD, STORE, BRANCH, PORT_KINDS,
  WAIT = PORT_KINDS, NOP, PRIORITY, SLEEP, BARRIER, END, KINDS,
} Kind;

// Why a wave did not issue
typedef enum {
  STALL_NONE, STALL_PORT, STALL_REGISTER, STALL_MATRIX, STALL_LDS, STALL_MEMORY, STALL_FETCH, STALL_WAIT_MEMORY,
  STALL_WAIT_LDS, STALL_BARRIER, STALLS,
} Stall;

#define SOURCES 6
#define TARGETS 3
#define REGISTERS 1024       // vector registers, then from SCALARS on the scalar ones
#define SCALARS 768

typedef struct { i32 first, count; } Range;
typedef struct {
  i32 kind;
  i32 send;                  // turns of four cycles in which it sends registers to LDS or vector memory
  i32 bytes;                 // a lane
  i32 passes;                // of a matrix instruction
  i32 vm, lgkm;              // what a wait waits for; -1: nothing
  i32 number;                // of s_nop, s_sleep, s_setprio; 1: an atomic operation on memory
  i32 address, size;         // in the code, in bytes
  i32 cycles;                // that its issue takes
  i32 accumulator;           // which source is added to; -1: none
  Range source[SOURCES], target[TARGETS];
} Row;

typedef struct { u64 group; u64 *words; u64 length, capacity, open; u32 number, pad; } RecordedWave;

// What one instruction asks of memory, and what came of it.
typedef struct {
  u16 halves, lds, cycles;   // halves of lines; cycles of LDS, and of the address unit
  u16 l1, l2, pending, cache, memory;  // lines by where they were found
  bool in_lds;
  i32 latency;               // from the last request to the data, or to the end of a store
  i32 queued;                // and this for others that were there before, behind L1
  i32 held;                  // how long later stores wait for L2 to have room
} Access;

typedef struct { Access *all; u64 count, room, at; } Answers;    // of a wave
typedef struct { u32 *groups; u32 count, pad; Answers *answers; u64 all; } Kept;  // of a unit: groups in their order

// Cycles where nothing else is said. Fitted and measured values are in porter/perf/model/parameters.py.
typedef struct {
  double lds_queue, lds_latency, lds_cost, lds_pipe;
  double address_queue, address_line, lines_in_flight, updates_in_flight, return_line, hit_line;
  double l1_latency, l2_latency, cache_latency, memory_latency, latency_spread, latency_skew;
  double link_bytes, memory_bytes, write_bytes;  // a cycle, of one compute unit where all have the same
  double memory_write;       // how many times as much a byte that is written takes of memory
  double l2_share;           // bytes of L2 that a compute unit may fill
  double store_latency, first_store, scalar_latency, scalar_hit, matrix_out, valu_to_scalar;
  double latency_scale, queued_scale;  // of what memory answered before
  double address_scale;      // of the cycles of the address unit
  double atomic, part;       // cycles of a channel of L2, of an atomic operation and of a store to a part of a line
  double group_rate, wave_rate;  // cycles of the die's dispatcher, the larger of a workgroup's and its waves'
  double barrier, dispatch, start, first_start, branch, fetch_line, seed;
} Parameters;

typedef struct {
  u32 compute_units;         // of the die whose workgroups were recorded
  u32 unit;                  // the one whose waves are given
  u32 simds, resident;       // workgroups that it holds
  u32 waves_a_group, groups;
  u32 beside, dies;          // recorded workgroups of another die, behind the others; how many dies there are
  u32 l1_lines, l1_ways, l2_lines, l2_ways;
  u32 keep;                  // whether every instruction's times are kept
  u32 again;                 // whether L2 holds what the same launch left there right before
  i64 limit;                 // cycles
  double first_share;        // of the lines that come from memory: what this die brings in, not another one
  double cached;             // the share of memory that was not touched yet that is in the last cache
} Machine;

typedef struct { i64 time; i32 kind, stall, duration, instruction, reason, pad; } Event;
typedef struct {
  i64 begin, end, group, number, simd, slot;
  i64 by_kind[KINDS], by_stall[STALLS];
  Event *events;
  i64 event_count, event_room;
} WaveTime;
typedef struct {
  i64 cycles;                // from the first workgroup's first wave to the last one's end
  i64 die_cycles;            // the same of all units of the die, and until what they wrote is in memory
  i64 wave_count;
  i64 matrix_busy, lds_busy, vector_busy;  // cycles, of all SIMDs
  i64 lines[5], die_lines[5];  // l1, l2, pending, cache, memory
  i64 busy[3];               // cycles in which the die's fullest channel of L2, its link and memory would move what they did
  i64 unfinished;
  WaveTime *waves;
} Timing;

// What an access does with its lines.
typedef struct { bool loads, writes, atomic, parts; } Asks;  // parts: it writes less than halves of lines

// seen.c: a set of numbers that grows
typedef struct { u64 *all; u64 count, room; } Seen;
bool is_there(const Seen *s, u64 number);
bool seen_before(Seen *s, u64 number);  // and puts it in
static inline i64 later(i64 a, i64 b) { return a > b ? a : b; }
static inline u64 hash(u64 number) { return number * 0x9e3779b97f4a7c15ull; }

// places.c: moves all lines that the waves touch to where they always begin, in pages of 4 KiB from `shift` on
void place_lines(RecordedWave *waves, u64 count, u64 shift);

void mark_executed(const RecordedWave *waves, u64 count, u8 *marks);  // each instruction that they ran

// memory.c: what lies behind the compute units of a die
typedef struct Die Die;
Die *new_die(const Machine *m, const Parameters *p);
void remember_launch(Die *d, const RecordedWave *waves);  // as if the recorded workgroups had run before
void free_die(Die *d);
// Looks the lines up that `unit` asks for from `first` on, the last one at `last`.
void ask(Die *d, u32 unit, const u64 *lines, u32 number, Asks what, i64 first, i64 last, Access *a);
i64 dispatched(Die *d, i64 t, double cycles);  // when a workgroup begins that could at `t`: the die begins them in turn
void end_together(Die *d);   // the first workgroups end: dies are no longer at the same place
i64 all_written(const Die *d);  // when what was stored is in memory
const i64 *lines_of(const Die *d);  // by where they were found
void busy_of(const Die *d, i64 cycles[3]);  // as Timing has it
// The share of the lines of a die that it brings in from memory itself: dies that use the same ones share that.
double first_share(const RecordedWave *waves, const Machine *m);
u64 own_lines(const RecordedWave *waves, const Machine *m);  // how many lines the recorded workgroups of the die use

static inline bool is_access(u64 word) { return word >> 63; }
static inline u32 access_kind(u64 word) { return (u32)(word >> 60) & 3; }
static inline bool access_writes(u64 word) { return word >> 62 & 1; }
static inline u32 access_number(u64 word) { return (u32)(word >> 32) & 0xfffffff; }
static inline u32 access_lines(u64 word) { return access_number(word) & 0xffff; }     // of global memory
static inline u32 access_cycles(u64 word) { return access_number(word) >> 16; }       // and of the address unit
enum { ACCESS_GLOBAL, ACCESS_LDS, ACCESS_PRIVATE };
