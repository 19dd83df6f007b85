// porter's stand-in; hipCUB's own is taken where it is found.
#if __has_include_next(<hipcub/block/block_raking_layout.hpp>)
#include_next <hipcub/block/block_raking_layout.hpp>
#else
#include <hipcub/porter/all.hpp>
#endif
