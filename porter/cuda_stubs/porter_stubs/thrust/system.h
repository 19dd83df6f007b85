// porter stub headers: Thrust, errors.
#pragma once
#include "config.h"
#include <stdexcept>
#include <system_error>

namespace thrust {
using std::error_category;
using std::error_code;
class system_error : public std::runtime_error {
 public:
  system_error(int, const error_category &, const char * = "");
  const error_code &code() const;
};
const error_category &cuda_category();
namespace system {
using thrust::error_code;
using thrust::system_error;
class bad_alloc : public std::bad_alloc {
 public:
  bad_alloc(const char * = "");
};
const error_category &cuda_category();
}  // namespace system
}  // namespace thrust
