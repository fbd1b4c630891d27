// Operators without a derivative: the fallback at Autograd alone, and beside a kernel at ADInplaceOrView. Case numbers
// are those of the dispatcher's test cases.
#include <tenon/autograd/not_implemented.hpp>

#include "../registry_support.hpp"
#include "support.hpp"

using namespace support;
using autograd::grad;
using test::leaf;
using test::values;
using K = DispatchKey;

namespace {

/// One operator with a kernel for CPU; with or without the kernels that a careful author registers.
struct Operator {
  Library m = fragment();
  Operator(const std::string& schema, Kernel kernel) {
    std::string name = schema.substr(0, schema.find('('));
    m.def(schema).impl(name, K::CPU, std::move(kernel));
    if (GENERATE(false, true))
      m.impl(name, K::Autograd, &autograd::not_implemented).impl(name, K::ADInplaceOrView, &autograd::inplace_or_view);
  }
};
template <class Sig, class... A>
decltype(auto) call(std::string_view name, A&&... args) {
  return op(name).typed<Sig>().call(std::forward<A>(args)...);
}
using Unary = Tensor(const Tensor&);
using Binary = Tensor(const Tensor&, const Tensor&);

Tensor sum_of(const Tensor& a, const Tensor& b) { return add(a, b); }
/// A fresh alias, as a kernel makes it.
Tensor alias_of(const Tensor& t) { return make_alias(t); }
const Tensor& base(const Tensor& t) { return autograd::meta_of(t)->view->base; }
const std::string text = "is not implemented, and its argument";

}  // namespace

TEST_CASE("case 215: results without a derivative refuse the backward pass", "[autograd][not_implemented]") {
  Operator o("sum_of(Tensor a, Tensor b) -> Tensor", TENON_FN(&sum_of));
  Tensor a = leaf({1, 2}), b = leaf({3, 4}), plain = test::vector({5, 6});
  for (auto [x, y] : {std::pair(a, b), std::pair(a, plain), std::pair(plain, b)}) {
    Tensor out = call<Binary>("_test::sum_of", x, y);
    CHECK(values(out) == values(add(x, y)));
    CHECK(out.grad_fn()->name() == "NotImplemented");
    CHECK_ERROR_CONTAINS(sum(out).backward(), NotImplementedError, "derivative for _test::sum_of " + text);
    CHECK_ERROR_CONTAINS(grad(sum(out), x.requires_grad() ? x : y), NotImplementedError, text);
    Tensor boxed_out = boxed(op("_test::sum_of"), x, y)[0].to_tensor();
    CHECK_ERROR_CONTAINS(sum(boxed_out).backward(), NotImplementedError, text);
  }
  Tensor out = call<Binary>("_test::sum_of", plain, plain);
  CHECK_FALSE(out.requires_grad());
  CHECK_FALSE(out.grad_fn());
  NoGradGuard guard;
  CHECK_FALSE(call<Binary>("_test::sum_of", a, b).requires_grad());
}

TEST_CASE("a forgotten derivative names the arguments that require grad", "[autograd][not_implemented]") {
  Operator o("sum_of(Tensor a, Tensor b) -> Tensor", TENON_FN(&sum_of));
  Tensor a = leaf({1, 2}), plain = test::vector({5, 6});
  const std::string remedy =
      " grad; declare one with TENON_DERIVATIVE, or register a fallthrough at Autograd if its results need none";
  const std::string missing = "derivative for _test::sum_of is not implemented, and its ";
  CHECK_ERROR_CONTAINS(sum(call<Binary>("_test::sum_of", plain, a)).backward(), NotImplementedError,
                       missing + "argument 'b' requires" + remedy);
  CHECK_ERROR_CONTAINS(sum(call<Binary>("_test::sum_of", a, a)).backward(), NotImplementedError,
                       missing + "arguments 'a', 'b' require" + remedy);
}

TEST_CASE("a step function has no derivative, as in PyTorch", "[autograd][not_implemented]") {
  Tensor x = leaf({-1, 2});
  Tensor out = ops::heaviside(x, test::vector({0, 0}));
  CHECK(values(out) == std::vector<double>{0, 1});
  CHECK(out.grad_fn()->name() == "NotImplemented");
  CHECK_ERROR_CONTAINS(sum(out).backward(), NotImplementedError, "derivative for aten::heaviside " + text);
}

