// RCCL's functions: communicators, groups, and calls that become work of a stream (collectives.cpp does it).
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "rccl/collectives.h"
#include "graphs/graphs.h"

namespace host {

namespace {

struct Asked {
  ncclComm_t comm;
  hipStream_t stream;
  bool transfers;
  Call call;
  Transfer transfer;
};

struct CallGroup {
  int depth = 0;
  std::vector<Asked> asked;
  std::vector<ncclComm_t> joining;
  ncclResult_t error = ncclSuccess;
};
thread_local CallGroup group;
thread_local std::string last_error;

struct State {
  std::mutex lock;
  std::set<ncclComm_t> comms;
  std::map<std::pair<std::thread::id, u64>, int> callers;  // outside of groups: thread and communicator, to the rank
  bool told = false;
};
State &state() {
  static State &all = *new State;
  return all;
}

ncclResult_t refuse(ncclResult_t error, const std::string &why) {
  last_error = why;
  fprintf(stderr, "porter: RCCL (stand-in): %s\n", why.c_str());
  if (group.depth) group.error = error;
  return error;
}

bool valid(const ncclComm_t comm) {
  const std::lock_guard guard(state().lock);
  return comm && state().comms.count(comm);
}

void say_what_this_is() {
  {
    const std::lock_guard guard(state().lock);
    if (std::exchange(state().told, true)) return;
  }
  fprintf(stderr, "porter: RCCL is porter's stand-in here: collectives are done on the host, in the order of ranks\n");
}

ncclResult_t join(ncclComm_t *out, int ranks, const ncclUniqueId &id, int rank, int device) {
  if (!out) return refuse(ncclInvalidArgument, "no place for the communicator");
  if (ranks < 1 || ranks > (int)MOST_RANKS || rank < 0 || rank >= ranks)
    return refuse(ncclInvalidArgument, "rank " + std::to_string(rank) + " of " + std::to_string(ranks) + "; at most " + std::to_string(MOST_RANKS));
  Meeting *meeting = open_meeting(id.internal);
  if (!meeting) return refuse(ncclInvalidArgument, "this is no identity of ncclGetUniqueId, or its process has ended");
  u32 none = 0;
  if (!meeting->ranks.compare_exchange_strong(none, (u32)ranks) && none != (u32)ranks)
    return refuse(ncclInvalidUsage, "one rank counts " + std::to_string(ranks) + " ranks, another one " + std::to_string(none));
  none = 0;
  if (!meeting->process[rank].compare_exchange_strong(none, (u32)getpid()))
    return refuse(ncclInvalidUsage, "rank " + std::to_string(rank) + " joins twice");
  meeting->joined++;
  ncclComm_t comm = new ncclComm;
  comm->meeting = meeting;
  comm->rank = rank, comm->ranks = ranks, comm->device = device;
  memcpy(&comm->clique, id.internal + 16, sizeof comm->clique);
  const std::lock_guard guard(state().lock);
  state().comms.insert(comm);
  *out = comm;
  return ncclSuccess;
}

ncclResult_t wait_for_ranks(ncclComm_t comm) {
  const auto begin = std::chrono::steady_clock::now();
  while (comm->meeting->joined.load() < (u32)comm->ranks) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    const std::chrono::duration<double> vain = std::chrono::steady_clock::now() - begin;
    if (vain.count() > 12 * options().patience)
      return refuse(ncclRemoteError, "ncclCommInitRank: " + std::to_string(comm->meeting->joined) + " of " +
                                         std::to_string(comm->ranks) + " ranks have come");
  }
  return ncclSuccess;
}

// One work for each communicator and stream, in the order of calls; transfers go together.
ncclResult_t give(const std::vector<Asked> &asked) {
  std::vector<std::pair<ncclComm_t, hipStream_t>> places;
  for (const Asked &a : asked)
    if (std::find(places.begin(), places.end(), std::pair(a.comm, a.stream)) == places.end()) places.emplace_back(a.comm, a.stream);
  const int before = current_device();
  hipError_t error = hipSuccess;
  {
    const Together together;  // they wait for each other
    for (const auto &[comm, stream] : places) {
      std::vector<Call> calls;
      std::vector<Transfer> transfers;
      for (const Asked &a : asked) {
        if (a.comm != comm || a.stream != stream) continue;
        if (a.transfers) transfers.push_back(a.transfer);
        else calls.push_back(a.call);
      }
      Work work;
      work.type = hipGraphNodeTypeHost;
      work.action = std::make_shared<std::function<void()>>([comm = comm, calls, transfers] {
        for (const Call &call : calls)
          if (!do_call(*comm, call)) return;
        if (!transfers.empty()) do_transfers(*comm, transfers);
      });
      (void)hipSetDevice(comm->device);
      // Operations of a communicator are done in the order of calls, whichever their streams.
      if (!error) error = submit(stream, std::move(work), &comm->last, {comm->last});
    }
  }
  (void)hipSetDevice(before);
  return error ? refuse(ncclUnhandledCudaError, std::string("the stream takes no work: ") + error_name(error)) : ncclSuccess;
}

// RCCL's kernels of several ranks, launched by one thread one after the other, can wait for each other for ever.
void look_for_missing_group(ncclComm_t comm) {
  static std::atomic<bool> said{false};
  const std::lock_guard guard(state().lock);
  const auto found = state().callers.try_emplace({std::this_thread::get_id(), comm->clique}, comm->rank).first;
  if (found->second != comm->rank && !said.exchange(true))
    fprintf(stderr, "porter: RCCL (stand-in): one thread calls for ranks %d and %d outside of ncclGroupStart and ncclGroupEnd: "
                    "on GPUs that can wait for ever\n", found->second, comm->rank);
}

ncclResult_t ask_for(Asked &&asked) {
  ihipStream_t *stream = asked.stream ? stream_of(asked.stream) : nullptr;
  if (stream && stream->device != asked.comm->device)
    return refuse(ncclInvalidUsage, "a stream of device " + std::to_string(stream->device) + " for rank " + std::to_string(asked.comm->rank) +
                                        " on device " + std::to_string(asked.comm->device));
  if (asked.comm->error) return (ncclResult_t)asked.comm->error.load();
  if (group.depth) {
    group.asked.push_back(std::move(asked));
    return ncclSuccess;
  }
  if (asked.comm->ranks > 1) look_for_missing_group(asked.comm);
  return give({std::move(asked)});
}

ncclResult_t bad_buffer(const char *name, const char *which, const void *at, u64 size) {
  if (!size) return ncclSuccess;
  if (!at) return refuse(ncclInvalidArgument, std::string(name) + ": " + which + " is null");
  if (find_allocation(at) && fits(at, size)) return ncclSuccess;
  return refuse(ncclInvalidArgument, std::string(name) + ": " + std::to_string(size) + " bytes of " + which + " at 0x" +
                                         [&] { char t[32]; snprintf(t, sizeof t, "%llx", (unsigned long long)at); return std::string(t); }() +
                                         " do not fit: it begins " + describe_address((u64)at));
}

ncclResult_t collective(Collective kind, const void *send, void *recv, size_t count, ncclDataType_t type, int op, int root,
                        ncclComm_t comm, hipStream_t stream) {
  const char *name = collective_name(kind);
  if (!valid(comm)) return refuse(ncclInvalidArgument, std::string(name) + ": no communicator");
  const u64 element = element_size(type);
  if (!element) return refuse(ncclInvalidArgument, std::string(name) + ": no such type");
  if (root < 0 || root >= comm->ranks) return refuse(ncclInvalidArgument, std::string(name) + ": no rank " + std::to_string(root));
  Call call;
  call.kind = kind, call.count = count, call.type = type, call.root = root;
  call.send = send, call.recv = recv;
  const u64 bytes = count * element, all = bytes * (u64)comm->ranks;
  const bool is_root = comm->rank == root;
  using C = Collective;
  call.sent = kind == C::reduce_scatter || kind == C::all_to_all ? all
              : kind == C::scatter                               ? (is_root ? all : 0)
              : kind == C::broadcast                             ? (is_root ? bytes : 0)
                                                                 : bytes;
  call.received = kind == C::all_gather || kind == C::all_to_all ? all
                  : kind == C::gather                            ? (is_root ? all : 0)
                  : kind == C::reduce                            ? (is_root ? bytes : 0)
                                                                 : bytes;
  if (const ncclResult_t error = bad_buffer(name, "sendbuff", send, call.sent)) return error;
  if (const ncclResult_t error = bad_buffer(name, "recvbuff", recv, call.received)) return error;
  if (op > ncclNumOps + (int)comm->factors.size() || op == ncclNumOps || op < 0)
    return refuse(ncclInvalidArgument, std::string(name) + ": no such operation");
  call.op = (ncclRedOp_t)std::min(op, (int)ncclNumOps);
  if (op > ncclNumOps) call.factor = comm->factors[(size_t)(op - ncclNumOps - 1)];
  return ask_for({comm, stream, false, call, {}});
}

ncclResult_t transfer(bool sends, void *at, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, hipStream_t stream) {
  const char *name = sends ? "ncclSend" : "ncclRecv";
  if (!valid(comm)) return refuse(ncclInvalidArgument, std::string(name) + ": no communicator");
  const u64 size = count * element_size(type);
  if (!element_size(type)) return refuse(ncclInvalidArgument, std::string(name) + ": no such type");
  if (peer < 0 || peer >= comm->ranks) return refuse(ncclInvalidArgument, std::string(name) + ": no rank " + std::to_string(peer));
  if (const ncclResult_t error = bad_buffer(name, "its buffer", at, size)) return error;
  return ask_for({comm, stream, true, {}, {sends, peer, at, size}});
}

}  // namespace

}  // namespace host

