// porter stub headers: device code, reads from and writes to surfaces
#pragma once
#include "../../surface_types.h"
#ifdef __CUDACC__
// Surface objects.
template <class T>
__device__ T surf1Dread(cudaSurfaceObject_t, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surf1Dread(T *, cudaSurfaceObject_t, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surf1Dwrite(T, cudaSurfaceObject_t, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ T surf2Dread(cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surf2Dread(T *, cudaSurfaceObject_t, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surf2Dwrite(T, cudaSurfaceObject_t, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ T surf3Dread(cudaSurfaceObject_t, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surf3Dread(T *, cudaSurfaceObject_t, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surf3Dwrite(T, cudaSurfaceObject_t, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ T surf1DLayeredread(cudaSurfaceObject_t, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surf1DLayeredread(T *, cudaSurfaceObject_t, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surf1DLayeredwrite(T, cudaSurfaceObject_t, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ T surf2DLayeredread(cudaSurfaceObject_t, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surf2DLayeredread(T *, cudaSurfaceObject_t, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surf2DLayeredwrite(T, cudaSurfaceObject_t, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ T surfCubemapread(cudaSurfaceObject_t, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surfCubemapread(T *, cudaSurfaceObject_t, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surfCubemapwrite(T, cudaSurfaceObject_t, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ T surfCubemapLayeredread(cudaSurfaceObject_t, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surfCubemapLayeredread(T *, cudaSurfaceObject_t, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T>
__device__ void surfCubemapLayeredwrite(T, cudaSurfaceObject_t, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY

// Legacy surface references.
template <class T, int dim>
__device__ T surf1Dread(surface<void, dim>, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surf1Dread(T *, surface<void, dim>, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surf1Dwrite(T, surface<void, dim>, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ T surf2Dread(surface<void, dim>, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surf2Dread(T *, surface<void, dim>, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surf2Dwrite(T, surface<void, dim>, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ T surf3Dread(surface<void, dim>, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surf3Dread(T *, surface<void, dim>, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surf3Dwrite(T, surface<void, dim>, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ T surf1DLayeredread(surface<void, dim>, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surf1DLayeredread(T *, surface<void, dim>, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surf1DLayeredwrite(T, surface<void, dim>, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ T surf2DLayeredread(surface<void, dim>, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surf2DLayeredread(T *, surface<void, dim>, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surf2DLayeredwrite(T, surface<void, dim>, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ T surfCubemapread(surface<void, dim>, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surfCubemapread(T *, surface<void, dim>, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surfCubemapwrite(T, surface<void, dim>, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ T surfCubemapLayeredread(surface<void, dim>, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surfCubemapLayeredread(T *, surface<void, dim>, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
template <class T, int dim>
__device__ void surfCubemapLayeredwrite(T, surface<void, dim>, int, int, int,
    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) PORTER_STUB_BODY
#endif
