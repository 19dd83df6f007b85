// Prints what hipCUB's algorithms and collectives make of known numbers. hipcub.txt has what hipCUB of ROCm 6.3 prints.
#include <chrono>
#include <iostream>
#include <vector>
#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>
#include <cstdio>
#include <string>

template <class F> void twice(F f) {
  void *room = nullptr;
  size_t size = 0;
  hipError_t error = f(room, size);
  if (error != hipSuccess || size == 0) std::printf("no size\n");
  if (hipMalloc(&room, size) != hipSuccess) std::printf("no room\n");
  error = f(room, size);
  if (error != hipSuccess) std::printf("error %d\n", error);
  (void)hipDeviceSynchronize();
  (void)hipFree(room);
}
template <class T> struct Array {
  T *p = nullptr;
  size_t n;
  explicit Array(size_t count, T fill = T()) : n(count) { std::vector<T> v(n, fill); put(v); }
  Array(const std::vector<T> &v) : n(v.size()) { put(v); }
  void put(const std::vector<T> &v) { (void)hipMalloc((void **)&p, n * sizeof(T)); (void)hipMemcpy(p, v.data(), n * sizeof(T), hipMemcpyHostToDevice); }
  std::vector<T> get() const { std::vector<T> v(n); (void)hipMemcpy(v.data(), p, n * sizeof(T), hipMemcpyDeviceToHost); return v; }
};
template <class T> void show(const char *name, const Array<T> &a, size_t count = ~size_t(0)) {
  std::vector<T> v = a.get();
  double hash = 0;
  if (count > v.size()) count = v.size();
  std::printf("%s:", name);
  for (size_t i = 0; i < count; ++i) { hash += double(v[i]) * double(i % 97 + 1); if (i < 12) std::printf(" %g", double(v[i])); }
  std::printf(" ... %g\n", hash);
}
struct Odd { __host__ __device__ bool operator()(int a) const { return a & 1; } };
struct Small { __host__ __device__ bool operator()(int a) const { return a < 20; } };
struct Greater { template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const { return a > b; } };
struct Twice { __host__ __device__ float operator()(int a) const { return 2.5f * float(a); } };
struct Differ { template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const { return a / 4 != b / 4; } };
struct Running { int total; __device__ int operator()(int sum) { int before = total; total += sum; return before; } };

constexpr int N = 3000;
static int value(int i) { return (i * 7919 + 13) % 101; }

