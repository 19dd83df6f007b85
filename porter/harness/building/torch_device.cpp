// A cuda device for a torch without a GPU, built for CPUs alone or with NVIDIA's libraries, whose kernels it replaces. Its memory is that of porter's HIP runtime, which the CPU can read: an
// operator on tensors that lie there is the CPU's operator on the same bytes, once the launches before it have ended. Beside
// the device are those functions of torch's libraries for GPUs that extensions ask for by their headers.

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <iterator>
#include <string_view>

extern "C" {
int hipDeviceSynchronize();
int hipFree(void *);
int hipGetDevice(int *);
int hipGetDeviceCount(int *);
const char *hipGetErrorString(int);
int hipGetDevicePropertiesR0600(void *, int);
int hipMalloc(void **, size_t);
int hipSetDevice(int);
int hipStreamCreate(void **);
int hipStreamQuery(void *);
int hipStreamSynchronize(void *);
}

namespace {

constexpr int NOT_READY = 600;
constexpr size_t PROPERTIES = 4096;  // bytes, more than hipDeviceProp_t has
uint32_t poison = 0;                 // what memory holds that nobody has written

void check(int error, const char *what) { TORCH_CHECK(!error, what, ": HIP error ", error, ": ", hipGetErrorString(error)); }

int current_device() {
  int device = 0;
  check(hipGetDevice(&device), "hipGetDevice");
  return device;
}

c10::Device the_device() { return {c10::kCUDA, static_cast<c10::DeviceIndex>(current_device())}; }

void release(void *memory) {
  (void)hipDeviceSynchronize();  // torch's allocator keeps a block until the launches before are done
  (void)hipFree(memory);
}

struct Memory final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    if (!bytes) return {nullptr, the_device()};
    void *memory = nullptr;
    check(hipMalloc(&memory, bytes), "hipMalloc");
    for (size_t at = 0; at < bytes; at += sizeof poison)
      std::memcpy(static_cast<char *>(memory) + at, &poison, std::min(sizeof poison, bytes - at));
    return {memory, memory, release, the_device()};
  }
  c10::DeleterFnPtr raw_deleter() const override { return release; }
  void copy_data(void *to, const void *from, size_t bytes) const override { std::memcpy(to, from, bytes); }
};

Memory memory;

thread_local void *current_stream = nullptr;

// A stream of torch's is a number: here the address of HIP's, 0 for the default one.
c10::Stream stream_of(void *stream, c10::DeviceIndex device) {
  if (device < 0) device = static_cast<c10::DeviceIndex>(current_device());
  return c10::Stream(c10::Stream::UNSAFE, {c10::kCUDA, device}, reinterpret_cast<c10::StreamId>(stream));
}

void *of_hip(c10::Stream stream) { return reinterpret_cast<void *>(stream.id()); }

c10::Stream new_stream(c10::DeviceIndex device) {
  void *stream = nullptr;
  check(hipStreamCreate(&stream), "hipStreamCreate");
  return stream_of(stream, device);
}

bool done(c10::Stream stream) {
  const int error = hipStreamQuery(of_hip(stream));
  if (error != NOT_READY) check(error, "hipStreamQuery");
  return !error;
}

struct Guard final : c10::impl::DeviceGuardImplInterface {
  Guard() = default;
  explicit Guard(c10::DeviceType) {}
  c10::DeviceType type() const override { return c10::kCUDA; }
  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device before = getDevice();
    setDevice(device);
    return before;
  }
  c10::Device getDevice() const override { return the_device(); }
  void setDevice(c10::Device device) const override {
    if (device.index() >= 0) check(hipSetDevice(device.index()), "hipSetDevice");
  }
  void uncheckedSetDevice(c10::Device device) const noexcept override {
    if (device.index() >= 0) (void)hipSetDevice(device.index());
  }
  c10::Stream getStream(c10::Device device) const override { return stream_of(current_stream, device.index()); }
  c10::Stream getDefaultStream(c10::Device device) const override { return stream_of(nullptr, device.index()); }
  c10::Stream getNewStream(c10::Device device, int) const override { return new_stream(device.index()); }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool) const override { return new_stream(device.index()); }
  c10::Stream exchangeStream(c10::Stream stream) const override {
    const c10::Stream before = stream_of(current_stream, stream.device_index());
    current_stream = of_hip(stream);
    return before;
  }
  void *getStreamNativeHandle(c10::Stream stream) const override { return of_hip(stream); }
  c10::DeviceIndex deviceCount() const noexcept override {
    int count = 0;
    (void)hipGetDeviceCount(&count);
    return static_cast<c10::DeviceIndex>(count);
  }
  bool queryStream(const c10::Stream &stream) const override { return done(stream); }
  void synchronizeStream(const c10::Stream &stream) const override {
    check(hipStreamSynchronize(of_hip(stream)), "hipStreamSynchronize");
  }
  void synchronizeDevice(c10::DeviceIndex) const override { check(hipDeviceSynchronize(), "hipDeviceSynchronize"); }
};

