// Tensors from numbers.
#include <array>
#include <string>

#include "support.hpp"

using namespace test;

TEST_CASE("nested braces give the shape and the kind of number the dtype", "[ops][tensor_of]") {
  Tensor a = tensor({{1., 2.}, {3., 4.}});
  CHECK(list(a.sizes()) == Ints{2, 2});
  CHECK(a.dtype() == kFloat);
  CHECK(values(a) == Numbers{1, 2, 3, 4});
  CHECK(tensor({1, 2, 3}).dtype() == kLong);
  CHECK(tensor({true, false}).dtype() == kBool);
  CHECK(tensor({1, 2.5}).dtype() == kFloat);
  CHECK(tensor({true, 2}).dtype() == kLong);
  CHECK(tensor({Complex<double>(1, 2)}).dtype() == kComplexFloat);
  CHECK(list(tensor(3.5).sizes()).empty());
  CHECK(tensor(3.5).item<double>() == 3.5);
  CHECK(list(tensor({{1}}).sizes()) == Ints{1, 1});
  CHECK(list(tensor({{{1, 2}, {3, 4}, {5, 6}}}).sizes()) == Ints{1, 3, 2});
}

TEST_CASE("empty lists have a shape and the default dtype", "[ops][tensor_of]") {
  Tensor none = tensor({});
  CHECK(list(none.sizes()) == Ints{0});
  CHECK(none.dtype() == kFloat);
  CHECK(list(tensor({TensorData{}, TensorData{}}).sizes()) == Ints{2, 0});
}

TEST_CASE("floating numbers follow the default dtype", "[ops][tensor_of]") {
  set_default_dtype(kDouble);
  CHECK(tensor({1.5}).dtype() == kDouble);
  CHECK(tensor({Complex<double>(1, 2)}).dtype() == kComplexDouble);
  set_default_dtype(kFloat);
}

TEST_CASE("vectors and arrays are lists of one dimension", "[ops][tensor_of]") {
  std::vector<double> d{1, 2, 3};
  CHECK(values(tensor(d)) == d);
  CHECK(tensor(d).dtype() == kFloat);
  CHECK(tensor(d, "dtype"_a = kDouble).dtype() == kDouble);
  CHECK(tensor(std::vector<std::int64_t>{4, 5}).dtype() == kLong);
  CHECK(tensor(std::vector<std::int32_t>{4, 5}).dtype() == kLong);
  CHECK(tensor(std::array<std::uint8_t, 2>{4, 5}).dtype() == kByte);
  CHECK(values(tensor({TensorData(d), TensorData(d)})) == Numbers{1, 2, 3, 1, 2, 3});
}

TEST_CASE("keywords choose dtype and device", "[ops][tensor_of]") {
  Tensor a = tensor({2.7, -1.2}, "dtype"_a = kInt);
  CHECK(a.dtype() == kInt);
  CHECK(values(a) == Numbers{2, -1});
  CHECK(values(tensor({-1}, "dtype"_a = kByte)) == Numbers{255});
  Tensor m = tensor({{1, 2}}, "device"_a = "meta");
  CHECK(m.is_meta());
  CHECK(list(m.sizes()) == Ints{1, 2});
  CHECK(tensor({1.5}, "requires_grad"_a = true).requires_grad());
  CHECK_FALSE(tensor({1.5}, "requires_grad"_a = false).requires_grad());
  CHECK_THROWS_AS(tensor({1}, "requires_grad"_a = true), Error);
  CHECK(tensor({1, 2}, kFloat64).dtype() == kDouble);
  Tensor o = tensor({1.5}, TensorOptions(kHalf).device(kMeta).requires_grad(true));
  CHECK((o.dtype() == kFloat16 && o.is_meta() && o.requires_grad()));
}

TEST_CASE("data without one shape or one kind is refused", "[ops][tensor_of]") {
  CHECK_ERROR(tensor({{1, 2}, {3}}), ValueError, "expected sequence of length 2 at dim 1 (got 1)");
  CHECK_ERROR_CONTAINS(tensor({{1}, 2}), TypeError, "not a sequence");
  CHECK_THROWS_AS(tensor({1, {2}}), TypeError);
  CHECK_THROWS_AS(tensor({Complex<double>(0, 1)}, "dtype"_a = kFloat), TypeError);
  CHECK_ERROR(tensor({300}, "dtype"_a = kByte), ValueError, "value cannot be converted to type uint8 without overflow");
}

