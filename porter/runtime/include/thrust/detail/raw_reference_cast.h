// porter's stand-in; rocThrust's own is taken where it is found.
#if __has_include_next(<thrust/detail/raw_reference_cast.h>)
#include_next <thrust/detail/raw_reference_cast.h>
#else
#include <thrust/porter_thrust.h>
#endif
