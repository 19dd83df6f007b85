// Copies and fills, in one, two and three dimensions.
#include "host.h"

namespace host {

hipError_t check_copy(const void *dst, const void *src, u64 size, hipMemcpyKind kind) {
  if ((unsigned)kind > hipMemcpyDefault && kind != hipMemcpyDeviceToDeviceNoCU) return hipErrorInvalidMemcpyDirection;
  if (!size) return hipSuccess;
  if (!dst || !src || !fits(dst, size) || !fits(src, size)) return hipErrorInvalidValue;
  return hipSuccess;
}

namespace {

// First and last byte of a box of rows
u64 span(u64 pitch, u64 rows_a_slice, const hipExtent &extent) {
  return ((extent.depth - 1) * rows_a_slice + extent.height - 1) * pitch + extent.width;
}
u8 *corner(const hipPitchedPtr &p, const hipPos &pos) {
  return (u8 *)p.ptr + (pos.z * p.ysize + pos.y) * p.pitch + pos.x;
}
bool nothing(const hipExtent &extent) { return !extent.width || !extent.height || !extent.depth; }

hipMemcpy3DParms flat2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                        hipMemcpyKind kind) {
  hipMemcpy3DParms p{};
  p.dstPtr = {dst, dpitch, width, height};
  p.srcPtr = {(void *)src, spitch, width, height};
  p.extent = {width, height, 1};
  p.kind = kind;
  return p;
}

}  // namespace

hipError_t check_copy3d(const hipMemcpy3DParms &p) {
  if (p.srcArray || p.dstArray) return not_supported("a copy of an array");
  if (nothing(p.extent)) return hipSuccess;
  if (!p.srcPtr.ptr || !p.dstPtr.ptr) return hipErrorInvalidValue;
  const bool rows = p.extent.height > 1 || p.extent.depth > 1;
  if (rows && (p.srcPtr.pitch < p.extent.width + p.srcPos.x || p.dstPtr.pitch < p.extent.width + p.dstPos.x))
    return hipErrorInvalidPitchValue;
  if (const hipError_t error = check_copy(p.dstPtr.ptr, p.srcPtr.ptr, 1, p.kind)) return error;
  if (!fits(corner(p.dstPtr, p.dstPos), span(p.dstPtr.pitch, p.dstPtr.ysize, p.extent)) ||
      !fits(corner(p.srcPtr, p.srcPos), span(p.srcPtr.pitch, p.srcPtr.ysize, p.extent)))
    return hipErrorInvalidValue;
  return hipSuccess;
}

void run_copy3d(const hipMemcpy3DParms &p) {
  if (nothing(p.extent)) return;
  u8 *to = corner(p.dstPtr, p.dstPos);
  const u8 *from = corner(p.srcPtr, p.srcPos);
  for (size_t z = 0; z < p.extent.depth; z++)
    for (size_t y = 0; y < p.extent.height; y++) {
      u8 *row = to + (z * p.dstPtr.ysize + y) * p.dstPtr.pitch;
      const u8 *source = from + (z * p.srcPtr.ysize + y) * p.srcPtr.pitch;
      stream_touches(source, p.extent.width, false);
      stream_touches(row, p.extent.width, true);
      memmove(row, source, p.extent.width);
    }
}

hipError_t check_fill(const hipMemsetParams &p) {
  if (!p.width || !p.height) return hipSuccess;
  if (!p.dst) return hipErrorInvalidValue;
  if (p.height > 1 && p.pitch < p.width * p.elementSize) return hipErrorInvalidValue;
  const u64 bytes = (p.height - 1) * p.pitch + p.width * p.elementSize;
  return find_allocation(p.dst) && fits(p.dst, bytes) ? hipSuccess : hipErrorInvalidValue;
}

// `width` counts elements here, as in HIP's memset nodes.
void run_fill(const hipMemsetParams &p) {
  for (size_t y = 0; y < p.height; y++) {
    u8 *row = (u8 *)p.dst + y * p.pitch;
    stream_touches(row, p.width * p.elementSize, true);
    if (p.elementSize == 1) memset(row, (int)p.value, p.width);
    else
      for (size_t x = 0; x < p.width; x++) memcpy(row + x * p.elementSize, &p.value, p.elementSize);
  }
}

}  // namespace host

using namespace host;

