// porter stub headers: device code, reads from textures
#pragma once
#include "../../texture_types.h"
#ifdef __CUDACC__
// Texture objects.
template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int) PORTER_STUB_BODY
template <class T> __device__ void tex1Dfetch(T *, cudaTextureObject_t, int) PORTER_STUB_BODY
template <class T> __device__ T tex1D(cudaTextureObject_t, float) PORTER_STUB_BODY
template <class T> __device__ void tex1D(T *, cudaTextureObject_t, float) PORTER_STUB_BODY
template <class T> __device__ T tex2D(cudaTextureObject_t, float, float) PORTER_STUB_BODY
template <class T> __device__ void tex2D(T *, cudaTextureObject_t, float, float) PORTER_STUB_BODY
template <class T> __device__ T tex2D(cudaTextureObject_t, float, float, bool *) PORTER_STUB_BODY
template <class T> __device__ void tex2D(T *, cudaTextureObject_t, float, float, bool *) PORTER_STUB_BODY
template <class T> __device__ T tex3D(cudaTextureObject_t, float, float, float) PORTER_STUB_BODY
template <class T> __device__ void tex3D(T *, cudaTextureObject_t, float, float, float) PORTER_STUB_BODY
template <class T> __device__ T tex3D(cudaTextureObject_t, float, float, float, bool *) PORTER_STUB_BODY
template <class T> __device__ void tex3D(T *, cudaTextureObject_t, float, float, float, bool *) PORTER_STUB_BODY
template <class T> __device__ T tex1DLayered(cudaTextureObject_t, float, int) PORTER_STUB_BODY
template <class T> __device__ void tex1DLayered(T *, cudaTextureObject_t, float, int) PORTER_STUB_BODY
template <class T> __device__ T tex2DLayered(cudaTextureObject_t, float, float, int) PORTER_STUB_BODY
template <class T> __device__ void tex2DLayered(T *, cudaTextureObject_t, float, float, int) PORTER_STUB_BODY
template <class T> __device__ T tex2DLayered(cudaTextureObject_t, float, float, int, bool *) PORTER_STUB_BODY
template <class T> __device__ void tex2DLayered(T *, cudaTextureObject_t, float, float, int, bool *) PORTER_STUB_BODY
template <class T> __device__ T texCubemap(cudaTextureObject_t, float, float, float) PORTER_STUB_BODY
template <class T> __device__ void texCubemap(T *, cudaTextureObject_t, float, float, float) PORTER_STUB_BODY
template <class T> __device__ T texCubemapLayered(cudaTextureObject_t, float, float, float, int) PORTER_STUB_BODY
template <class T>
__device__ void texCubemapLayered(T *, cudaTextureObject_t, float, float, float, int) PORTER_STUB_BODY
template <class T> __device__ T tex2Dgather(cudaTextureObject_t, float, float, int = 0) PORTER_STUB_BODY
template <class T> __device__ void tex2Dgather(T *, cudaTextureObject_t, float, float, int = 0) PORTER_STUB_BODY
template <class T> __device__ T tex1DLod(cudaTextureObject_t, float, float) PORTER_STUB_BODY
template <class T> __device__ void tex1DLod(T *, cudaTextureObject_t, float, float) PORTER_STUB_BODY
template <class T> __device__ T tex2DLod(cudaTextureObject_t, float, float, float) PORTER_STUB_BODY
template <class T> __device__ void tex2DLod(T *, cudaTextureObject_t, float, float, float) PORTER_STUB_BODY
template <class T> __device__ T tex2DLod(cudaTextureObject_t, float, float, float, bool *) PORTER_STUB_BODY
template <class T> __device__ void tex2DLod(T *, cudaTextureObject_t, float, float, float, bool *) PORTER_STUB_BODY
template <class T> __device__ T tex3DLod(cudaTextureObject_t, float, float, float, float) PORTER_STUB_BODY
template <class T> __device__ void tex3DLod(T *, cudaTextureObject_t, float, float, float, float) PORTER_STUB_BODY
template <class T> __device__ T tex3DLod(cudaTextureObject_t, float, float, float, float, bool *) PORTER_STUB_BODY
template <class T>
__device__ void tex3DLod(T *, cudaTextureObject_t, float, float, float, float, bool *) PORTER_STUB_BODY
template <class T> __device__ T tex1DLayeredLod(cudaTextureObject_t, float, int, float) PORTER_STUB_BODY
template <class T> __device__ void tex1DLayeredLod(T *, cudaTextureObject_t, float, int, float) PORTER_STUB_BODY
template <class T> __device__ T tex2DLayeredLod(cudaTextureObject_t, float, float, int, float) PORTER_STUB_BODY
template <class T> __device__ void tex2DLayeredLod(T *, cudaTextureObject_t, float, float, int, float) PORTER_STUB_BODY
template <class T> __device__ T tex2DLayeredLod(cudaTextureObject_t, float, float, int, float, bool *) PORTER_STUB_BODY
template <class T>
__device__ void tex2DLayeredLod(T *, cudaTextureObject_t, float, float, int, float, bool *) PORTER_STUB_BODY
template <class T> __device__ T texCubemapLod(cudaTextureObject_t, float, float, float, float) PORTER_STUB_BODY
template <class T> __device__ void texCubemapLod(T *, cudaTextureObject_t, float, float, float, float) PORTER_STUB_BODY
template <class T>
__device__ T texCubemapLayeredLod(cudaTextureObject_t, float, float, float, int, float) PORTER_STUB_BODY
template <class T>
__device__ void texCubemapLayeredLod(T *, cudaTextureObject_t, float, float, float, int, float) PORTER_STUB_BODY
template <class T> __device__ T tex1DGrad(cudaTextureObject_t, float, float, float) PORTER_STUB_BODY
template <class T> __device__ void tex1DGrad(T *, cudaTextureObject_t, float, float, float) PORTER_STUB_BODY
template <class T> __device__ T tex2DGrad(cudaTextureObject_t, float, float, float2, float2) PORTER_STUB_BODY
template <class T> __device__ void tex2DGrad(T *, cudaTextureObject_t, float, float, float2, float2) PORTER_STUB_BODY
template <class T> __device__ T tex2DGrad(cudaTextureObject_t, float, float, float2, float2, bool *) PORTER_STUB_BODY
template <class T>
__device__ void tex2DGrad(T *, cudaTextureObject_t, float, float, float2, float2, bool *) PORTER_STUB_BODY
template <class T> __device__ T tex3DGrad(cudaTextureObject_t, float, float, float, float4, float4) PORTER_STUB_BODY
template <class T>
__device__ void tex3DGrad(T *, cudaTextureObject_t, float, float, float, float4, float4) PORTER_STUB_BODY
template <class T>
__device__ T tex3DGrad(cudaTextureObject_t, float, float, float, float4, float4, bool *) PORTER_STUB_BODY
template <class T>
__device__ void tex3DGrad(T *, cudaTextureObject_t, float, float, float, float4, float4, bool *) PORTER_STUB_BODY
template <class T> __device__ T tex1DLayeredGrad(cudaTextureObject_t, float, int, float, float) PORTER_STUB_BODY
template <class T> __device__ void tex1DLayeredGrad(T *, cudaTextureObject_t, float, int, float, float) PORTER_STUB_BODY
template <class T>
__device__ T tex2DLayeredGrad(cudaTextureObject_t, float, float, int, float2, float2) PORTER_STUB_BODY
template <class T>
__device__ void tex2DLayeredGrad(T *, cudaTextureObject_t, float, float, int, float2, float2) PORTER_STUB_BODY
template <class T>
__device__ T tex2DLayeredGrad(cudaTextureObject_t, float, float, int, float2, float2, bool *) PORTER_STUB_BODY
template <class T>
__device__ void tex2DLayeredGrad(T *, cudaTextureObject_t, float, float, int, float2, float2, bool *) PORTER_STUB_BODY
template <class T>
__device__ T texCubemapGrad(cudaTextureObject_t, float, float, float, float4, float4) PORTER_STUB_BODY
template <class T>
__device__ void texCubemapGrad(T *, cudaTextureObject_t, float, float, float, float4, float4) PORTER_STUB_BODY
template <class T>
__device__ T texCubemapLayeredGrad(cudaTextureObject_t, float, float, float, int, float4, float4) PORTER_STUB_BODY
template <class T>
__device__ void texCubemapLayeredGrad(T *, cudaTextureObject_t, float, float, float, int, float4,
    float4) PORTER_STUB_BODY
