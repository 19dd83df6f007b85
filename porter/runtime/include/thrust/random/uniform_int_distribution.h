// porter's stand-in; rocThrust's own is taken where it is found.
#if __has_include_next(<thrust/random/uniform_int_distribution.h>)
#include_next <thrust/random/uniform_int_distribution.h>
#else
#include <thrust/porter_thrust.h>
#endif
