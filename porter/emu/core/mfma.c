// Matrix instructions (v_mfma_*, v_smfmac_*): D = A * B + C over a wave, whatever EXEC says.
//
// Layout, from AMD's matrix instruction calculator, `--architecture cdna3`. Each lane holds DEPTH elements of a row of
// A in registers one after the other; element (i, k) of a block is in lane i + M * (block + blocks * (k / DEPTH)),
// B's (k, j) likewise. D comes in pieces of four rows: piece i / 4 has its rows in four registers, and its columns in
// as many lanes. Pieces fill a register's lanes first: of one block where M is 32 or 16, of all blocks where it is 4.
// Doubles have pieces of one row, of all blocks in turn.
//
// Numbers. AMD does not publish how its matrix cores round. What is known comes from tests on hardware: Xie et al.,
// "MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and Matrix Cores", arXiv 2511.10909, found of CDNA3:
// - f32 and f64: a chain of fused multiply-adds over k, rounded to nearest even each. So here, exactly.
// - f16, bf16: products of 8 (or K, where that is less) k at a time are aligned to the largest, cut off 24 bits below
//   its leading one, summed, aligned with C (31 bits for the sum, 24 for C, rounded down), added, rounded to nearest
//   even; xf32 the same, 4 at a time, its inputs cut to 10 bits of fraction; fp8 and bf8 16 at a time, even and odd k
//   apart. Here: the chain of fused multiply-adds in f32, k ascending, products exact. Both are within a few units in
//   the last place of the largest term; they agree where all sums are exact (small integers, for instance). The
//   chain is six to ten times faster.
// - Denormals of inputs and results are kept, results rounded to nearest, in every type (CDNA2 flushed them); we take
//   it that MODE has no say, for MMA-Sim tested MODE's default only.
// - Of NaN the bits are not known; ours are quiet. i8 wraps around.
#include "mfma_pairs.h"

#include <immintrin.h>

#define PLAIN_MXCSR 0x1f80u  // round to nearest, keep denormals, trap nothing

typedef f32 F16V __attribute__((ext_vector_type(16), aligned(64)));
typedef u32 U16V __attribute__((ext_vector_type(16), aligned(64)));

// One column chunk is 16 lanes: a register of AVX-512, two of AVX2. Accumulators enough to hide the multiplier's
// latency must fit the registers: 8 of 32, or 4 * 2 of 16.
#ifdef __AVX512F__
#define WIDE 2
#else
#define WIDE 1
#endif

// ---- operands -------------------------------------------------------------------------------------------------------

#define CBSZ(I) ((I)->imm & 7)
#define ABID(I) ((I)->imm >> 4 & 15)
#define BLGP(I) ((I)->imm >> 8 & 7)

// C as rows: the registers, or one row that holds an inline constant, again and again (stride 0).
typedef struct { const u32 *row; int stride; } Addend;

// D may overlap C: the same registers are read before they are written, others are copied first.
INLINE Addend addend(Wave *w, const Ins *I, int registers, WordRow *copy) {
  const i32 c = I->s[2];
  if (unlikely(c < 0)) {
    const u32 value = scalar32(w, c);
    LANES copy[0][l] = value;
    return (Addend){copy[0], 0};
  }
  const i32 size = registers * LANE_COUNT;
  if (unlikely(c != I->d && c < I->d + size && I->d < c + size)) {
    memcpy(copy, w->R + c, (size_t)size * 4);
    return (Addend){copy[0], LANE_COUNT};
  }
  return (Addend){w->R + c, LANE_COUNT};
}

// BLGP: which 16 lanes of B stand in for each 16.
static const u8 lane_groups[8][4] = {
  {0, 1, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}, {1, 2, 3, 0}, {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3},
};

INLINE const u32 *permuted(Wave *w, const Ins *I, int registers, WordRow *copy) {
  const u32 *b = w->R + I->s[1];
  if (likely(!BLGP(I))) return b;
  for (int q = 0; q < registers; q++)
    for (int g = 0; g < 4; g++) memcpy(&copy[q][16 * g], b + LANE_COUNT * q + 16 * lane_groups[BLGP(I)][g], 64);
  return copy[0];
}

