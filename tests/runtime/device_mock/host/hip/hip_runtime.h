// A mock, for tests alone: enough of hip/hip_runtime.h to compile porter's pure functions for the CPU.
#pragma once

#define __host__
#define __device__

struct char4 { signed char x, y, z, w; };
struct uchar4 { unsigned char x, y, z, w; };
struct short2 { short x, y; };
struct ushort2 { unsigned short x, y; };
