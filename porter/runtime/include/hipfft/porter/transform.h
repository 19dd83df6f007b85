// porter's stand-in for hipFFT: the transform itself, by kernels. An input of any layout becomes a dense complex array; each
// dimension is transformed by one kernel for each factor of its length (Stockham), and a last kernel writes the output's
// layout. A factor p costs p products an element: lengths with large prime factors are right and slow.
#ifndef PORTER_HIPFFT_TRANSFORM_H
#define PORTER_HIPFFT_TRANSFORM_H

#include <hip/hip_complex.h>
#include <hip/hip_runtime.h>

#include <cmath>
#include <vector>

namespace porter_fft {

constexpr int most_dimensions = 3;

template <class T>
struct complex_of;
template <>
struct complex_of<float> {
  using type = hipFloatComplex;
};
template <>
struct complex_of<double> {
  using type = hipDoubleComplex;
};

// Where element (x0, x1, x2) of one of the batch lies, in elements: of one dimension or two, the first lengths are 1.
struct layout {
  long long distance = 0, stride = 1;
  unsigned rows[most_dimensions] = {1, 1, 1};
  __host__ __device__ long long at(unsigned batch, const unsigned x[most_dimensions]) const {
    return batch * distance + (((long long)x[0] * rows[1] + x[1]) * rows[2] + x[2]) * stride;
  }
};
struct shape {
  unsigned n[most_dimensions] = {1, 1, 1}, batch = 1;
  __host__ __device__ unsigned long long one() const { return (unsigned long long)n[0] * n[1] * n[2]; }
  __host__ __device__ unsigned long long elements() const { return one() * batch; }
  __device__ unsigned place(unsigned i, unsigned x[most_dimensions]) const {
    x[2] = i % n[2], i /= n[2];
    x[1] = i % n[1], i /= n[1];
    x[0] = i % n[0];
    return i / n[0];
  }
};
enum class elements { complex, real, half };  // half: a spectrum of real values, whose last dimension ends at n / 2

template <class T, class C = typename complex_of<T>::type>
__global__ void load(C *out, const void *in, shape s, layout where, elements kind) {
  const unsigned total = (unsigned)s.elements();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
    unsigned x[most_dimensions];
    const unsigned batch = s.place(i, x);
    C value;
    if (kind == elements::real) {
      value.x = ((const T *)in)[where.at(batch, x)], value.y = 0;
    } else {
      const bool mirrored = kind == elements::half && x[2] > s.n[2] / 2;
      if (mirrored)
        for (int d = 0; d < most_dimensions; ++d) x[d] = x[d] ? s.n[d] - x[d] : 0;
      value = ((const C *)in)[where.at(batch, x)];
      if (mirrored) value.y = -value.y;
    }
    out[i] = value;
  }
}
template <class T, class C = typename complex_of<T>::type>
__global__ void store(void *out, const C *in, shape s, layout where, elements kind) {
  const unsigned total = (unsigned)s.elements();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
    unsigned x[most_dimensions];
    const unsigned batch = s.place(i, x);
    if (kind == elements::real) ((T *)out)[where.at(batch, x)] = in[i].x;
    else if (kind == elements::complex || x[2] <= s.n[2] / 2) ((C *)out)[where.at(batch, x)] = in[i];
  }
}
// With `done` points of every n transformed, as part * done + point, a factor more of them: point k of part s is the sum over
// r of w^(r k parts) times point k mod done of part s + r parts. `roots` are e^(-2 pi i k / n).
template <class T, class C = typename complex_of<T>::type>
__global__ void combine(C *out, const C *in, const C *roots, unsigned total, unsigned n, unsigned inner, unsigned done,
                        unsigned factor, bool inverse) {
  const unsigned parts = n / (done * factor);
  for (unsigned e = blockIdx.x * blockDim.x + threadIdx.x; e < total; e += gridDim.x * blockDim.x) {
    const unsigned line = e / inner, i = line % n;
    const unsigned s = i / (done * factor), k = i % (done * factor);
    const C *from = in + (e - (unsigned long long)i * inner) + (unsigned long long)(s * done + k % done) * inner;
    unsigned root = 0;
    C sum = {0, 0};
    for (unsigned r = 0; r < factor; ++r) {
      const C v = from[(unsigned long long)r * parts * done * inner];
      C w = roots[root];
      if (inverse) w.y = -w.y;
      sum.x += v.x * w.x - v.y * w.y;
      sum.y += v.x * w.y + v.y * w.x;
      root += k * parts;
      if (root >= n) root -= n;
    }
    out[e] = sum;
  }
}

inline std::vector<unsigned> factors(unsigned n) {
  std::vector<unsigned> found;
  for (; n % 4 == 0; n /= 4) found.push_back(4);
  for (unsigned p = 2; n > 1; ++p) {
    if ((unsigned long long)p * p > n) p = n;
    for (; n % p == 0; n /= p) found.push_back(p);
  }
  return found;
}
template <class C>
std::vector<C> roots_of_one(unsigned n) {
  std::vector<C> all(n);
  for (unsigned k = 0; k < n; ++k) {
    const double angle = -2 * 3.14159265358979323846 * k / n;
    all[k].x = (decltype(all[k].x))std::cos(angle), all[k].y = (decltype(all[k].y))std::sin(angle);
  }
  return all;
}

struct problem {
  shape s;
  layout in, out;
  elements in_kind, out_kind;
  bool inverse;
  const void *roots[most_dimensions];  // of each dimension
};

template <class T>
void transform(const problem &p, const void *in, void *out, void *work, hipStream_t stream) {
  using C = typename complex_of<T>::type;
  const unsigned total = (unsigned)p.s.elements();
  const unsigned blocks = total / 256 + 1 < 65536 ? total / 256 + 1 : 65536;
  C *now = (C *)work, *next = now + total;
  load<T><<<dim3(blocks), dim3(256), 0, stream>>>(now, in, p.s, p.in, p.in_kind);
  unsigned inner = 1;
  for (int d = most_dimensions - 1; d >= 0; --d) {
    const unsigned n = p.s.n[d];
    unsigned done = 1;
    for (const unsigned factor : factors(n)) {
      combine<T><<<dim3(blocks), dim3(256), 0, stream>>>(next, now, (const C *)p.roots[d], total, n, inner, done, factor, p.inverse);
      C *const filled = next;
      next = now, now = filled;
      done *= factor;
    }
    inner *= n;
  }
  store<T><<<dim3(blocks), dim3(256), 0, stream>>>(out, now, p.s, p.out, p.out_kind);
}

}  // namespace porter_fft

#endif  // PORTER_HIPFFT_TRANSFORM_H
