// porter stub headers: surface objects and the legacy surface references.
#pragma once
#include "driver_types.h"

struct surfaceReference { cudaChannelFormatDesc channelDesc; };

template <class T, int dim = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
  surface();
};

template <int dim>
struct __attribute__((device_builtin_surface_type)) surface<void, dim> : public surfaceReference {
  surface();
};
