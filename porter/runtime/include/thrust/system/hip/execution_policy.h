// porter's stand-in; rocThrust's own is taken where it is found.
#if __has_include_next(<thrust/system/hip/execution_policy.h>)
#include_next <thrust/system/hip/execution_policy.h>
#else
#include <thrust/porter_thrust.h>
#endif