void sorts() {
  std::vector<int> k(N), v(N);
  std::vector<float> f(N);
  std::vector<unsigned char> b(N);
  std::vector<unsigned long long> u(N);
  for (int i = 0; i < N; ++i) {
    k[i] = (i * 7919) % 257 - 100;
    v[i] = i;
    f[i] = i % 50 == 0 ? -0.0f : i % 51 == 0 ? 0.0f : float(k[i]) * 0.5f;
    b[i] = static_cast<unsigned char>(i * 37);
    u[i] = (unsigned long long)(i * 7919 % 1013) << 40 | unsigned(i % 3);
  }
  Array<int> keys(k), values(v), ko(N), vo(N);
  Array<float> fk(f), fo(N);
  Array<unsigned char> bk(b), bo(N);
  Array<unsigned long long> uk(u), uo(N);
  using S = hipcub::DeviceRadixSort;
  twice([&](void *t, size_t &n) { return S::SortPairs(t, n, keys.p, ko.p, values.p, vo.p, N); });
  show("pairs", ko), show("pairs values", vo);
  twice([&](void *t, size_t &n) { return S::SortPairsDescending(t, n, keys.p, ko.p, values.p, vo.p, N); });
  show("pairs down", ko), show("pairs down values", vo);
  twice([&](void *t, size_t &n) { return S::SortPairs(t, n, keys.p, ko.p, values.p, vo.p, N, 2, 7); });
  show("pairs bits", ko), show("pairs bits values", vo);
  twice([&](void *t, size_t &n) { return S::SortPairs(t, n, fk.p, fo.p, values.p, vo.p, N); });
  show("floats", fo), show("floats values", vo);
  twice([&](void *t, size_t &n) { return S::SortPairsDescending(t, n, fk.p, fo.p, values.p, vo.p, N); });
  show("floats down values", vo);
  twice([&](void *t, size_t &n) { return S::SortKeys(t, n, bk.p, bo.p, N); });
  show("bytes", bo);
  twice([&](void *t, size_t &n) { return S::SortKeysDescending(t, n, uk.p, uo.p, N); });
  show("longs", uo);
  Array<int> ka(k), kb(N), va(v), vb(N);
  hipcub::DoubleBuffer<int> dk(ka.p, kb.p), dv(va.p, vb.p);
  twice([&](void *t, size_t &n) { return S::SortPairs(t, n, dk, dv, N); });
  std::vector<int> got(N);
  (void)hipMemcpy(got.data(), dk.Current(), N * sizeof(int), hipMemcpyDeviceToHost);
  std::printf("buffers: %d %d %d\n", got[0], got[1000], got[N - 1]);
  Array<int> begins(std::vector<int>{0, 10, 10, 700, 2990, N});
  twice([&](void *t, size_t &n) { return hipcub::DeviceSegmentedRadixSort::SortPairs(t, n, keys.p, ko.p, values.p, vo.p, N, 5, begins.p, begins.p + 1); });
  show("segments", ko), show("segments values", vo);
  twice([&](void *t, size_t &n) { return hipcub::DeviceSegmentedSort::SortKeysDescending(t, n, keys.p, ko.p, N, 5, begins.p, begins.p + 1); });
  show("segmented sort", ko);
  Array<int> mk(k), mv(v);
  twice([&](void *t, size_t &n) { return hipcub::DeviceMergeSort::StableSortPairs(t, n, mk.p, mv.p, N, Greater()); });
  show("merge sort", mk), show("merge sort values", mv);
}

