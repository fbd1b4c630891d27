// Kernels that exchange what their inputs are: found where calls that record are checked.
#define TENON_CHECK_KERNELS 1
#include <tenon/autograd/detail/kept_inputs.hpp>

#include "support.hpp"

using namespace tenon;
using autograd::detail::KeptInputs;

namespace {
std::string refused(auto&& f) {
  try {
    f();
  } catch (const InternalError& e) { return std::string(e.summary()); }
  return "";
}
}  // namespace

TEST_CASE("an input that became another tensor is named", "[autograd][kept_inputs]") {
  Tensor x = test::vector({1}), y = test::vector({2});
  std::int64_t n = 3;
  KeptInputs<const Tensor&, std::int64_t, const Tensor&> kept(x, n, y);
  kept.check("my::op", x, n, y);
  Tensor other = test::vector({2});
  CHECK(refused([&] { kept.check("my::op", x, n, other); }) ==
        "my::op: a kernel gave argument 3 another implementation; what it does not write must stay as it is");
}

TEST_CASE("storage may change under a written input alone", "[autograd][kept_inputs]") {
  Tensor x = test::vector({1});
  KeptInputs<const Tensor&> read(x);
  KeptInputs<Tensor&> written(x);
  x->set_storage(test::vector({5})->storage());
  CHECK(refused([&] { read.check("my::op", x); }).find("gave argument 1 another storage") != std::string::npos);
  written.check("my::op_", x);
}
