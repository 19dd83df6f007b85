// porter's stand-in; hipCUB's own is taken where it is found.
#if __has_include_next(<hipcub/device/device_run_length_encode.hpp>)
#include_next <hipcub/device/device_run_length_encode.hpp>
#else
#include <hipcub/hipcub.hpp>
#endif