void selections() {
  std::vector<int> k(N), flags(N), runs(N);
  for (int i = 0; i < N; ++i) k[i] = value(i), flags[i] = i % 3 == 0, runs[i] = value(i / 7) / 30;
  Array<int> in(k), flag(flags), run(runs), out(N), second(N), rest(N), count(2), lengths(N);
  twice([&](void *t, size_t &n) { return hipcub::DeviceSelect::If(t, n, in.p, out.p, count.p, N, Odd()); });
  show("select if", out, size_t(count.get()[0])), show("count", count, 1);
  twice([&](void *t, size_t &n) { return hipcub::DeviceSelect::Flagged(t, n, in.p, flag.p, out.p, count.p, N); });
  show("flagged", out, size_t(count.get()[0]));
  twice([&](void *t, size_t &n) { return hipcub::DeviceSelect::Unique(t, n, run.p, out.p, count.p, N); });
  show("unique", out, size_t(count.get()[0]));
  twice([&](void *t, size_t &n) { return hipcub::DeviceSelect::UniqueByKey(t, n, run.p, in.p, out.p, second.p, count.p, N); });
  show("unique by key", second, size_t(count.get()[0]));
  twice([&](void *t, size_t &n) { return hipcub::DevicePartition::If(t, n, in.p, out.p, count.p, N, Odd()); });
  show("partition", out), show("count", count, 1);
  twice([&](void *t, size_t &n) { return hipcub::DevicePartition::Flagged(t, n, in.p, flag.p, out.p, count.p, N); });
  show("partition flagged", out);
  twice([&](void *t, size_t &n) { return hipcub::DevicePartition::If(t, n, in.p, out.p, second.p, rest.p, count.p, N, Small(), Odd()); });
  show("three parts", count), show("second", second, size_t(count.get()[1])), show("rest", rest, size_t(N - count.get()[0] - count.get()[1]));
  twice([&](void *t, size_t &n) { return hipcub::DeviceRunLengthEncode::Encode(t, n, run.p, out.p, lengths.p, count.p, N); });
  show("runs", out, size_t(count.get()[0])), show("lengths", lengths, size_t(count.get()[0]));
  twice([&](void *t, size_t &n) { return hipcub::DeviceRunLengthEncode::NonTrivialRuns(t, n, run.p, out.p, lengths.p, count.p, N); });
  show("offsets", out, size_t(count.get()[0]));
  Array<short> shorts(std::vector<short>(N, 30000));
  Array<int> sums(N);
  twice([&](void *t, size_t &n) { return hipcub::DeviceReduce::ReduceByKey(t, n, run.p, out.p, in.p, sums.p, count.p, hipcub::Sum(), N); });
  show("by key", sums, size_t(count.get()[0]));
  twice([&](void *t, size_t &n) { return hipcub::DeviceReduce::ReduceByKey(t, n, run.p, out.p, shorts.p, sums.p, count.p, hipcub::Sum(), N); });
  show("shorts by key", sums, size_t(count.get()[0]));
  twice([&](void *t, size_t &n) { return hipcub::DeviceScan::InclusiveSumByKey(t, n, run.p, in.p, sums.p, N); });
  show("inclusive by key", sums);
  twice([&](void *t, size_t &n) { return hipcub::DeviceScan::ExclusiveSumByKey(t, n, run.p, in.p, sums.p, N); });
  show("exclusive by key", sums);
  twice([&](void *t, size_t &n) { return hipcub::DeviceScan::ExclusiveScanByKey(t, n, run.p, in.p, sums.p, hipcub::Max(), 17, N); });
  show("exclusive max by key", sums);
  twice([&](void *t, size_t &n) { return hipcub::DeviceScan::InclusiveSumByKey(t, n, run.p, shorts.p, sums.p, N); });
  show("shorts inclusive by key", sums);
  twice([&](void *t, size_t &n) { return hipcub::DeviceAdjacentDifference::SubtractLeftCopy(t, n, in.p, out.p, unsigned(N)); });
  show("left", out);
}

void reductions() {
  std::vector<int> k(N);
  std::vector<float> f(N);
  for (int i = 0; i < N; ++i) k[i] = value(i), f[i] = float(value(i)) * 0.25f - 3;
  Array<int> in(k), sums(8);
  Array<float> floats(f), fsums(8);
  using KV = hipcub::KeyValuePair<int, float>;
  KV *best, host;
  (void)hipMalloc((void **)&best, 8 * sizeof(KV));
  twice([&](void *t, size_t &n) { return hipcub::DeviceReduce::ArgMax(t, n, floats.p, best, N); });
  (void)hipMemcpy(&host, best, sizeof host, hipMemcpyDeviceToHost);
  std::printf("arg max %d %g\n", host.key, host.value);
  twice([&](void *t, size_t &n) { return hipcub::DeviceReduce::ArgMin(t, n, floats.p, best, N); });
  (void)hipMemcpy(&host, best, sizeof host, hipMemcpyDeviceToHost);
  std::printf("arg min %d %g\n", host.key, host.value);
  twice([&](void *t, size_t &n) { return hipcub::DeviceReduce::ArgMin(t, n, floats.p, best, 0); });
  (void)hipMemcpy(&host, best, sizeof host, hipMemcpyDeviceToHost);
  std::printf("arg min of none %d %g\n", host.key, host.value);
  Array<int> begins(std::vector<int>{0, 10, 10, 700, 2990, N});
  twice([&](void *t, size_t &n) { return hipcub::DeviceSegmentedReduce::Sum(t, n, floats.p, fsums.p, 5, begins.p, begins.p + 1); });
  show("segment sums", fsums, 5);
  twice([&](void *t, size_t &n) { return hipcub::DeviceSegmentedReduce::Sum(t, n, floats.p, sums.p, 5, begins.p, begins.p + 1); });
  show("segment sums in int", sums, 5);
  twice([&](void *t, size_t &n) { return hipcub::DeviceSegmentedReduce::Max(t, n, in.p, sums.p, 5, begins.p, begins.p + 1); });
  show("segment max", sums, 5);
  twice([&](void *t, size_t &n) { return hipcub::DeviceSegmentedReduce::Reduce(t, n, in.p, sums.p, 5, begins.p, begins.p + 1, hipcub::Min(), 50); });
  show("segment min", sums, 5);
  KV all[5];
  twice([&](void *t, size_t &n) { return hipcub::DeviceSegmentedReduce::ArgMin(t, n, floats.p, best, 5, begins.p, begins.p + 1); });
  (void)hipMemcpy(all, best, sizeof all, hipMemcpyDeviceToHost);
  for (KV one : all) std::printf("segment arg min %d %g\n", one.key, one.value);
  hipcub::TransformInputIterator<float, Twice, int *> doubled(in.p, Twice());
  twice([&](void *t, size_t &n) { return hipcub::DeviceReduce::Sum(t, n, doubled, fsums.p, N); });
  show("transformed", fsums, 1);
  hipcub::CountingInputIterator<int> counting(5);
  twice([&](void *t, size_t &n) { return hipcub::DeviceReduce::Sum(t, n, counting, sums.p, 100); });
  show("counting", sums, 1);
  twice([&](void *t, size_t &n) { return hipcub::DeviceReduce::Reduce(t, n, in.p, sums.p, N, hipcub::Max(), -7); });
  show("reduce max", sums, 1);
}

