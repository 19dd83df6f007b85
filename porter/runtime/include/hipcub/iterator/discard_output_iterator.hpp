// porter's stand-in; hipCUB's own is taken where it is found.
#if __has_include_next(<hipcub/iterator/discard_output_iterator.hpp>)
#include_next <hipcub/iterator/discard_output_iterator.hpp>
#else
#include <hipcub/hipcub.hpp>
#endif