TEST_CASE("an argument that is returned as it is keeps its own history", "[autograd][not_implemented]") {
  Operator o("same(Tensor a) -> Tensor", [](const Tensor& a) { return a; });
  Tensor a = leaf({1, 2});
  Tensor out = call<Unary>("_test::same", a);
  CHECK_FALSE(out.is_same(a));
  CHECK((a.is_leaf() && !a.grad_fn()));
  CHECK_ERROR_CONTAINS(sum(out).backward(), NotImplementedError, text);
}

TEST_CASE("case 216: operators that write are checked as declared ones are", "[autograd][not_implemented]") {
  using Write = Tensor&(Tensor&, const Tensor&);
  Operator o("add_to(Tensor(a!) self, Tensor other) -> Tensor(a!)",
             [](Tensor& self, const Tensor& other) -> Tensor& { return self.add_(other); });
  Tensor t = leaf({1, 1}), l = leaf({1, 2});
  CHECK_ERROR_CONTAINS(call<Write>("_test::add_to", l, t), AutogradError,
                       "a leaf Variable that requires grad is being used in an in-place operation.");
  CHECK(values(l) == std::vector<double>{1, 2});
  SECTION("what is no leaf gets the node") {
    Tensor b = ops::clone(l);
    CHECK(call<Write>("_test::add_to", b, t).is_same(b));
    CHECK(values(b) == std::vector<double>{2, 3});
    CHECK(b.version() == 1);
    CHECK(b.grad_fn()->name() == "NotImplemented");
    CHECK_ERROR_CONTAINS(sum(b).backward(), NotImplementedError, "derivative for _test::add_to " + text);
  }
  SECTION("a view changes its base, also in the graph") {
    Tensor b = ops::clone(l), v = b.view({2});
    CHECK(call<Write>("_test::add_to", v, t).is_same(v));
    CHECK((v.is_view() && base(v).is_same(b)));
    CHECK(b.grad_fn()->name() == "CopySlices");
    CHECK(v.grad_fn()->name() == "AsStridedBackward0");
    CHECK_ERROR_CONTAINS(sum(v).backward(), NotImplementedError, text);
    CHECK_ERROR_CONTAINS(sum(b).backward(), NotImplementedError, text);
  }
  SECTION("a view of a leaf, and one made without recording, are refused") {
    Tensor of_leaf = l.view({2});
    CHECK_ERROR_CONTAINS(call<Write>("_test::add_to", of_leaf, t), AutogradError,
                         "a view of a leaf Variable that requires grad is being used in an in-place operation.");
    Tensor b = ops::clone(l), plain = test::vector({1, 2}), v, w;
    {
      NoGradGuard guard;
      v = b.view({2});
      w = plain.view({2});
    }
    const char* refused = "A view was created in no_grad mode and is being modified inplace with grad mode enabled.";
    CHECK_ERROR_CONTAINS(call<Write>("_test::add_to", v, t), AutogradError, refused);
    // Also where only the other argument requires grad.
    CHECK_ERROR_CONTAINS(call<Write>("_test::add_to", w, t), AutogradError, refused);
  }
  SECTION("without gradients it is a write and no more") {
    Tensor plain = test::vector({1, 2});
    call<Write>("_test::add_to", plain, test::vector({1, 1}));
    CHECK((plain.version() == 1 && !plain.requires_grad()));
  }
}

