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
  i32 number;                // of s_nop, s_sleep, s_setprio
  i32 address, size;         // in the code, in bytes
  i32 cycles;                // that its issue takes
  i32 accumulator;           // which source is added to; -1: none
  i32 writes_scalar;
  Range source[SOURCES], target[TARGETS];
} Row;

typedef struct { u64 group; u64 *words; u64 length, capacity, open; u32 number, pad; } RecordedWave;

// Lines that one access finds at each level, and what it moves.
typedef struct {
  u16 halves;
  u8 l1, l2, pending, cache, memory, lds;
  u8 far, pad;               // whether what is pending comes from memory
} Access;

// Cycles where nothing else is said. Fitted and measured values are in porter/perf/model/parameters.py.
typedef struct {
  double lds_queue, lds_latency, lds_cost, lds_pipe;
  double address_queue, address_line, lines_in_flight, return_line;
  double l1_latency, l2_latency, cache_latency, memory_latency, latency_tail, crowding;
  double l2_bytes, cache_bytes, memory_bytes;  // a cycle, of this compute unit
  double l2_share;           // bytes of L2 that a compute unit may fill
  double store_latency, scalar_latency, matrix_out, valu_to_scalar;
  double barrier, dispatch, start, first_start, branch, fetch_line, seed;
} Parameters;

typedef struct {
  u32 compute_units;         // of the die whose workgroups were recorded
  u32 unit;                  // the one that is followed
  u32 simds, resident;       // workgroups that it holds
  u32 waves_a_group, groups;
  u32 beside, dies;          // recorded workgroups of another die, behind the others; how many dies there are
  u32 l1_lines, l1_ways, l2_lines, l2_ways;
  u32 cached;                // whether memory that was not touched yet is in the last cache
  u32 under_way;             // steps for which a line that was asked for has not come yet (memory.c)
  u32 keep;                  // whether every instruction's times are kept
  i64 limit;                 // cycles
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
  i64 wave_count;
  i64 matrix_busy, lds_busy, issue_busy;  // cycles, of all SIMDs
  i64 lines[5];              // l1, l2, pending, cache, memory
  i64 unfinished;
  WaveTime *waves;
} Timing;

// memory.c
typedef struct { Access *accesses; u64 count; } WaveAccesses;
typedef struct {
  WaveAccesses *waves;
  double first_share;        // of the lines that come from memory: what this die brings in, not another one
} Levels;
Levels *new_levels(const RecordedWave *waves, const Machine *m);
void free_levels(Levels *levels, const Machine *m);

static inline bool is_access(u64 word) { return word >> 63; }
static inline u32 access_kind(u64 word) { return (u32)(word >> 60) & 3; }
static inline bool access_writes(u64 word) { return word >> 62 & 1; }
static inline u32 access_number(u64 word) { return (u32)(word >> 32) & 0xfffffff; }
enum { ACCESS_GLOBAL, ACCESS_LDS, ACCESS_PRIVATE };
