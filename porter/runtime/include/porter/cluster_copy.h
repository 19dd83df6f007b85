// porter runtime: bulk copies within a cluster (cluster.h). A copy to several blocks is a message to each of them; each
// makes its own, from global memory. What goes from shared memory to another block goes through the other's shadow of
// LDS, at the place of the copy's destination: nobody may use that until the copy is complete.
#ifndef PORTER_CLUSTER_COPY_H
#define PORTER_CLUSTER_COPY_H

#include <hip/hip_runtime.h>

#include <cstdint>

#include "async_copy.h"
#include "cluster.h"
#include "tensor_map.h"

namespace porter {

#ifndef PORTER_CLUSTERS

template <class D, class S, class B>
__device__ inline void bulk_multicast(D to, S from, uint32_t bytes, B bar, uint32_t) {
  bulk_load(to, from, bytes, bar);
}
template <class D, class M, class B, class... C>
__device__ inline void tensor_multicast(D to, M map, B bar, uint32_t, C... at) {
  tensor_load(to, map, bar, at...);
}
template <class D, class S, class B>
__device__ inline void cluster_bulk_share(D to, S from, uint32_t bytes, B bar) {
  bulk_share(to, from, bytes, bar);
}

#else

namespace detail {

// Words 4-8 of a message: coordinates, or bytes; 10-11: the tensor map, or the source.
template <>
struct mail_copier<copies> {
  __device__ static __attribute__((noinline, cold)) void copy(const message m) {
    if (!first_active_lane()) return;  // one copy
    const uint64_t from = value_of(m, 10);
    if ((m.words[1] & 0xffu) == bulk_message) bulk_load(m.words[2], from, m.words[4], m.words[3]);
    else tensor_load(m.words[2], from, m.words[3], m.words[4], m.words[5], m.words[6], m.words[7], m.words[8]);
  }
};

// Does what a mask of ranks says: f for this block itself, a message to the others. Masks differ between lanes.
template <class F>
__device__ inline void to_each(uint32_t mask, const message& m, F f) {
  const uint32_t blocks = cluster_blocks(), own = cluster_rank();
  if (mask >> own & 1u) f();
  for (uint32_t rank = 0; rank < blocks; ++rank)
    if (rank != own && (mask >> rank & 1u)) send<message_words>(rank, m);
}

}  // namespace detail

template <class D, class S, class B>
__device__ inline void bulk_multicast(D to, S from, uint32_t bytes, B bar, uint32_t mask) {
  detail::message m = {};
  const uint64_t source = address(from);
  m.words[1] = detail::bulk_message, m.words[2] = detail::here(cvta_generic_to_shared(to));
  m.words[3] = detail::here(cvta_generic_to_shared(bar)), m.words[4] = bytes;
  m.words[10] = uint32_t(source), m.words[11] = uint32_t(source >> 32);
  detail::to_each(mask & 0xffffu, m, [=] { bulk_load(m.words[2], source, bytes, m.words[3]); });
}
template <class D, class M, class B, class... C>
__device__ inline void tensor_multicast(D to, M map, B bar, uint32_t mask, C... at) {
  detail::message m = {};
  const uint64_t source = address(map);
  const uint32_t coordinates[] = {uint32_t(at)...};
  m.words[1] = detail::tensor_message, m.words[2] = detail::here(cvta_generic_to_shared(to));
  m.words[3] = detail::here(cvta_generic_to_shared(bar));
#pragma unroll
  for (uint32_t i = 0; i < sizeof...(C); ++i) m.words[4 + i] = coordinates[i];
  m.words[10] = uint32_t(source), m.words[11] = uint32_t(source >> 32);
  detail::to_each(mask & 0xffffu, m, [=] { tensor_load(m.words[2], source, m.words[3], at...); });
}
template <class D, class S, class B>
__device__ inline void cluster_bulk_share(D to, S from, uint32_t bytes, B bar) {
  static_assert(detail::shadows || sizeof(D) == 0, "define PORTER_CLUSTERS_SHADOW");
  const uint32_t destination = cvta_generic_to_shared(to), place = cvta_generic_to_shared(bar), source = cvta_generic_to_shared(from);
  detail::each_issuer([=](unsigned lane) {
    const uint32_t d = detail::of_lane(destination, lane), b = detail::of_lane(place, lane), s = detail::of_lane(source, lane);
    const uint32_t n = detail::of_lane(bytes, lane), rank = detail::uniform(rank_of(d));
    if (rank == cluster_rank()) {
      detail::move_chunks(0, n / 16, [=](uint32_t k) { return detail::shared_quad(s)[k]; },
                          [=](uint32_t k, detail::quad value, bool) { detail::shared_quad(detail::here(d))[k] = value; });
      detail::bytes_arrived(detail::here(b), n);
      return;
    }
    const uint64_t shadow = uint64_t(detail::part_of(rank)) + sizeof(detail::cluster_part) + detail::here(d);
    detail::move_chunks(0, n / 16, [=](uint32_t k) { return detail::shared_quad(s)[k]; },
                        [=](uint32_t k, detail::quad value, bool) { detail::global_quad(shadow)[k] = value; });
    ptx_detail::fence_release<gpu>();
    detail::message m = {};
    m.words[1] = detail::bulk_message, m.words[2] = detail::here(d), m.words[3] = detail::here(b), m.words[4] = n;
    m.words[10] = uint32_t(shadow), m.words[11] = uint32_t(shadow >> 32);
    if (detail::hardware_lane() == lane || (detail::first_mirrors != ~0ull && (detail::hardware_lane() & ~2u) == lane))
      detail::send<detail::message_words>(rank, m);
  });
}

#endif  // PORTER_CLUSTERS

}  // namespace porter

#endif  // PORTER_CLUSTER_COPY_H