void histograms() {
  std::vector<float> f(N);
  std::vector<unsigned char> b(N);
  for (int i = 0; i < N; ++i) f[i] = float(value(i)) * 0.1f, b[i] = static_cast<unsigned char>(i * 37);
  Array<float> floats(f), levels(std::vector<float>{0.5f, 1, 4.25f, 9});
  Array<unsigned char> bytes(b);
  Array<int> bins(256);
  twice([&](void *t, size_t &n) { return hipcub::DeviceHistogram::HistogramEven(t, n, floats.p, bins.p, 9, 1.0f, 8.0f, N); });
  show("even", bins, 8);
  twice([&](void *t, size_t &n) { return hipcub::DeviceHistogram::HistogramEven(t, n, bytes.p, bins.p, 257, 0, 256, N); });
  show("bytes", bins);
  twice([&](void *t, size_t &n) { return hipcub::DeviceHistogram::HistogramEven(t, n, bytes.p, bins.p, 8, 3, 250, N); });
  show("bytes even", bins, 7);
  twice([&](void *t, size_t &n) { return hipcub::DeviceHistogram::HistogramRange(t, n, floats.p, bins.p, 4, levels.p, N); });
  show("range", bins, 3);
}

__global__ void warps(const int *in, int *out) {
  using R = hipcub::WarpReduce<int, 32>;
  using S = hipcub::WarpScan<int, 16>;
  using E = hipcub::WarpExchange<int, 4, 32>;
  using M = hipcub::WarpMergeSort<int, 4, 32>;
  using L = hipcub::WarpLoad<int, 4, hipcub::WARP_LOAD_TRANSPOSE, 32>;
  using P = hipcub::WarpStore<int, 4, hipcub::WARP_STORE_STRIPED, 32>;
  __shared__ R::TempStorage r[4];
  __shared__ S::TempStorage s[8];
  __shared__ E::TempStorage e[4];
  __shared__ M::TempStorage m[4];
  __shared__ L::TempStorage l[4];
  __shared__ P::TempStorage p[4];
  const int t = threadIdx.x, w = t / 32;
  int v = in[t], a, b, all, o = 0;
  auto put = [&](int x) { out[128 * o++ + t] = x; };
  int sum = R(r[w]).Sum(v);
  put(t % 32 ? 0 : sum);
  sum = R(r[w]).Reduce(v, hipcub::Max(), 10);
  put(t % 32 ? 0 : sum);
  sum = R(r[w]).HeadSegmentedSum(v, t % 5 == 0);
  put(t % 5 && t % 32 ? 0 : sum);
  sum = R(r[w]).TailSegmentedReduce(v, t % 7 == 6, hipcub::Max());
  put(t % 32 && t % 7 ? 0 : sum);
  S(s[t / 16]).InclusiveSum(v, a, all), put(a), put(all);
  S(s[t / 16]).ExclusiveScan(v, a, 40, hipcub::Max()), put(a);
  S(s[t / 16]).Scan(v, a, b, 5, hipcub::Sum()), put(a), put(b);
  put(S(s[t / 16]).Broadcast(v, 3));
  int q[4], z[4];
  L(l[w]).Load(in + 128 * w, q);
  for (int i = 0; i < 4; ++i) put(q[i]);
  E(e[w]).BlockedToStriped(q, z);
  for (int i = 0; i < 4; ++i) put(z[i]);
  M(m[w]).Sort(q, Greater());
  for (int i = 0; i < 4; ++i) put(q[i]);
  P(p[w]).Store(out + 128 * o + 128 * w, q);
}

