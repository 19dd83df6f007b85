// Which GPUs HIP_VISIBLE_DEVICES leaves: their number, and where they are.
#include "check.h"

int main() {
  int count;
  HIP(hipGetDeviceCount(&count));
  printf("%d\n", count);
  for (int i = 0; i < count; i++) {
    char at[16];
    HIP(hipDeviceGetPCIBusId(at, sizeof at, i));
    puts(at);
  }
}
