// Word counting on the GPU with Thrust and CUB: sort, reduce by key, select, block-wide primitives.
#include <hip/hip_runtime.h>
#include <hipcub/block/block_reduce.hpp>
#include <hipcub/block/block_scan.hpp>
#include <hipcub/hipcub.hpp>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/hip/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <vector>

#define CubDebugCall(e) do { if ((e) != hipSuccess) { std::cerr << "CUB failed in line " << __LINE__ << "\n"; std::exit(1); } } while (0)

template <int BLOCK_THREADS, int ITEMS, hipcub::BlockReduceAlgorithm ALGORITHM = hipcub::BLOCK_REDUCE_WARP_REDUCTIONS>
__global__ void BlockSums(const int* d_in, int* d_out, int* d_prefix, int n) {
  using BlockLoad = hipcub::BlockLoad<int, BLOCK_THREADS, ITEMS, hipcub::BLOCK_LOAD_TRANSPOSE>;
  typedef hipcub::BlockReduce<int, BLOCK_THREADS, ALGORITHM> BlockReduce;
  typedef hipcub::BlockScan<int, BLOCK_THREADS> BlockScan;
  __shared__ union {
    typename BlockLoad::TempStorage load;
    typename BlockReduce::TempStorage reduce;
    typename BlockScan::TempStorage scan;
  } temp;

  int items[ITEMS];
  const int base = blockIdx.x * BLOCK_THREADS * ITEMS;
  BlockLoad(temp.load).Load(d_in + base, items, n - base, 0);
  __syncthreads();
  int sum = BlockReduce(temp.reduce).Sum(items);
  __syncthreads();
  int prefix;
  BlockScan(temp.scan).ExclusiveSum(items[0], prefix);
  d_prefix[blockIdx.x * BLOCK_THREADS + threadIdx.x] = prefix;
  if (threadIdx.x == 0) d_out[blockIdx.x] = sum;
}

struct IsEven {
  __host__ __device__ __forceinline__ bool operator()(const int& v) const { return (v & 1) == 0; }
};

struct Larger {
  template <typename A, typename B>
  __host__ __device__ bool operator()(const A& a, const B& b) const {
    return thrust::get<1>(a) > thrust::get<1>(b) || (thrust::get<1>(a) == thrust::get<1>(b) && thrust::get<0>(a) < thrust::get<0>(b));
  }
};

int main() {
  const int n = 1 << 16;
  thrust::host_vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = (i * 7919 + 13) % 251;
  std::map<int, int> reference;
  for (int v : host) ++reference[v];

  hipStream_t stream;
  hipStreamCreate(&stream);
  thrust::device_vector<int> words = host;
  thrust::sort(thrust::hip::par.on(stream), words.begin(), words.end());
  thrust::device_vector<int> keys(n), counts(n);
  auto ends = thrust::reduce_by_key(thrust::device, words.begin(), words.end(), thrust::constant_iterator<int>(1), keys.begin(), counts.begin());
  const int unique = static_cast<int>(ends.first - keys.begin());
  auto zipped = thrust::make_zip_iterator(thrust::make_tuple(keys.begin(), counts.begin()));
  thrust::sort(zipped, zipped + unique, Larger());
  bool good = unique == (int)reference.size();
  for (int i = 0; i < unique; ++i) good = good && reference[keys[i]] == counts[i];

  // CUB's device-wide algorithms: ask for the size of the workspace, then run.
  int* d_words = thrust::raw_pointer_cast(words.data());
  thrust::device_vector<int> selected(n), chosen(1), total(1);
  void* workspace = nullptr;
  size_t bytes = 0, more = 0;
  CubDebugCall(hipcub::DeviceSelect::If(workspace, bytes, d_words, selected.data().get(), chosen.data().get(), n, IsEven(), stream));
  CubDebugCall(hipcub::DeviceReduce::Sum(nullptr, more, d_words, total.data().get(), n, stream));
  bytes = std::max(bytes, more);
  CubDebugCall(hipMallocAsync(&workspace, bytes, stream));
  CubDebugCall(hipcub::DeviceSelect::If(workspace, bytes, d_words, selected.data().get(), chosen.data().get(), n, IsEven(), stream));
  CubDebugCall(hipcub::DeviceReduce::Sum(workspace, bytes, d_words, total.data().get(), n, stream));
  CubDebugCall(hipFreeAsync(workspace, stream));
  CubDebugCall(hipStreamSynchronize(stream));

  constexpr int kThreads = 128, kItems = 4, kBlocks = n / (kThreads * kItems);
  thrust::device_vector<int> sums(kBlocks), prefixes(kBlocks * kThreads);
  BlockSums<kThreads, kItems><<<kBlocks, kThreads, 0, stream>>>(d_words, sums.data().get(), prefixes.data().get(), n);
  hipStreamSynchronize(stream);
  long long expected = 0, even = 0;
  for (int v : host) expected += v, even += v % 2 == 0;
  good = good && total[0] == expected && chosen[0] == even && thrust::reduce(sums.begin(), sums.end()) == expected;
  good = good && thrust::transform_reduce(selected.begin(), selected.begin() + chosen[0],
                                          [] __device__(int v) -> int { return v & 1; }, 0, thrust::plus<int>()) == 0;
  hipStreamDestroy(stream);
  std::cout << (good ? "PASS" : "FAIL") << std::endl;
  return good ? 0 : 1;
}
