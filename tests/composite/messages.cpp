// What a newcomer reads when a call is wrong: PyTorch's words first, then the operator, shapes and dtypes of the call.
#include <cstdio>

#include <tenon/tenon.hpp>

#include "../catch.hpp"

using namespace tenon;

namespace {
template <class F>
std::string message(F f) {
  try {
    f();
  } catch (const std::exception& e) { return e.what(); }
  return "no error";
}
OperatorHandle op(const char* name, const char* overload = "") {
  return Registry::get().find_schema_or_throw(name, overload);
}
}  // namespace

TEST_CASE("errors of shapes name the operator and what it was called with", "[composite][messages]") {
  Tensor a = ops::ones({2, 3}), b = ops::ones({2, 4});
  CHECK(message([&] { a + b; }) ==
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1\n"
        "  in aten::add.Tensor(self: float32 [2, 3], other: float32 [2, 4], alpha: 1)");
  CHECK(message([&] { a.add_(b); }) ==
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1\n"
        "  in aten::add_.Tensor(self: float32 [2, 3], other: float32 [2, 4], alpha: 1)");
  CHECK(message([&] { a.view({4}); }) ==
        "shape '[4]' is invalid for input of size 6\n  in aten::view(self: float32 [2, 3], size: [4])");
  CHECK(message([&] { a.narrow(1, 2, 5); }) ==
        "start (2) + length (5) exceeds dimension size (3).\n"
        "  in aten::narrow(self: float32 [2, 3], dim: 1, start: 2, length: 5)");
  CHECK(message([&] {
          a.expand({4, 3});
        }) ==
        "The expanded size of the tensor (4) must match the existing size (2) at non-singleton dimension 0.  Target "
        "sizes: [4, 3].  Tensor sizes: [2, 3]\n"
        "  in aten::expand(self: float32 [2, 3], size: [4, 3], implicit: False)");
  CHECK(message([&] {
          ops::cat(std::vector<Tensor>{a, ops::ones({3, 2})});
        }) ==
        "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 2 for tensor number 1 in the "
        "list.\n  in aten::cat(tensors: [float32 [2, 3], float32 [3, 2]], dim: 0)");
  CHECK(message([&] {
          a.mm(ops::ones({3, 2}, kDouble));
        }) ==
        "mm: self and mat2 must have the same dtype, but got float32 and float64\n"
        "  in aten::mm(self: float32 [2, 3], mat2: float64 [3, 2])");
}

TEST_CASE("errors of indices name the operator and what it was called with", "[composite][messages]") {
  Tensor a = ops::ones({2, 3}), far = tensor({5});
  CHECK(message([&] { a.select(0, 2); }) ==
        "select(): index 2 out of range for tensor of size [2, 3] at dimension 0\n"
        "  in aten::select.int(self: float32 [2, 3], dim: 0, index: 2)");
  CHECK(message([&] { a.index_select(0, far); }) ==
        "index out of range in self\n  in aten::index_select(self: float32 [2, 3], dim: 0, index: int64 [1])");
  CHECK(message([&] { a.index({far}); }) ==
        "index 5 is out of bounds for dimension 0 with size 2\n"
        "  in aten::index.Tensor(self: float32 [2, 3], indices: [int64 [1]])");
}

TEST_CASE("what an error says without the call is PyTorch's own message", "[composite][messages]") {
  try {
    ops::ones({2, 3}).view({4});
    FAIL("no error");
  } catch (const ValueError& e) { CHECK(e.summary() == "shape '[4]' is invalid for input of size 6"); }
}

TEST_CASE("an empty list of tensors is refused in PyTorch's words, without the library's own paths",
          "[composite][messages]") {
  CHECK_ERROR(ops::cat({}), ValueError, "cat(): expected a non-empty list of Tensors");
  CHECK_ERROR(ops::stack({}, 1), ValueError, "stack expects a non-empty TensorList");
}

TEST_CASE("a device without kernels is told of with those that have some", "[composite][messages]") {
  std::string text = message([] { ops::ones({2}).to(kCUDA); });
  CHECK(text.find("This build has it for the devices cpu and meta alone") != text.npos);
  CHECK(text.find("registered at tenon/composite/factory.hpp:") != text.npos);
  CHECK(text.find("..") == text.npos);
}

TEST_CASE("a write to a leaf names the way to do it", "[composite][messages]") {
  Tensor leaf = ops::ones({2}).requires_grad_();
  CHECK(message([&] { leaf.add_(1); })
            .find("a leaf Variable that requires grad is being used in an in-place operation. It is argument 'self' of "
                  "aten::add_.Scalar. Write where a NoGradGuard stands, or write to a clone().") == 0);
}

TEST_CASE("a boxed argument of another kind is named with its operator", "[composite][messages]") {
  Tensor a = ops::ones({2, 3});
  CHECK(message([&] {
          Stack s{Value(1), Value(a), Value(1)};
          op("aten::add", "Tensor").call_boxed(s);
        }) ==
        "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor: argument 1 'self': expected "
        "Tensor, got 1");
  CHECK(message([&] {
          Stack s{Value(a), Value(1)};
          op("aten::cat").call_boxed(s);
        }) ==
        "aten::cat(Tensor[] tensors, int dim=0) -> Tensor: argument 1 'tensors': expected List, got <Tensor of "
        "shape [2, 3]>");
}

TEST_CASE("a module's file that does not fit is named with what it holds", "[composite][messages]") {
  struct Two {
    nn::Linear a{2, 3}, b{3, 3};
    TENON_FIELDS(a, b)
  };
  nn::save(nn::Linear{2, 3}, "messages.safetensors");
  Two two;
  CHECK(message([&] { nn::load(two, "messages.safetensors"); }) ==
        "load_state(): expected a tensor named 'a.weight', got none among 2 tensors: 'bias' [3], 'weight' [3, 2]\n"
        "  in file messages.safetensors");
  std::remove("messages.safetensors");
}

TEST_CASE("factories take requires_grad, pin_memory and options", "[composite][options]") {
  Tensor x = ops::zeros({2, 3}, "requires_grad"_a = true);
  CHECK((x.requires_grad() && x.is_leaf()));
  CHECK_FALSE(ops::ones({2}, "requires_grad"_a = false).requires_grad());
  Tensor y = ops::rand({2}, "dtype"_a = kDouble, "requires_grad"_a = true, "pin_memory"_a = false);
  CHECK((y.requires_grad() && y.dtype() == kDouble));
  Tensor z = ops::full({2}, 1.5, x.options().dtype(kDouble).requires_grad(true));
  CHECK((z.requires_grad() && z.dtype() == kDouble && z[0].item<double>() == 1.5));
  CHECK(ops::empty({3}, TensorOptions(kLong)).dtype() == kLong);
  CHECK(ops::zeros_like(x, "requires_grad"_a = true).requires_grad());
  CHECK_ERROR_CONTAINS(ops::zeros({2}, "dtype"_a = kLong, "requires_grad"_a = true), AutogradError, "floating point");
}

TEST_CASE("boxed values hold vectors of tensors", "[composite][value]") {
  std::vector<Tensor> tensors{ops::ones({2}), ops::zeros({3})};
  Value v = tensors;
  CHECK((v.is_tensor_list() && v.element_kind() == ValueKind::Tensor));
  CHECK(v.to_tensor_list()[1].is_same(tensors[1]));
  CHECK(Value(std::vector<Tensor>{}).is_tensor_list());
  CHECK_FALSE(Value::list({Value(1)}).is_tensor_list());
  CHECK_ERROR(Value::list({Value(1)}).to_tensor_list(), TypeError, "Expected Tensor but got Int");
}