// CBSZ: groups of 2^CBSZ blocks take A from one of them, the group's ABIDth.
INLINE int block_of_a(const Ins *I, int block, int blocks) {
  return blocks == 1 ? 0 : ((block >> CBSZ(I) << CBSZ(I)) + ABID(I)) & (blocks - 1);
}

// ---- dense, 32 and 16 rows ------------------------------------------------------------------------------------------

// Where D has row i of a block: its register, and the lane of column 0.
INLINE int d_register(int m, int block, int i) {
  return m * m / LANE_COUNT * block + (m == 32 ? i / 8 * 4 : 0) + i % 4;
}
INLINE int d_lane(int m, int i) { return m == 32 ? i / 4 % 2 * 32 : i / 4 * 16; }

// Eight accumulators at a time: 4 rows of 32 columns, or 8 of 16. STEP adds the product of the broadcast element x of A
// and the chunk y of B to r; K elements of DEPTH in a lane.
#define TILES(ELEMENT, OPERAND, VECTOR, M, K, DEPTH, BLOCKS, START, STEP)                                   \
  enum { CHUNKS = (M) / 16, ACROSS = CHUNKS < WIDE ? CHUNKS : WIDE, PIECES = ACROSS == WIDE ? 1 : 2 };      \
  for (int block = 0; block < (BLOCKS); block++) {                                                          \
    const int from = block_of_a(I, block, BLOCKS);                                                          \
    for (int chunk = 0; chunk < CHUNKS; chunk += ACROSS)                                                    \
      for (int i = 0; i < (M); i += 4 * PIECES) {                                                           \
        VECTOR acc[PIECES][4][ACROSS];                                                                      \
        _Pragma("unroll") for (int p = 0; p < PIECES; p++)                                                  \
          _Pragma("unroll") for (int r = 0; r < 4; r++)                                                     \
            _Pragma("unroll") for (int x = 0; x < ACROSS; x++) {                                            \
              const int lane = d_lane(M, i + 4 * p) + 16 * (chunk + x);                                     \
              const u32 *at = c.row + c.stride * d_register(M, block, i + 4 * p + r) + lane;                \
              acc[p][r][x] = *(const VECTOR *)at START;                                                     \
            }                                                                                               \
        _Pragma("unroll 8") for (int k = 0; k < (K); k++) {                                                 \
          const int group = (BLOCKS) * (k / (DEPTH)), e = k % (DEPTH);                                      \
          const ELEMENT *ak = &A[e][(M) * (group + from) + i];                                              \
          _Pragma("unroll") for (int x = 0; x < ACROSS; x++) {                                              \
            const OPERAND b = *(const OPERAND *)&B[e][(M) * (group + block) + 16 * (chunk + x)];            \
            _Pragma("unroll") for (int p = 0; p < PIECES; p++)                                              \
              _Pragma("unroll") for (int r = 0; r < 4; r++)                                                 \
                acc[p][r][x] = STEP(acc[p][r][x], (OPERAND)ak[4 * p + r], b);                               \
          }                                                                                                 \
        }                                                                                                   \
        _Pragma("unroll") for (int p = 0; p < PIECES; p++)                                                  \
          _Pragma("unroll") for (int r = 0; r < 4; r++)                                                     \
            _Pragma("unroll") for (int x = 0; x < ACROSS; x++) {                                            \
              const int lane = d_lane(M, i + 4 * p) + 16 * (chunk + x);                                     \
              *(VECTOR *)(d + LANE_COUNT * d_register(M, block, i + 4 * p + r) + lane) = acc[p][r][x];      \
            }                                                                                               \
      }                                                                                                     \
  }

// ---- dense, 4 rows: 16 blocks side by side, so that A's row r is spread within every four lanes ---------------------

