// porter's stand-in for hipCUB: histograms on the device.
#ifndef PORTER_HIPCUB_DEVICE_HISTOGRAM
#define PORTER_HIPCUB_DEVICE_HISTOGRAM
#pragma clang system_header

#include "device_reduce.hpp"

namespace hipcub {

namespace detail {
// The bin of a sample, or -1.
template <class Level>
struct even_bins {
  int levels;
  Level lower, upper;
  template <class T>
  PORTER_D int operator()(T sample) const {
    using Both = std::common_type_t<Level, T>;
    if (Both(sample) < Both(lower) || !(Both(sample) < Both(upper))) return -1;
    if constexpr (std::is_floating_point<Both>::value) {
      int bin = int((Both(sample) - Both(lower)) * (Both(levels - 1) / (Both(upper) - Both(lower))));
      return bin < levels - 1 ? bin : levels - 2;
    } else {
      // Bins are whole numbers wide, unlike CUB's. What lies past the last one is counted as the first: rocPRIM does that.
      int bin = int((unsigned long long)(sample - lower) / (unsigned long long)((upper - lower) / Level(levels - 1)));
      return bin % (levels - 1);
    }
  }
};
template <class Level>
struct range_bins {
  int levels;
  const Level *bounds;
  template <class T>
  PORTER_D int operator()(T sample) const {
    int low = 0, high = levels;
    while (low < high) {
      int middle = (low + high) / 2;
      if (sample < bounds[middle]) high = middle;
      else low = middle + 1;
    }
    return low == 0 || low == levels ? -1 : low - 1;
  }
};
template <int Channels, class Samples, class Counter, class Bins>
hipError_t count_channel(Samples samples, Counter *histogram, int channel, Bins bins, size_t row, size_t rows, size_t stride, hipStream_t stream) {
  using T = value_of<Samples>;
  if (bins.levels < 2) return hipErrorInvalidValue;
  hipError_t error = porter::parallel::each(size_t(bins.levels - 1), [=] __device__(size_t i) { histogram[i] = 0; }, stream);
  if (error != hipSuccess) return error;
  return porter::parallel::each(
      row * rows,
      [=] __device__(size_t i) {
        int bin = bins(samples[i / row * (stride / sizeof(T)) + i % row * Channels + size_t(channel)]);
        // an addition that no unit of mirrored warps gives another meaning
        if (bin >= 0) __hip_atomic_fetch_add(histogram + bin, Counter(1), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
      },
      stream);
}
}  // namespace detail

struct DeviceHistogram {
  template <class Samples, class Counter, class Level, class N>
  static hipError_t HistogramEven(void *temp, size_t &size, Samples samples, Counter *histogram, int levels, Level lower, Level upper, N row, N rows,
                                  size_t stride, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    return detail::count_channel<1>(samples, histogram, 0, detail::even_bins<Level>{levels, lower, upper}, size_t(row), size_t(rows), stride, stream);
  }
  template <class Samples, class Counter, class Level, class N>
  static hipError_t HistogramEven(void *temp, size_t &size, Samples samples, Counter *histogram, int levels, Level lower, Level upper, N n,
                                  hipStream_t stream = 0) {
    return HistogramEven(temp, size, samples, histogram, levels, lower, upper, n, N(1), size_t(n) * sizeof(detail::value_of<Samples>), stream);
  }
  template <class Samples, class Counter, class Level, class N>
  static hipError_t HistogramRange(void *temp, size_t &size, Samples samples, Counter *histogram, int levels, Level *bounds, N row, N rows, size_t stride,
                                   hipStream_t stream = 0) {
    PORTER_ROOM(1)
    return detail::count_channel<1>(samples, histogram, 0, detail::range_bins<Level>{levels, bounds}, size_t(row), size_t(rows), stride, stream);
  }
  template <class Samples, class Counter, class Level, class N>
  static hipError_t HistogramRange(void *temp, size_t &size, Samples samples, Counter *histogram, int levels, Level *bounds, N n, hipStream_t stream = 0) {
    return HistogramRange(temp, size, samples, histogram, levels, bounds, n, N(1), size_t(n) * sizeof(detail::value_of<Samples>), stream);
  }
  template <int Channels, int Active, class Samples, class Counter, class Level, class N>
  static hipError_t MultiHistogramEven(void *temp, size_t &size, Samples samples, Counter *histogram[Active], int levels[Active], Level lower[Active],
                                       Level upper[Active], N pixels, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    hipError_t error = hipSuccess;
    for (int c = 0; c < Active && error == hipSuccess; ++c) {
      detail::even_bins<Level> bins{levels[c], lower[c], upper[c]};
      error = detail::count_channel<Channels>(samples, histogram[c], c, bins, size_t(pixels), 1, 0, stream);
    }
    return error;
  }
  template <int Channels, int Active, class Samples, class Counter, class Level, class N>
  static hipError_t MultiHistogramRange(void *temp, size_t &size, Samples samples, Counter *histogram[Active], int levels[Active], Level *bounds[Active],
                                        N pixels, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    hipError_t error = hipSuccess;
    for (int c = 0; c < Active && error == hipSuccess; ++c) {
      detail::range_bins<Level> bins{levels[c], bounds[c]};
      error = detail::count_channel<Channels>(samples, histogram[c], c, bins, size_t(pixels), 1, 0, stream);
    }
    return error;
  }
};

}  // namespace hipcub

#endif