namespace {

enum Moment { NOW, LATER };  // whether the call may return before the copy is done

// The program's own memory may change or go as soon as the call returns: HIP copies it before.
bool pageable(const void *address) { return !find_allocation(address); }

// The host waits for no copy within one device's memory, whatever the call is named, unless the program wants it for both ends.
bool within_device(const void *dst, const void *src) {
  const auto to = find_allocation(dst), from = find_allocation(src);
  if (!to || !from || to->device != from->device || !to->of_device() || !from->of_device()) return false;
  return !synchronous_memory(*to) || !synchronous_memory(*from);
}
// Nor for a fill of it, from an allocation's start on. AMD's runtime looks at the start alone.
bool filled_later(const void *dst) {
  const auto to = find_allocation(dst);
  if (!to || !to->of_device()) return false;
  const bool fine = to->flags == hipDeviceMallocFinegrained || to->flags == hipDeviceMallocUncached || to->flags == hipMallocSignalMemory;
  return to->start == (u64)dst && !fine;
}

hipError_t give(hipStream_t stream, Work &&work, bool waits) {
  return done(waits ? submit_and_wait(stream, std::move(work)) : submit(stream, std::move(work)));
}

hipError_t flat(void *dst, const void *src, size_t size, hipMemcpyKind kind, hipStream_t stream, Moment moment) {
  if (moment == NOW)
    if (const hipError_t refused = refuse_in_capture()) return done(refused);
  if (const hipError_t error = check_copy(dst, src, size, kind)) return done(error);
  Work work;
  work.type = hipGraphNodeTypeMemcpy;
  work.flat = true;
  work.copy = {dst, src, size, kind};
  return give(stream, std::move(work), (moment == NOW && !within_device(dst, src)) || pageable(dst) || pageable(src));
}

hipError_t box(const hipMemcpy3DParms &p, hipStream_t stream, Moment moment) {
  if (moment == NOW)
    if (const hipError_t refused = refuse_in_capture()) return done(refused);
  if (const hipError_t error = check_copy3d(p)) return done(error);
  Work work;
  work.type = hipGraphNodeTypeMemcpy;
  work.copy3d = p;
  return give(stream, std::move(work), moment == NOW || pageable(p.dstPtr.ptr) || pageable(p.srcPtr.ptr));
}

hipError_t rows(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, hipMemcpyKind kind,
                hipStream_t stream, Moment moment) {
  if (width && height && (dpitch < width || spitch < width)) return done(hipErrorInvalidPitchValue);
  return box(flat2d(dst, dpitch, src, spitch, width, height, kind), stream, moment);
}

hipError_t fill(void *dst, unsigned value, unsigned element, size_t pitch, size_t width, size_t height,
                hipStream_t stream, Moment moment) {
  if (moment == NOW)
    if (const hipError_t refused = refuse_in_capture()) return done(refused);
  const hipMemsetParams p{dst, element, height, pitch, value, width};
  if (const hipError_t error = check_fill(p)) return done(error);
  Work work;
  work.type = hipGraphNodeTypeMemset;
  work.fill = p;
  return give(stream, std::move(work), moment == NOW && !filled_later(dst));
}

hipError_t fill3d(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream, Moment moment) {
  if (nothing(extent)) return done(hipSuccess);
  if (extent.width > to.pitch) return done(hipErrorInvalidValue);
  if (moment == NOW && filled_later(to.ptr)) {
    if (const hipError_t refused = refuse_in_capture()) return done(refused);
    moment = LATER;
  }
  for (size_t z = 0; z < extent.depth; z++)
    if (const hipError_t error = fill((u8 *)to.ptr + z * to.ysize * to.pitch, (unsigned)value & 255, 1, to.pitch,
                                      extent.width, extent.height, stream, moment))
      return error;
  return done(hipSuccess);
}

hipError_t to_symbol(const void *symbol, const void *src, size_t size, size_t offset, hipMemcpyKind kind, hipStream_t stream,
                     Moment moment) {
  void *address;
  u64 bytes;
  if (const hipError_t error = symbol_place(symbol, &address, &bytes)) return done(error);
  if (offset + size > bytes) return done(hipErrorInvalidValue);
  if (kind != hipMemcpyHostToDevice && kind != hipMemcpyDeviceToDevice && kind != hipMemcpyDefault)
    return done(hipErrorInvalidMemcpyDirection);
  return flat((u8 *)address + offset, src, size, kind, stream, moment);
}
hipError_t from_symbol(void *dst, const void *symbol, size_t size, size_t offset, hipMemcpyKind kind, hipStream_t stream,
                       Moment moment) {
  void *address;
  u64 bytes;
  if (const hipError_t error = symbol_place(symbol, &address, &bytes)) return done(error);
  if (offset + size > bytes) return done(hipErrorInvalidValue);
  if (kind != hipMemcpyDeviceToHost && kind != hipMemcpyDeviceToDevice && kind != hipMemcpyDefault)
    return done(hipErrorInvalidMemcpyDirection);
  return flat(dst, (u8 *)address + offset, size, kind, stream, moment);
}

hipError_t side(hipMemoryType type, const void *host, hipDeviceptr_t device, hipArray_t array, size_t pitch, size_t height,
                hipPitchedPtr *out) {
  if (array || type == hipMemoryTypeArray) return not_supported("a copy of an array");
  *out = {type == hipMemoryTypeHost ? (void *)host : (void *)device, pitch, pitch, height};
  return hipSuccess;
}

hipError_t drv2d(const hip_Memcpy2D *c, hipStream_t stream, Moment moment) {
  if (!c) return done(hipErrorInvalidValue);
  hipMemcpy3DParms p{};
  if (const hipError_t e = side(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcPitch, c->Height, &p.srcPtr))
    return e;
  if (const hipError_t e = side(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstPitch, c->Height, &p.dstPtr))
    return e;
  if (!p.srcPtr.pitch) p.srcPtr.pitch = c->WidthInBytes + c->srcXInBytes;
  if (!p.dstPtr.pitch) p.dstPtr.pitch = c->WidthInBytes + c->dstXInBytes;
  p.srcPos = {c->srcXInBytes, c->srcY, 0};
  p.dstPos = {c->dstXInBytes, c->dstY, 0};
  p.extent = {c->WidthInBytes, c->Height, 1};
  p.kind = hipMemcpyDefault;
  return box(p, stream, moment);
}

hipError_t drv3d(const HIP_MEMCPY3D *c, hipStream_t stream, Moment moment) {
  if (!c) return done(hipErrorInvalidValue);
  hipMemcpy3DParms p{};
  if (const hipError_t e = side(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcPitch, c->srcHeight, &p.srcPtr))
    return e;
  if (const hipError_t e = side(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstPitch, c->dstHeight, &p.dstPtr))
    return e;
  p.srcPos = {c->srcXInBytes, c->srcY, c->srcZ};
  p.dstPos = {c->dstXInBytes, c->dstY, c->dstZ};
  p.extent = {c->WidthInBytes, c->Height, c->Depth};
  p.kind = hipMemcpyDefault;
  return box(p, stream, moment);
}

hipError_t peers(int a, int b) { return valid_device(a) && valid_device(b) ? hipSuccess : hipErrorInvalidDevice; }

}  // namespace