using namespace host;

extern "C" {

ncclResult_t ncclGetVersion(int *version) {
  if (!version) return ncclInvalidArgument;
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}
const char *ncclGetErrorString(ncclResult_t result) {
  static const char *const texts[] = {"no error", "unhandled cuda error", "unhandled system error", "internal error",
                                      "invalid argument", "invalid usage", "remote process exited or there was a network error",
                                      "NCCL operation in progress"};
  return result < ncclNumResults ? texts[result] : "unknown result code";
}
const char *ncclGetLastError(ncclComm_t) { return last_error.c_str(); }
ncclResult_t ncclResetDebugInit(void) { return ncclSuccess; }

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  if (!id) return ncclInvalidArgument;
  *id = {};
  return new_meeting(id->internal) < 0 ? ncclSystemError : ncclSuccess;
}
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
  say_what_this_is();
  if (const ncclResult_t error = join(comm, ranks, id, rank, current_device())) return error;
  if (!group.depth) return wait_for_ranks(*comm);
  group.joining.push_back(*comm);
  return ncclSuccess;
}
ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank, ncclConfig_t *) {
  return ncclCommInitRank(comm, ranks, id, rank);
}
ncclResult_t ncclCommInitAll(ncclComm_t *comms, int count, const int *devices) {
  say_what_this_is();
  ncclUniqueId id;
  if (!comms || count < 1) return refuse(ncclInvalidArgument, "ncclCommInitAll: no communicators");
  if (const ncclResult_t error = ncclGetUniqueId(&id)) return error;
  std::set<int> seen;
  for (int i = 0; i < count; i++) {
    const int device = devices ? devices[i] : i;
    if (!valid_device(device) || !seen.insert(device).second)
      return refuse(ncclInvalidUsage, "ncclCommInitAll: device " + std::to_string(device) + " is not there, or there twice (porter run --gpus N)");
  }
  for (int i = 0; i < count; i++)
    if (const ncclResult_t error = join(&comms[i], count, id, i, devices ? devices[i] : i)) return error;
  return ncclSuccess;
}
// By color and key: everybody brings an identity, and those of one color meet at the first one's.
ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *out, ncclConfig_t *) {
  if (!valid(comm) || !out) return refuse(ncclInvalidArgument, "ncclCommSplit: no communicator");
  if (group.depth) return refuse(ncclInvalidUsage, "ncclCommSplit in a group is not part of the stand-in");
  struct Card {
    int color, key, rank;
    ncclUniqueId id;
  } own{color, key, comm->rank, {}};
  if (const ncclResult_t error = ncclGetUniqueId(&own.id)) return error;
  std::vector<std::string> texts;
  if (!exchange(*comm, std::string((const char *)&own, sizeof own), &texts)) return ncclRemoteError;
  std::vector<Card> cards;
  for (const std::string &text : texts) {
    Card card;
    memcpy(&card, text.data(), sizeof card);
    if (card.color == color) cards.push_back(card);
  }
  *out = nullptr;
  if (color == NCCL_SPLIT_NOCOLOR) return ncclSuccess;
  std::stable_sort(cards.begin(), cards.end(), [](const Card &a, const Card &b) { return a.key < b.key; });
  int rank = 0;
  while (cards[(size_t)rank].rank != comm->rank) rank++;
  if (const ncclResult_t error = join(out, (int)cards.size(), cards[0].id, rank, comm->device)) return error;
  return wait_for_ranks(*out);
}
ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  if (!valid(comm)) return refuse(ncclInvalidArgument, "ncclCommFinalize: no communicator");
  wait_for({comm->last});
  return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (!comm) return ncclSuccess;
  if (!valid(comm)) return refuse(ncclInvalidArgument, "ncclCommDestroy: no communicator");
  wait_for({comm->last});
  {
    const std::lock_guard guard(state().lock);
    state().comms.erase(comm);
  }
  close_meeting(comm->meeting);
  delete comm;
  return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t comm) { return ncclCommDestroy(comm); }
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error) {
  if (!valid(comm) || !error) return ncclInvalidArgument;
  *error = (ncclResult_t)comm->error.load();
  return ncclSuccess;
}
ncclResult_t ncclCommCount(const ncclComm_t comm, int *count) {
  if (!valid(comm) || !count) return ncclInvalidArgument;
  *count = comm->ranks;
  return ncclSuccess;
}
ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device) {
  if (!valid(comm) || !device) return ncclInvalidArgument;
  *device = comm->device;
  return ncclSuccess;
}
ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank) {
  if (!valid(comm) || !rank) return ncclInvalidArgument;
  *rank = comm->rank;
  return ncclSuccess;
}
ncclResult_t ncclMemAlloc(void **out, size_t size) { return hipMalloc(out, size) ? ncclUnhandledCudaError : ncclSuccess; }
ncclResult_t ncclMemFree(void *pointer) { return hipFree(pointer) ? ncclUnhandledCudaError : ncclSuccess; }
ncclResult_t ncclCommRegister(const ncclComm_t comm, void *buffer, size_t size, void **handle) {
  if (!valid(comm) || !handle) return ncclInvalidArgument;
  *handle = buffer;
  return bad_buffer("ncclCommRegister", "its buffer", buffer, size);
}
ncclResult_t ncclCommDeregister(const ncclComm_t comm, void *) { return valid(comm) ? ncclSuccess : ncclInvalidArgument; }
// Calls copy from any memory, so a window changes nothing for them, and no rank waits for the others here. Its handle is a number.
ncclResult_t ncclCommWindowRegister(ncclComm_t comm, void *buffer, size_t size, ncclWindow_t *window, int) {
  if (!valid(comm) || !window) return refuse(ncclInvalidArgument, "ncclCommWindowRegister: an argument is missing");
  if (const ncclResult_t error = bad_buffer("ncclCommWindowRegister", "its buffer", buffer, size)) return error;
  static std::atomic<u64> last{0};
  *window = (ncclWindow_t)++last;
  comm->windows.insert(*window);
  return ncclSuccess;
}
ncclResult_t ncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t window) {
  if (!valid(comm)) return refuse(ncclInvalidArgument, "ncclCommWindowDeregister: no communicator");
  if (!window || comm->windows.erase(window)) return ncclSuccess;
  return refuse(ncclInvalidArgument, "ncclCommWindowDeregister: this communicator has no such window");
}

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar, ncclDataType_t type, ncclScalarResidence_t, ncclComm_t comm) {
  if (!op || !scalar || !valid(comm) || !element_size(type)) return refuse(ncclInvalidArgument, "ncclRedOpCreatePreMulSum: an argument is missing");
  comm->factors.push_back(element_at(scalar, type));
  *op = (ncclRedOp_t)(ncclNumOps + (int)comm->factors.size());
  return ncclSuccess;
}
ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm) {
  return valid(comm) && op > ncclNumOps ? ncclSuccess : ncclInvalidArgument;
}

