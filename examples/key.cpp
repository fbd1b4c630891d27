// A dispatch key put to use: a layer above autograd that sees the calls of a scope, whatever the operator, as values.
#include <cstdio>
#include <string>

#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

constexpr DispatchKey kLayer = DispatchKey::TESTING_ONLY_GenericWrapper;

void tell(const OperatorHandle& op, Stack& stack) {
  ExcludeDispatchKeyGuard below(kLayer);  // what the operator calls in turn is not told
  op.call_boxed(stack);
  for (const Value& result : stack)
    if (result.is_tensor())
      std::printf("  %s makes shape %s\n", std::string(op.name()).c_str(), concat(result.to_tensor().sizes()).c_str());
}

}  // namespace

// One fallback serves every operator that has no kernel of its own at the key, yours included.
TENON_LIBRARY_IMPL(_, TESTING_ONLY_GenericWrapper, m) { m.fallback(&tell); }

int main() {
  Tensor x = ops::ones({2, 3}).requires_grad_();
  Tensor loss;
  {
    IncludeDispatchKeyGuard layer(kLayer);  // this thread's calls; a tensor may carry the key instead
    loss = (x * 2).matmul(x.t()).sum();
  }
  loss.backward();  // the layer is above autograd: gradients are those of the calls
  std::printf("gradient %s\n", to_string(x.grad()).c_str());
}

// Prints:
//   aten::mul.Scalar makes shape [2, 3]
//   aten::t makes shape [3, 2]
//   aten::matmul makes shape [2, 2]
//   aten::sum makes shape []
// gradient tensor([[8., 8., 8.],
//         [8., 8., 8.]])
