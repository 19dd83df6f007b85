// porter runtime: NVRTC's -default-device. Functions that say nothing are the device's too, from here to the end of the program.
// It has no end: an option includes it in front of all.
#ifndef PORTER_DEFAULT_DEVICE_H
#define PORTER_DEFAULT_DEVICE_H

#pragma clang force_cuda_host_device begin

#endif  // PORTER_DEFAULT_DEVICE_H
