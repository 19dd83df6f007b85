// A process for each rank: they find each other by what their environment says, and add up over all GPUs.
// The argument "fails": rank 1 ends with 3 while the others wait.
#include <unistd.h>

#include <rccl/rccl.h>

#include <string>

#include "check.h"

static int number(const char *name) { return atoi(getenv(name)); }

__global__ void fill(float *x, float value) { x[threadIdx.x] = value; }

int main(int count, char **argument) {
  const int rank = number("RANK"), ranks = number("WORLD_SIZE");
  if (number("OMPI_COMM_WORLD_RANK") != rank || number("OMPI_COMM_WORLD_SIZE") != ranks || !number("MASTER_PORT")) return 5;
  if (count > 2) {
    if (rank == 1) return 3;
    for (;;) pause();
  }
  int gpus;
  HIP(hipGetDeviceCount(&gpus));
  if (gpus != ranks) return 6;
  HIP(hipSetDevice(number("LOCAL_RANK")));
  ncclUniqueId id;
  const std::string made = argument[1], draft = made + ".draft";
  if (rank == 0) {
    if (ncclGetUniqueId(&id)) return 7;
    FILE *file = fopen(draft.c_str(), "w");
    fwrite(&id, sizeof id, 1, file);
    fclose(file);
    rename(draft.c_str(), made.c_str());
  } else {
    while (access(made.c_str(), R_OK)) usleep(1000);
    FILE *file = fopen(made.c_str(), "r");
    if (fread(&id, sizeof id, 1, file) != 1) return 8;
    fclose(file);
  }
  ncclComm_t all;
  if (ncclCommInitRank(&all, ranks, id, rank)) return 9;
  float *x = device<float>(64), got[64];
  fill<<<1, 64>>>(x, rank + 1.0f);
  if (ncclAllReduce(x, x, 64, ncclFloat, ncclSum, all, nullptr)) return 10;
  HIP(hipMemcpy(got, x, sizeof got, hipMemcpyDeviceToHost));
  printf("rank %d of %d has %g\n", rank, ranks, got[63]);
  ncclCommDestroy(all);
}
