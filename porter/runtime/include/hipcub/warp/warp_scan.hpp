// porter's stand-in; hipCUB's own is taken where it is found.
#if __has_include_next(<hipcub/warp/warp_scan.hpp>)
#include_next <hipcub/warp/warp_scan.hpp>
#else
#include <hipcub/porter/all.hpp>
#endif
