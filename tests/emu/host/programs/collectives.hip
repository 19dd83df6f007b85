// RCCL's calls over several GPUs. The argument says how ranks live: "threads", one thread each; "processes", one process
// each; "groups", one thread with groups. Or it names a fault to make.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include <hip/hip_bf16.h>
#include <rccl/rccl.h>

#include "check.h"

#define NCCL(call)                                                                                    \
  do {                                                                                                \
    const ncclResult_t error_ = (call);                                                               \
    if (error_ != ncclSuccess) {                                                                      \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, ncclGetErrorString(error_));               \
      exit(1);                                                                                        \
    }                                                                                                 \
  } while (0)

constexpr int N = 1000;
int ranks;

__global__ void fill(float *to, int n, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value + (float)i;
}

// What one rank has, and its part of each operation.
struct Rank {
  int rank;
  ncclComm_t comm;
  hipStream_t stream;
  float *in, *out;
  bool good = true;

  void begin() {
    HIP(hipSetDevice(rank));
    HIP(hipStreamCreate(&stream));
    in = device<float>(N * ranks);
    out = device<float>(N * ranks);
    HIP(hipMemsetAsync(out, 0, N * ranks * sizeof(float), stream));
    fill<<<(N * ranks + 255) / 256, 256, 0, stream>>>(in, N * ranks, 1000.f * rank);
  }
  std::vector<float> result(int count) {
    std::vector<float> host(count);
    HIP(hipStreamSynchronize(stream));
    HIP(hipMemcpy(host.data(), out, count * sizeof(float), hipMemcpyDeviceToHost));
    return host;
  }
  void expect(const char *what, bool holds) {
    if (!holds) printf("FAILED %s on rank %d\n", what, rank);
    good = good && holds;
  }
};

using Part = void (*)(Rank &);
const float SUM_OF_STARTS = 1000.f;  // times 0 + 1 + ... of the ranks

float triangle() { return (float)(ranks * (ranks - 1) / 2); }

void all_reduce(Rank &r) { NCCL(ncclAllReduce(r.in, r.out, N, ncclFloat, ncclSum, r.comm, r.stream)); }
void all_reduce_done(Rank &r) {
  const auto got = r.result(N);
  for (int i = 0; i < N; i++) r.expect("AllReduce", got[i] == triangle() * SUM_OF_STARTS + (float)(ranks * i));
}
void average(Rank &r) { NCCL(ncclAllReduce(r.in, r.out, 4, ncclFloat, ncclAvg, r.comm, r.stream)); }
void average_done(Rank &r) {
  const auto got = r.result(4);
  for (int i = 0; i < 4; i++) r.expect("Avg", fabsf(got[i] - (triangle() * SUM_OF_STARTS / (float)ranks + (float)i)) < 1e-3f);
}
void gather(Rank &r) { NCCL(ncclAllGather(r.in, r.out, N, ncclFloat, r.comm, r.stream)); }
void gather_done(Rank &r) {
  const auto got = r.result(N * ranks);
  for (int i = 0; i < N * ranks; i++) r.expect("AllGather", got[i] == 1000.f * (float)(i / N) + (float)(i % N));
}
void scatter(Rank &r) { NCCL(ncclReduceScatter(r.in, r.out, N, ncclFloat, ncclMax, r.comm, r.stream)); }
void scatter_done(Rank &r) {
  const auto got = r.result(N);
  for (int i = 0; i < N; i++) r.expect("ReduceScatter", got[i] == 1000.f * (float)(ranks - 1) + (float)(r.rank * N + i));
}
void broadcast(Rank &r) { NCCL(ncclBroadcast(r.in, r.out, N, ncclFloat, 1, r.comm, r.stream)); }
void broadcast_done(Rank &r) { r.expect("Broadcast", r.result(N)[7] == 1007.f); }
void reduce(Rank &r) { NCCL(ncclReduce(r.in, r.out, N, ncclFloat, ncclMin, 0, r.comm, r.stream)); }
void reduce_done(Rank &r) {
  if (r.rank == 0) r.expect("Reduce", r.result(N)[9] == 9.f);
}
void ring(Rank &r) {  // to the next rank, from the one before
  NCCL(ncclGroupStart());
  NCCL(ncclSend(r.in, N, ncclFloat, (r.rank + 1) % ranks, r.comm, r.stream));
  NCCL(ncclRecv(r.out, N, ncclFloat, (r.rank + ranks - 1) % ranks, r.comm, r.stream));
  NCCL(ncclGroupEnd());
}
void ring_done(Rank &r) { r.expect("Send and Recv", r.result(N)[5] == 1000.f * (float)((r.rank + ranks - 1) % ranks) + 5.f); }
void all_to_all(Rank &r) { NCCL(ncclAllToAll(r.in, r.out, N, ncclFloat, r.comm, r.stream)); }
void all_to_all_done(Rank &r) {
  const auto got = r.result(N * ranks);
  for (int i = 0; i < N * ranks; i++) r.expect("AllToAll", got[i] == 1000.f * (float)(i / N) + (float)(r.rank * N + i % N));
}
void in_place(Rank &r) { NCCL(ncclAllReduce(r.in, r.in, N, ncclFloat, ncclSum, r.comm, r.stream)); }
void in_place_done(Rank &r) {
  std::vector<float> got(N);
  HIP(hipStreamSynchronize(r.stream));
  HIP(hipMemcpy(got.data(), r.in, N * sizeof(float), hipMemcpyDeviceToHost));
  r.expect("in place", got[3] == triangle() * SUM_OF_STARTS + (float)(ranks * 3));
}