#define SPREAD(x, r) __builtin_shufflevector(x, x, r, r, r, r, 4 + r, 4 + r, 4 + r, 4 + r, 8 + r, 8 + r, 8 + r, 8 + r, \
                                             12 + r, 12 + r, 12 + r, 12 + r)
#define QUAD_ROW(VECTOR, K, START, STEP, r)                                                                        \
  {                                                                                                         \
    VECTOR acc = *(const VECTOR *)(c.row + c.stride * (r) + 16 * chunk) START;                              \
    for (int k = 0; k < (K); k++) {                                                                         \
      const VECTOR a = *(const VECTOR *)&A[k][16 * chunk];                                                  \
      acc = STEP(acc, SPREAD(a, r), *(const VECTOR *)&B[k][16 * chunk]);                                    \
    }                                                                                                       \
    *(VECTOR *)(d + LANE_COUNT * (r) + 16 * chunk) = acc;                                                   \
  }
#define QUADS(ELEMENT, VECTOR, K, START, STEP)                                                               \
  if (unlikely(CBSZ(I)))                                                                                    \
    for (int k = 0; k < (K); k++) {                                                                         \
      ELEMENT old[LANE_COUNT];                                                                              \
      memcpy(old, A[k], sizeof old);                                                                        \
      for (int l = 0; l < LANE_COUNT; l++) A[k][l] = old[4 * block_of_a(I, l / 4, 16) + l % 4];             \
    }                                                                                                       \
  for (int chunk = 0; chunk < 4; chunk++) {                                                                 \
    QUAD_ROW(VECTOR, K, START, STEP, 0) QUAD_ROW(VECTOR, K, START, STEP, 1)                                 \
    QUAD_ROW(VECTOR, K, START, STEP, 2) QUAD_ROW(VECTOR, K, START, STEP, 3)                                 \
  }

// Whether C has denormals in the rows.
INLINE bool denormal(Addend c, int registers) {
#ifdef PAIRED
  __mmask16 found = 0;
  for (int r = 0; r < (c.stride ? registers : 1); r++)
    for (int l = 0; l < LANE_COUNT; l += 16)
      found |= _mm512_fpclass_ps_mask(_mm512_load_ps(c.row + LANE_COUNT * r + l), 0x20);
  return found;
#else
  return true;
#endif
}

// ---- the handlers ---------------------------------------------------------------------------------------------------

#define FMA(acc, x, y) __builtin_elementwise_fma(x, y, acc)
#define MULTIPLY_ADD(acc, x, y) ((acc) + (x) * (y))

// The arithmetic is done in a function of its own, because the handler itself must end in a tail call.
#define HANDLER(NAME)                                        \
  const Ins *NAME(Wave *w, const Ins *I) {                   \
    if (unlikely(w->mxcsr != PLAIN_MXCSR)) {                 \
      _mm_setcsr(PLAIN_MXCSR);                               \
      NAME##_matrix(w, I);                                   \
      _mm_setcsr(w->mxcsr);                                  \
    } else {                                                 \
      NAME##_matrix(w, I);                                   \
    }                                                        \
    NEXT;                                                    \
  }
#define MATRIX(NAME) static __attribute__((noinline)) void NAME##_matrix(Wave *w, const Ins *I)