C10_REGISTER_GUARD_IMPL(CUDA, Guard);

c10::DispatchKeySet keys() { return c10::DispatchKeySet(c10::DispatchKey::CUDA); }

// The tensors of one operator's call that lie on the device, each with a tensor of the CPU over the same bytes.
class Views {
 public:
  at::Tensor on_cpu(const at::Tensor &there) {
    if (!there.defined() || !there.is_cuda()) return there;
    for (const View &view : views_)
      if (view.there.is_same(there)) return view.here;
    at::Tensor here = at::detail::make_tensor<c10::TensorImpl>(
        c10::Storage(storage_for(there)), c10::DispatchKeySet(c10::DispatchKey::CPU), there.dtype());
    here.unsafeGetTensorImpl()->set_sizes_and_strides(there.sizes(), there.strides(), there.storage_offset());
    views_.push_back({there, here});
    return here;
  }

  // A result of the CPU's operator as a tensor of the device: an argument, a view of one's memory, or a new one.
  at::Tensor on_device(const at::Tensor &here) {
    if (!here.defined() || !here.is_cpu()) return here;
    for (const View &view : views_)
      if (view.here.is_same(here)) return view.there;
    for (const Bytes &bytes : bytes_)
      if (bytes.here.is_alias_of(here.storage())) return with(bytes.there, here);
    const at::Tensor whole = here.is_non_overlapping_and_dense() ? here : here.contiguous();
    at::Tensor made = at::detail::empty_strided_generic(
        whole.sizes(), whole.strides(), &memory, keys(), c10::typeMetaToScalarType(whole.dtype()));
    if (whole.nbytes()) std::memcpy(made.data_ptr(), whole.data_ptr(), whole.nbytes());
    return made;
  }

  // An operator may give an argument another size, and more memory.
  void settle() {
    for (const Bytes &bytes : bytes_) {
      c10::Storage there = bytes.there;
      if (bytes.here.data() == there.data()) continue;
      c10::DataPtr grown = memory.allocate(bytes.here.nbytes());
      if (bytes.here.nbytes()) std::memcpy(grown.get(), bytes.here.data(), bytes.here.nbytes());
      there.set_data_ptr_noswap(std::move(grown));
      there.set_nbytes(bytes.here.nbytes());
    }
    for (const View &view : views_)
      if (view.there.sizes() != view.here.sizes() || view.there.strides() != view.here.strides())
        view.there.unsafeGetTensorImpl()->set_sizes_and_strides(
            view.here.sizes(), view.here.strides(), view.here.storage_offset());
  }

 private:
  struct View {
    at::Tensor there, here;
  };
  struct Bytes {
    c10::Storage there, here;
  };

  c10::Storage storage_for(const at::Tensor &tensor) {
    const c10::Storage &there = tensor.storage();
    for (const Bytes &bytes : bytes_)
      if (bytes.there.is_alias_of(there)) return bytes.here;
    c10::DataPtr same(there.mutable_data(), c10::Device(c10::kCPU));
    c10::Storage here(c10::Storage::use_byte_size_t(), there.nbytes(), std::move(same), c10::GetAllocator(c10::kCPU), true);
    bytes_.push_back({there, here});
    return here;
  }

  static at::Tensor with(const c10::Storage &storage, const at::Tensor &like) {
    at::Tensor made = at::detail::make_tensor<c10::TensorImpl>(c10::Storage(storage), keys(), like.dtype());
    made.unsafeGetTensorImpl()->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
    return made;
  }

  std::deque<View> views_;
  std::deque<Bytes> bytes_;
};

