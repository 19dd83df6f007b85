// porter's stand-in; rocThrust's own is taken where it is found.
#if __has_include_next(<thrust/mr/device_memory_resource.h>)
#include_next <thrust/mr/device_memory_resource.h>
#else
#include <thrust/porter_thrust.h>
#endif
