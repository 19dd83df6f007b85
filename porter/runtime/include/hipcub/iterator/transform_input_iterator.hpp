// porter's stand-in; hipCUB's own is taken where it is found.
#if __has_include_next(<hipcub/iterator/transform_input_iterator.hpp>)
#include_next <hipcub/iterator/transform_input_iterator.hpp>
#else
#include <hipcub/porter/all.hpp>
#endif
