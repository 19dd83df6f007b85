// What the stand-in for RCCL does in a stream: ranks post what they have, wait for each other, and each works out its own
// part from everybody's memory. Nobody's output changes before all have read, so that operations work in place.
#include <signal.h>
#include <unistd.h>

#include "rccl/collectives.h"

namespace host {

namespace {

enum Lane { STREAMS, HOST };

bool floating(ncclDataType_t type) { return type >= ncclFloat16; }

// Of ranks that are not here in time: who, and whether their process is still there.
std::string missing(const ncclComm &comm, Lane lane, u64 number) {
  std::string who;
  for (int i = 0; i < comm.ranks; i++)
    if (comm.meeting->posts[lane][i].posted < number) {
      who += (who.empty() ? "" : ", ") + std::to_string(i);
      if (kill((pid_t)comm.meeting->process[i], 0)) who += " (its process has ended)";
    }
  return who;
}

bool all_alive(const ncclComm &comm) {
  for (int i = 0; i < comm.ranks; i++) {
    const u32 process = comm.meeting->process[i];
    if (process != (u32)getpid() && kill((pid_t)process, 0)) return false;
  }
  return true;
}

bool fail(ncclComm &comm, ncclResult_t error, const std::string &why) {
  fprintf(stderr, "porter: RCCL (stand-in), rank %d of %d: %s\n", comm.rank, comm.ranks, why.c_str());
  comm.error = error;
  set_device_fault(comm.device, hipErrorLaunchFailure);
  return false;
}

// Until it holds, or a process is gone. Looking for processes costs system calls: not each time.
template <class Holds>
bool wait(const ncclComm &comm, Lane lane, Holds &&holds) {
  bool dead = false;
  u32 looks = 0;
  auto done_or_dead = [&] {
    if (holds()) return true;
    return dead = ++looks % 64 == 0 && !all_alive(comm);
  };
  if (lane == STREAMS) return wait_until(done_or_dead) && !dead;
  while (!done_or_dead()) usleep(200);
  return !dead;
}

bool wait_for_posts(ncclComm &comm, Lane lane, u64 number, const char *name) {
  auto all_here = [&] {
    for (int i = 0; i < comm.ranks; i++)
      if (comm.meeting->posts[lane][i].posted.load() < number) return false;
    return true;
  };
  if (wait(comm, lane, all_here)) return true;
  return fail(comm, ncclRemoteError, std::string(name) + " waits for rank " + missing(comm, lane, number) + ", which never calls it");
}

bool wait_for_finish(ncclComm &comm, Lane lane, u64 number) {
  return wait(comm, lane, [&] {
    for (int i = 0; i < comm.ranks; i++)
      if (comm.meeting->posts[lane][i].finished.load() < number) return false;
    return true;
  });
}

std::string words(const Post &p) {
  std::string out = collective_name((Collective)p.kind) + (" of " + std::to_string(p.count)) + " elements of type " +
                    std::to_string(p.type) + ", operation " + std::to_string(p.op);
  return out + ", root " + std::to_string(p.root);
}

bool same(ncclComm &comm, u32 rank) {
  const Post &own = comm.meeting->posts[STREAMS][comm.rank], &other = comm.meeting->posts[STREAMS][rank];
  if (own.kind == other.kind && own.count == other.count && own.type == other.type && own.op == other.op && own.root == other.root)
    return true;
  return fail(comm, ncclInvalidUsage, "ranks call different operations: here " + words(own) + "; rank " + std::to_string(rank) + " " + words(other));
}

bool is_here(const ncclComm &comm, u32 rank) { return comm.meeting->process[rank] == (u32)getpid(); }

// What a rank sends, from `offset` on, as this process sees it.
struct Sent {
  std::unique_ptr<View> view;
  const u8 *at = nullptr;
};
bool look_at(ncclComm &comm, int rank, const Place &place, Sent *out) {
  if (!place.size || is_here(comm, (u32)rank)) {
    out->at = (const u8 *)place.at;
    return true;
  }
  out->view = std::make_unique<View>(place);
  out->at = (const u8 *)out->view->at;
  return out->at || fail(comm, ncclSystemError, "the memory of rank " + std::to_string(rank) + " cannot be opened");
}

// Where `at` is, for ranks of this process, and for those of others if there are any.
bool publish(ncclComm &comm, const void *at, u64 size, Place *out) {
  *out = {(u64)at, size, {}};
  bool alone = true;
  for (int i = 0; i < comm.ranks; i++) alone = alone && is_here(comm, (u32)i);
  if (!alone) note_sharing();
  return alone || !size || export_place(at, size, out) ||
         fail(comm, ncclInvalidArgument, "memory that is not of hipMalloc, hipHostMalloc or hipMallocManaged cannot be shared with other processes");
}

// `size` bytes of each of these ranks, from `offset` on, reduced.
bool reduce_all(ncclComm &comm, const Call &call, u64 offset, u64 count, std::vector<u8> *out) {
  out->resize(count * element_size(call.type));
  const bool average = call.op == ncclAvg;
  const double scale = average && floating(call.type) ? 1.0 / comm.ranks : 1;
  for (int i = 0; i < comm.ranks; i++) {
    const Post &post = comm.meeting->posts[STREAMS][i];
    Sent sent;
    if (!look_at(comm, i, post.send, &sent)) return false;
    double own;  // each rank's own factor
    memcpy(&own, post.text, sizeof own);
    reduce_into(out->data(), sent.at + offset, count, call.type, call.op, i == 0, scale * own);
  }
  if (average) divide_integers(out->data(), count, call.type, comm.ranks);
  return true;
}

bool gather_all(ncclComm &comm, u64 offset, u64 size, std::vector<u8> *out) {
  out->resize(size * (u64)comm.ranks);
  for (int i = 0; i < comm.ranks; i++) {
    Sent sent;
    if (!look_at(comm, i, comm.meeting->posts[STREAMS][i].send, &sent)) return false;
    if (size) memcpy(out->data() + (u64)i * size, sent.at + offset, size);
  }
  return true;
}

bool take_from(ncclComm &comm, int rank, u64 offset, u64 size, std::vector<u8> *out) {
  Sent sent;
  if (!look_at(comm, rank, comm.meeting->posts[STREAMS][rank].send, &sent)) return false;
  out->assign(sent.at + offset, sent.at + offset + size);
  return true;
}

bool work_out(ncclComm &comm, const Call &call, std::vector<u8> *out) {
  const u64 bytes = call.count * element_size(call.type), own = (u64)comm.rank * bytes;
  const bool root = comm.rank == call.root;
  switch (call.kind) {
    case Collective::all_reduce: return reduce_all(comm, call, 0, call.count, out);
    case Collective::reduce: return !root || reduce_all(comm, call, 0, call.count, out);
    case Collective::reduce_scatter: return reduce_all(comm, call, own, call.count, out);
    case Collective::broadcast: return take_from(comm, call.root, 0, bytes, out);
    case Collective::all_gather: return gather_all(comm, 0, bytes, out);
    case Collective::gather: return !root || gather_all(comm, 0, bytes, out);
    case Collective::all_to_all: return gather_all(comm, own, bytes, out);
    case Collective::scatter: return take_from(comm, call.root, own, bytes, out);
    case Collective::split: break;
  }
  return true;
}

}  // namespace

const char *collective_name(Collective kind) {
  static const char *const names[] = {"ncclAllReduce", "ncclReduce",  "ncclBroadcast", "ncclAllGather", "ncclReduceScatter",
                                      "ncclAllToAll",  "ncclGather", "ncclScatter",   "ncclCommSplit"};
  return names[(u32)kind];
}

bool do_call(ncclComm &comm, const Call &call) {
  const u64 number = ++comm.calls[STREAMS];
  Post &post = comm.meeting->posts[STREAMS][comm.rank];
  post.kind = (u32)call.kind, post.type = call.type, post.op = call.op, post.root = call.root, post.count = call.count;
  memcpy(post.text, &call.factor, sizeof call.factor);
  if (!publish(comm, call.send, call.sent, &post.send)) return false;
  post.posted = number;
  if (!wait_for_posts(comm, STREAMS, number, collective_name(call.kind))) return false;
  bool good = true;
  for (int i = 0; i < comm.ranks && good; i++) good = same(comm, (u32)i);
  std::vector<u8> out;
  good = good && work_out(comm, call, &out);
  post.finished = number;
  if (!wait_for_finish(comm, STREAMS, number))
    return fail(comm, ncclRemoteError, "a rank ended in the middle of " + std::string(collective_name(call.kind)));
  if (good && !out.empty()) memcpy(call.recv, out.data(), out.size());
  return good;
}

bool do_transfers(ncclComm &comm, const std::vector<Transfer> &transfers) {
  std::vector<u64> numbers;
  std::vector<bool> done(transfers.size());
  // A pair has one place: what is sent over it again waits for what went before.
  for (const Transfer &t : transfers) numbers.push_back(t.sends ? ++comm.sent[t.peer] : ++comm.received[t.peer]);
  bool good = true;
  auto go_on = [&] {
    bool all = true;
    for (size_t i = 0; i < transfers.size() && good; i++) {
      const Transfer &t = transfers[i];
      if (done[i]) continue;
      Pair &pair = t.sends ? comm.meeting->pairs[comm.rank][t.peer] : comm.meeting->pairs[t.peer][comm.rank];
      if (t.sends) {
        if (pair.posted < numbers[i] && pair.finished == numbers[i] - 1) {
          good = publish(comm, t.at, t.size, &pair.send);
          pair.posted = numbers[i];
        }
        done[i] = pair.finished >= numbers[i];
      } else if (pair.posted >= numbers[i]) {
        Sent sent;
        if (pair.send.size != t.size)
          good = fail(comm, ncclInvalidUsage, "ncclRecv of " + std::to_string(t.size) + " bytes from rank " + std::to_string(t.peer) +
                                                  ", which sends " + std::to_string(pair.send.size));
        else good = look_at(comm, t.peer, pair.send, &sent);
        if (good && t.size) memmove(t.at, sent.at, t.size);
        pair.finished = numbers[i];
        done[i] = true;
      }
      all = all && done[i];
    }
    return all || !good;
  };
  if (wait(comm, STREAMS, go_on)) return good;
  for (size_t i = 0; i < transfers.size(); i++)
    if (!done[i])
      return fail(comm, ncclRemoteError, (transfers[i].sends ? "ncclSend to rank " : "ncclRecv from rank ") +
                                             std::to_string(transfers[i].peer) + " has no counterpart there");
  return good;
}

bool exchange(ncclComm &comm, const std::string &own, std::vector<std::string> *all) {
  const u64 number = ++comm.calls[HOST];
  Post &post = comm.meeting->posts[HOST][comm.rank];
  memset(post.text, 0, sizeof post.text);
  memcpy(post.text, own.data(), own.size() < sizeof post.text ? own.size() : sizeof post.text);
  post.posted = number;
  if (!wait_for_posts(comm, HOST, number, "ncclCommSplit")) return false;
  for (int i = 0; i < comm.ranks; i++) all->emplace_back(comm.meeting->posts[HOST][i].text, sizeof post.text);
  post.finished = number;
  return wait_for_finish(comm, HOST, number);
}

}  // namespace host
