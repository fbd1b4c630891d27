// Batching rules of layers beside loops.
#include "examples.hpp"

using namespace test;

TEST_CASE("groups of channels go by the numbers of the call, whatever dimensions the input has", "[func]") {
  struct Geometry {
    std::vector<std::int64_t> sizes;  // of an example
    std::int64_t n, channels, plane, groups;
  };
  for (const Geometry& g : {Geometry{{}, 1, 1, 1, 1}, Geometry{{6}, 1, 6, 1, 2}, Geometry{{6}, 3, 2, 1, 1},
                            Geometry{{3, 4}, 1, 4, 3, 2}, Geometry{{2, 4, 3}, 2, 4, 3, 2}}) {
    std::vector<std::int64_t> sizes = g.sizes;
    sizes.insert(sizes.begin(), kExamples);
    auto numbers = [&](Stack call) {
      for (std::int64_t number : {g.n, g.channels, g.plane, g.groups}) call.emplace_back(number);
      return call;
    };
    Tensor x = drawn(IntArrayRef(sizes)), grad = drawn(IntArrayRef(sizes));
    Tensor shared = drawn({g.channels}), weight = drawn({kExamples, g.channels});
    Stack forward = numbers({x, shared, Value()}), each = numbers({x, weight, weight});
    forward.emplace_back(1e-5), each.emplace_back(1e-5);
    agrees("aten::native_group_norm", forward, {0});
    agrees("aten::native_group_norm", each, {0, 1, 2});
    Tensor mean = drawn({kExamples, g.n, g.groups}), rstd = ops::exp(mean);
    Stack backward = numbers({grad, x, mean, rstd, weight});
    backward.push_back(Value::list({truth(true), truth(true), truth(true)}, ValueKind::Bool));
    agrees("aten::native_group_norm_backward", backward, {0, 1, 2, 3, 4});
  }
}

TEST_CASE("an input that does not fit the numbers of its groups is refused as outside of vmap", "[func]") {
  Tensor x = drawn({3, 5});
  auto f = [](const Tensor& t) {
    return std::get<0>(ops::native_group_norm(t, std::nullopt, std::nullopt, 1, 4, 1, 2, 1e-5));
  };
  Warnings warnings;
  CHECK_THROWS_WITH(func::vmap(f)(x),
                    ContainsSubstring("Expected input of 1 x 4 x 1 elements, but got input of shape [5]"));
}
