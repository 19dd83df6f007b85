// Transforms by cuFFT of values that the test makes as well; each line is a name and what came out.
#include <cufft.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA(call) do { if ((call) != cudaSuccess) { printf("%s failed\n", #call); exit(1); } } while (0)
#define FFT(call) do { if ((call) != CUFFT_SUCCESS) { printf("%s failed\n", #call); exit(1); } } while (0)

template <class T>
std::vector<T> filled(size_t n) {
  std::vector<T> all(n);
  for (size_t i = 0; i < n; i++) all[i] = T(int(i * 37 % 101)) / T(101) - T(0.5);
  return all;
}
template <class T>
struct device {
  T *at;
  size_t n;
  explicit device(size_t n, bool fill = true) : n(n) {
    std::vector<T> values = fill ? filled<T>(n) : std::vector<T>(n, T(0));
    CUDA(cudaMalloc(&at, n * sizeof(T)));
    CUDA(cudaMemcpy(at, values.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~device() { cudaFree(at); }
  void say(const char *name) {
    std::vector<T> values(n);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(values.data(), at, n * sizeof(T), cudaMemcpyDeviceToHost));
    printf("%s", name);
    for (T v : values) printf(" %.17g", (double)v);
    printf("\n");
  }
};

int main() {
  cufftHandle plan;
  for (int n : {1, 2, 8, 12, 35, 64, 74}) {
    char name[32];
    device<float> in(2 * n * 3), out(2 * n * 3, false);
    FFT(cufftPlan1d(&plan, n, CUFFT_C2C, 3));
    FFT(cufftExecC2C(plan, (cufftComplex *)in.at, (cufftComplex *)out.at, CUFFT_FORWARD));
    snprintf(name, sizeof name, "c2c_%d", n), out.say(name);
    FFT(cufftExecC2C(plan, (cufftComplex *)out.at, (cufftComplex *)out.at, CUFFT_INVERSE));
    snprintf(name, sizeof name, "back_%d", n), out.say(name);
    FFT(cufftDestroy(plan));
  }
  {
    device<float> in(6 * 10), out(6 * 6 * 2, false);
    FFT(cufftPlan2d(&plan, 6, 10, CUFFT_R2C));
    FFT(cufftExecR2C(plan, in.at, (cufftComplex *)out.at));
    out.say("r2c_2d");
    FFT(cufftDestroy(plan));
    device<float> again(6 * 10, false);
    FFT(cufftPlan2d(&plan, 6, 10, CUFFT_C2R));
    FFT(cufftExecC2R(plan, (cufftComplex *)out.at, again.at));
    again.say("c2r_2d");
    FFT(cufftDestroy(plan));
  }
  {  // in place: rows of real values have room for the spectrum
    device<double> both(2 * 5 * 2 * 4);
    int n[] = {5, 7};
    FFT(cufftPlanMany(&plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_D2Z, 2));
    FFT(cufftExecD2Z(plan, both.at, (cufftDoubleComplex *)both.at));
    both.say("d2z_in_place");
    FFT(cufftDestroy(plan));
    FFT(cufftPlanMany(&plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_Z2D, 2));
    FFT(cufftExecZ2D(plan, (cufftDoubleComplex *)both.at, both.at));
    both.say("z2d_in_place");
    FFT(cufftDestroy(plan));
  }
  {  // columns of a matrix, written as rows, with a work area of one's own on a stream
    device<double> in(2 * 9 * 4), out(2 * 4 * 11, false);
    int n[] = {9}, rows[] = {9}, apart[] = {11};
    size_t bytes;
    void *work;
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    FFT(cufftCreate(&plan));
    FFT(cufftSetAutoAllocation(plan, 0));
    FFT(cufftMakePlanMany(plan, 1, n, rows, 4, 1, apart, 1, 11, CUFFT_Z2Z, 4, &bytes));
    if (cufftExecZ2Z(plan, (cufftDoubleComplex *)in.at, (cufftDoubleComplex *)out.at, CUFFT_FORWARD) == CUFFT_SUCCESS) return 2;
    CUDA(cudaMalloc(&work, bytes));
    FFT(cufftSetWorkArea(plan, work));
    FFT(cufftSetStream(plan, stream));
    FFT(cufftExecZ2Z(plan, (cufftDoubleComplex *)in.at, (cufftDoubleComplex *)out.at, CUFFT_FORWARD));
    out.say("columns");
    FFT(cufftDestroy(plan));
  }
  {
    device<double> both(2 * 4 * 6 * 5);
    FFT(cufftPlan3d(&plan, 4, 6, 5, CUFFT_Z2Z));
    FFT(cufftExecZ2Z(plan, (cufftDoubleComplex *)both.at, (cufftDoubleComplex *)both.at, CUFFT_INVERSE));
    both.say("z2z_3d");
    FFT(cufftDestroy(plan));
  }
  if (cufftPlan1d(&plan, 0, CUFFT_C2C, 1) != CUFFT_INVALID_SIZE) return 3;
}
