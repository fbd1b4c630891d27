// Writing into what was saved.
#include <tenon/autograd/graph/allow_mutation.hpp>

#include "../support.hpp"

using namespace tenon;
using test::leaf;
using test::values;

TEST_CASE("what is saved may be written within the scope", "[autograd][graph][saved_hooks]") {
  Tensor a = leaf({1, 2});
  {
    autograd::AllowMutationOnSavedTensors scope;
    Tensor b = a.clone(), out = sum(mul(b, b));
    b.sin_();
    Tensor view = b[0];
    view.mul_(100);
    out.backward();
    CHECK(values(a.grad()) == std::vector<double>{2, 4});
    CHECK(values(b)[0] == Approx(100 * std::sin(1.0)));
  }
  Tensor b = a.clone(), out = sum(mul(b, b));
  b.sin_();
  CHECK_ERROR_CONTAINS(out.backward(), AutogradError, "has been modified by an inplace operation");
}

TEST_CASE("each node has the value that it saved, whatever is written when", "[autograd][graph][saved_hooks]") {
  autograd::AllowMutationOnSavedTensors scope;
  Tensor a = leaf({1, 2}), b = mul(a, 1), first = mul(b, b);
  b.add_(1);
  Tensor second = mul(b, b), result = tenon::exp(b);
  b.mul_(b);  // a call that writes what it saves
  result.add_(1000);
  CHECK(values(autograd::grad({sum(first)}, {a}, {}, true)[0]) == std::vector<double>{2, 4});
  CHECK(values(autograd::grad({sum(second)}, {a}, {}, true)[0]) == std::vector<double>{4, 6});
  CHECK(values(autograd::grad({sum(b)}, {a}, {}, true)[0]) == std::vector<double>{4, 6});
  std::vector<double> of_exp = values(autograd::grad({sum(result)}, {a}, {}, true)[0]);
  CHECK(of_exp[0] == Approx(std::exp(2.0)));
  CHECK(of_exp[1] == Approx(std::exp(3.0)));
  Tensor target = test::vector({0, 0}), third = mul(a, target);
  ops::add(target, 7, "out"_a = target);
  CHECK(values(autograd::grad({sum(third)}, {a})[0]) == std::vector<double>{0, 0});
}

TEST_CASE("a graph of such a scope ends with it, and scopes do not nest", "[autograd][graph][saved_hooks]") {
  Tensor a = leaf({1, 2}), kept, written;
  {
    autograd::AllowMutationOnSavedTensors scope;
    CHECK_ERROR_CONTAINS(autograd::AllowMutationOnSavedTensors(), AutogradError,
                         "allow_mutation_on_saved_tensors contexts cannot be nested");
    Tensor b = a.clone();
    kept = sum(mul(a, a));
    written = sum(mul(b, b));
    b.add_(1);
  }
  const char* text =
      "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context in which the graph was originally "
      "recorded.";
  CHECK_ERROR_CONTAINS(kept.backward(), AutogradError, text);
  CHECK_ERROR_CONTAINS(written.backward(), AutogradError, text);
}
