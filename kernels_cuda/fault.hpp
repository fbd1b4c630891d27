// How kernels tell the host of arguments that they cannot serve.
#pragma once
#include "support.hpp"

namespace tenon::cuda {

/// An int64 that kernels tell of a fault by.
class Fault {
 public:
  explicit Fault(Device device) {
    std::int64_t one = 1;
    flag_ = make_tensor({&one, 1}, {}, kLong, device);
    fill_elements(flag_, operand_of(Scalar(0), kLong));
  }
  std::int64_t* data() const { return static_cast<std::int64_t*>(flag_.data_ptr()); }
  /// Waits for the device. Nothing is told where a graph is captured, which cannot wait.
  std::int64_t told() const { return runtime::is_capturing() ? 0 : flag_.item().to_int(); }

 private:
  Tensor flag_;
};

}  // namespace tenon::cuda