extern "C" {

hipError_t hipMemcpy(void *dst, const void *src, size_t size, hipMemcpyKind kind) {
  return flat(dst, src, size, kind, nullptr, NOW);
}
hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t size, hipMemcpyKind kind, hipStream_t stream) {
  return flat(dst, src, size, kind, stream, NOW);
}
hipError_t hipMemcpyAsync(void *dst, const void *src, size_t size, hipMemcpyKind kind, hipStream_t stream) {
  return flat(dst, src, size, kind, stream, LATER);
}
hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void *src, size_t size) {
  return flat(dst, src, size, hipMemcpyHostToDevice, nullptr, NOW);
}
hipError_t hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t size) {
  return flat(dst, src, size, hipMemcpyDeviceToHost, nullptr, NOW);
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size) {
  return flat(dst, src, size, hipMemcpyDeviceToDevice, nullptr, NOW);
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void *src, size_t size, hipStream_t stream) {
  return flat(dst, src, size, hipMemcpyHostToDevice, stream, LATER);
}
hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t size, hipStream_t stream) {
  return flat(dst, src, size, hipMemcpyDeviceToHost, stream, LATER);
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size, hipStream_t stream) {
  return flat(dst, src, size, hipMemcpyDeviceToDevice, stream, LATER);
}
hipError_t hipMemcpyPeer(void *dst, int to, const void *src, int from, size_t size) {
  if (const hipError_t error = peers(from, to)) return done(error);
  return flat(dst, src, size, hipMemcpyDeviceToDevice, nullptr, NOW);
}
hipError_t hipMemcpyPeerAsync(void *dst, int to, const void *src, int from, size_t size, hipStream_t stream) {
  if (const hipError_t error = peers(from, to)) return done(error);
  return flat(dst, src, size, hipMemcpyDeviceToDevice, stream, LATER);
}
hipError_t hipMemcpyToSymbol(const void *symbol, const void *src, size_t size, size_t offset, hipMemcpyKind kind) {
  return to_symbol(symbol, src, size, offset, kind, nullptr, NOW);
}
hipError_t hipMemcpyToSymbolAsync(const void *symbol, const void *src, size_t size, size_t offset, hipMemcpyKind kind,
                                  hipStream_t stream) {
  return to_symbol(symbol, src, size, offset, kind, stream, LATER);
}
hipError_t hipMemcpyFromSymbol(void *dst, const void *symbol, size_t size, size_t offset, hipMemcpyKind kind) {
  return from_symbol(dst, symbol, size, offset, kind, nullptr, NOW);
}
hipError_t hipMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t size, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream) {
  return from_symbol(dst, symbol, size, offset, kind, stream, LATER);
}

