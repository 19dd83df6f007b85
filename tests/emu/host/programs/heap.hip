// malloc, free, new and delete in kernels; by its name, what no kernel may do with them.
#include "check.h"

#include <string>
#include <vector>

struct Node {
  int value;
  Node *next;
};

__global__ void push(Node **lists, int length) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  lists[t] = nullptr;
  for (int i = 0; i < length; i++) {
    Node *node = (Node *)malloc(sizeof(Node));
    *node = {t + i, lists[t]};
    lists[t] = node;
  }
}
__global__ void pop(Node **lists, int *sums) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  sums[t] = 0;
  for (Node *node = lists[t]; node;) {
    Node *next = node->next;
    sums[t] += node->value;
    free(node);
    node = next;
  }
}
__global__ void squares(int *out, int turns) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = 0;
  for (int turn = 0; turn < turns; turn++) {
    int *own = new int[t % 7 + 1];
    for (int i = 0; i <= t % 7; i++) own[i] = i * i;
    for (int i = 0; i <= t % 7; i++) out[t] += own[i];
    delete[] own;
  }
}
__global__ void take(void **out, size_t size) { out[threadIdx.x] = malloc(size); }
__global__ void give(void **out) { free(out[threadIdx.x]); }
__global__ void store(int **block, int index) { block[0][index] = 1; }

template <class T>
std::vector<T> host(const T *memory, int count) {
  std::vector<T> values(count);
  HIP(hipMemcpy(values.data(), memory, count * sizeof(T), hipMemcpyDefault));
  return values;
}

int given(void **blocks) {
  int count = 0;
  for (const void *block : host(blocks, 64)) count += block != nullptr;
  return count;
}

void lists(int threads) {
  Node **lists = device<Node *>(threads);
  int *sums = device<int>(threads);
  push<<<threads / 64, 64>>>(lists, 5);
  pop<<<threads / 64, 64>>>(lists, sums);
  int wrong = 0, t = 0;
  for (const int sum : host(sums, threads)) wrong += sum != 5 * t++ + 10;
  EXPECT(wrong == 0);
  squares<<<threads / 64, 64>>>(sums, 20);
  wrong = t = 0;
  for (const int sum : host(sums, threads)) {
    const int n = t++ % 7;
    wrong += sum != 20 * n * (n + 1) * (2 * n + 1) / 6;
  }
  EXPECT(wrong == 0);
}

void limits(void **blocks) {
  HIP(hipDeviceSetLimit(hipLimitMallocHeapSize, 10000));
  take<<<1, 64>>>(blocks, 1000);
  EXPECT(given(blocks) == 10);
  void *block = nullptr;
  for (void *at : host(blocks, 64)) block = at ? at : block;
  GIVES(hipFree(block), hipErrorInvalidValue);
  give<<<1, 64>>>(blocks);
  take<<<1, 64>>>(blocks, 5000);
  EXPECT(given(blocks) == 2);
  give<<<1, 64>>>(blocks);
  take<<<1, 64>>>(blocks, 0);
  EXPECT(given(blocks) == 0);
}

int main(int count, char **arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  void **blocks = device<void *>(64);
  HIP(hipMemset(blocks, 0, 64 * sizeof(void *)));
  if (what.empty()) {
    lists(256);
    limits(blocks);
  } else if (what == "wild") {
    HIP(hipMemcpy(blocks, &blocks, sizeof blocks, hipMemcpyDefault));
    give<<<1, 1>>>(blocks);
  } else {
    take<<<1, what == "left" ? 3 : 1>>>(blocks, 40);
    if (what == "past") store<<<1, 1>>>((int **)blocks, 10);
    if (what == "after" || what == "twice") give<<<1, 1>>>(blocks);
    if (what == "after") store<<<1, 1>>>((int **)blocks, 0);
    if (what == "twice") give<<<1, 1>>>(blocks);
  }
  const bool good = hipDeviceSynchronize() == hipSuccess;
  EXPECT(good);
  puts("end");
  return !good;
}