__global__ void blocks(const int *in, int *out) {
  using R = hipcub::BlockReduce<int, 128>;
  using S = hipcub::BlockScan<int, 128>;
  using E = hipcub::BlockExchange<int, 128, 4>;
  using D = hipcub::BlockDiscontinuity<int, 128>;
  using A = hipcub::BlockAdjacentDifference<int, 128>;
  using K = hipcub::BlockRadixSort<int, 128, 4, int>;
  using M = hipcub::BlockMergeSort<int, 128, 4>;
  using H = hipcub::BlockHistogram<unsigned char, 128, 4, 128>;
  using U = hipcub::BlockShuffle<int, 128>;
  using L = hipcub::BlockLoad<int, 128, 4, hipcub::BLOCK_LOAD_TRANSPOSE>;
  using P = hipcub::BlockStore<int, 128, 4, hipcub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union { R::TempStorage r; S::TempStorage s; E::TempStorage e; D::TempStorage d; A::TempStorage a; K::TempStorage k; M::TempStorage m; H::TempStorage h; U::TempStorage u; L::TempStorage l; P::TempStorage p; } room;
  __shared__ unsigned bins[128];
  const int t = threadIdx.x;
  int o = 0, a, all, q[4], z[4], y[4], c[4];
  auto put = [&](int x) { out[128 * o++ + t] = x; __syncthreads(); };
  auto put4 = [&](int (&x)[4]) { for (int i = 0; i < 4; ++i) out[128 * o + t * 4 + i] = x[i]; o += 4; __syncthreads(); };
  int v = in[t], sum = R(room.r).Sum(v);
  put(t ? 0 : sum);
  sum = R(room.r).Reduce(v, hipcub::Max(), 20), put(t ? 0 : sum);
  S(room.s).ExclusiveSum(v, a, all), put(a), put(all);
  S(room.s).ExclusiveScan(v, a, 33, hipcub::Max()), put(a);
  Running running{1000};
  S(room.s).InclusiveSum(v, a, running), put(a);
  running.total = 500;
  S(room.s).ExclusiveSum(v, a, running), put(a);
  L(room.l).Load(in, q);
  __syncthreads();
  put4(q);
  S(room.s).InclusiveSum(q, z, all), put(all), put4(z);
  S(room.s).ExclusiveScan(q, z, 9, hipcub::Max()), put4(z);
  running.total = 70;
  __syncthreads();
  S(room.s).ExclusiveSum(q, z, running), put4(z);
  E(room.e).BlockedToStriped(q, z), put4(z);
  __syncthreads();
  E(room.e).StripedToBlocked(q, z), put4(z);
  __syncthreads();
  E(room.e).BlockedToWarpStriped(q, z), put4(z);
  __syncthreads();
  for (int i = 0; i < 4; ++i) c[i] = 511 - (t * 4 + i);
  E(room.e).ScatterToBlocked(q, z, c), put4(z);
  __syncthreads();
  D(room.d).FlagHeads(z, q, Differ()), put4(z);
  D(room.d).FlagTails(z, q, Differ(), 3), put4(z);
  D(room.d).FlagHeadsAndTails(z, 2, y, q, hipcub::Inequality()), put4(z), put4(y);
  A(room.a).SubtractLeft(q, z, hipcub::Difference()), put4(z);
  A(room.a).SubtractRight(q, z, hipcub::Difference(), 4), put4(z);
  A(room.a).SubtractLeftPartialTile(q, z, hipcub::Difference(), 301), put4(z);
  U(room.u).Rotate(v, a, 5), put(a);
  a = -1;
  U(room.u).Offset(v, a, -2), put(a);
  for (int i = 0; i < 4; ++i) z[i] = q[i], y[i] = t * 4 + i;
  K(room.k).Sort(z, y), put4(z), put4(y);
  K(room.k).SortDescending(z, y, 1, 5), put4(z), put4(y);
  K(room.k).SortBlockedToStriped(z), put4(z);
  for (int i = 0; i < 4; ++i) z[i] = q[i];
  M(room.m).Sort(z, Greater()), put4(z);
  unsigned char b[4];
  for (int i = 0; i < 4; ++i) b[i] = static_cast<unsigned char>(q[i]);
  H(room.h).Histogram(b, bins);
  __syncthreads();
  put(int(bins[t]));
  P(room.p).Store(out + 128 * o, q);
}