TEST_CASE("case 217: both of two written arguments are checked and counted", "[autograd][not_implemented]") {
  using Write = std::tuple<Tensor&, Tensor&>(Tensor&, Tensor&);
  Operator o("twice_(Tensor(a!) x, Tensor(b!) y) -> (Tensor(a!), Tensor(b!))",
             [](Tensor& x, Tensor& y) { return std::tuple<Tensor&, Tensor&>(x.mul_(2.0), y.mul_(2.0)); });
  Tensor l = leaf({1}), a = ops::clone(leaf({1})), b = ops::clone(leaf({2}));
  CHECK_ERROR_CONTAINS(call<Write>("_test::twice_", l, a), AutogradError, "a leaf Variable that requires grad");
  CHECK_ERROR(call<Write>("_test::twice_", a, l), AutogradError,
              "a leaf Variable that requires grad is being used in an in-place operation. It is argument 'x' or 'y' of "
              "_test::twice_. Write where a NoGradGuard stands, or write to a clone().");
  CHECK((a.version() == 0 && l.version() == 0));
  auto both = call<Write>("_test::twice_", a, b);
  CHECK((std::get<0>(both).is_same(a) && std::get<1>(both).is_same(b)));
  CHECK((a.version() == 1 && b.version() == 1));
  CHECK_ERROR_CONTAINS(sum(a).backward(), NotImplementedError, text);
  CHECK_ERROR_CONTAINS(sum(b).backward(), NotImplementedError, text);
}

TEST_CASE("what is written and not returned has the node too", "[autograd][not_implemented]") {
  Operator o("quietly_(Tensor(a!) x) -> ()", [](Tensor& x) { x.mul_(2.0); });
  Tensor a = ops::clone(leaf({1}));
  call<void(Tensor&)>("_test::quietly_", a);
  CHECK(a.version() == 1);
  CHECK_ERROR_CONTAINS(sum(a).backward(), NotImplementedError, text);
}

TEST_CASE("case 218: an optional tensor is passed with and without a value", "[autograd][not_implemented]") {
  using Optional = Tensor(const Tensor&, const std::optional<Tensor>&);
  Operator o("maybe(Tensor a, Tensor? b) -> Tensor",
             [](const Tensor& a, const std::optional<Tensor>& b) { return b ? add(a, *b) : ops::clone(a); });
  Tensor a = test::vector({1, 2}), b = leaf({3, 4});
  CHECK(values(call<Optional>("_test::maybe", a, std::nullopt)) == std::vector<double>{1, 2});
  CHECK_FALSE(call<Optional>("_test::maybe", a, std::nullopt).requires_grad());
  Tensor out = call<Optional>("_test::maybe", a, b);
  CHECK(values(out) == std::vector<double>{4, 6});
  CHECK_ERROR_CONTAINS(grad(sum(out), b), NotImplementedError, text);
}

TEST_CASE("case 219: the result of an operator that makes a view is one", "[autograd][not_implemented]") {
  Operator o("view_of(Tensor(a) self) -> Tensor(a)", TENON_FN(&alias_of));
  Tensor plain = test::vector({1});
  Tensor v = call<Unary>("_test::view_of", plain);
  CHECK((v.is_view() && base(v).is_same(plain) && !v.requires_grad()));
  Tensor b = ops::clone(leaf({1})), t = leaf({1});
  Tensor w = call<Unary>("_test::view_of", b);
  CHECK((w.is_view() && base(w).is_same(b)));
  CHECK_ERROR_CONTAINS(grad(sum(w), b), NotImplementedError, text);
  const std::string maker =
      "A view made by _test::view_of, which does not have a derivative implemented, cannot be followed: ";
  const std::string now =
      maker + "it is being modified inplace. It is argument 'self' of aten::add_.Tensor. Write to a clone().";
  CHECK_ERROR(w.add_(t), AutogradError, now);
  CHECK_ERROR(v.add_(t), AutogradError, now);
  CHECK_ERROR(w.view({1}).add_(t), AutogradError, now);
  // The base knows nothing of its views.
  CHECK_NOTHROW(b.add_(t));
  CHECK_ERROR(w.grad_fn(), AutogradError,
              maker +
                  "its base or another view of its base has been modified inplace. It was last written by "
                  "aten::add_.Tensor. Make the view after the write.");
  CHECK_NOTHROW(v.add_(1.0));
}

TEST_CASE("case 220: a view is of the argument that the schema names", "[autograd][not_implemented]") {
  Operator o("view_with(Tensor other, Tensor(a) self) -> Tensor(a)",
             [](const Tensor&, const Tensor& self) { return make_alias(self); });
  Tensor a = leaf({1}), b = ops::clone(leaf({2}));
  Tensor v = call<Binary>("_test::view_with", a, b);
  CHECK((v.is_view() && base(v).is_same(b)));
  CHECK_ERROR_CONTAINS(grad(sum(v), a), NotImplementedError, text);
}

