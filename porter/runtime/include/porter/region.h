// porter runtime: named regions of a kernel, for timelines (`porter trace`) and cycles by region (`porter run --time`).
//
//   PORTER_REGION("load tiles");           // until the end of the scope
//   PORTER_REGION_BEGIN("multiply");       // ... or until
//   PORTER_REGION_END("multiply");
//
// A name is a literal of letters, digits, spaces and _ - . / for it becomes a comment in the assembly: a region has no
// instruction of its own. It keeps the compiler from moving instructions over its ends, which may cost time. So regions
// are in what porter builds for its emulator and its predictions, and nowhere else: with hipcc the macros are empty, and
// -DPORTER_REGIONS=1 brings them there, -DPORTER_REGIONS=0 takes them out everywhere.
#ifndef PORTER_REGION_H
#define PORTER_REGION_H

#if !defined(PORTER_REGIONS) && defined(__PORTER_EMULATOR__)
#define PORTER_REGIONS 1
#endif

#if PORTER_REGIONS && defined(__HIP_DEVICE_COMPILE__)
#define PORTER_REGION_MARK(mark)          \
  do {                                    \
    __builtin_amdgcn_sched_barrier(0);    \
    asm volatile("; porter.region " mark ::: "memory"); \
    __builtin_amdgcn_sched_barrier(0);    \
  } while (0)
#define PORTER_REGION_BEGIN(name) PORTER_REGION_MARK("+" name)
#define PORTER_REGION_END(name) PORTER_REGION_MARK("-" name)
#define PORTER_REGION_JOINED(name, number)                                              \
  PORTER_REGION_BEGIN(name);                                                            \
  struct porter_region_##number {                                                       \
    __attribute__((device, always_inline)) ~porter_region_##number() { PORTER_REGION_END(name); } \
  } porter_region_at_##number
#define PORTER_REGION_NUMBERED(name, number) PORTER_REGION_JOINED(name, number)
#define PORTER_REGION(name) PORTER_REGION_NUMBERED(name, __COUNTER__)
#else
#define PORTER_REGION(name) static_assert(sizeof(name) > 1, "a region has a name")
#define PORTER_REGION_BEGIN(name) PORTER_REGION(name)
#define PORTER_REGION_END(name) PORTER_REGION(name)
#endif

#endif  // PORTER_REGION_H
