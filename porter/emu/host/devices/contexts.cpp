// Peer access between the devices, and contexts, of which each device has one.
#include "host.h"

using namespace host;

namespace {

// The devices that may reach the memory of each, a bit each: itself, and those that enabled it as a peer.
struct Reach {
  std::mutex lock;
  std::vector<u64> of;
};
Reach &reach() {
  static Reach &all = *[] {
    Reach *made = new Reach;
    for (int i = 0; i < device_count(); i++) made->of.push_back(1ull << i);
    return made;
  }();
  return all;
}

// False where it was like that.
bool let(int device, int peer, bool may) {
  const u64 bit = 1ull << device;
  {
    const std::lock_guard guard(reach().lock);
    u64 &of = reach().of[(size_t)peer];
    if (may == ((of & bit) != 0)) return false;
    of ^= bit;
  }
  update_reach(peer);
  return true;
}

hipError_t with_device(int device) { return done(valid_device(device) ? hipSuccess : hipErrorInvalidDevice); }

}  // namespace

namespace host {

u64 devices_reaching(int device) {
  const std::lock_guard guard(reach().lock);
  return reach().of[(size_t)device];
}

}  // namespace host

extern "C" {

// Each device can reach each other one, once it was told to.
hipError_t hipDeviceCanAccessPeer(int *can, int device, int peer) {
  if (!can) return done(hipErrorInvalidValue);
  if (!valid_device(device) || !valid_device(peer)) return done(hipErrorInvalidDevice);
  *can = device != peer;
  return done(hipSuccess);
}
hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  if (flags) return done(hipErrorInvalidValue);
  if (!valid_device(peer) || peer == current_device()) return done(hipErrorInvalidDevice);
  return done(let(current_device(), peer, true) ? hipSuccess : hipErrorPeerAccessAlreadyEnabled);
}
hipError_t hipDeviceDisablePeerAccess(int peer) {
  if (!valid_device(peer) || peer == current_device()) return done(hipErrorInvalidDevice);
  wait_for_all();  // kernels that were launched before still may
  return done(let(current_device(), peer, false) ? hipSuccess : hipErrorPeerAccessNotEnabled);
}
hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr which, int from, int to) {
  if (!value) return done(hipErrorInvalidValue);
  if (!valid_device(from) || !valid_device(to) || from == to) return done(hipErrorInvalidDevice);
  *value = which == hipDevP2PAttrPerformanceRank ? 0 : which != hipDevP2PAttrHipArrayAccessSupported;
  return done(hipSuccess);
}
hipError_t hipExtGetLinkTypeAndHopCount(int from, int to, uint32_t *type, uint32_t *hops) {
  if (!type || !hops) return done(hipErrorInvalidValue);
  if (!valid_device(from) || !valid_device(to) || from == to) return done(hipErrorInvalidDevice);
  *type = 4, *hops = 1;  // xGMI
  return done(hipSuccess);
}

// Contexts: a device has the one, and its handle is the device's number plus one.
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *context, hipDevice_t device) {
  if (!context) return done(hipErrorInvalidValue);
  *context = (hipCtx_t)(intptr_t)(device + 1);
  return with_device(device);
}
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) { return with_device(device); }
hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) { return with_device(device); }
hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned) { return with_device(device); }
hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned *flags, int *active) {
  if (flags) *flags = 0;
  if (active) *active = device == current_device();
  return with_device(device);
}
hipError_t hipCtxCreate(hipCtx_t *context, unsigned, hipDevice_t device) {
  if (!context) return done(hipErrorInvalidValue);
  if (!valid_device(device)) return done(hipErrorInvalidDevice);
  *context = (hipCtx_t)(intptr_t)(device + 1);
  return hipSetDevice(device);
}
hipError_t hipCtxDestroy(hipCtx_t context) { return done(context ? hipSuccess : hipErrorInvalidValue); }
hipError_t hipCtxSetCurrent(hipCtx_t context) { return context ? hipSetDevice((int)(intptr_t)context - 1) : done(hipSuccess); }
hipError_t hipCtxGetCurrent(hipCtx_t *context) {
  if (!context) return done(hipErrorInvalidValue);
  *context = (hipCtx_t)(intptr_t)(current_device() + 1);
  return done(hipSuccess);
}
hipError_t hipCtxGetDevice(hipDevice_t *device) { return hipGetDevice(device); }
hipError_t hipCtxSynchronize() { return hipDeviceSynchronize(); }

namespace {
thread_local std::vector<int> pushed;
}
hipError_t hipCtxPushCurrent(hipCtx_t context) {
  if (!context) return done(hipErrorInvalidContext);
  pushed.push_back(current_device());
  return hipSetDevice((int)(intptr_t)context - 1);
}
hipError_t hipCtxPopCurrent(hipCtx_t *context) {
  if (pushed.empty()) return done(hipErrorInvalidContext);
  if (context) *context = (hipCtx_t)(intptr_t)(current_device() + 1);
  const int before = pushed.back();
  pushed.pop_back();
  return hipSetDevice(before);
}
hipError_t hipCtxGetFlags(unsigned *flags) { return hipGetDeviceFlags(flags); }
hipError_t hipCtxGetApiVersion(hipCtx_t context, unsigned *version) {
  if (!context || !version) return done(hipErrorInvalidValue);
  *version = 4;
  return done(hipSuccess);
}
hipError_t hipCtxGetCacheConfig(hipFuncCache_t *config) { return hipDeviceGetCacheConfig(config); }
hipError_t hipCtxSetCacheConfig(hipFuncCache_t config) { return hipDeviceSetCacheConfig(config); }
hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig *config) { return hipDeviceGetSharedMemConfig(config); }
hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config) { return hipDeviceSetSharedMemConfig(config); }
hipError_t hipCtxEnablePeerAccess(hipCtx_t peer, unsigned flags) {
  return peer ? hipDeviceEnablePeerAccess((int)(intptr_t)peer - 1, flags) : done(hipErrorInvalidContext);
}
hipError_t hipCtxDisablePeerAccess(hipCtx_t peer) {
  return peer ? hipDeviceDisablePeerAccess((int)(intptr_t)peer - 1) : done(hipErrorInvalidContext);
}

hipError_t hipProfilerStart() { return done(hipSuccess); }
hipError_t hipProfilerStop() { return done(hipSuccess); }

}