TEST_CASE("a result that shares no memory is no view, whatever the schema says", "[autograd][not_implemented]") {
  Operator o("copy_of(Tensor(a) self) -> Tensor(a)", [](const Tensor& t) { return ops::clone(t); });
  CHECK_FALSE(call<Unary>("_test::copy_of", test::vector({1})).is_view());
}

TEST_CASE("case 221: every element of a list of views is a view", "[autograd][not_implemented]") {
  using Several = std::vector<Tensor>(const Tensor&);
  Operator o("views_of(Tensor(a) self) -> Tensor[](a)", [](const Tensor& t) {
    return std::vector<Tensor>{make_alias(t), make_alias(t)};
  });
  Tensor b = ops::clone(leaf({1}));
  std::vector<Tensor> views = call<Several>("_test::views_of", b);
  REQUIRE(views.size() == 2);
  for (const Tensor& v : views) {
    CHECK((v.is_view() && base(v).is_same(b)));
    CHECK_ERROR_CONTAINS(grad(sum(v), b), NotImplementedError, text);
  }
  CHECK_ERROR_CONTAINS(
      views[1].add_(1.0), AutogradError,
      "Output 1 of NotImplemented is a view and is being modified inplace. This view is the output of a function that returns multiple views.");
}

TEST_CASE("case 222: an operator with two results that are views is refused", "[autograd][not_implemented]") {
  using Two = std::tuple<Tensor, Tensor>(const Tensor&);
  Operator o("two_views(Tensor(a) self) -> (Tensor(a), Tensor(a))",
             [](const Tensor& t) { return std::tuple(make_alias(t), make_alias(t)); });
  CHECK_ERROR_CONTAINS(
      call<Two>("_test::two_views", ops::clone(leaf({1}))), NotImplementedError,
      "_test::two_views: expected only a single output in the operator schema to have a non-write alias annotation (i.e., 'Tensor(a)').");
}

TEST_CASE("an operator with two arguments that are viewed is refused", "[autograd][not_implemented]") {
  Operator o("either(Tensor(a) x, Tensor(a) y) -> Tensor(a)",
             [](const Tensor& x, const Tensor&) { return make_alias(x); });
  Tensor x = test::vector({1});
  CHECK_ERROR_CONTAINS(call<Binary>("_test::either", x, x), NotImplementedError,
                       "_test::either: expected only a single input in the operator schema");
}

TEST_CASE("case 223: tensors of a list have gradients each for itself", "[autograd][not_implemented]") {
  using Joined = Tensor(TensorList);
  Operator o("joined(Tensor[] list) -> Tensor", [](TensorList list) { return add(list[0], list[1]); });
  Tensor a = test::vector({1}), b = leaf({2});
  Tensor list[] = {a, b};
  Tensor out = call<Joined>("_test::joined", list);
  CHECK(values(out) == std::vector<double>{3});
  CHECK_ERROR(grad(sum(out), a), AutogradError, "The differentiated Tensor at index 0 does not require grad");
  CHECK_ERROR_CONTAINS(grad(sum(out), b), NotImplementedError, text);
}

TEST_CASE("case 224: elements of a list that is returned refuse the backward pass", "[autograd][not_implemented]") {
  using Several = std::vector<Tensor>(const Tensor&, const Tensor&);
  Operator o("several(Tensor a, Tensor b) -> Tensor[]", [](const Tensor& a, const Tensor& b) {
    return std::vector<Tensor>{ops::clone(a), ops::clone(b)};
  });
  Tensor a = leaf({1}), b = leaf({2});
  std::vector<Tensor> out = call<Several>("_test::several", a, b);
  REQUIRE(out.size() == 2);
  CHECK_ERROR_CONTAINS(grad(sum(out[0]), a), NotImplementedError, text);
  CHECK_ERROR_CONTAINS(grad(sum(out[1]), b), NotImplementedError, text);
  CHECK(values(out[1]) == std::vector<double>{2});
}
