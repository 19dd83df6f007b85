// The host's side of tk_matmul.cu, which includes this file.

// Any m; n and k are multiples of 64, which the columns of ThunderKittens' swizzled tiles ask for.
extern "C" cudaError_t tk_matmul(const bf16 *A, const bf16 *B, bf16 *C, int m, int n, int k, cudaStream_t stream) {
  if (m <= 0 || n <= 0 || k <= 0 || n % kTile || k % kTile) return cudaErrorInvalidValue;
  const size_t rows = m, columns = n, depth = k;
  const globals g{
      {const_cast<bf16 *>(A), nullptr, nullptr, rows, depth},
      {const_cast<bf16 *>(B), nullptr, nullptr, depth, columns},
      {C, nullptr, nullptr, rows, columns},
  };
  constexpr int kShared = sizeof(tile) * (kStages * (kMBlock + kNBlock) + kMBlock * kNBlock) + 1024;  // and its alignment
  const int blocks = cdiv(m, kMBlock * kTile) * cdiv(n, kNBlock * kTile);
  const cudaError_t error = cudaFuncSetAttribute(matmul_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  if (error != cudaSuccess) return error;
  matmul_kernel<<<blocks, kThreads, kShared, stream>>>(g);
  return cudaGetLastError();
}