const struct { Part ask, look; } PARTS[] = {
    {all_reduce, all_reduce_done}, {average, average_done}, {gather, gather_done}, {scatter, scatter_done},
    {broadcast, broadcast_done},   {reduce, reduce_done},   {ring, ring_done},     {all_to_all, all_to_all_done},
    {in_place, in_place_done},
};

void all_parts(Rank &r) {
  for (const auto &part : PARTS) {
    part.ask(r);
    part.look(r);
  }
  // Ranks of one parity
  ncclComm_t half;
  int count, rank;
  NCCL(ncclCommSplit(r.comm, r.rank % 2, -r.rank, &half, nullptr));
  NCCL(ncclCommCount(half, &count));
  NCCL(ncclCommUserRank(half, &rank));
  r.expect("split", count == (ranks + 1 - r.rank % 2) / 2 && (r.rank >= 2 || rank == count - 1));
  NCCL(ncclCommDestroy(half));
  NCCL(ncclCommDestroy(r.comm));
}

int threads() {
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  std::vector<Rank> all(ranks);
  std::vector<std::thread> running;
  for (int i = 0; i < ranks; i++)
    running.emplace_back([&, i] {
      all[i].rank = i;
      all[i].begin();
      NCCL(ncclCommInitRank(&all[i].comm, ranks, id, i));
      all_parts(all[i]);
    });
  for (std::thread &t : running) t.join();
  for (int i = 0; i < ranks; i++) EXPECT(all[i].good);
  return 0;
}

int processes() {
  std::vector<int> lines;
  int rank = 0, line = -1;
  for (int i = 1; i < ranks && rank == 0; i++) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 2;
    if (fork() == 0) rank = i, line = ends[1];
    else lines.push_back(ends[0]);
  }
  Rank r{rank};
  r.begin();
  ncclUniqueId id;
  if (rank == 0) NCCL(ncclGetUniqueId(&id));
  for (const int to : lines)
    if (rank == 0 && write(to, &id, sizeof id) != sizeof id) return 3;
  if (rank && read(line, &id, sizeof id) != sizeof id) return 4;
  NCCL(ncclCommInitRank(&r.comm, ranks, id, rank));
  all_parts(r);
  if (rank) return r.good ? 0 : 1;
  EXPECT(r.good);
  for (int i = 1, status; i < ranks; i++) {
    wait(&status);
    EXPECT(status == 0);
  }
  return 0;
}

template <class T>
float narrow(ncclDataType_t type, std::vector<Rank> &all, const std::vector<unsigned> &codes, unsigned *code) {
  std::vector<T *> at;
  for (int i = 0; i < ranks; i++) {
    HIP(hipSetDevice(i));
    at.push_back(device<T>(1));
    HIP(hipMemcpy(at[i], &codes[i], sizeof(T), hipMemcpyHostToDevice));
  }
  NCCL(ncclGroupStart());
  for (int i = 0; i < ranks; i++) NCCL(ncclAllReduce(at[i], at[i], 1, type, ncclSum, all[i].comm, all[i].stream));
  NCCL(ncclGroupEnd());
  for (int i = 0; i < ranks; i++) HIP(hipStreamSynchronize(all[i].stream));
  *code = 0;
  HIP(hipMemcpy(code, at[0], sizeof(T), hipMemcpyDeviceToHost));
  return 0;
}

