// porter's stand-in for OpenMP's functions where the compiler brings none: those of a program of one thread, which is what
// `#pragma omp` makes without -fopenmp. The compiler's own is taken where it is found.
#ifndef PORTER_OMP
#pragma clang system_header

#if __has_include_next(<omp.h>)
#include_next <omp.h>
#elif defined(_OPENMP)
#error "omp.h is not found: -fopenmp needs the compiler's OpenMP (ROCm: package openmp-extras-dev)"
#else
#define PORTER_OMP

#include <time.h>

static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_in_parallel(void) { return 0; }
static inline void omp_set_num_threads(int threads) { (void)threads; }
static inline void omp_set_dynamic(int dynamic) { (void)dynamic; }
static inline void omp_set_nested(int nested) { (void)nested; }
static inline double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct { int held; } omp_lock_t;
static inline void omp_init_lock(omp_lock_t *lock) { lock->held = 0; }
static inline void omp_destroy_lock(omp_lock_t *lock) { (void)lock; }
static inline void omp_set_lock(omp_lock_t *lock) { lock->held = 1; }
static inline void omp_unset_lock(omp_lock_t *lock) { lock->held = 0; }
static inline int omp_test_lock(omp_lock_t *lock) { return lock->held ? 0 : (lock->held = 1); }

#endif
#endif