#define NATIVE_mfma_f32(NAME, TA, TB, M, K, BLOCKS)                                                         \
  static bool NAME##_pairs(Wave *w, const Ins *I, WordRow *copy) {                                          \
    enum { DEPTH = (M) * (K) * (BLOCKS) / LANE_COUNT, REGISTERS = DEPTH / PER_##TA, ROWS = (DEPTH + 1) / 2 }; \
    WordRow A[ROWS], B[ROWS];                                                                               \
    bool fit = pairs_##TA(w->R + I->s[0], REGISTERS, A);                                                    \
    fit &= pairs_##TB(permuted(w, I, REGISTERS, copy), REGISTERS, B);                                       \
    const Addend c = addend(w, I, (M) * (M) * (BLOCKS) / LANE_COUNT, copy);                                 \
    if (unlikely(!fit || denormal(c, (M) * (M) * (BLOCKS) / LANE_COUNT))) return false;                     \
    u32 *d = w->R + I->d;                                                                                   \
    if ((M) != 4) {                                                                                         \
      TILES(u32, U16V, F16V, M, (K) / 2, ROWS, BLOCKS, , ADD_PAIR)                                          \
    }                                                                                                       \
    return true;                                                                                            \
  }                                                                                                         \
  MATRIX(NAME) {                                                                                            \
    enum { DEPTH = (M) * (K) * (BLOCKS) / LANE_COUNT, REGISTERS = DEPTH / PER_##TA };                       \
    FloatRow A[DEPTH], B[DEPTH];                                                                            \
    WordRow copy[(M) * (M) * (BLOCKS) / LANE_COUNT];                                                        \
    if (PAIRS_##TA && (M) != 4 && NAME##_pairs(w, I, copy)) return;                                         \
    unpack_##TA(w->R + I->s[0], REGISTERS, A);                                                              \
    unpack_##TB(permuted(w, I, REGISTERS, copy), REGISTERS, B);                                             \
    const Addend c = addend(w, I, (M) * (M) * (BLOCKS) / LANE_COUNT, copy);                                 \
    u32 *d = w->R + I->d;                                                                                   \
    if ((M) == 4) {                                                                                         \
      QUADS(f32, F16V, K, , FMA)                                                                              \
    } else {                                                                                                \
      TILES(f32, F16V, F16V, M, K, DEPTH, BLOCKS, , FMA)                                                    \
    }                                                                                                       \
  }                                                                                                         \
  HANDLER(NAME)

// ---- integers -------------------------------------------------------------------------------------------------------

#ifdef __AVX512VNNI__
// Four products at once, but of unsigned with signed bytes: 128 is added to A's, and 128 * B taken off beforehand.
#define DOT(acc, x, y) (U16V)_mm512_dpbusd_epi32((__m512i)(acc), (__m512i)(x), (__m512i)(y))
typedef WordRow IntegerRow;
enum { PER_ROW = 4 };
INLINE void unpack_a(const u32 *source, int registers, IntegerRow *out) {
  for (int q = 0; q < registers; q++) LANES out[q][l] = source[LANE_COUNT * q + l] ^ 0x80808080u;
}
INLINE void unpack_b(const u32 *source, int registers, IntegerRow *out) {
  memcpy(out, source, (size_t)registers * sizeof *out);
}
#else
// Two products at once of bytes widened to 16 bits.
#define PART(x) ((__m256i *)&(x))[half]
INLINE U16V dot2(U16V acc, U16V x, U16V y) {
  U16V out;
  for (int half = 0; half < 2; half++)
    PART(out) = _mm256_add_epi32(PART(acc), _mm256_madd_epi16(PART(x), PART(y)));
  return out;
}
#define DOT(acc, x, y) dot2(acc, x, y)
typedef WordRow IntegerRow;
enum { PER_ROW = 2 };
INLINE void unpack_a(const u32 *source, int registers, IntegerRow *out) {
  for (int q = 0; q < registers; q++)
    for (int e = 0; e < 2; e++)
      LANES {
        const u32 word = source[LANE_COUNT * q + l] >> 16 * e;
        out[2 * q + e][l] = (u16)(i8)word | (u32)(i8)(word >> 8) << 16;
      }
}
INLINE void unpack_b(const u32 *source, int registers, IntegerRow *out) { unpack_a(source, registers, out); }
#endif

// What D starts from beside C, column by column.
INLINE void bias(const IntegerRow *B, int depth, int groups, int m, u32 *out) {
#ifdef __AVX512VNNI__
  for (int l = 0; l < LANE_COUNT; l += 16) {
    U16V sum = 0;
    for (int e = 0; e < depth; e++) sum = DOT(sum, (U16V)0x80808080u, *(const U16V *)&B[e][l]);
    *(U16V *)(out + l) = -sum;
  }
  for (int g = 1; g < groups; g++)  // k goes on in further groups of lanes
    for (int j = 0; j < m; j++) out[j] += out[m * g + j];
#else
  memset(out, 0, LANE_COUNT * 4);
#endif
}

#define NATIVE_mfma_i32(NAME, M, K, BLOCKS)                                                                 \
  MATRIX(NAME) {                                                                                            \
    enum { REGISTERS = (M) * (K) * (BLOCKS) / LANE_COUNT / 4, DEPTH = 4 * REGISTERS / PER_ROW };            \
    IntegerRow A[DEPTH], B[DEPTH];                                                                          \
    WordRow copy[(M) * (M) * (BLOCKS) / LANE_COUNT], off;                                                   \
    unpack_a(w->R + I->s[0], REGISTERS, A);                                                                 \
    unpack_b(permuted(w, I, REGISTERS, copy), REGISTERS, B);                                                \
    bias(B, DEPTH, LANE_COUNT / ((M) * (BLOCKS)), M, off);                                                  \
    const Addend c = addend(w, I, (M) * (M) * (BLOCKS) / LANE_COUNT, copy);                                 \
    u32 *d = w->R + I->d;                                                                                   \
    if ((M) == 4) {                                                                                         \
      QUADS(u32, U16V, (K) / PER_ROW, + *(const U16V *)(off + 16 * chunk), DOT)                            \
    } else {                                                                                                \
      TILES(u32, U16V, U16V, M, (K) / PER_ROW, DEPTH, BLOCKS,                                               \
            + *(const U16V *)(off + (M) * block + 16 * (chunk + x)), DOT)                                  \
    }                                                                                                       \
  }                                                                                                         \
  HANDLER(NAME)

// ---- doubles --------------------------------------------------------------------------------------------------------

// BLGP negates A, B or C here. C and D are pairs of rows: low words, high words.
#define NATIVE_mfma_f64(NAME, M, K, BLOCKS)                                                                 \
  MATRIX(NAME) {                                                                                            \
    enum { PAIRS = (M) * (M) * (BLOCKS) / LANE_COUNT };                                                     \
    f64 A[LANE_COUNT], B[LANE_COUNT], D[PAIRS][LANE_COUNT];                                                 \
    const u32 *a = w->R + I->s[0], *b = w->R + I->s[1];                                                     \
    const u64 sign[3] = {(u64)(BLGP(I) & 1) << 63, (u64)(BLGP(I) >> 1 & 1) << 63, (u64)(BLGP(I) >> 2) << 63}; \
    LANES A[l] = as_f64(GET64(a, l) ^ sign[0]);                                                             \
    LANES B[l] = as_f64(GET64(b, l) ^ sign[1]);                                                             \
    for (int p = 0; p < PAIRS; p++) {                                                                       \
      const u64 constant = I->s[2] < 0 ? scalar64(w, I->s[2]) : 0;                                          \
      const u32 *c = w->R + I->s[2] + 2 * LANE_COUNT * p;                                                   \
      LANES D[p][l] = as_f64((I->s[2] < 0 ? constant : GET64(c, l)) ^ sign[2]);                             \
    }                                                                                                       \
    for (int block = 0; block < (BLOCKS); block++)                                                          \
      for (int i = 0; i < (M); i++) {                                                                       \
        f64 *out = D[(M) == 16 ? i / 4 : 0] + ((M) == 16 ? 16 * (i % 4) : 4 * (block + (BLOCKS) * i));      \
        for (int k = 0; k < (K); k++) {                                                                     \
          const int at = (M) * (block + (BLOCKS) * k);                                                      \
          const f64 x = A[at + i];                                                                          \
          for (int j = 0; j < (M); j++) out[j] = __builtin_fma(x, B[at + j], out[j]);                       \
        }                                                                                                   \
      }                                                                                                     \
    for (int p = 0; p < PAIRS; p++) {                                                                       \
      u32 *d = w->R + I->d + 2 * LANE_COUNT * p;                                                            \
      LANES { const u64 x = of_f64(D[p][l]); PUT64(d, l, x); }                                              \
    }                                                                                                       \
  }                                                                                                         \
  HANDLER(NAME)

// ---- sparse A -------------------------------------------------------------------------------------------------------

// Of every four consecutive k, A has two elements; two bits of the index say which k each of them is. A lane needs 8
// bits of it (16-bit types) or 16 (8-bit types); with CBSZ 0 ABID says which of the register's.
INLINE void indices(Wave *w, const Ins *I, int slots, WordRow out) {
  const u32 *index = w->R + I->s[2];
  const int shift = CBSZ(I) ? 0 : 2 * slots * ABID(I) & 31;
  LANES out[l] = index[l] >> shift;
}

#define SPARSE(ELEMENT, VECTOR, M, SLOTS, STEP)                                                             \
  for (int i = 0; i < (M); i += 4)                                                                          \
    for (int chunk = 0; chunk < (M) / 16; chunk++) {                                                        \
      u32 *at = d + LANE_COUNT * d_register(M, 0, i) + d_lane(M, i) + 16 * chunk;                           \
      VECTOR acc[4];                                                                                        \
      _Pragma("unroll") for (int r = 0; r < 4; r++) acc[r] = *(const VECTOR *)(at + LANE_COUNT * r);        \
      for (int group = 0; group < LANE_COUNT / (M); group++)                                                \
        _Pragma("unroll") for (int s = 0; s < (SLOTS); s++)                                                 \
          _Pragma("unroll") for (int r = 0; r < 4; r++) {                                                   \
            const int lane = (M) * group + i + r, k = s / 2 * 4 + (index[lane] >> 2 * s & 3);               \
            acc[r] = STEP(acc[r], (VECTOR)A[s][lane], *(const VECTOR *)&B[k][(M) * group + 16 * chunk]);    \
          }                                                                                                 \
      _Pragma("unroll") for (int r = 0; r < 4; r++) *(VECTOR *)(at + LANE_COUNT * r) = acc[r];              \
    }

#define NATIVE_smfmac_f32(NAME, TA, TB, M, K)                                                               \
  MATRIX(NAME) {                                                                                            \
    enum { SLOTS = (M) * (K) / 2 / LANE_COUNT };                                                            \
    FloatRow A[SLOTS], B[2 * SLOTS];                                                                        \
    WordRow index;                                                                                          \
    unpack_##TA(w->R + I->s[0], 2, A);                                                                      \
    unpack_##TB(w->R + I->s[1], 4, B);                                                                      \
    indices(w, I, SLOTS, index);                                                                            \
    u32 *d = w->R + I->d;                                                                                   \
    SPARSE(f32, F16V, M, SLOTS, FMA)                                                                        \
  }                                                                                                         \
  HANDLER(NAME)

#define NATIVE_smfmac_i32(NAME, M, K)                                                                       \
  MATRIX(NAME) {                                                                                            \
    enum { SLOTS = (M) * (K) / 2 / LANE_COUNT };                                                            \
    WordRow A[SLOTS], B[2 * SLOTS], index;                                                                  \
    const u32 *a = w->R + I->s[0], *b = w->R + I->s[1];                                                     \
    for (int s = 0; s < SLOTS; s++) LANES A[s][l] = (u32)(i32)(i8)(a[LANE_COUNT * (s / 4) + l] >> 8 * (s % 4)); \
    for (int s = 0; s < 2 * SLOTS; s++) LANES B[s][l] = (u32)(i32)(i8)(b[LANE_COUNT * (s / 4) + l] >> 8 * (s % 4)); \
    indices(w, I, SLOTS, index);                                                                            \
    u32 *d = w->R + I->d;                                                                                   \
    SPARSE(u32, U16V, M, SLOTS, MULTIPLY_ADD)                                                               \
  }                                                                                                         \
  HANDLER(NAME)

#define NATIVE_mfma_alias(NAME, SAME)                        \
  const Ins *SAME(Wave *w, const Ins *I);                    \
  const Ins *NAME(Wave *w, const Ins *I) {                   \
    __attribute__((musttail)) return SAME(w, I);             \
  }

#include "natives.h"
