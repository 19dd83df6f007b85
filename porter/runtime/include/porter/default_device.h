// porter runtime: NVRTC's -default-device. Functions that say nothing are the device's too, from here to the end of the program.
// No include guard, and no end: it is included once, by an option.
#pragma clang force_cuda_host_device begin
