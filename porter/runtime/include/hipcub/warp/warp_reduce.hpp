// porter's stand-in; hipCUB's own is taken where it is found.
#if __has_include_next(<hipcub/warp/warp_reduce.hpp>)
#include_next <hipcub/warp/warp_reduce.hpp>
#else
#include <hipcub/porter/all.hpp>
#endif