int groups() {
  std::vector<Rank> all(ranks);
  std::vector<ncclComm_t> comms(ranks);
  NCCL(ncclCommInitAll(comms.data(), ranks, nullptr));
  for (int i = 0; i < ranks; i++) {
    all[i].rank = i;
    all[i].comm = comms[i];
    all[i].begin();
  }
  for (const auto &part : PARTS) {
    NCCL(ncclGroupStart());
    for (Rank &r : all) part.ask(r);
    NCCL(ncclGroupEnd());
    for (Rank &r : all) part.look(r);
  }
  unsigned code;  // 1.5 of the first rank and small numbers of the others: rounded after each
  const auto codes = [](unsigned first, unsigned rest) {
    std::vector<unsigned> all(ranks, rest);
    all[0] = first;
    return all;
  };
  narrow<unsigned short>(ncclHalf, all, codes(0x3e00, 0x0c00), &code);  // + 2^-12 twice: lost, ties to even
  EXPECT(code == 0x3e00);
  narrow<unsigned short>(ncclBfloat16, all, codes(0x3fc0, 0x3f80), &code);  // 1.5 + 1 + 1
  EXPECT(code == 0x4060);
  narrow<unsigned char>(ncclFloat8e4m3, all, codes(0x44, 0x40), &code);  // the same; the bias is 8
  EXPECT(code == 0x4e);
  narrow<unsigned char>(ncclFloat8e5m2, all, codes(0x7f, 0x7f), &code);  // the largest stays
  EXPECT(code == 0x7f);
  for (int i = 0; i < ranks; i++) EXPECT(all[i].good);
  for (ncclComm_t comm : comms) NCCL(ncclCommDestroy(comm));
  return 0;
}

int fault(const char *which) {
  std::vector<ncclComm_t> comms(2);
  NCCL(ncclCommInitAll(comms.data(), 2, nullptr));
  float *at[2];
  for (int i = 0; i < 2; i++) {
    HIP(hipSetDevice(i));
    at[i] = device<float>(16);
  }
  if (!strcmp(which, "windows")) {
    ncclWindow_t one, other;
    NCCL(ncclCommWindowRegister(comms[0], at[0], 64, &one, NCCL_WIN_COLL_SYMMETRIC));
    NCCL(ncclCommWindowRegister(comms[1], at[1], 64, &other, NCCL_WIN_DEFAULT));
    EXPECT(one && other && one != other);
    EXPECT(ncclCommWindowRegister(comms[0], at[0], 65, &one, NCCL_WIN_DEFAULT) == ncclInvalidArgument);
    EXPECT(ncclCommWindowDeregister(comms[0], other) == ncclInvalidArgument);
    NCCL(ncclCommWindowDeregister(comms[1], other));
    EXPECT(ncclCommWindowDeregister(comms[1], other) == ncclInvalidArgument);
    NCCL(ncclCommWindowDeregister(comms[0], one));
    return 0;
  }
  const bool mixed = !strcmp(which, "mixed"), outside = !strcmp(which, "outside");
  if (outside || !strcmp(which, "group")) {
    printf("%s\n", ncclGetErrorString(ncclAllReduce(at[0], at[0], outside ? 17 : 16, ncclFloat, ncclSum, comms[0], nullptr)));
    if (outside) return 0;
    NCCL(ncclAllReduce(at[1], at[1], 16, ncclFloat, ncclSum, comms[1], nullptr));
  } else {
    NCCL(ncclGroupStart());
    NCCL(ncclAllReduce(at[0], at[0], 16, ncclFloat, ncclSum, comms[0], nullptr));
    if (mixed) NCCL(ncclAllReduce(at[1], at[1], 8, ncclFloat, ncclSum, comms[1], nullptr));
    NCCL(ncclGroupEnd());
  }
  for (int i = 0; i < 2; i++) {
    ncclResult_t error;
    HIP(hipSetDevice(i));
    (void)hipDeviceSynchronize();
    NCCL(ncclCommGetAsyncError(comms[i], &error));
    printf("%s\n", ncclGetErrorString(error));
  }
  return 0;
}

int main(int argc, char **argv) {
  HIP(hipGetDeviceCount(&ranks));
  const char *how = argc > 1 ? argv[1] : "groups";
  const int code = !strcmp(how, "threads") ? threads() : !strcmp(how, "processes") ? processes() : !strcmp(how, "groups") ? groups() : fault(how);
  if (code == 0 && !strcmp(how, "groups")) puts("end");
  return code;
}
