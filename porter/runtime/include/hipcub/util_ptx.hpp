// porter's stand-in; hipCUB's own is taken where it is found.
#if __has_include_next(<hipcub/util_ptx.hpp>)
#include_next <hipcub/util_ptx.hpp>
#else
#include <hipcub/porter/all.hpp>
#endif
