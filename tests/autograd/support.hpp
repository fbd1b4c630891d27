// What the tests of autograd share.
#pragma once
#include <tenon/autograd/gradcheck.hpp>
#include <tenon/tenon.hpp>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "../catch.hpp"

namespace tenon::test {

inline Tensor vector(std::initializer_list<double> list) {
  Tensor t = make_tensor(IntArrayRef(static_cast<std::int64_t>(list.size())), {}, kDouble);
  std::copy(list.begin(), list.end(), t.data_ptr<double>());
  return t;
}
inline Tensor leaf(std::initializer_list<double> list) {
  Tensor t = vector(list);
  t.set_requires_grad(true);
  return t;
}
inline std::vector<double> values(const Tensor& t) {
  Tensor c = t.detach().to(kDouble).contiguous();
  const double* p = c.data_ptr<double>();
  return {p, p + c.numel()};
}

}  // namespace tenon::test
