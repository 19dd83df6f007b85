// Runs porter/groups.h on 64 lanes and prints `test lane value`; the test computes the same.
#include <cstdio>
#include <thread>

#include "porter/groups.h"

namespace cg = porter::cg;

struct Counter {  // stands in for cuda::atomic
  std::mutex guard;
  int value = 1000;
  int fetch_add(int by) {
    std::lock_guard<std::mutex> lock(guard);
    return std::exchange(value, value + by);
  }
};
struct Pair {
  int low, high;
};

static long long results[64][128];
static const char* names[128];
static int shared_words[80], copied[2][80], stored[64];
static Counter counters[8];

static void lane(unsigned number) {
  mock::thread = dim3(number, 0, 0);
  int count = 0;
  auto note = [&](const char* name, long long value) {
    results[number][count] = value;
    if (number == 0) names[count] = name;
    ++count;
  };
  const int v = int(number * 37 % 23) - 5;
  auto block = cg::this_thread_block();
  note("block.rank", block.thread_rank());
  note("block.size", (long long)(block.size()));

  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto half = cg::tiled_partition<16>(warp);
  auto four = cg::tiled_partition<4>(half);
  note("warp.meta", warp.meta_group_rank() * 100 + warp.meta_group_size());
  note("four.meta", four.meta_group_rank() * 100 + four.meta_group_size());
  note("half.rank", half.thread_rank());
  note("warp.ballot", warp.ballot(v & 1));
  note("four.ballot", four.ballot(v & 1));
  note("four.any", four.any(v > 12));
  note("half.all", half.all(v > -5));
  note("half.match_any", half.match_any(v % 3));
  int agreed;
  note("four.match_all", four.match_all(v > -10, agreed) * 10 + agreed);
  note("half.shfl", half.shfl(v, 3));
  note("four.shfl_up", four.shfl_up(v, 1));
  note("half.shfl_down", half.shfl_down(v, 5));
  note("warp.shfl_xor", warp.shfl_xor(v, 9));
  Pair pair = half.shfl(Pair{v, int(number)}, 7);
  note("half.shfl pair", pair.low * 1000 + pair.high);
  note("warp.sum", cg::reduce(warp, v, cg::plus<int>()));
  note("half.max", cg::reduce(half, v, cg::greater<int>()));
  note("four.min", cg::reduce(four, v, cg::less<int>{}));
  note("four.xor", cg::reduce(four, v, cg::bit_xor<int>()));
  note("half.lambda", cg::reduce(half, v, [](int a, int b) { return a > b ? a : b; }));
  note("warp.inclusive", cg::inclusive_scan(warp, v));
  note("half.exclusive", cg::exclusive_scan(half, v, cg::plus<int>()));
  note("half.exclusive min", cg::exclusive_scan(half, v, cg::less<int>()));

  cg::thread_group dynamic = cg::tiled_partition(block, 8);
  note("dynamic", (long long)(dynamic.thread_rank() * 100 + dynamic.size()));
  cg::thread_group inner = cg::tiled_partition(dynamic, 4);
  note("dynamic inner", (long long)(inner.thread_rank() * 100 + inner.size() * 10 + inner.meta_group_rank()));

  if (mock::Branch b{v % 3 != 0}) {
    auto group = cg::coalesced_threads();
    int rank = int(group.thread_rank());
    note("group.place", rank * 100 + int(group.size()));
    note("group.ballot", group.ballot(v & 1));
    note("group.shfl", group.shfl(v, 4));
    note("group.shfl_up", group.shfl_up(v, 2));
    note("group.shfl_down", group.shfl_down(v, 3));
    note("group.match_any", group.match_any(v & 3));
    note("group.sum", cg::reduce(group, v, cg::plus<int>()));
    note("group.inclusive", cg::inclusive_scan(group, v));
    note("group.exclusive", cg::exclusive_scan(group, v));
    auto part = cg::tiled_partition(group, 4);
    note("part", int(part.thread_rank()) * 1000 + int(part.size()) * 100 + int(part.meta_group_rank()));
    auto labeled = cg::labeled_partition(group, v & 3);
    note("labeled", int(labeled.thread_rank()) * 1000 + int(labeled.size()) * 10 + int(labeled.meta_group_size()));
    note("labeled.sum", cg::reduce(labeled, v, cg::plus<int>()));
    auto split = cg::binary_partition(group, v > 4);
    note("split", int(split.thread_rank()) * 100 + int(split.size()));
  } else {
    for (int i = 0; i < 13; ++i) note("", 0);
  }

  cg::memcpy_async(block, copied[0], shared_words, sizeof(int) * 77);
  cg::memcpy_async(block, copied[1], 80, shared_words + 1, 50);
  cg::wait(block);
  note("copied", copied[0][number] + copied[1][number]);
  cg::reduce_store_async(half, &stored[number / 16], v, cg::plus<int>());
  cg::sync(block);
  note("stored", stored[number / 16]);
  int before = cg::exclusive_scan_update(half, counters[number / 16], v, cg::plus<int>());
  note("update.exclusive", before);
  note("update.inclusive", cg::inclusive_scan_update(half, counters[4 + number / 16], v));
  block.sync();
  note("update.total", counters[number / 16].value);
  note("broadcast", cg::invoke_one_broadcast(half, [&] { return v * 2; }));
  int once = 0;
  cg::invoke_one(half, [&](int by) { once += by; }, 5);
  note("once", once);
}

int main() {
  for (int i = 0; i < 80; ++i) shared_words[i] = i * i;
  std::vector<std::thread> lanes;
  for (unsigned i = 0; i < 64; ++i) lanes.emplace_back(lane, i);
  for (auto& t : lanes) t.join();
  for (unsigned i = 0; i < 64; ++i)
    for (int k = 0; k < 128; ++k)
      if (names[k] != nullptr) std::printf("%s|%u|%lld\n", names[k], i, results[i][k]);
}
