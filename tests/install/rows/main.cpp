// Rows of somebody else's, for whatever machine this is.
#include <cmath>
#include <cstdio>
#include <string_view>

#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/tenon.hpp>

#include "mine.hpp"

int main() {
  using namespace tenon;
  Tensor x = tensor({0.5, -1.0}).requires_grad_();
  Tensor y = mine::swish(x, 2);
  y.sum().backward();
  bool right = std::abs(y.detach().data_ptr<float>()[0] - 0.5 / (1 + std::exp(-1.0))) < 1e-6 && x.grad().defined();
  const char* set = to_string(cpu::chosen_capability());
  int lanes = static_cast<int>(mine::lanes(ops::ones({3})).data_ptr<float>()[2]);
  int expected = std::string_view(set) == "avx512" ? 16 : std::string_view(set) == "avx2" ? 8 : 4;
  // A reduction's loops are those of the set, its derivative is the row's.
  Tensor z = tensor({3.0, 4.0}).requires_grad_(), root = mine::rms(z);
  root.backward();
  right = right && std::abs(root.item().to_double() - std::sqrt(12.5)) < 1e-6 &&
          std::abs(z.grad().data_ptr<float>()[0] - 1.5 / std::sqrt(12.5)) < 1e-6;
  double all = mine::lanes_of_sum(ops::ones({300, 7}), 2).item().to_double(),
         some = mine::lanes_of_sum(ops::ones({300, 7}), 2, 0).data_ptr<float>()[6];
  right = right && all == 2.0 * expected && some == -2.0 * expected;
  std::printf("%s: %d lanes\n", set, lanes);
  return right && lanes == expected ? 0 : 1;
}
