// porter's stand-in; hipCUB's own is taken where it is found.
#if __has_include_next(<hipcub/block/block_store.hpp>)
#include_next <hipcub/block/block_store.hpp>
#else
#include <hipcub/porter/all.hpp>
#endif
