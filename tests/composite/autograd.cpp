// What autograd knows of a tensor, and where a tensor lies, by the names that programs use that are data.
#include "../ops/support.hpp"

using namespace test;

namespace {
Value call(const char* name, Stack stack, const char* overload = "") {
  Registry::get().find_schema_or_throw(name, overload).call_boxed(stack);
  return stack.empty() ? Value() : stack.at(0);
}
}  // namespace

TEST_CASE("operators tell what autograd knows of a tensor", "[composite][autograd]") {
  Tensor x = counted({4});
  CHECK(call("aten::requires_grad_", {Value(x), Value(true)}).to_tensor().is_same(x));
  REQUIRE(x.requires_grad());
  auto parts = ops::split(x, 2);
  CHECK(ops::output_nr(x) == 0);
  CHECK(ops::output_nr(parts[1]) == 1);
  CHECK(ops::is_leaf(x));
  CHECK_FALSE(ops::is_leaf(parts[0]));
  Tensor y = ops::mul(parts[0], 3);
  CHECK_FALSE(ops::retains_grad(y));
  call("aten::retain_grad", {Value(y)});
  CHECK(ops::retains_grad(y));
  call("aten::_backward", {Value(y), Value(std::vector<Tensor>{}), Value(ops::ones({2})), Value(), Value(false)});
  CHECK(values(y.grad()) == Numbers{1, 1});
  CHECK(values(x.grad()) == Numbers{3, 3, 0, 0});
  Tensor plain = ops::data(x);
  CHECK_FALSE(plain.requires_grad());
  CHECK(plain.data_ptr<float>() == x.data_ptr<float>());
  const std::int64_t before = ops::_version(plain);
  ops::add_(plain, 1);
  CHECK(plain._version() == before + 1);
  CHECK_FALSE(ops::is_distributed(x));
  CHECK_FALSE(ops::is_inference(x));
  CHECK_ERROR(call("aten::requires_grad_", {Value(tensor({1, 2})), Value(true)}), AutogradError,
              "only Tensors of floating point and complex dtype can require gradients");
}

TEST_CASE("a gradient is asked for of some inputs alone, and twice", "[composite][autograd]") {
  Tensor a = counted({2}).requires_grad_(), b = counted({2}).requires_grad_();
  Tensor y = ops::sum(ops::mul(a, b));
  std::vector<Tensor> only{a};
  ops::_backward(y, only, "retain_graph"_a = true);
  ops::_backward(y, only);
  CHECK(values(a.grad()) == Numbers{0, 2});
  CHECK_FALSE(b.grad().defined());
}

TEST_CASE("operators tell where a tensor lies", "[composite]") {
  Tensor x = ops::empty({2, 3, 4, 5}, "memory_format"_a = MemoryFormat::ChannelsLast);
  CHECK_FALSE(ops::is_contiguous(x));
  CHECK(ops::is_contiguous(x, MemoryFormat::ChannelsLast));
  CHECK(ops::storage_offset(ops::select(x, 0, 1)) == 60);
  CHECK(ops::sym_storage_offset(ops::select(x, 0, 1)) == 60);
  CHECK(ops::sym_stride_int(x, -1) == 3);
  CHECK(ops::get_device(x) == -1);
  CHECK(call("aten::is_contiguous", {Value(x), Value(static_cast<std::int64_t>(MemoryFormat::ChannelsLast))},
             "memory_format")
            .to_bool());
}
