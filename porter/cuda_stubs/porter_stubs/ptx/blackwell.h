// porter stub headers: PTX wrappers, tensor memory and its matrix products
// Declarations only: enough to parse CUDA sources where no CUDA toolkit is installed.
#pragma once

#include "tags.h"

#ifdef __CUDACC__
namespace cuda {
namespace ptx {
template <dot_cta_group Cta_Group>
__device__ void tcgen05_alloc(cta_group_t<Cta_Group>, uint32_t *, const uint32_t &) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_commit(cta_group_t<Cta_Group>, uint64_t *) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_commit_multicast(cta_group_t<Cta_Group>, uint64_t *, uint16_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_128x128b(cta_group_t<Cta_Group>, uint32_t, uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_128x128b_b8x16_b4x16_p64(cta_group_t<Cta_Group>, uint32_t,
    uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_128x128b_b8x16_b6x16_p32(cta_group_t<Cta_Group>, uint32_t,
    uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_128x256b(cta_group_t<Cta_Group>, uint32_t, uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_128x256b_b8x16_b4x16_p64(cta_group_t<Cta_Group>, uint32_t,
    uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_128x256b_b8x16_b6x16_p32(cta_group_t<Cta_Group>, uint32_t,
    uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_32x128b_warpx4(cta_group_t<Cta_Group>, uint32_t, uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_32x128b_warpx4_b8x16_b4x16_p64(cta_group_t<Cta_Group>, uint32_t,
    uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_32x128b_warpx4_b8x16_b6x16_p32(cta_group_t<Cta_Group>, uint32_t,
    uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_4x256b(cta_group_t<Cta_Group>, uint32_t, uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_4x256b_b8x16_b4x16_p64(cta_group_t<Cta_Group>, uint32_t, uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_4x256b_b8x16_b6x16_p32(cta_group_t<Cta_Group>, uint32_t, uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_64x128b_warpx2_01_23(cta_group_t<Cta_Group>, uint32_t, uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_64x128b_warpx2_01_23_b8x16_b4x16_p64(cta_group_t<Cta_Group>, uint32_t,
    uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_64x128b_warpx2_01_23_b8x16_b6x16_p32(cta_group_t<Cta_Group>, uint32_t,
    uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_64x128b_warpx2_02_13(cta_group_t<Cta_Group>, uint32_t, uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_64x128b_warpx2_02_13_b8x16_b4x16_p64(cta_group_t<Cta_Group>, uint32_t,
    uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_cp_64x128b_warpx2_02_13_b8x16_b6x16_p32(cta_group_t<Cta_Group>, uint32_t,
    uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_dealloc(cta_group_t<Cta_Group>, uint32_t, const uint32_t &) PORTER_STUB_BODY
__device__ void tcgen05_fence_after_thread_sync();
__device__ void tcgen05_fence_before_thread_sync();
template <class T>
__device__ void tcgen05_ld_16x128b(T (&)[128], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x128b(T (&)[16], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x128b(T (&)[2], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x128b(T (&)[32], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x128b(T (&)[4], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x128b(T (&)[64], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x128b(T (&)[8], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x128b_pack_16b(T (&)[128], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x128b_pack_16b(T (&)[16], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x128b_pack_16b(T (&)[2], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x128b_pack_16b(T (&)[32], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x128b_pack_16b(T (&)[4], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x128b_pack_16b(T (&)[64], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x128b_pack_16b(T (&)[8], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x256b(T (&)[128], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x256b(T (&)[16], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x256b(T (&)[32], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x256b(T (&)[4], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x256b(T (&)[64], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x256b(T (&)[8], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x256b_pack_16b(T (&)[128], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x256b_pack_16b(T (&)[16], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x256b_pack_16b(T (&)[32], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x256b_pack_16b(T (&)[4], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x256b_pack_16b(T (&)[64], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x256b_pack_16b(T (&)[8], uint32_t) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2(T (&)[128], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2(T (&)[16], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2(T (&)[1], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2(T (&)[2], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2(T (&)[32], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2(T (&)[4], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2(T (&)[64], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2(T (&)[8], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2_pack_16b(T (&)[128], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2_pack_16b(T (&)[16], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2_pack_16b(T (&)[1], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2_pack_16b(T (&)[2], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2_pack_16b(T (&)[32], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2_pack_16b(T (&)[4], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2_pack_16b(T (&)[64], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32>
__device__ void tcgen05_ld_16x32bx2_pack_16b(T (&)[8], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b(T (&)[128], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b(T (&)[16], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b(T (&)[1], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b(T (&)[2], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b(T (&)[32], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b(T (&)[4], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b(T (&)[64], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b(T (&)[8], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b_pack_16b(T (&)[128], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b_pack_16b(T (&)[16], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b_pack_16b(T (&)[1], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b_pack_16b(T (&)[2], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b_pack_16b(T (&)[32], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b_pack_16b(T (&)[4], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b_pack_16b(T (&)[64], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_16x64b_pack_16b(T (&)[8], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b(T (&)[128], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b(T (&)[16], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b(T (&)[1], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b(T (&)[2], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b(T (&)[32], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b(T (&)[4], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b(T (&)[64], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b(T (&)[8], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b_pack_16b(T (&)[128], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b_pack_16b(T (&)[16], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b_pack_16b(T (&)[1], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b_pack_16b(T (&)[2], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b_pack_16b(T (&)[32], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b_pack_16b(T (&)[4], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b_pack_16b(T (&)[64], uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_ld_32x32b_pack_16b(T (&)[8], uint32_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma(kind_t<Kind>, cta_group_1_t, uint32_t, uint64_t, uint64_t, uint32_t,
    const uint32_t (&)[4], bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma(kind_t<Kind>, cta_group_2_t, uint32_t, uint64_t, uint64_t, uint32_t,
    const uint32_t (&)[8], bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma(kind_t<Kind>, cta_group_t<Cta_Group>, uint32_t, uint64_t, uint64_t, uint32_t,
    bool) PORTER_STUB_BODY
template <int N32, dot_kind Kind>
__device__ void tcgen05_mma(kind_t<Kind>, cta_group_1_t, uint32_t, uint64_t, uint64_t, uint32_t,
    const uint32_t (&)[4], bool, n32_t<N32>) PORTER_STUB_BODY
template <int N32, dot_kind Kind>
__device__ void tcgen05_mma(kind_t<Kind>, cta_group_2_t, uint32_t, uint64_t, uint64_t, uint32_t,
    const uint32_t (&)[8], bool, n32_t<N32>) PORTER_STUB_BODY
template <int N32, dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma(kind_t<Kind>, cta_group_t<Cta_Group>, uint32_t, uint64_t, uint64_t, uint32_t,
    bool, n32_t<N32>) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_1x(kind_mxf8f6f4_t, cta_group_t<Cta_Group>, uint32_t, uint64_t,
    uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_1x_collector_a_discard(kind_mxf8f6f4_t, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_1x_collector_a_fill(kind_mxf8f6f4_t, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_1x_collector_a_lastuse(kind_mxf8f6f4_t, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_1x_collector_a_use(kind_mxf8f6f4_t, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_1x_tmem_a(kind_mxf8f6f4_t, cta_group_t<Cta_Group>, uint32_t,
    uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_1x_tmem_a_collector_a_discard(kind_mxf8f6f4_t,
    cta_group_t<Cta_Group>, uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_1x_tmem_a_collector_a_fill(kind_mxf8f6f4_t,
    cta_group_t<Cta_Group>, uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_1x_tmem_a_collector_a_lastuse(kind_mxf8f6f4_t,
    cta_group_t<Cta_Group>, uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_1x_tmem_a_collector_a_use(kind_mxf8f6f4_t, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_2_tmem_a(kind_t<Kind>, cta_group_t<Cta_Group>, uint32_t, uint64_t,
    uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_2_tmem_a_collector_a_discard(kind_t<Kind>, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_2_tmem_a_collector_a_fill(kind_t<Kind>, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_2_tmem_a_collector_a_lastuse(kind_t<Kind>, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_2_tmem_a_collector_a_use(kind_t<Kind>, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_2x(kind_t<Kind>, cta_group_t<Cta_Group>, uint32_t, uint64_t,
    uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_2x_collector_a_discard(kind_t<Kind>, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_2x_collector_a_fill(kind_t<Kind>, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_2x_collector_a_lastuse(kind_t<Kind>, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_2x_collector_a_use(kind_t<Kind>, cta_group_t<Cta_Group>, uint32_t,
    uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_4x(kind_mxf4nvf4_t, cta_group_t<Cta_Group>, uint32_t, uint64_t,
    uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_4x_collector_a_discard(kind_mxf4nvf4_t, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_4x_collector_a_fill(kind_mxf4nvf4_t, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_4x_collector_a_lastuse(kind_mxf4nvf4_t, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_4x_collector_a_use(kind_mxf4nvf4_t, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_4x_tmem_a(kind_mxf4nvf4_t, cta_group_t<Cta_Group>, uint32_t,
    uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_4x_tmem_a_collector_a_discard(kind_mxf4nvf4_t,
    cta_group_t<Cta_Group>, uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_4x_tmem_a_collector_a_fill(kind_mxf4nvf4_t,
    cta_group_t<Cta_Group>, uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_4x_tmem_a_collector_a_lastuse(kind_mxf4nvf4_t,
    cta_group_t<Cta_Group>, uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_mma_block_scale_vec_4x_tmem_a_collector_a_use(kind_mxf4nvf4_t, cta_group_t<Cta_Group>,
    uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_tmem_a(kind_t<Kind>, cta_group_1_t, uint32_t, uint32_t, uint64_t, uint32_t,
    const uint32_t (&)[4], bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_tmem_a(kind_t<Kind>, cta_group_2_t, uint32_t, uint32_t, uint64_t, uint32_t,
    const uint32_t (&)[8], bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_tmem_a(kind_t<Kind>, cta_group_t<Cta_Group>, uint32_t, uint32_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <int N32, dot_kind Kind>
__device__ void tcgen05_mma_tmem_a(kind_t<Kind>, cta_group_1_t, uint32_t, uint32_t, uint64_t, uint32_t,
    const uint32_t (&)[4], bool, n32_t<N32>) PORTER_STUB_BODY
template <int N32, dot_kind Kind>
__device__ void tcgen05_mma_tmem_a(kind_t<Kind>, cta_group_2_t, uint32_t, uint32_t, uint64_t, uint32_t,
    const uint32_t (&)[8], bool, n32_t<N32>) PORTER_STUB_BODY
template <int N32, dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_tmem_a(kind_t<Kind>, cta_group_t<Cta_Group>, uint32_t, uint32_t, uint64_t,
    uint32_t, bool, n32_t<N32>) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b0_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b0_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b0_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b0_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b0_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b0_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b0_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b0_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b1_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b1_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b1_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b1_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b1_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b1_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b1_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b1_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b2_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b2_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b2_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b2_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b2_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b2_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b2_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b2_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b3_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b3_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b3_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b3_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b3_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b3_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b3_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_collector_b3_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t,
    uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b0_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b0_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b0_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b0_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b0_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b0_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b0_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b0_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b1_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b1_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b1_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b1_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b1_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b1_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b1_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b1_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b2_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b2_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b2_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b2_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b2_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b2_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b2_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b2_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b3_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b3_discard(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b3_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b3_fill(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b3_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b3_lastuse(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b3_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_ws_tmem_a_collector_b3_use(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t,
    uint64_t, uint32_t, bool, uint64_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_relinquish_alloc_permit(cta_group_t<Cta_Group>) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_shift_down(cta_group_t<Cta_Group>, uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b(uint32_t, const T (&)[128]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b(uint32_t, const T (&)[16]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b(uint32_t, const T (&)[2]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b(uint32_t, const T (&)[32]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b(uint32_t, const T (&)[4]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b(uint32_t, const T (&)[64]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b(uint32_t, const T (&)[8]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b_unpack_16b(uint32_t, const T (&)[128]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b_unpack_16b(uint32_t, const T (&)[16]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b_unpack_16b(uint32_t, const T (&)[2]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b_unpack_16b(uint32_t, const T (&)[32]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b_unpack_16b(uint32_t, const T (&)[4]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b_unpack_16b(uint32_t, const T (&)[64]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x128b_unpack_16b(uint32_t, const T (&)[8]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x256b(uint32_t, const T (&)[128]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x256b(uint32_t, const T (&)[16]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x256b(uint32_t, const T (&)[32]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x256b(uint32_t, const T (&)[4]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x256b(uint32_t, const T (&)[64]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x256b(uint32_t, const T (&)[8]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x256b_unpack_16b(uint32_t, const T (&)[128]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x256b_unpack_16b(uint32_t, const T (&)[16]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x256b_unpack_16b(uint32_t, const T (&)[32]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x256b_unpack_16b(uint32_t, const T (&)[4]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x256b_unpack_16b(uint32_t, const T (&)[64]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x256b_unpack_16b(uint32_t, const T (&)[8]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[128]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[16]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[1]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[2]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[32]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[4]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[64]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[8]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2_unpack_16b(uint32_t, n32_t<N32>, const T (&)[128]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2_unpack_16b(uint32_t, n32_t<N32>, const T (&)[16]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2_unpack_16b(uint32_t, n32_t<N32>, const T (&)[1]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2_unpack_16b(uint32_t, n32_t<N32>, const T (&)[2]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2_unpack_16b(uint32_t, n32_t<N32>, const T (&)[32]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2_unpack_16b(uint32_t, n32_t<N32>, const T (&)[4]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2_unpack_16b(uint32_t, n32_t<N32>, const T (&)[64]) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tcgen05_st_16x32bx2_unpack_16b(uint32_t, n32_t<N32>, const T (&)[8]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b(uint32_t, const T (&)[128]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b(uint32_t, const T (&)[16]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b(uint32_t, const T (&)[1]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b(uint32_t, const T (&)[2]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b(uint32_t, const T (&)[32]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b(uint32_t, const T (&)[4]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b(uint32_t, const T (&)[64]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b(uint32_t, const T (&)[8]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b_unpack_16b(uint32_t, const T (&)[128]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b_unpack_16b(uint32_t, const T (&)[16]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b_unpack_16b(uint32_t, const T (&)[1]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b_unpack_16b(uint32_t, const T (&)[2]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b_unpack_16b(uint32_t, const T (&)[32]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b_unpack_16b(uint32_t, const T (&)[4]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b_unpack_16b(uint32_t, const T (&)[64]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_16x64b_unpack_16b(uint32_t, const T (&)[8]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b(uint32_t, const T (&)[128]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b(uint32_t, const T (&)[16]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b(uint32_t, const T (&)[1]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b(uint32_t, const T (&)[2]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b(uint32_t, const T (&)[32]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b(uint32_t, const T (&)[4]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b(uint32_t, const T (&)[64]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b(uint32_t, const T (&)[8]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b_unpack_16b(uint32_t, const T (&)[128]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b_unpack_16b(uint32_t, const T (&)[16]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b_unpack_16b(uint32_t, const T (&)[1]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b_unpack_16b(uint32_t, const T (&)[2]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b_unpack_16b(uint32_t, const T (&)[32]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b_unpack_16b(uint32_t, const T (&)[4]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b_unpack_16b(uint32_t, const T (&)[64]) PORTER_STUB_BODY
template <class T>
__device__ void tcgen05_st_32x32b_unpack_16b(uint32_t, const T (&)[8]) PORTER_STUB_BODY
__device__ void tcgen05_wait_ld();
__device__ void tcgen05_wait_st();
}  // namespace ptx
}  // namespace cuda
#endif
