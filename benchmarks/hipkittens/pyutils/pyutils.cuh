// Stands in for HipKittens' header of this name, so that its kernels compile without Python: what a file registers
// for Python is parsed and never used.
#pragma once

namespace kittens::py {
template <auto kernel> void bind_kernel(auto &&...);
template <auto function> void bind_function(auto &&...);
}  // namespace kittens::py

#define PYBIND11_MODULE(name, module) template <class Module> void porter_registers_##name(Module &module)