ncclResult_t ncclGroupStart(void) {
  group.depth++;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd(void) {
  if (!group.depth) return refuse(ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
  if (--group.depth) return ncclSuccess;
  const CallGroup ended = std::exchange(group, {});
  if (ended.error) return ended.error;
  for (const ncclComm_t comm : ended.joining)
    if (const ncclResult_t error = wait_for_ranks(comm)) return error;
  return give(ended.asked);
}

ncclResult_t ncclAllReduce(const void *send, void *recv, size_t count, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm, hipStream_t stream) {
  return collective(Collective::all_reduce, send, recv, count, type, op, 0, comm, stream);
}
ncclResult_t ncclReduce(const void *send, void *recv, size_t count, ncclDataType_t type, ncclRedOp_t op, int root, ncclComm_t comm, hipStream_t stream) {
  return collective(Collective::reduce, send, recv, count, type, op, root, comm, stream);
}
ncclResult_t ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm, hipStream_t stream) {
  return collective(Collective::broadcast, buffer, buffer, count, type, 0, root, comm, stream);
}
ncclResult_t ncclBroadcast(const void *send, void *recv, size_t count, ncclDataType_t type, int root, ncclComm_t comm, hipStream_t stream) {
  return collective(Collective::broadcast, send, recv, count, type, 0, root, comm, stream);
}
ncclResult_t ncclAllGather(const void *send, void *recv, size_t count, ncclDataType_t type, ncclComm_t comm, hipStream_t stream) {
  return collective(Collective::all_gather, send, recv, count, type, 0, 0, comm, stream);
}
ncclResult_t ncclReduceScatter(const void *send, void *recv, size_t count, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm, hipStream_t stream) {
  return collective(Collective::reduce_scatter, send, recv, count, type, op, 0, comm, stream);
}
ncclResult_t ncclAllToAll(const void *send, void *recv, size_t count, ncclDataType_t type, ncclComm_t comm, hipStream_t stream) {
  return collective(Collective::all_to_all, send, recv, count, type, 0, 0, comm, stream);
}
ncclResult_t ncclGather(const void *send, void *recv, size_t count, ncclDataType_t type, int root, ncclComm_t comm, hipStream_t stream) {
  return collective(Collective::gather, send, recv, count, type, 0, root, comm, stream);
}
ncclResult_t ncclScatter(const void *send, void *recv, size_t count, ncclDataType_t type, int root, ncclComm_t comm, hipStream_t stream) {
  return collective(Collective::scatter, send, recv, count, type, 0, root, comm, stream);
}
ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, hipStream_t stream) {
  return transfer(true, (void *)send, count, type, peer, comm, stream);
}
ncclResult_t ncclRecv(void *recv, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, hipStream_t stream) {
  return transfer(false, recv, count, type, peer, comm, stream);
}

}
