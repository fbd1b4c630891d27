// What tests of the device share: tensors of both devices, and values that differ from element to element.
#pragma once
#include <vector>

#include <tenon/tenon.hpp>

#include "../catch.hpp"

namespace tenon::test {

inline const Device kCuda("cuda:0");
using Tensors = std::vector<Tensor>;

inline Tensor there(const Tensor& t) { return t.to(kCuda, t.dtype()); }
inline Tensor on_cpu(const Tensor& t) { return t.to(kCPU, t.dtype()); }
inline Tensor waves(IntArrayRef sizes, double step, ScalarType dtype = kFloat) {
  return ops::sin(ops::arange(count_elements(sizes), "dtype"_a = kDouble) * step).to(kCPU, dtype).reshape(sizes);
}

}  // namespace tenon::test