hipError_t hipMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                       hipMemcpyKind kind) {
  return rows(dst, dpitch, src, spitch, width, height, kind, nullptr, NOW);
}
hipError_t hipMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  return rows(dst, dpitch, src, spitch, width, height, kind, stream, LATER);
}
hipError_t hipMemcpy3D(const hipMemcpy3DParms *p) { return p ? box(*p, nullptr, NOW) : done(hipErrorInvalidValue); }
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *p, hipStream_t stream) {
  return p ? box(*p, stream, LATER) : done(hipErrorInvalidValue);
}
static hipError_t peer3d(const hipMemcpy3DPeerParms *c, hipStream_t stream, Moment moment) {
  if (!c) return done(hipErrorInvalidValue);
  if (const hipError_t error = peers(c->srcDevice, c->dstDevice)) return done(error);
  hipMemcpy3DParms p{};
  p.srcArray = c->srcArray, p.srcPos = c->srcPos, p.srcPtr = c->srcPtr;
  p.dstArray = c->dstArray, p.dstPos = c->dstPos, p.dstPtr = c->dstPtr;
  p.extent = c->extent;
  p.kind = hipMemcpyDeviceToDevice;
  return box(p, stream, moment);
}
hipError_t hipMemcpy3DPeer(hipMemcpy3DPeerParms *p) { return peer3d(p, nullptr, NOW); }
hipError_t hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms *p, hipStream_t stream) { return peer3d(p, stream, LATER); }
hipError_t hipMemcpyParam2D(const hip_Memcpy2D *copy) { return drv2d(copy, nullptr, NOW); }
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *copy, hipStream_t stream) { return drv2d(copy, stream, LATER); }
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *copy) { return drv2d(copy, nullptr, NOW); }
hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *copy) { return drv3d(copy, nullptr, NOW); }
hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *copy, hipStream_t stream) { return drv3d(copy, stream, LATER); }

hipError_t hipMemset(void *dst, int value, size_t size) { return fill(dst, (u8)value, 1, size, size, 1, nullptr, NOW); }
hipError_t hipMemsetAsync(void *dst, int value, size_t size, hipStream_t stream) {
  return fill(dst, (u8)value, 1, size, size, 1, stream, LATER);
}
hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t n) { return fill(dst, value, 1, n, n, 1, nullptr, NOW); }
hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t n, hipStream_t stream) {
  return fill(dst, value, 1, n, n, 1, stream, LATER);
}
hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t n) {
  return fill(dst, value, 2, 2 * n, n, 1, nullptr, NOW);
}
hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t n, hipStream_t stream) {
  return fill(dst, value, 2, 2 * n, n, 1, stream, LATER);
}
hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, size_t n) {
  return fill(dst, (unsigned)value, 4, 4 * n, n, 1, nullptr, NOW);
}
hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t n, hipStream_t stream) {
  return fill(dst, (unsigned)value, 4, 4 * n, n, 1, stream, LATER);
}
hipError_t hipMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height) {
  return fill(dst, (u8)value, 1, pitch, width, height, nullptr, NOW);
}
hipError_t hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return fill(dst, (u8)value, 1, pitch, width, height, stream, LATER);
}
hipError_t hipMemsetD2D8(hipDeviceptr_t dst, size_t pitch, unsigned char value, size_t width, size_t height) {
  return fill(dst, value, 1, pitch, width, height, nullptr, NOW);
}
hipError_t hipMemsetD2D8Async(hipDeviceptr_t dst, size_t pitch, unsigned char value, size_t width, size_t height,
                              hipStream_t stream) {
  return fill(dst, value, 1, pitch, width, height, stream, LATER);
}
hipError_t hipMemsetD2D16(hipDeviceptr_t dst, size_t pitch, unsigned short value, size_t width, size_t height) {
  return fill(dst, value, 2, pitch, width, height, nullptr, NOW);
}
hipError_t hipMemsetD2D16Async(hipDeviceptr_t dst, size_t pitch, unsigned short value, size_t width, size_t height,
                               hipStream_t stream) {
  return fill(dst, value, 2, pitch, width, height, stream, LATER);
}
hipError_t hipMemsetD2D32(hipDeviceptr_t dst, size_t pitch, unsigned value, size_t width, size_t height) {
  return fill(dst, value, 4, pitch, width, height, nullptr, NOW);
}
hipError_t hipMemsetD2D32Async(hipDeviceptr_t dst, size_t pitch, unsigned value, size_t width, size_t height,
                               hipStream_t stream) {
  return fill(dst, value, 4, pitch, width, height, stream, LATER);
}
hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent) { return fill3d(to, value, extent, nullptr, NOW); }
hipError_t hipMemset3DAsync(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream) {
  return fill3d(to, value, extent, stream, LATER);
}

}