template <class Change> c10::IValue changed(const c10::IValue &value, const Change &change) {
  if (value.isTensor()) return change(value.toTensor());
  if (value.isTensorList()) {
    c10::List<at::Tensor> list;
    for (const at::Tensor &one : value.toTensorVector()) list.push_back(change(one));
    return list;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> list;
    for (const std::optional<at::Tensor> &one : value.toOptionalTensorList())
      list.push_back(one ? std::optional(change(*one)) : std::nullopt);
    return list;
  }
  return value;
}

// Any operator of a tensor on the device, by the CPU's. It must not exclude the device's key from what is called: a composite
// operator makes tensors of the device's on the way.
void by_cpu(const c10::OperatorHandle &op, torch::jit::Stack *stack) {
  check(hipDeviceSynchronize(), "a launch");
  Views views;
  const size_t arguments = op.schema().arguments().size();
  for (size_t i = stack->size() - arguments; i < stack->size(); ++i) {
    c10::IValue &value = (*stack)[i];
    if (value.isDevice() && value.toDevice().is_cuda())
      value = c10::Device(c10::kCPU);
    else
      value = changed(value, [&](const at::Tensor &tensor) { return views.on_cpu(tensor); });
  }
  op.callBoxed(stack);
  views.settle();
  const size_t results = op.schema().returns().size();
  for (size_t i = stack->size() - results; i < stack->size(); ++i)
    (*stack)[i] = changed((*stack)[i], [&](const at::Tensor &tensor) { return views.on_device(tensor); });
}

at::Tensor empty(
    at::IntArrayRef size, std::optional<at::ScalarType> dtype, std::optional<at::Layout>, std::optional<at::Device>,
    std::optional<bool>, std::optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(size, &memory, keys(), c10::dtype_or_default(dtype), format);
}

at::Tensor empty_strided(
    at::IntArrayRef size, at::IntArrayRef stride, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
    std::optional<at::Device>, std::optional<bool>) {
  return at::detail::empty_strided_generic(size, stride, &memory, keys(), c10::dtype_or_default(dtype));
}

// Copying has an operator for all devices, which knows no more than those that torch is built for.
at::Tensor &copy_(at::Tensor &to, const at::Tensor &from, bool) {
  check(hipDeviceSynchronize(), "a launch");
  Views views;
  views.on_cpu(to).copy_(views.on_cpu(from));
  return to;
}

at::Tensor at_address(int64_t address, at::IntArrayRef size, at::ScalarType dtype) {
  size_t bytes = c10::elementSize(dtype);
  for (const int64_t part : size) bytes *= static_cast<size_t>(part);
  c10::Storage storage(
      c10::Storage::use_byte_size_t(), bytes, c10::DataPtr(reinterpret_cast<void *>(address), the_device()), &memory, false);
  at::Tensor made =
      at::detail::make_tensor<c10::TensorImpl>(std::move(storage), keys(), c10::scalarTypeToTypeMeta(dtype));
  made.unsafeGetTensorImpl()->set_sizes_contiguous(size);
  return made;
}

// Where torch has kernels of CUDA's they are replaced, one by one: a fallback is for operators that have none.
struct Registered {
  std::deque<c10::RegistrationHandleRAII> kernels;

  Registered() {
    c10::SetAllocator(c10::kCUDA, &memory, 255);
    c10::Dispatcher &dispatcher = c10::Dispatcher::singleton();
    const std::string_view own[] = {"aten::empty", "aten::empty_strided", "aten::copy_", "aten::record_stream"};
    for (const c10::OperatorName &name : dispatcher.getAllOpNames()) {
      if (std::find(std::begin(own), std::end(own), std::string_view(name.name)) != std::end(own)) continue;
      const std::optional<c10::OperatorHandle> op = dispatcher.findSchema(name);
      if (op && op->hasKernelForDispatchKey(c10::DispatchKey::CUDA))
        kernels.push_back(dispatcher.registerImpl(
            name, c10::DispatchKey::CUDA, c10::KernelFunction::makeFromBoxedFunction<&by_cpu>(), std::nullopt, nullptr, "porter"));
    }
  }
} registered;

TORCH_LIBRARY_IMPL(_, CUDA, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&by_cpu>()); }

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("empty.memory_format", empty);
  m.impl("empty_strided", empty_strided);
  m.impl("copy_", copy_);
  m.impl("record_stream", [](at::Tensor &, c10::Stream) {});  // memory is not used again while a launch may need it
}

TORCH_LIBRARY(porter, m) { m.def("at_address(int address, int[] size, ScalarType dtype) -> Tensor", at_address); }

