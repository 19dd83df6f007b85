/* Heat diffusion on a 3-D grid: pitched 3-D memory, managed memory with hints, peer checks, profiler ranges. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <hip/hip_runtime.h>
// porter[name-header]: nvtx3/nvToolsExt.h is roctracer/roctx.h: NVTX 3 is headers alone, roctx is a library: link with -lroctx64
#include <roctracer/roctx.h>

#define NX 96
#define NY 48
#define NZ 40
#define BX 32
#define BY 4
#define HALO 1

#define CK(cmd) \
  { hipError_t err = cmd; \
    if (err != hipSuccess && err != hipErrorPeerAccessAlreadyEnabled) { \
      fprintf(stderr, "%s(%i) : CK() Runtime API error %d: %s.\n", __FILE__, __LINE__, err, hipGetErrorString(err)); \
      exit(-1); } }

__device__ __managed__ int unstable = 0;
__constant__ double kappa;

__device__ static inline double *row(hipPitchedPtr p, int y, int z)
{
  return (double *)((char *)p.ptr + ((size_t)z * p.ysize + y) * p.pitch);
}

/* A plane of the block lives in shared memory, the neighbours in z in registers. */
__launch_bounds__(BX *BY, ((BX *BY) * 8 + 255) / 256)
__global__ void step(hipPitchedPtr from, hipPitchedPtr to, double dt)
{
  __shared__ double plane[BY + 2 * HALO][BX + 2 * HALO];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  const int tx = threadIdx.x + HALO, ty = threadIdx.y + HALO;
  const bool inside = x > 0 && x < NX - 1 && y > 0 && y < NY - 1;
  double below = 0, here = x < NX && y < NY ? row(from, y, 0)[x] : 0, above = x < NX && y < NY ? row(from, y, 1)[x] : 0;

  for (int z = 1; z < NZ - 1; ++z) {
    below = here;
    here = above;
    above = x < NX && y < NY ? row(from, y, z + 1)[x] : 0;
    __syncthreads();
    plane[ty][tx] = here;
    if (threadIdx.x == 0 && x > 0) plane[ty][0] = row(from, y, z)[x - 1];
    if (threadIdx.x == BX - 1 && x < NX - 1) plane[ty][BX + 1] = row(from, y, z)[x + 1];
    if (threadIdx.y == 0 && y > 0) plane[0][tx] = row(from, y - 1, z)[x];
    if (threadIdx.y == BY - 1 && y < NY - 1) plane[BY + 1][tx] = row(from, y + 1, z)[x];
    __syncthreads();
    if (inside) {
      double laplace = plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx] + below + above
                     - 6.0 * here;
      double next = here + kappa * dt * laplace;
      if (!isfinite(next)) atomicExch(&unstable, 1);
      row(to, y, z)[x] = next;
    }
  }
  assert(blockDim.x == BX);
}

static double initial(int x, int y, int z) { return exp(-0.01 * ((x - 48) * (x - 48) + (y - 20) * (y - 20) + (z - 20) * (z - 20))); }

int main(void)
{
  int devices, peer = 0;
  CK(hipGetDeviceCount(&devices));
  if (devices > 1) {
    CK(hipDeviceCanAccessPeer(&peer, 0, 1));
    if (peer) CK(hipDeviceEnablePeerAccess(1, 0));
  }
  CK(hipSetDeviceFlags(hipDeviceScheduleBlockingSync));
  size_t free_bytes, total_bytes;
  CK(hipMemGetInfo(&free_bytes, &total_bytes));

  const double k = 0.1, dt = 1.0;
  const int steps = 20;
  double *host = (double *)malloc(sizeof(double) * NX * NY * NZ);
  double *want = (double *)malloc(sizeof(double) * NX * NY * NZ), *scratch = (double *)malloc(sizeof(double) * NX * NY * NZ);
  for (int z = 0; z < NZ; ++z) for (int y = 0; y < NY; ++y) for (int x = 0; x < NX; ++x)
    host[(z * NY + y) * NX + x] = want[(z * NY + y) * NX + x] = scratch[(z * NY + y) * NX + x] = initial(x, y, z);

  struct hipExtent extent = make_hipExtent(NX * sizeof(double), NY, NZ);
  hipPitchedPtr a, b;
  CK(hipMalloc3D(&a, extent));
  CK(hipMalloc3D(&b, extent));
  CK(hipMemcpyToSymbol(HIP_SYMBOL(kappa), &k, sizeof(double)));
  struct hipMemcpy3DParms up = {0};
  up.srcPtr = make_hipPitchedPtr(host, NX * sizeof(double), NX * sizeof(double), NY);
  up.dstPtr = a;
  up.extent = extent;
  up.kind = hipMemcpyHostToDevice;
  CK(hipMemcpy3D(&up));
  up.dstPtr = b;
  CK(hipMemcpy3DAsync(&up, 0));

  // porter[name-runtime]: cudaProfilerStart becomes hipProfilerStart: returns hipErrorNotSupported; select the region with roctxProfilerResume and rocprofv3
  CK(hipProfilerStart());
  roctxRangePushA("diffusion");
  dim3 threads(BX, BY, 1), blocks((NX + BX - 1) / BX, (NY + BY - 1) / BY, 1);
  for (int s = 0; s < steps; ++s) {
    step<<<blocks, threads>>>(a, b, dt);
    hipPitchedPtr t = a; a = b; b = t;
  }
  CK(hipDeviceSynchronize());
  roctxRangePop();
  // porter[name-runtime]: cudaProfilerStop becomes hipProfilerStop: returns hipErrorNotSupported; select the region with roctxProfilerPause and rocprofv3
  CK(hipProfilerStop());

  hipMemcpy3DParms down = {};
  down.srcPtr = a;
  down.dstPtr = make_hipPitchedPtr(host, NX * sizeof(double), NX * sizeof(double), NY);
  down.extent = extent;
  down.kind = hipMemcpyDeviceToHost;
  CK(hipMemcpy3D(&down));

  for (int s = 0; s < steps; ++s) {
    double *f = s % 2 ? scratch : want, *t = s % 2 ? want : scratch;
    for (int z = 1; z < NZ - 1; ++z) for (int y = 1; y < NY - 1; ++y) for (int x = 1; x < NX - 1; ++x) {
      int i = (z * NY + y) * NX + x;
      t[i] = f[i] + k * dt * (f[i - 1] + f[i + 1] + f[i - NX] + f[i + NX] + f[i - NX * NY] + f[i + NX * NY] - 6 * f[i]);
    }
  }
  double worst = 0;
  for (int i = 0; i < NX * NY * NZ; ++i) worst = fmax(worst, fabs(host[i] - want[i]));
  CK(hipFree(a.ptr));
  CK(hipFree(b.ptr));
  free(host); free(want); free(scratch);
  printf("%s: largest difference %g, unstable %d\n", worst < 1e-12 && !unstable ? "PASS" : "FAIL", worst, unstable);
  return worst < 1e-12 && !unstable ? 0 : 1;
}
