// porter stub headers: PTX wrappers, tags
#pragma once
#include "../../cuda_bf16.h"
#include "../../cuda_fp16.h"
#include <stdint.h>

namespace cuda {
namespace ptx {
enum class dot_sem { acq_rel, acquire, relaxed, release, sc, weak };
template <dot_sem v>
struct sem_t {};
enum class dot_space { global, cluster, shared };
template <dot_space v>
struct space_t {};
enum class dot_scope { cta, cluster, gpu, sys };
template <dot_scope v>
struct scope_t {};
enum class dot_op { add, dec, inc, max, min, and_op, or_op, xor_op, cas, exch };
template <dot_op v>
struct op_t {};
enum class dot_cta_group { cta_group_1, cta_group_2 };
template <dot_cta_group v>
struct cta_group_t {};
enum class dot_kind { f16, f8f6f4, i8, mxf4, mxf4nvf4, mxf8f6f4, tf32 };
template <dot_kind v>
struct kind_t {};
typedef sem_t<dot_sem::acq_rel> sem_acq_rel_t;
typedef sem_t<dot_sem::acquire> sem_acquire_t;
typedef sem_t<dot_sem::relaxed> sem_relaxed_t;
typedef sem_t<dot_sem::release> sem_release_t;
typedef sem_t<dot_sem::sc> sem_sc_t;
typedef sem_t<dot_sem::weak> sem_weak_t;
static constexpr sem_acq_rel_t sem_acq_rel{};
static constexpr sem_acquire_t sem_acquire{};
static constexpr sem_relaxed_t sem_relaxed{};
static constexpr sem_release_t sem_release{};
static constexpr sem_sc_t sem_sc{};
static constexpr sem_weak_t sem_weak{};
typedef space_t<dot_space::global> space_global_t;
typedef space_t<dot_space::shared> space_shared_t;
typedef space_t<dot_space::cluster> space_cluster_t;
static constexpr space_global_t space_global{};
static constexpr space_shared_t space_shared{};
static constexpr space_cluster_t space_cluster{};
typedef scope_t<dot_scope::cluster> scope_cluster_t;
typedef scope_t<dot_scope::cta> scope_cta_t;
typedef scope_t<dot_scope::gpu> scope_gpu_t;
typedef scope_t<dot_scope::sys> scope_sys_t;
static constexpr scope_cluster_t scope_cluster{};
static constexpr scope_cta_t scope_cta{};
static constexpr scope_gpu_t scope_gpu{};
static constexpr scope_sys_t scope_sys{};
typedef op_t<dot_op::add> op_add_t;
typedef op_t<dot_op::dec> op_dec_t;
typedef op_t<dot_op::inc> op_inc_t;
typedef op_t<dot_op::max> op_max_t;
typedef op_t<dot_op::min> op_min_t;
typedef op_t<dot_op::and_op> op_and_op_t;
typedef op_t<dot_op::or_op> op_or_op_t;
typedef op_t<dot_op::xor_op> op_xor_op_t;
typedef op_t<dot_op::cas> op_cas_t;
typedef op_t<dot_op::exch> op_exch_t;
static constexpr op_add_t op_add{};
static constexpr op_dec_t op_dec{};
static constexpr op_inc_t op_inc{};
static constexpr op_max_t op_max{};
static constexpr op_min_t op_min{};
static constexpr op_and_op_t op_and_op{};
static constexpr op_or_op_t op_or_op{};
static constexpr op_xor_op_t op_xor_op{};
static constexpr op_cas_t op_cas{};
static constexpr op_exch_t op_exch{};
typedef cta_group_t<dot_cta_group::cta_group_1> cta_group_1_t;
typedef cta_group_t<dot_cta_group::cta_group_2> cta_group_2_t;
static constexpr cta_group_1_t cta_group_1{};
static constexpr cta_group_2_t cta_group_2{};
typedef kind_t<dot_kind::f16> kind_f16_t;
typedef kind_t<dot_kind::f8f6f4> kind_f8f6f4_t;
typedef kind_t<dot_kind::i8> kind_i8_t;
typedef kind_t<dot_kind::mxf4> kind_mxf4_t;
typedef kind_t<dot_kind::mxf4nvf4> kind_mxf4nvf4_t;
typedef kind_t<dot_kind::mxf8f6f4> kind_mxf8f6f4_t;
typedef kind_t<dot_kind::tf32> kind_tf32_t;
static constexpr kind_f16_t kind_f16{};
static constexpr kind_f8f6f4_t kind_f8f6f4{};
static constexpr kind_i8_t kind_i8{};
static constexpr kind_mxf4_t kind_mxf4{};
static constexpr kind_mxf4nvf4_t kind_mxf4nvf4{};
static constexpr kind_mxf8f6f4_t kind_mxf8f6f4{};
static constexpr kind_tf32_t kind_tf32{};

template <int v>
struct n32_t {};
}  // namespace ptx
}  // namespace cuda