void *properties_of(int device) {
  static std::deque<std::vector<char>> known;
  if (device < 0) device = current_device();
  while (known.size() <= static_cast<size_t>(device)) {
    known.emplace_back(PROPERTIES);
    check(hipGetDevicePropertiesR0600(known.back().data(), static_cast<int>(known.size()) - 1), "hipGetDeviceProperties");
  }
  return known[device].data();
}

int exchanged(int device) {
  const int before = current_device();
  if (device >= 0) check(hipSetDevice(device), "hipSetDevice");
  return before;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void porter_torch_poison(uint32_t word) { poison = word; }

#define VISIBLE __attribute__((visibility("default")))

// What torch's headers declare in its libraries for GPUs. Releases name all of it after CUDA or, once hipify has been there,
// after HIP; the class of streams has one member, a c10::Stream.
#define PORTER_DEVICE(SPACE, NAME)                                                                                     \
  namespace c10::SPACE {                                                                                               \
  class VISIBLE NAME##Stream {                                                                                         \
   public:                                                                                                             \
    explicit NAME##Stream(Stream stream) : stream_(stream) {}                                                          \
    bool query() const;                                                                                                \
    void synchronize() const;                                                                                          \
    void *stream() const;                                                                                              \
    Stream stream_;                                                                                                    \
  };                                                                                                                   \
  bool NAME##Stream::query() const { return done(stream_); }                                                           \
  void NAME##Stream::synchronize() const { check(hipStreamSynchronize(of_hip(stream_)), "hipStreamSynchronize"); }     \
  void *NAME##Stream::stream() const { return of_hip(stream_); }                                                       \
  VISIBLE NAME##Stream getCurrent##NAME##Stream(DeviceIndex device) {                                                  \
    return NAME##Stream(stream_of(current_stream, device));                                                            \
  }                                                                                                                    \
  VISIBLE NAME##Stream getDefault##NAME##Stream(DeviceIndex device) { return NAME##Stream(stream_of(nullptr, device)); } \
  VISIBLE NAME##Stream getStreamFromPool(bool, DeviceIndex device) { return NAME##Stream(new_stream(device)); }        \
  VISIBLE NAME##Stream getStreamFromPool(int, DeviceIndex device) { return NAME##Stream(new_stream(device)); }         \
  VISIBLE void setCurrent##NAME##Stream(NAME##Stream stream) { current_stream = stream.stream(); }                     \
  VISIBLE DeviceIndex device_count() noexcept { return Guard().deviceCount(); }                                        \
  VISIBLE DeviceIndex current_device() { return the_device().index(); }                                                \
  VISIBLE void set_device(DeviceIndex device, bool) { check(hipSetDevice(device), "hipSetDevice"); }                   \
  VISIBLE void device_synchronize() { check(hipDeviceSynchronize(), "hipDeviceSynchronize"); }                         \
  VISIBLE int GetDeviceCount(int *count) { return hipGetDeviceCount(count); }                                          \
  VISIBLE int GetDevice(DeviceIndex *device) {                                                                         \
    int index = 0;                                                                                                     \
    const int error = hipGetDevice(&index);                                                                            \
    *device = static_cast<DeviceIndex>(index);                                                                         \
    return error;                                                                                                      \
  }                                                                                                                    \
  VISIBLE int SetDevice(DeviceIndex device, bool) { return hipSetDevice(device); }                                     \
  VISIBLE int MaybeSetDevice(DeviceIndex device) { return hipSetDevice(device); }                                      \
  VISIBLE DeviceIndex ExchangeDevice(DeviceIndex device) { return static_cast<DeviceIndex>(exchanged(device)); }       \
  VISIBLE DeviceIndex MaybeExchangeDevice(DeviceIndex device) { return static_cast<DeviceIndex>(exchanged(device)); }  \
  namespace NAME##CachingAllocator {                                                                                   \
  VISIBLE std::atomic<void *> allocator;                                                                               \
  }                                                                                                                    \
  }

PORTER_DEVICE(cuda, CUDA)
PORTER_DEVICE(hip, HIP)

namespace at::cuda {
VISIBLE void *getCurrentDeviceProperties() { return properties_of(-1); }
VISIBLE void *getDeviceProperties(c10::DeviceIndex device) { return properties_of(device); }
VISIBLE int warp_size() { return 64; }
VISIBLE c10::Allocator *getCUDADeviceAllocator() { return &memory; }
}  // namespace at::cuda