namespace {
std::string traced(void (*f)()) {
  std::string lines;
  DispatchTraceGuard guard(
      [](const TraceEvent& e, void* to) {
        auto& text = *static_cast<std::string*>(to);
        if (e.kind == TraceKind::Kernel)
          text += concat("callUnboxedKernelFunction with ", e.path, "\n");
        else
          text += concat(to_string(e.kind), " op=[", e.op, "], key=[", to_string(e.key), "]\n");
      },
      &lines);
  f();
  return lines;
}
}  // namespace

TEST_CASE("W1: making a tensor makes these dispatcher calls and no others", "[ops][tensor_of][trace]") {
  CHECK(traced([] { tensor({1}); }) ==
        "[call] op=[aten::empty.memory_format], key=[BackendSelect]\n"
        "callUnboxedKernelFunction with sym\n"
        "[redispatch] op=[aten::empty.memory_format], key=[CPU]\n"
        "callUnboxedKernelFunction with sym\n"
        "[call] op=[aten::to.device], key=[CPU]\n"
        "callUnboxedKernelFunction with unboxed\n"
        "[call] op=[aten::lift_fresh], key=[CPU]\n"
        "callUnboxedKernelFunction with unboxed\n"
        "[call] op=[aten::detach_], key=[AutogradCPU]\n"
        "callUnboxedKernelFunction with unboxed\n");
  // On meta neither memory nor a copy is needed.
  CHECK(traced([] { tensor({1}, "device"_a = kMeta); }) ==
        "[call] op=[aten::empty.memory_format], key=[BackendSelect]\n"
        "callUnboxedKernelFunction with sym\n"
        "[redispatch] op=[aten::empty.memory_format], key=[Meta]\n"
        "callUnboxedKernelFunction with sym\n"
        "[call] op=[aten::detach_], key=[AutogradMeta]\n"
        "callUnboxedKernelFunction with unboxed\n");
}

TEST_CASE("W9: a random factory selects a back end, makes memory and fills it", "[ops][tensor_of][trace]") {
  std::string t = traced([] { ops::randn({3, 3}); }), keys;
  for (std::size_t at = 0; (at = t.find("op=[", at)) != t.npos; ++at)
    keys += t.substr(at + 4, t.find("]\n", at) - at - 4) + "\n";
  CHECK(keys ==
        "aten::randn], key=[BackendSelect\naten::randn], key=[CPU\n"
        "aten::empty.memory_format], key=[BackendSelect\naten::empty.memory_format], key=[CPU\n"
        "aten::normal_], key=[AutogradCPU\naten::normal_], key=[ADInplaceOrView\naten::normal_], key=[CPU\n");
}

TEST_CASE("what a floating dtype cannot hold becomes an infinity", "[ops][tensor]") {
  CHECK(tensor({1e39, -1e39}, "dtype"_a = kFloat).select(0, 0).item<double>() == HUGE_VAL);
  CHECK(tensor({70000.0, 1.0}, "dtype"_a = kHalf).select(0, 0).item<double>() == HUGE_VAL);
}

TEST_CASE("from_blob checks its geometry before it takes the memory", "[ops][tensor]") {
  float data[6] = {1, 2, 3, 4, 5, 6};
  static int deleted;
  deleted = 0;
  auto count = [](void*) { ++deleted; };
  CHECK_ERROR(from_blob(data, {-1}, kFloat, count), ValueError,
              "from_blob(): Trying to create tensor with negative dimension -1: [-1]");
  CHECK_ERROR(from_blob(data, {2, 1}, {1}, kFloat, count), ValueError,
              "from_blob(): dimensionality of sizes (2) must match dimensionality of strides (1)");
  CHECK_ERROR(from_blob(data, {2}, {-1}, kFloat, count), ValueError,
              "from_blob(): Negative strides are not supported, got strides: [-1]");
  CHECK(deleted == 0);
  CHECK(values(from_blob(data, {2, 2}, {3, 1}, kFloat, count)) == std::vector<double>{1, 2, 4, 5});
  CHECK(deleted == 1);
}

TEST_CASE("symbolic numbers are taken for what they are known to be", "[ops][tensor_of]") {
  CHECK(tensor(SymInt(3)).dtype() == kLong);
  CHECK(values(tensor({SymInt(3), SymInt(4)})) == Numbers{3, 4});
  CHECK(tensor(SymFloat(0.5)).dtype() == kFloat);
  CHECK(tensor(SymBool(true)).dtype() == kBool);
  std::string said;
  try {
    tensor({1}, "pin_memory"_a = true);
  } catch (const Error& e) { said = e.what(); }
  CHECK(said.find("pin_memory") != said.npos);
  CHECK_FALSE(tensor({1}, "pin_memory"_a = false).is_pinned());
}
