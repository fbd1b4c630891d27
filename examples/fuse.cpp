// An expression over elements as one pass over tensors: its values, its sum, and its gradient.
#include <cstdio>

#include <tenon/cpu/fuse.hpp>
#include <tenon/tenon.hpp>

int main() {
  using namespace tenon;
  Tensor x = tensor({{1.0, -2.0}, {3.0, 0.5}}), w = tensor({2.0, 4.0}).requires_grad_();

  // Where `using namespace tenon::ops` makes `relu` an operator, TENON_FUSE means the function of elements.
  auto gate = TENON_FUSE([](auto a, auto b) { return relu(a * b + a); });
  std::printf("values    %s\n", to_string(gate(x, w.detach())).c_str());
  std::printf("rows      %s\n", to_string(gate.sum(DimVector{1})(x, w.detach())).c_str());

  // Numbers are captured. The gradient is one pass too.
  double margin = 0.5;
  Tensor loss = TENON_FUSE([margin](auto a, auto b) { return maximum(a * b - margin, 0.0); }).mean()(x, w);
  loss.backward();
  std::printf("loss      %s\n", to_string(loss.detach()).c_str());
  std::printf("gradient  %s\n", to_string(w.grad()).c_str());
}

// Prints:
// values    tensor([[3.0000, 0.0000],
//         [9.0000, 2.5000]])
// rows      tensor([ 3.0000, 11.5000])
// loss      tensor(2.1250)
// gradient  tensor([1.0000, 0.1250])