template <class T> __device__ T tex2Dgather(cudaTextureObject_t, float, float, bool *, int = 0) PORTER_STUB_BODY
template <class T> __device__ void tex2Dgather(T *, cudaTextureObject_t, float, float, bool *, int = 0) PORTER_STUB_BODY

// Legacy texture references. A normalized read gives floats, as many as the element has components.
namespace porter_stubs {
template <class T, cudaTextureReadMode mode>
struct texel {
  typedef T type;
};
template <>
struct texel<signed char, cudaReadModeNormalizedFloat> {
  typedef float type;
};
template <>
struct texel<char, cudaReadModeNormalizedFloat> {
  typedef float type;
};
template <>
struct texel<char1, cudaReadModeNormalizedFloat> {
  typedef float1 type;
};
template <>
struct texel<char2, cudaReadModeNormalizedFloat> {
  typedef float2 type;
};
template <>
struct texel<char3, cudaReadModeNormalizedFloat> {
  typedef float3 type;
};
template <>
struct texel<char4, cudaReadModeNormalizedFloat> {
  typedef float4 type;
};
template <>
struct texel<unsigned char, cudaReadModeNormalizedFloat> {
  typedef float type;
};
template <>
struct texel<uchar1, cudaReadModeNormalizedFloat> {
  typedef float1 type;
};
template <>
struct texel<uchar2, cudaReadModeNormalizedFloat> {
  typedef float2 type;
};
template <>
struct texel<uchar3, cudaReadModeNormalizedFloat> {
  typedef float3 type;
};
template <>
struct texel<uchar4, cudaReadModeNormalizedFloat> {
  typedef float4 type;
};
template <>
struct texel<short, cudaReadModeNormalizedFloat> {
  typedef float type;
};
template <>
struct texel<short1, cudaReadModeNormalizedFloat> {
  typedef float1 type;
};
template <>
struct texel<short2, cudaReadModeNormalizedFloat> {
  typedef float2 type;
};
template <>
struct texel<short3, cudaReadModeNormalizedFloat> {
  typedef float3 type;
};
template <>
struct texel<short4, cudaReadModeNormalizedFloat> {
  typedef float4 type;
};
template <>
struct texel<unsigned short, cudaReadModeNormalizedFloat> {
  typedef float type;
};
template <>
struct texel<ushort1, cudaReadModeNormalizedFloat> {
  typedef float1 type;
};
template <>
struct texel<ushort2, cudaReadModeNormalizedFloat> {
  typedef float2 type;
};
template <>
struct texel<ushort3, cudaReadModeNormalizedFloat> {
  typedef float3 type;
};
template <>
struct texel<ushort4, cudaReadModeNormalizedFloat> {
  typedef float4 type;
};
}  // namespace porter_stubs

