// porter's stand-in; hipCUB's own is taken where it is found.
#if __has_include_next(<hipcub/block/block_adjacent_difference.hpp>)
#include_next <hipcub/block/block_adjacent_difference.hpp>
#else
#include <hipcub/porter/all.hpp>
#endif
