// porter's stand-in for hipSPARSE's version, ROCm 7's; hipSPARSE's own is taken where it is found.
#ifndef PORTER_HIPSPARSE_VERSION
#if __has_include_next(<hipsparse/hipsparse-version.h>)
#include_next <hipsparse/hipsparse-version.h>
#else
#define PORTER_HIPSPARSE_VERSION
#define hipsparseVersionMajor 4
#define hipsparseVersionMinor 0
#define hipsparseVersionPatch 1
#endif
#endif
