// The stand-in for RCCL: what rccl.cpp, which has its functions, and collectives.cpp, which does the work, share.
#pragma once
#include <rccl/rccl.h>

#include "memory/ipc.h"

namespace host {

enum class Collective : u32 { all_reduce, reduce, broadcast, all_gather, reduce_scatter, all_to_all, gather, scatter, split };
const char *collective_name(Collective kind);

// One call of a rank. `send` has `sent` bytes, `recv` gets `received`.
struct Call {
  Collective kind{};
  const void *send = nullptr;
  void *recv = nullptr;
  u64 count = 0, sent = 0, received = 0;
  ncclDataType_t type = ncclInt8;
  ncclRedOp_t op = ncclSum;  // ncclNumOps: a sum of products with `factor`
  double factor = 1;
  i32 root = 0;
};
struct Transfer {  // of a pair of ranks
  bool sends = false;
  i32 peer = 0;
  void *at = nullptr;
  u64 size = 0;
};

constexpr u32 MOST_RANKS = 64;

// Where a process finds what another rank has.
struct Place {
  u64 at, size;
  char handle[HIP_IPC_HANDLE_SIZE];  // for other processes
};
struct Post {  // of a rank, for its n-th operation
  std::atomic<u64> posted, finished;
  u32 kind, type, op;
  i32 root;
  u64 count;
  Place send;
  char text[256];  // of a split: color, key and an identity
};
struct Pair {  // from one rank to another
  std::atomic<u64> posted, finished;
  Place send;
};
// Memory that all ranks of a communicator see.
struct Meeting {
  std::atomic<u32> ranks, joined, left;
  std::atomic<u32> process[MOST_RANKS];
  Post posts[2][MOST_RANKS];  // of streams; of calls that the host waits in
  Pair pairs[MOST_RANKS][MOST_RANKS];
};

}  // namespace host

struct ncclComm {
  host::Meeting *meeting = nullptr;
  int rank = 0, ranks = 0, device = 0;
  u64 clique = 0, last = 0;  // what its ranks have in common; the ticket of the last call
  u64 calls[2] = {}, sent[host::MOST_RANKS] = {}, received[host::MOST_RANKS] = {};
  std::vector<double> factors;  // of ncclRedOpCreatePreMulSum
  std::set<ncclWindow_t> windows;
  std::atomic<int> error{ncclSuccess};
};

namespace host {

// Each waits until the other ranks have come to the same operation. False: that did not happen, or they do something else;
// a line says why, and the communicator has an error.
bool do_call(ncclComm &comm, const Call &call);
bool do_transfers(ncclComm &comm, const std::vector<Transfer> &transfers);
// Of a call that the host waits in: everybody's text.
bool exchange(ncclComm &comm, const std::string &own, std::vector<std::string> *all);

// elements.cpp: to = to OP from, rounded to the type. `scale` multiplies each `from` first.
u64 element_size(ncclDataType_t type);
void reduce_into(void *to, const void *from, u64 count, ncclDataType_t type, ncclRedOp_t op, bool first, double scale);
void divide_integers(void *values, u64 count, ncclDataType_t type, int by);
double element_at(const void *at, ncclDataType_t type);

// ipc.cpp
bool export_place(const void *at, u64 size, Place *out);
struct View {  // of another process's place, as long as it lives
  const void *at = nullptr;
  void *mapped = nullptr;
  u64 bytes = 0;
  explicit View(const Place &place);
  View(const View &) = delete;
  ~View();
};
int new_meeting(char id[HIP_IPC_HANDLE_SIZE]);  // the file; it stays open
Meeting *open_meeting(const char id[HIP_IPC_HANDLE_SIZE]);
void close_meeting(Meeting *meeting);

}  // namespace host
