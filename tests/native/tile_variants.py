"""hopper_gemm_basic with other ways to bring tiles and to multiply them: changes of its text."""

from __future__ import annotations

from test_recognise import ROOT

__all__ = [
    "BASIC",
    "BULK_ROWS",
    "CORE_MATRICES",
    "HALF_SUMS",
    "MMA_SYNC",
    "M_MAJOR",
    "OVER_TILES",
    "REGISTERS",
    "ROLES",
    "STORED",
    "changed",
]

Changes = tuple[tuple[str, str], ...]
BASIC = ROOT / "reference_kernels" / "hopper_gemm_basic" / "hopper_gemm_basic.cu"
_KERNEL = "\n__global__ void __launch_bounds__(kThreads)\n    gemm("
_TEXT = BASIC.read_text()


def _between(first: str, last: str) -> str:
    return _TEXT[_TEXT.index(first) : _TEXT.index(last)]


def changed(changes: Changes) -> str:
    text = _TEXT
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


_PRODUCTS = _between("    const uint64_t a = tile_descriptor", "    __syncthreads();  // all four warps")
_FRAGMENTS = """
__device__ __forceinline__ void load_matrices(uint32_t (&to)[4], uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(row));
}
__device__ __forceinline__ void multiply(float* d, const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ __forceinline__ uint32_t place(const __nv_bfloat16* tile, int row, int chunk) {
  return shared_address(tile) + 128 * row + 16 * (chunk ^ row % 8);
}
"""
_BY_WARPS = """\
    const int first = 16 * (threadIdx.x / 32 % 4), lane_id = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < kBlockK / kMmaK; ++i) {
      uint32_t of_a[4];
      load_matrices(of_a, place(shared.a[stage], first + lane_id % 16, 2 * i + lane_id / 16));
#pragma unroll
      for (int j = 0; j < kBlockN / 16; ++j) {
        uint32_t of_b[4];
        load_matrices(of_b, place(shared.b[stage], 16 * j + lane_id / 16 * 8 + lane_id % 8, 2 * i + lane_id / 8 % 2));
        multiply(&sum[8 * j], of_a, of_b[0], of_b[1]);
        multiply(&sum[8 * j + 4], of_a, of_b[2], of_b[3]);
      }
    }
"""
# ldmatrix and mma.sync on the tiles of tensor maps, with a quarter of the columns.
_NARROW: Changes = (("kBlockN = 128;", "kBlockN = 32;"), ("kBlockN == 128", "kBlockN == 32"))
MMA_SYNC: Changes = (*_NARROW, (_KERNEL, _FRAGMENTS + _KERNEL), (_PRODUCTS, _BY_WARPS))
# The same with a warp of its own for the copies.
_LOADS = _between("  if (threadIdx.x == 0) {\n    for (int step = 0; step < min", "  float sum[64] = {};")
ROLES: Changes = (
    *MMA_SYNC,
    ("  uint64_t full[kStages];\n", "  uint64_t full[kStages], empty[kStages];\n"),
    ("__launch_bounds__(kThreads)", "__launch_bounds__(kThreads + 32)"),
    ("barrier_init(&shared.full[s], 1);", "barrier_init(&shared.full[s], 1), barrier_init(&shared.empty[s], 4);"),
    (
        _LOADS,
        "  if (threadIdx.x >= kThreads) {\n    if (threadIdx.x % 32 == 0) {\n"
        "      for (int step = 0; step < steps; ++step) {\n"
        "        barrier_wait(&shared.empty[step % kStages], (step / kStages & 1) ^ 1);\n"
        "        load(step);\n      }\n    }\n    return;\n  }\n\n",
    ),
    (
        "    __syncthreads();  // all four warps have read the stage\n"
        "    if (threadIdx.x == 0 && step + kStages < steps) load(step + kStages);\n",
        "    __syncwarp();\n    if (lane_id == 0)\n"
        '      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&shared.empty[stage])) : "memory");\n',
    ),
    ("<<<grid, kThreads,", "<<<grid, kThreads + 32,"),
)
# A of wgmma from registers, loaded from its tile.
_WGMMA = _between("__device__ __forceinline__ void wgmma_m64n128k16", _KERNEL)
REGISTERS: Changes = (
    (
        _WGMMA,
        _FRAGMENTS
        + _WGMMA.replace("uint64_t a, uint64_t b", "const uint32_t (&a)[4], uint64_t b")
        .replace('"%64, %65, 1, 1, 1, 0, 0;"', '"{%64, %65, %66, %67}, %68, 1, 1, 1, 0;"')
        .replace('"l"(a), "l"(b)', '"r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)'),
    ),
    ("    const uint64_t a = tile_descriptor(shared.a[stage]);\n", ""),
    (
        "    wgmma_fence();\n",
        """\
    uint32_t of_a[kBlockK / kMmaK][4];
    const int lane_id = threadIdx.x % 32, row_of_a = 16 * (threadIdx.x / 32) + lane_id % 16;
#pragma unroll
    for (int i = 0; i < kBlockK / kMmaK; ++i) load_matrices(of_a[i], place(shared.a[stage], row_of_a, 2 * i + lane_id / 16));
    wgmma_fence();
""",
    ),
    ("wgmma_m64n128k16(sum, a + 2 * i, b + 2 * i)", "wgmma_m64n128k16(sum, of_a[i], b + 2 * i)"),
)
_HALF_WGMMA = """\
__device__ __forceinline__ void wgmma_m64n128k16(uint32_t (&d)[32], uint64_t a, uint64_t b) {{
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f16.f16.f16 "
      "{{{}}}, "
      "%32, %33, 1, 1, 1, 0, 0;"
      : {}
      : "l"(a), "l"(b));
}}
""".format(", ".join(f"%{i}" for i in range(32)), ", ".join(f'"+r"(d[{i}])' for i in range(32)))  # fmt: skip
# Elements and sums of f16.
HALF_SUMS: Changes = (
    (_WGMMA, _HALF_WGMMA),
    ("float sum[64] = {};", "uint32_t sum[32] = {};"),
    (
        "      const float left = sum[4 * j + 2 * half], right = sum[4 * j + 2 * half + 1];\n",
        "      const __nv_bfloat162 both = *reinterpret_cast<const __nv_bfloat162*>(&sum[2 * j + half]);\n",
    ),
    ("__floats2bfloat162_rn(left, right)", "both"),
    ("__float2bfloat16_rn(left)", "both.x"),
    ("__float2bfloat16_rn(right)", "both.y"),
    ("__nv_bfloat162", "__half2"),
    ("__nv_bfloat16", "__half"),
    ("cuda_bf16.h", "cuda_fp16.h"),
    ("DATA_TYPE_BFLOAT16", "DATA_TYPE_FLOAT16"),
)
# Tiles without a swizzle: columns of eight elements, whose core matrices are 128 bytes.
CORE_MATRICES: Changes = (
    ("    tma_load(shared.a[stage], &map_a, &shared.full[stage], step * kBlockK, row0);\n"
     "    tma_load(shared.b[stage], &map_b, &shared.full[stage], step * kBlockK, column0);\n",
     "    for (int i = 0; i < kBlockK; i += 8) {\n"
     "      tma_load(shared.a[stage] + i * kBlockM, &map_a, &shared.full[stage], step * kBlockK + i, row0);\n"
     "      tma_load(shared.b[stage] + i * kBlockN, &map_b, &shared.full[stage], step * kBlockK + i, column0);\n"
     "    }\n"),
    ("tile_descriptor(const void* tile)", "tile_descriptor(const void* tile, int rows)"),
    ("static_cast<uint64_t>(1) << 16; ", "static_cast<uint64_t>(rows) << 16; "),
    ("static_cast<uint64_t>(1024 >> 4) << 32", "static_cast<uint64_t>(128 >> 4) << 32"),
    ("  descriptor |= static_cast<uint64_t>(1) << 62;            // 128-byte swizzle\n", ""),
    ("tile_descriptor(shared.a[stage])", "tile_descriptor(shared.a[stage], kBlockM)"),
    ("tile_descriptor(shared.b[stage])", "tile_descriptor(shared.b[stage], kBlockN)"),
    ("a + 2 * i, b + 2 * i", "a + 2 * i * kBlockM, b + 2 * i * kBlockN"),
    ("box[2] = {kBlockK,", "box[2] = {8,"),
    ("SWIZZLE_128B", "SWIZZLE_NONE"),
)  # fmt: skip
# A by columns: elements of m are neighbours in memory.
M_MAJOR: Changes = (
    ("&map_a, &shared.full[stage], step * kBlockK, row0);", "&map_a, &shared.full[stage], row0, step * kBlockK);"),
    ("%65, 1, 1, 1, 0, 0;", "%65, 1, 1, 1, 1, 0;"),
    ("a + 2 * i, b + 2 * i", "a + 128 * i, b + 2 * i"),
    ("encode(&map_a, A, m, k, kBlockM)", "encode(&map_a, A, k, m, kBlockK)"),
)
_POINTERS: Changes = (
    (
        "const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,",
        "const __nv_bfloat16* __restrict__ a_of, const __nv_bfloat16* __restrict__ b_of,",
    ),
    ("(map_a, map_b, C, m, n, k)", "(A, B, C, m, n, k)"),
    (_between("  CUtensorMap map_a, map_b;\n  if", "  const cudaError_t error = cudaFuncSet"), ""),
    (_between("// The driver's function,", "}  // namespace\n\nextern"), ""),
)
# Rows by cp.async.bulk, a lane each, with gaps between them.
BULK_ROWS: Changes = (
    *MMA_SYNC,
    *_POINTERS,
    ("a[kStages][kBlockM * kBlockK]", "a[kStages][kBlockM * 72]"),
    ("b[kStages][kBlockN * kBlockK]", "b[kStages][kBlockN * 72]"),
    ("128 * row + 16 * (chunk ^ row % 8)", "144 * row + 16 * chunk"),
    (
        _between("    barrier_expect(&shared.full[stage], kStageBytes);", "  };\n  if (threadIdx.x == 0) {"),
        """\
    if (threadIdx.x == 0) barrier_expect(&shared.full[stage], kStageBytes);
    __syncwarp();
    for (int row = threadIdx.x; row < kBlockM; row += 32)
      bulk_load(&shared.a[stage][row * 72], a_of + size_t(row0 + row) * k + step * kBlockK, &shared.full[stage]);
    for (int row = threadIdx.x; row < kBlockN; row += 32)
      bulk_load(&shared.b[stage][row * 72], b_of + size_t(column0 + row) * k + step * kBlockK, &shared.full[stage]);
""",
    ),
    (
        "  if (threadIdx.x == 0) {\n    for (int step = 0; step < min",
        "  if (threadIdx.x < 32) {\n    for (int step = 0; step < min",
    ),
    ("if (threadIdx.x == 0 && step + kStages", "if (threadIdx.x < 32 && step + kStages"),
    (
        "__device__ __forceinline__ void load_matrices",
        """\
__device__ __forceinline__ void bulk_load(void* to, const void* from, uint64_t* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)),
               "l"(from), "r"(uint32_t(kBlockK * sizeof(__nv_bfloat16))), "r"(shared_address(barrier))
               : "memory");
}
__device__ __forceinline__ void load_matrices""",
    ),
)
# Threads store core matrices, which wgmma reads without a swizzle.
STORED: Changes = (
    *(c for c in CORE_MATRICES if "tma_load" not in c[0] and "box" not in c[0] and "SWIZZLE" not in c[0]),
    *_POINTERS,
    (_LOADS, ""),
    (
        _between("  const auto load = [&](int step) {", "  if (threadIdx.x == 0) {\n    for (int step = 0; step < min"),
        "",
    ),
    (
        "    barrier_wait(&shared.full[stage], (step / kStages) & 1);\n",
        """\
    for (int i = threadIdx.x; i < kBlockM * 8; i += kThreads)
      *reinterpret_cast<uint4*>(&shared.a[stage][(i / kBlockM * kBlockM + i % kBlockM) * 8]) =
          *reinterpret_cast<const uint4*>(a_of + size_t(row0 + i % kBlockM) * k + step * kBlockK + i / kBlockM * 8);
    for (int i = threadIdx.x; i < kBlockN * 8; i += kThreads)
      *reinterpret_cast<uint4*>(&shared.b[stage][i * 8]) =
          *reinterpret_cast<const uint4*>(b_of + size_t(column0 + i % kBlockN) * k + step * kBlockK + i / kBlockN * 8);
    barrier_init_fence();
    __syncthreads();
""",
    ),
    ("    if (threadIdx.x == 0 && step + kStages < steps) load(step + kStages);\n", ""),
)
# Two tiles of C by a block, one after the other: results lie where A and B have been until they are stored.
OVER_TILES: Changes = (
    ("  const int column0 = blockIdx.x * kBlockN;\n", "  int column0 = 2 * blockIdx.x * kBlockN, before = 0;\n"),
    ("const int stage = step % kStages;", "const int stage = (before + step) % kStages;"),
    ("(step / kStages) & 1", "((before + step) / kStages) & 1"),
    (
        "  if (threadIdx.x == 0) {\n    for (int step = 0; step < min",
        "  for (; before < 2 * steps; before += steps, column0 += kBlockN) {\n"
        "  if (threadIdx.x == 0) {\n    for (int step = 0; step < min",
    ),
    (
        "  // Of each eight columns",
        "  float* const staged = reinterpret_cast<float*>(shared.a) + threadIdx.x;\n"
        "  for (int i = 0; i < 64; ++i) staged[kThreads * i] = sum[i];\n"
        "  __syncthreads();\n"
        "  // Of each eight columns",
    ),
    (
        "left = sum[4 * j + 2 * half], right = sum[4 * j + 2 * half + 1];",
        "left = staged[kThreads * (4 * j + 2 * half)], right = staged[kThreads * (4 * j + 2 * half + 1)];",
    ),
    (
        "      }\n    }\n  }\n}\n\n// The driver's function",
        "      }\n    }\n  }\n  barrier_init_fence();\n  __syncthreads();  // stored\n  }\n}\n\n// The driver's function",
    ),
    ("(n + kBlockN - 1) / kBlockN, (m", "(n + 2 * kBlockN - 1) / (2 * kBlockN), (m"),
)
