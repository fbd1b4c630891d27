// What the tests of modules share.
#pragma once
#include <tenon/tenon.hpp>

#include "catch.hpp"

namespace test {

using namespace tenon;

inline std::vector<double> values(const Tensor& t) {
  NoGradGuard no_grad;
  Tensor flat = t.to(kDouble).contiguous();
  const double* p = flat.data_ptr<double>();
  return {p, p + flat.numel()};
}
inline std::vector<std::string> names(const nn::NamedTensors& tensors) {
  std::vector<std::string> found;
  for (const auto& [name, t] : tensors) found.push_back(name);
  return found;
}

}  // namespace test
