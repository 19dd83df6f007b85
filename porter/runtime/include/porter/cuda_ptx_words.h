// porter runtime: the words by which cuda::ptx's functions choose among forms (memory order, scope, space). They are types,
// as in libcu++; where all forms are one here, they are parameters of any type.
#ifndef PORTER_CUDA_PTX_WORDS_H
#define PORTER_CUDA_PTX_WORDS_H

#include <type_traits>

namespace porter {
namespace ptx {

enum class dot_sem { acq_rel, acquire, relaxed, release, sc, weak };
enum class dot_space { global, cluster, shared };
enum class dot_scope { cta, cluster, gpu, sys };
enum class dot_op { add, dec, inc, max, min, and_op, or_op, xor_op, cas, exch };
template <dot_sem Sem>
using sem_t = std::integral_constant<dot_sem, Sem>;
template <dot_space Space>
using space_t = std::integral_constant<dot_space, Space>;
template <dot_scope Scope>
using scope_t = std::integral_constant<dot_scope, Scope>;
template <dot_op Op>
using op_t = std::integral_constant<dot_op, Op>;
template <int N>
using n32_t = std::integral_constant<int, N>;

#define PORTER_WORD(kind, word)                      \
  using kind##_##word##_t = kind##_t<dot_##kind::word>; \
  inline constexpr kind##_##word##_t kind##_##word{};
PORTER_WORD(sem, acq_rel)
PORTER_WORD(sem, acquire)
PORTER_WORD(sem, relaxed)
PORTER_WORD(sem, release)
PORTER_WORD(sem, sc)
PORTER_WORD(sem, weak)
PORTER_WORD(space, global)
PORTER_WORD(space, cluster)
PORTER_WORD(space, shared)
PORTER_WORD(scope, cta)
PORTER_WORD(scope, cluster)
PORTER_WORD(scope, gpu)
PORTER_WORD(scope, sys)
PORTER_WORD(op, add)
PORTER_WORD(op, dec)
PORTER_WORD(op, inc)
PORTER_WORD(op, max)
PORTER_WORD(op, min)
PORTER_WORD(op, and_op)
PORTER_WORD(op, or_op)
PORTER_WORD(op, xor_op)
PORTER_WORD(op, cas)
PORTER_WORD(op, exch)
#undef PORTER_WORD

}  // namespace ptx
}  // namespace porter

#endif  // PORTER_CUDA_PTX_WORDS_H