__global__ void types(int *out) {
  out[0] = hipcub::Traits<float>::CATEGORY, out[1] = hipcub::Traits<int>::CATEGORY, out[2] = hipcub::Traits<unsigned char>::CATEGORY;
  out[3] = hipcub::Traits<float>::TwiddleIn(0xbf800000u) == 0x407fffffu, out[4] = int(hipcub::Traits<int>::TwiddleIn(5));
  out[5] = hipcub::Traits<int>::Max() == 0x7fffffff, out[6] = hipcub::Traits<float>::Lowest() < -3e38f, out[7] = hipcub::Log2<100>::VALUE;
  out[8] = hipcub::Int2Type<6>::VALUE, out[9] = hipcub::Max()(3, 7L), out[10] = hipcub::Sum()(true, true), out[11] = hipcub::Log2<64>::VALUE;
  out[12] = hipcub::PowerOfTwo<48>::VALUE, out[13] = hipcub::DivideAndRoundUp(7, 2), out[14] = int(hipcub::Traits<unsigned long long>::MAX_KEY >> 60);
}

int main() {
  sorts();
  selections();
  reductions();
  histograms();
  std::vector<int> v(512);
  for (int i = 0; i < 512; ++i) v[i] = value(i);
  Array<int> in(v), w(128 * 40), b(128 * 120), kinds(15);
  warps<<<1, 128>>>(in.p, w.p);
  for (int i = 0; i < 26; ++i) { std::vector<int> all = w.get(); show(("warps " + std::to_string(i)).c_str(), Array<int>(std::vector<int>(all.begin() + 128 * i, all.begin() + 128 * i + 128))); }
  blocks<<<1, 128>>>(in.p, b.p);
  for (int i = 0; i < 118; ++i) { std::vector<int> all = b.get(); show(("blocks " + std::to_string(i)).c_str(), Array<int>(std::vector<int>(all.begin() + 128 * i, all.begin() + 128 * i + 128))); }
  types<<<1, 1>>>(kinds.p);
  show("types", kinds);
  hipcub::CachingDeviceAllocator allocator;
  void *p = nullptr;
  std::printf("allocator %d %d\n", HipcubDebug(allocator.DeviceAllocate(&p, 100)), HipcubDebug(allocator.DeviceFree(p)));
}