template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex1Dfetch(texture<T, cudaTextureType1D, mode>,
    int) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex1D(texture<T, cudaTextureType1D, mode>,
    float) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex2D(texture<T, cudaTextureType2D, mode>, float,
    float) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex3D(texture<T, cudaTextureType3D, mode>, float, float,
    float) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex1DLayered(texture<T, cudaTextureType1DLayered, mode>, float,
    int) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex2DLayered(texture<T, cudaTextureType2DLayered, mode>, float,
    float, int) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type texCubemap(texture<T, cudaTextureTypeCubemap, mode>, float,
    float, float) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type texCubemapLayered(texture<T, cudaTextureTypeCubemapLayered,
    mode>, float, float, float, int) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex2Dgather(texture<T, cudaTextureType2D, mode>, float, float,
    int = 0) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex1DLod(texture<T, cudaTextureType1D, mode>, float,
    float) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex2DLod(texture<T, cudaTextureType2D, mode>, float, float,
    float) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex3DLod(texture<T, cudaTextureType3D, mode>, float, float,
    float, float) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex1DLayeredLod(texture<T, cudaTextureType1DLayered, mode>,
    float, int, float) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex2DLayeredLod(texture<T, cudaTextureType2DLayered, mode>,
    float, float, int, float) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type texCubemapLod(texture<T, cudaTextureTypeCubemap, mode>, float,
    float, float, float) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type texCubemapLayeredLod(texture<T, cudaTextureTypeCubemapLayered,
    mode>, float, float, float, int, float) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex1DGrad(texture<T, cudaTextureType1D, mode>, float, float,
    float) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex2DGrad(texture<T, cudaTextureType2D, mode>, float, float,
    float2, float2) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex3DGrad(texture<T, cudaTextureType3D, mode>, float, float,
    float, float4, float4) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex1DLayeredGrad(texture<T, cudaTextureType1DLayered, mode>,
    float, int, float, float) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type tex2DLayeredGrad(texture<T, cudaTextureType2DLayered, mode>,
    float, float, int, float2, float2) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type texCubemapGrad(texture<T, cudaTextureTypeCubemap, mode>, float,
    float, float, float4, float4) PORTER_STUB_BODY
template <class T, cudaTextureReadMode mode>
__device__ typename porter_stubs::texel<T, mode>::type texCubemapLayeredGrad(texture<T, cudaTextureTypeCubemapLayered,
    mode>, float, float, float, int, float4, float4) PORTER_STUB_BODY
#endif
