// porter stub headers: PTX wrappers, tensor memory and its matrix products
#pragma once
#include "tags.h"
#ifdef __CUDACC__
namespace cuda {
namespace ptx {
template <dot_cta_group Cta_Group>
__device__ void tcgen05_alloc(cta_group_t<Cta_Group>, uint32_t *, const uint32_t &) PORTER_STUB_BODY
template <dot_cta_group Cta_Group> __device__ void tcgen05_commit(cta_group_t<Cta_Group>, uint64_t *) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_commit_multicast(cta_group_t<Cta_Group>, uint64_t *, uint16_t) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_dealloc(cta_group_t<Cta_Group>, uint32_t, const uint32_t &) PORTER_STUB_BODY
template <class T, int N32> __device__ void tcgen05_ld_16x32bx2(T (&)[128], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32> __device__ void tcgen05_ld_16x32bx2(T (&)[16], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32> __device__ void tcgen05_ld_16x32bx2(T (&)[1], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32> __device__ void tcgen05_ld_16x32bx2(T (&)[2], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32> __device__ void tcgen05_ld_16x32bx2(T (&)[32], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32> __device__ void tcgen05_ld_16x32bx2(T (&)[4], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32> __device__ void tcgen05_ld_16x32bx2(T (&)[64], uint32_t, n32_t<N32>) PORTER_STUB_BODY
template <class T, int N32> __device__ void tcgen05_ld_16x32bx2(T (&)[8], uint32_t, n32_t<N32>) PORTER_STUB_BODY
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
template <dot_kind Kind>
__device__ void tcgen05_mma(kind_t<Kind>, cta_group_1_t, uint32_t, uint64_t, uint64_t, uint32_t, const uint32_t (&)[4],
    bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma(kind_t<Kind>, cta_group_2_t, uint32_t, uint64_t, uint64_t, uint32_t, const uint32_t (&)[8],
    bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma(kind_t<Kind>, cta_group_t<Cta_Group>, uint32_t, uint64_t, uint64_t, uint32_t,
    bool) PORTER_STUB_BODY
template <int N32, dot_kind Kind>
__device__ void tcgen05_mma(kind_t<Kind>, cta_group_1_t, uint32_t, uint64_t, uint64_t, uint32_t, const uint32_t (&)[4],
    bool, n32_t<N32>) PORTER_STUB_BODY
template <int N32, dot_kind Kind>
__device__ void tcgen05_mma(kind_t<Kind>, cta_group_2_t, uint32_t, uint64_t, uint64_t, uint32_t, const uint32_t (&)[8],
    bool, n32_t<N32>) PORTER_STUB_BODY
template <int N32, dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma(kind_t<Kind>, cta_group_t<Cta_Group>, uint32_t, uint64_t, uint64_t, uint32_t, bool,
    n32_t<N32>) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_tmem_a(kind_t<Kind>, cta_group_1_t, uint32_t, uint32_t, uint64_t, uint32_t,
    const uint32_t (&)[4], bool) PORTER_STUB_BODY
template <dot_kind Kind>
__device__ void tcgen05_mma_tmem_a(kind_t<Kind>, cta_group_2_t, uint32_t, uint32_t, uint64_t, uint32_t,
    const uint32_t (&)[8], bool) PORTER_STUB_BODY
template <dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_tmem_a(kind_t<Kind>, cta_group_t<Cta_Group>, uint32_t, uint32_t, uint64_t, uint32_t,
    bool) PORTER_STUB_BODY
template <int N32, dot_kind Kind>
__device__ void tcgen05_mma_tmem_a(kind_t<Kind>, cta_group_1_t, uint32_t, uint32_t, uint64_t, uint32_t,
    const uint32_t (&)[4], bool, n32_t<N32>) PORTER_STUB_BODY
template <int N32, dot_kind Kind>
__device__ void tcgen05_mma_tmem_a(kind_t<Kind>, cta_group_2_t, uint32_t, uint32_t, uint64_t, uint32_t,
    const uint32_t (&)[8], bool, n32_t<N32>) PORTER_STUB_BODY
template <int N32, dot_kind Kind, dot_cta_group Cta_Group>
__device__ void tcgen05_mma_tmem_a(kind_t<Kind>, cta_group_t<Cta_Group>, uint32_t, uint32_t, uint64_t, uint32_t, bool,
    n32_t<N32>) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void tcgen05_relinquish_alloc_permit(cta_group_t<Cta_Group>) PORTER_STUB_BODY
template <dot_cta_group Cta_Group> __device__ void tcgen05_shift_down(cta_group_t<Cta_Group>, uint32_t) PORTER_STUB_BODY
template <int N32, class T> __device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[128]) PORTER_STUB_BODY
template <int N32, class T> __device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[16]) PORTER_STUB_BODY
template <int N32, class T> __device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[1]) PORTER_STUB_BODY
template <int N32, class T> __device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[2]) PORTER_STUB_BODY
template <int N32, class T> __device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[32]) PORTER_STUB_BODY
template <int N32, class T> __device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[4]) PORTER_STUB_BODY
template <int N32, class T> __device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[64]) PORTER_STUB_BODY
template <int N32, class T> __device__ void tcgen05_st_16x32bx2(uint32_t, n32_t<N32>, const T (&)[8]) PORTER_STUB_BODY
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
#define PORTER_ONE(name) \
    template <dot_cta_group Cta_Group> __device__ void name(cta_group_t<Cta_Group>, uint32_t, uint64_t) PORTER_STUB_BODY
PORTER_ONE(tcgen05_cp_128x128b) PORTER_ONE(tcgen05_cp_128x128b_b8x16_b4x16_p64)
PORTER_ONE(tcgen05_cp_128x128b_b8x16_b6x16_p32) PORTER_ONE(tcgen05_cp_128x256b)
PORTER_ONE(tcgen05_cp_128x256b_b8x16_b4x16_p64) PORTER_ONE(tcgen05_cp_128x256b_b8x16_b6x16_p32)
PORTER_ONE(tcgen05_cp_32x128b_warpx4) PORTER_ONE(tcgen05_cp_32x128b_warpx4_b8x16_b4x16_p64)
PORTER_ONE(tcgen05_cp_32x128b_warpx4_b8x16_b6x16_p32) PORTER_ONE(tcgen05_cp_4x256b)
PORTER_ONE(tcgen05_cp_4x256b_b8x16_b4x16_p64) PORTER_ONE(tcgen05_cp_4x256b_b8x16_b6x16_p32)
PORTER_ONE(tcgen05_cp_64x128b_warpx2_01_23) PORTER_ONE(tcgen05_cp_64x128b_warpx2_01_23_b8x16_b4x16_p64)
PORTER_ONE(tcgen05_cp_64x128b_warpx2_01_23_b8x16_b6x16_p32) PORTER_ONE(tcgen05_cp_64x128b_warpx2_02_13)
PORTER_ONE(tcgen05_cp_64x128b_warpx2_02_13_b8x16_b4x16_p64) PORTER_ONE(tcgen05_cp_64x128b_warpx2_02_13_b8x16_b6x16_p32)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ void name();
PORTER_ONE(tcgen05_fence_after_thread_sync) PORTER_ONE(tcgen05_fence_before_thread_sync) PORTER_ONE(tcgen05_wait_ld)
PORTER_ONE(tcgen05_wait_st)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(T (&)[128], uint32_t) PORTER_STUB_BODY
PORTER_ONE(tcgen05_ld_16x128b) PORTER_ONE(tcgen05_ld_16x128b_pack_16b) PORTER_ONE(tcgen05_ld_16x256b)
PORTER_ONE(tcgen05_ld_16x256b_pack_16b) PORTER_ONE(tcgen05_ld_16x64b) PORTER_ONE(tcgen05_ld_16x64b_pack_16b)
PORTER_ONE(tcgen05_ld_32x32b) PORTER_ONE(tcgen05_ld_32x32b_pack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(T (&)[16], uint32_t) PORTER_STUB_BODY
PORTER_ONE(tcgen05_ld_16x128b) PORTER_ONE(tcgen05_ld_16x128b_pack_16b) PORTER_ONE(tcgen05_ld_16x256b)
PORTER_ONE(tcgen05_ld_16x256b_pack_16b) PORTER_ONE(tcgen05_ld_16x64b) PORTER_ONE(tcgen05_ld_16x64b_pack_16b)
PORTER_ONE(tcgen05_ld_32x32b) PORTER_ONE(tcgen05_ld_32x32b_pack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(T (&)[2], uint32_t) PORTER_STUB_BODY
PORTER_ONE(tcgen05_ld_16x128b) PORTER_ONE(tcgen05_ld_16x128b_pack_16b) PORTER_ONE(tcgen05_ld_16x64b)
PORTER_ONE(tcgen05_ld_16x64b_pack_16b) PORTER_ONE(tcgen05_ld_32x32b) PORTER_ONE(tcgen05_ld_32x32b_pack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(T (&)[32], uint32_t) PORTER_STUB_BODY
PORTER_ONE(tcgen05_ld_16x128b) PORTER_ONE(tcgen05_ld_16x128b_pack_16b) PORTER_ONE(tcgen05_ld_16x256b)
PORTER_ONE(tcgen05_ld_16x256b_pack_16b) PORTER_ONE(tcgen05_ld_16x64b) PORTER_ONE(tcgen05_ld_16x64b_pack_16b)
PORTER_ONE(tcgen05_ld_32x32b) PORTER_ONE(tcgen05_ld_32x32b_pack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(T (&)[4], uint32_t) PORTER_STUB_BODY
PORTER_ONE(tcgen05_ld_16x128b) PORTER_ONE(tcgen05_ld_16x128b_pack_16b) PORTER_ONE(tcgen05_ld_16x256b)
PORTER_ONE(tcgen05_ld_16x256b_pack_16b) PORTER_ONE(tcgen05_ld_16x64b) PORTER_ONE(tcgen05_ld_16x64b_pack_16b)
PORTER_ONE(tcgen05_ld_32x32b) PORTER_ONE(tcgen05_ld_32x32b_pack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(T (&)[64], uint32_t) PORTER_STUB_BODY
PORTER_ONE(tcgen05_ld_16x128b) PORTER_ONE(tcgen05_ld_16x128b_pack_16b) PORTER_ONE(tcgen05_ld_16x256b)
PORTER_ONE(tcgen05_ld_16x256b_pack_16b) PORTER_ONE(tcgen05_ld_16x64b) PORTER_ONE(tcgen05_ld_16x64b_pack_16b)
PORTER_ONE(tcgen05_ld_32x32b) PORTER_ONE(tcgen05_ld_32x32b_pack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(T (&)[8], uint32_t) PORTER_STUB_BODY
PORTER_ONE(tcgen05_ld_16x128b) PORTER_ONE(tcgen05_ld_16x128b_pack_16b) PORTER_ONE(tcgen05_ld_16x256b)
PORTER_ONE(tcgen05_ld_16x256b_pack_16b) PORTER_ONE(tcgen05_ld_16x64b) PORTER_ONE(tcgen05_ld_16x64b_pack_16b)
PORTER_ONE(tcgen05_ld_32x32b) PORTER_ONE(tcgen05_ld_32x32b_pack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(T (&)[1], uint32_t) PORTER_STUB_BODY
PORTER_ONE(tcgen05_ld_16x64b) PORTER_ONE(tcgen05_ld_16x64b_pack_16b) PORTER_ONE(tcgen05_ld_32x32b)
PORTER_ONE(tcgen05_ld_32x32b_pack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) \
    template <dot_cta_group Cta_Group> \
    __device__ void name(kind_mxf8f6f4_t, cta_group_t<Cta_Group>, uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, \
        uint32_t, bool) PORTER_STUB_BODY
PORTER_ONE(tcgen05_mma_block_scale_vec_1x) PORTER_ONE(tcgen05_mma_block_scale_vec_1x_collector_a_discard)
PORTER_ONE(tcgen05_mma_block_scale_vec_1x_collector_a_fill)
PORTER_ONE(tcgen05_mma_block_scale_vec_1x_collector_a_lastuse)
PORTER_ONE(tcgen05_mma_block_scale_vec_1x_collector_a_use) PORTER_ONE(tcgen05_mma_block_scale_vec_1x_tmem_a)
PORTER_ONE(tcgen05_mma_block_scale_vec_1x_tmem_a_collector_a_discard)
PORTER_ONE(tcgen05_mma_block_scale_vec_1x_tmem_a_collector_a_fill)
PORTER_ONE(tcgen05_mma_block_scale_vec_1x_tmem_a_collector_a_lastuse)
PORTER_ONE(tcgen05_mma_block_scale_vec_1x_tmem_a_collector_a_use)
#undef PORTER_ONE
#define PORTER_ONE(name) \
    template <dot_kind Kind, dot_cta_group Cta_Group> \
    __device__ void name(kind_t<Kind>, cta_group_t<Cta_Group>, uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, \
        uint32_t, bool) PORTER_STUB_BODY
PORTER_ONE(tcgen05_mma_block_scale_vec_2_tmem_a) PORTER_ONE(tcgen05_mma_block_scale_vec_2_tmem_a_collector_a_discard)
PORTER_ONE(tcgen05_mma_block_scale_vec_2_tmem_a_collector_a_fill)
PORTER_ONE(tcgen05_mma_block_scale_vec_2_tmem_a_collector_a_lastuse)
PORTER_ONE(tcgen05_mma_block_scale_vec_2_tmem_a_collector_a_use) PORTER_ONE(tcgen05_mma_block_scale_vec_2x)
PORTER_ONE(tcgen05_mma_block_scale_vec_2x_collector_a_discard)
PORTER_ONE(tcgen05_mma_block_scale_vec_2x_collector_a_fill)
PORTER_ONE(tcgen05_mma_block_scale_vec_2x_collector_a_lastuse)
PORTER_ONE(tcgen05_mma_block_scale_vec_2x_collector_a_use)
#undef PORTER_ONE
#define PORTER_ONE(name) \
    template <dot_cta_group Cta_Group> \
    __device__ void name(kind_mxf4nvf4_t, cta_group_t<Cta_Group>, uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, \
        uint32_t, bool) PORTER_STUB_BODY
PORTER_ONE(tcgen05_mma_block_scale_vec_4x) PORTER_ONE(tcgen05_mma_block_scale_vec_4x_collector_a_discard)
PORTER_ONE(tcgen05_mma_block_scale_vec_4x_collector_a_fill)
PORTER_ONE(tcgen05_mma_block_scale_vec_4x_collector_a_lastuse)
PORTER_ONE(tcgen05_mma_block_scale_vec_4x_collector_a_use) PORTER_ONE(tcgen05_mma_block_scale_vec_4x_tmem_a)
PORTER_ONE(tcgen05_mma_block_scale_vec_4x_tmem_a_collector_a_discard)
PORTER_ONE(tcgen05_mma_block_scale_vec_4x_tmem_a_collector_a_fill)
PORTER_ONE(tcgen05_mma_block_scale_vec_4x_tmem_a_collector_a_lastuse)
PORTER_ONE(tcgen05_mma_block_scale_vec_4x_tmem_a_collector_a_use)
#undef PORTER_ONE
#define PORTER_ONE(name) \
    template <dot_kind Kind> \
    __device__ void name(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t, uint32_t, bool) PORTER_STUB_BODY
PORTER_ONE(tcgen05_mma_ws_collector_b0_discard) PORTER_ONE(tcgen05_mma_ws_collector_b0_fill)
PORTER_ONE(tcgen05_mma_ws_collector_b0_lastuse) PORTER_ONE(tcgen05_mma_ws_collector_b0_use)
PORTER_ONE(tcgen05_mma_ws_collector_b1_discard) PORTER_ONE(tcgen05_mma_ws_collector_b1_fill)
PORTER_ONE(tcgen05_mma_ws_collector_b1_lastuse) PORTER_ONE(tcgen05_mma_ws_collector_b1_use)
PORTER_ONE(tcgen05_mma_ws_collector_b2_discard) PORTER_ONE(tcgen05_mma_ws_collector_b2_fill)
PORTER_ONE(tcgen05_mma_ws_collector_b2_lastuse) PORTER_ONE(tcgen05_mma_ws_collector_b2_use)
PORTER_ONE(tcgen05_mma_ws_collector_b3_discard) PORTER_ONE(tcgen05_mma_ws_collector_b3_fill)
PORTER_ONE(tcgen05_mma_ws_collector_b3_lastuse) PORTER_ONE(tcgen05_mma_ws_collector_b3_use)
#undef PORTER_ONE
#define PORTER_ONE(name) \
    template <dot_kind Kind> \
    __device__ void name(cta_group_1_t, kind_t<Kind>, uint32_t, uint64_t, uint64_t, uint32_t, bool, \
        uint64_t) PORTER_STUB_BODY
PORTER_ONE(tcgen05_mma_ws_collector_b0_discard) PORTER_ONE(tcgen05_mma_ws_collector_b0_fill)
PORTER_ONE(tcgen05_mma_ws_collector_b0_lastuse) PORTER_ONE(tcgen05_mma_ws_collector_b0_use)
PORTER_ONE(tcgen05_mma_ws_collector_b1_discard) PORTER_ONE(tcgen05_mma_ws_collector_b1_fill)
PORTER_ONE(tcgen05_mma_ws_collector_b1_lastuse) PORTER_ONE(tcgen05_mma_ws_collector_b1_use)
PORTER_ONE(tcgen05_mma_ws_collector_b2_discard) PORTER_ONE(tcgen05_mma_ws_collector_b2_fill)
PORTER_ONE(tcgen05_mma_ws_collector_b2_lastuse) PORTER_ONE(tcgen05_mma_ws_collector_b2_use)
PORTER_ONE(tcgen05_mma_ws_collector_b3_discard) PORTER_ONE(tcgen05_mma_ws_collector_b3_fill)
PORTER_ONE(tcgen05_mma_ws_collector_b3_lastuse) PORTER_ONE(tcgen05_mma_ws_collector_b3_use)
#undef PORTER_ONE
#define PORTER_ONE(name) \
    template <dot_kind Kind> \
    __device__ void name(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t, uint64_t, uint32_t, bool) PORTER_STUB_BODY
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b0_discard) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b0_fill)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b0_lastuse) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b0_use)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b1_discard) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b1_fill)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b1_lastuse) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b1_use)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b2_discard) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b2_fill)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b2_lastuse) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b2_use)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b3_discard) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b3_fill)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b3_lastuse) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b3_use)
#undef PORTER_ONE
#define PORTER_ONE(name) \
    template <dot_kind Kind> \
    __device__ void name(cta_group_1_t, kind_t<Kind>, uint32_t, uint32_t, uint64_t, uint32_t, bool, \
        uint64_t) PORTER_STUB_BODY
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b0_discard) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b0_fill)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b0_lastuse) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b0_use)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b1_discard) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b1_fill)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b1_lastuse) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b1_use)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b2_discard) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b2_fill)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b2_lastuse) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b2_use)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b3_discard) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b3_fill)
PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b3_lastuse) PORTER_ONE(tcgen05_mma_ws_tmem_a_collector_b3_use)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(uint32_t, const T (&)[128]) PORTER_STUB_BODY
PORTER_ONE(tcgen05_st_16x128b) PORTER_ONE(tcgen05_st_16x128b_unpack_16b) PORTER_ONE(tcgen05_st_16x256b)
PORTER_ONE(tcgen05_st_16x256b_unpack_16b) PORTER_ONE(tcgen05_st_16x64b) PORTER_ONE(tcgen05_st_16x64b_unpack_16b)
PORTER_ONE(tcgen05_st_32x32b) PORTER_ONE(tcgen05_st_32x32b_unpack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(uint32_t, const T (&)[16]) PORTER_STUB_BODY
PORTER_ONE(tcgen05_st_16x128b) PORTER_ONE(tcgen05_st_16x128b_unpack_16b) PORTER_ONE(tcgen05_st_16x256b)
PORTER_ONE(tcgen05_st_16x256b_unpack_16b) PORTER_ONE(tcgen05_st_16x64b) PORTER_ONE(tcgen05_st_16x64b_unpack_16b)
PORTER_ONE(tcgen05_st_32x32b) PORTER_ONE(tcgen05_st_32x32b_unpack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(uint32_t, const T (&)[2]) PORTER_STUB_BODY
PORTER_ONE(tcgen05_st_16x128b) PORTER_ONE(tcgen05_st_16x128b_unpack_16b) PORTER_ONE(tcgen05_st_16x64b)
PORTER_ONE(tcgen05_st_16x64b_unpack_16b) PORTER_ONE(tcgen05_st_32x32b) PORTER_ONE(tcgen05_st_32x32b_unpack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(uint32_t, const T (&)[32]) PORTER_STUB_BODY
PORTER_ONE(tcgen05_st_16x128b) PORTER_ONE(tcgen05_st_16x128b_unpack_16b) PORTER_ONE(tcgen05_st_16x256b)
PORTER_ONE(tcgen05_st_16x256b_unpack_16b) PORTER_ONE(tcgen05_st_16x64b) PORTER_ONE(tcgen05_st_16x64b_unpack_16b)
PORTER_ONE(tcgen05_st_32x32b) PORTER_ONE(tcgen05_st_32x32b_unpack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(uint32_t, const T (&)[4]) PORTER_STUB_BODY
PORTER_ONE(tcgen05_st_16x128b) PORTER_ONE(tcgen05_st_16x128b_unpack_16b) PORTER_ONE(tcgen05_st_16x256b)
PORTER_ONE(tcgen05_st_16x256b_unpack_16b) PORTER_ONE(tcgen05_st_16x64b) PORTER_ONE(tcgen05_st_16x64b_unpack_16b)
PORTER_ONE(tcgen05_st_32x32b) PORTER_ONE(tcgen05_st_32x32b_unpack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(uint32_t, const T (&)[64]) PORTER_STUB_BODY
PORTER_ONE(tcgen05_st_16x128b) PORTER_ONE(tcgen05_st_16x128b_unpack_16b) PORTER_ONE(tcgen05_st_16x256b)
PORTER_ONE(tcgen05_st_16x256b_unpack_16b) PORTER_ONE(tcgen05_st_16x64b) PORTER_ONE(tcgen05_st_16x64b_unpack_16b)
PORTER_ONE(tcgen05_st_32x32b) PORTER_ONE(tcgen05_st_32x32b_unpack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(uint32_t, const T (&)[8]) PORTER_STUB_BODY
PORTER_ONE(tcgen05_st_16x128b) PORTER_ONE(tcgen05_st_16x128b_unpack_16b) PORTER_ONE(tcgen05_st_16x256b)
PORTER_ONE(tcgen05_st_16x256b_unpack_16b) PORTER_ONE(tcgen05_st_16x64b) PORTER_ONE(tcgen05_st_16x64b_unpack_16b)
PORTER_ONE(tcgen05_st_32x32b) PORTER_ONE(tcgen05_st_32x32b_unpack_16b)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class T> __device__ void name(uint32_t, const T (&)[1]) PORTER_STUB_BODY
PORTER_ONE(tcgen05_st_16x64b) PORTER_ONE(tcgen05_st_16x64b_unpack_16b) PORTER_ONE(tcgen05_st_32x32b)
PORTER_ONE(tcgen05_st_32x32b_unpack_16b)
#undef PORTER_ONE
}  // namespace ptx
}  // namespace cuda
#endif
