// The way of docs/testing.md from a schema to a tested operator: kernel, derivative, batching rule, and the test.
#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <tenon/cpu/parallel.hpp>
#include <tenon/func.hpp>
#include <tenon/tenon.hpp>
#include <tenon/testing/catch2.hpp>

#include "catch.hpp"

namespace my {

// The running sum of each row of a matrix, in which what came before fades: y[j] = x[j] + factor * y[j - 1].
void fade_meta(tenon::Outputs& out, const tenon::Tensor& self, double) {
  TENON_CHECK(self.dim() == 2, tenon::ValueError, "fade(): expected a matrix, got shape ", self.sizes());
  out.set_output_strided(0, self.sizes(), {}, self.dtype(), self.device());
}
template <class T>
void fade_rows(const tenon::Tensor& self, double factor, const tenon::Tensor& out) {
  auto x = self.accessor<T, 2>();
  auto y = out.accessor<T, 2>();
  tenon::parallel_for(0, self.size(0), 100, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      T last = 0;
      for (std::int64_t j = 0; j < self.size(1); ++j) y[i][j] = last = x[i][j] + static_cast<T>(factor) * last;
    }
  });
}
void fade_cpu(const tenon::Tensor& self, double factor, const tenon::Tensor& out) {
  tenon::visit_element_type(self.dtype(), [&]<class T>(tenon::type_tag<T>) {
    if constexpr (std::is_floating_point_v<T>)
      fade_rows<T>(self, factor, out);
    else
      tenon::fail<tenon::NotImplementedError>("fade(): expected float32 or float64, got ", self.dtype());
  });
}
TENON_STRUCTURED(fade, "my::fade(Tensor self, float factor) -> Tensor", fade_meta);
TENON_STRUCTURED_KERNEL(fade, CPU, fade_cpu);
TENON_DERIVATIVE(fade, TENON_WRT((self), (grad, factor), fade(grad.flip({1}), factor).flip({1})));

// All examples at once: their rows are the rows of one matrix. Without a rule vmap calls the operator for each.
bool fade_rule(tenon::func::BatchedCall& call, tenon::Stack& results) {
  tenon::Tensor x = call.expanded(0);
  results.push_back(fade(x.flatten(0, 1), call.physical[1].to_double()).view(x.sizes()));
  return true;
}
TENON_BATCHING_RULE(fade, "my::fade", &fade_rule);

}  // namespace my

using namespace tenon;
using testing::is_close;

TEST_CASE("what came before fades", "[testing][own_operator]") {
  Tensor x = tensor({{4.0, 2.0, 1.0}, {0.0, 1.0, 0.0}});
  CHECK_THAT(my::fade(x, 0.5), is_close(tensor({{4.0, 4.0, 3.0}, {0.0, 1.0, 0.5}})));
}

TEST_CASE("fade keeps what its schema says", "[testing][own_operator]") { TENON_CATCH_OPCHECK("my::fade"); }

TEST_CASE("the walk of docs/testing.md leaves nothing out", "[testing][own_operator]") {
  std::vector<std::string> made;
  for (const auto& r : testing::opcheck_samples_results("my::fade")) made.push_back(r.check);
  CAPTURE(made);
  // A rule that serves the call, not a loop.
  for (const std::string& name : func::operators_without_batching_rule()) CHECK(name != "my::fade");
  CHECK(std::any_of(made.begin(), made.end(), [](const std::string& c) { return c.find("vmap") != c.npos; }));
  CHECK(std::any_of(made.begin(), made.end(), [](const std::string& c) { return c.find("gradients") != c.npos; }));
}
