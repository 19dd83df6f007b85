// porter's stand-in; rocThrust's own is taken where it is found.
#if __has_include_next(<thrust/random/linear_congruential_engine.h>)
#include_next <thrust/random/linear_congruential_engine.h>
#else
#include <thrust/porter_thrust.h>
#endif
