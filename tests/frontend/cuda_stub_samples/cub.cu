// CUB: cooperation of a block and a warp, operations of a whole device.
#include <cub/cub.cuh>

__global__ void kernel(float *p) {
  typedef cub::BlockReduce<float, 128> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  float v = Reduce(storage).Sum(p[0]);
  v = Reduce(storage).Reduce(v, cub::Max());
  v = Reduce(storage).Reduce(v, cub::Sum(), 3);
  auto larger = [](float a, float b) { return a > b ? a : b; };
  p[0] = Reduce(storage).Reduce(v, larger);
  using Scan = cub::BlockScan<int, 128>;
  __shared__ Scan::TempStorage scan_storage;
  int a = 1, b, total;
  Scan(scan_storage).ExclusiveSum(a, b, total);
  using Load = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, 128, 4>;
  __shared__ union {
    Load::TempStorage load;
    Sort::TempStorage sort;
  } either;
  int items[4];
  Load(either.load).Load((int *)p, items);
  Sort(either.sort).Sort(items);
  __shared__ typename cub::WarpReduce<float>::TempStorage warp[4];
  p[1] = cub::WarpReduce<float>(warp[0]).Sum(v);
  typedef cub::KeyValuePair<int, float> Pair;
  typedef cub::BlockReduce<Pair, 128> Best;
  __shared__ Best::TempStorage best;
  p[2] = Best(best).Reduce(Pair(1, 2.f), cub::ArgMax()).value;
  using Layout = cub::BlockRakingLayout<float, 128>;
  static_assert(Layout::RAKING_THREADS == 32 && Layout::SEGMENT_LENGTH == 4 && Layout::USE_SEGMENT_PADDING, "");
  __shared__ Layout::TempStorage raking;
  *Layout::PlacementPtr(raking, threadIdx.x) = v;
  p[3] = Layout::RakingPtr(raking, threadIdx.x)[0] + cub::WarpMask<16>(1);
}

void host(float *p, int *keys) {
  void *temporary = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(temporary, bytes, p, p, 10);
  cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, keys, p, p, 10);
  cub::DeviceScan::ExclusiveSum(temporary, bytes, p, p, 10);
  cub::DeviceSelect::If(temporary, bytes, p, p, keys, 10, [] __device__(float v) { return v > 0; });
  cub::DoubleBuffer<int> buffer(keys, keys);
  cub::DeviceRadixSort::SortKeys(temporary, bytes, buffer, 10);
  cub::TransformInputIterator<float, cub::CastOp<float>, int *> cast(keys, cub::CastOp<float>());
  cub::DeviceReduce::Max(temporary, bytes, cast, p, 10);
  cub::CachingDeviceAllocator allocator(true);
  allocator.DeviceAllocate((void **)&p, 3);
}
