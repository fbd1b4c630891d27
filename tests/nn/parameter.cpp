// Buffers that are part of a module and not of its state.
#include <filesystem>

#include <tenon/nn/dynamic/any_module.hpp>

#include "support.hpp"

using namespace test;

namespace {

/// Rotary positions (Su et al., 2021): pairs of features are turned by angles that grow with the step.
struct Rotary {
  std::int64_t width, steps;
  nn::Buffer cos = {angles().cos(), {.persistent = false}};
  nn::Buffer sin = {angles().sin(), {.persistent = false}};

  Tensor angles() const {
    Tensor rates = ops::pow(10000, ops::arange(0, width, 2).to(kFloat) / -static_cast<double>(width));
    return ops::outer(ops::arange(steps).to(kFloat), rates);
  }
  Tensor operator()(const Tensor& x) const {
    Tensor a = x.narrow(1, 0, width / 2), b = x.narrow(1, width / 2, width / 2);
    return ops::cat({a * cos - b * sin, b * cos + a * sin}, 1);
  }
  TENON_FIELDS(cos, sin)
};
struct Net {
  nn::Linear proj{4, 4, false};
  Rotary rotary{4, 3};
  nn::Buffer mean = ops::zeros({4});
  Tensor operator()(const Tensor& x) const { return rotary(proj(x) - mean); }
  TENON_FIELDS(proj, rotary, mean)
};
const std::vector<std::string> saved{"proj.weight", "mean"}, buffers{"rotary.cos", "rotary.sin", "mean"};

}  // namespace

TEST_CASE("a buffer that is not persistent is a buffer and not in the state", "[nn][parameter]") {
  Net net;
  CHECK(names(nn::state(net)) == saved);
  CHECK(names(nn::named_buffers(net)) == buffers);
  CHECK(names(nn::named_parameters(net)) == std::vector<std::string>{"proj.weight"});
  CHECK_FALSE(net.rotary.cos.persistent());
  CHECK(net.mean.persistent());
  // The products of turned vectors depend on how far apart their steps are.
  Tensor same = tensor({0.5, -1.0, 2.0, 0.25}).expand({3, 4}), turned = net.rotary(same);
  CHECK((turned[0] * turned[1]).sum().item<double>() == Approx((turned[1] * turned[2]).sum().item<double>()));
  CHECK((turned[0] * turned[2]).sum().item<double>() != Approx((turned[1] * turned[2]).sum().item<double>()));
  CHECK(values(turned[0]) == values(same[0]));
}

TEST_CASE("a buffer that is not persistent is converted and cloned with its module", "[nn][parameter]") {
  Net net;
  nn::to(net, kDouble);
  CHECK(net.rotary.cos.dtype() == kDouble);
  CHECK(names(nn::state(net)) == saved);
  Net other = nn::clone(net), copy = net;
  CHECK(copy.rotary.cos.is_same(net.rotary.cos));
  CHECK_FALSE(other.rotary.cos.is_same(net.rotary.cos));
  CHECK(values(other.rotary.cos) == values(net.rotary.cos));
  for (const Net& each : {other, copy}) CHECK(names(nn::state(each)) == saved);
  nn::eval(other);
  CHECK_FALSE(other.rotary.cos.requires_grad());
  nn::requires_grad_(other);
  CHECK_FALSE(other.rotary.cos.requires_grad());
}

TEST_CASE("a tensor assigned to a buffer leaves it as persistent as it was", "[nn][parameter]") {
  Net net;
  Rotary longer{4, 8};
  Tensor table = longer.angles().cos();
  net.rotary.cos = table;
  CHECK(net.rotary.cos.is_same(table));
  CHECK_FALSE(net.rotary.cos.persistent());
  net.rotary.cos = nn::Buffer(table);
  CHECK(net.rotary.cos.persistent());
  CHECK(names(nn::state(net)) == std::vector<std::string>{"proj.weight", "rotary.cos", "mean"});
  net.mean = ops::ones({4});
  CHECK(net.mean.persistent());
}

TEST_CASE("state is loaded without buffers that are not persistent", "[nn][parameter]") {
  Net net;
  Tensor before = net.rotary.cos.clone();
  nn::NamedTensors given{{"proj.weight", ops::ones({4, 4})}, {"mean", ops::ones({4})}};
  auto keys = nn::load_state(net, given);
  CHECK(keys.missing_keys.empty());
  CHECK(values(net.mean) == std::vector<double>{1, 1, 1, 1});
  given.emplace_back("rotary.cos", ops::zeros({3, 2}));
  CHECK_ERROR(nn::load_state(net, given), ValueError,
              "load_state(): tensor 'rotary.cos': the module has no tensor of that name");
  CHECK(nn::load_state(net, given, false).unexpected_keys == std::vector<std::string>{"rotary.cos"});
  CHECK(values(net.rotary.cos) == values(before));
  std::string path = (std::filesystem::temp_directory_path() / "tenon_buffers.safetensors").string();
  nn::save(net, path);
  CHECK(load_safetensors(path).size() == 2);
  Net again;
  CHECK_NOTHROW(nn::load(again, path));
  std::filesystem::remove(path);
}

TEST_CASE("a module of unknown type keeps what is persistent apart", "[nn][parameter][dynamic]") {
  nn::AnyModule any = Net();
  CHECK(names(nn::state(any)) == saved);
  CHECK(names(nn::named_buffers(any)) == buffers);
  nn::to(any, kDouble);
  nn::AnyModule other = nn::clone(any);
  CHECK(other.as<Net>()->rotary.sin.dtype() == kDouble);
  CHECK(names(nn::state(other)) == saved);
}
