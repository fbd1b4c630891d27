// Inference mode: which kernels run, what becomes of tensors made or changed there, and what is refused later. Case
// numbers are those of the dispatcher's test cases.
#include "../registry_support.hpp"
#include "support.hpp"

using namespace tenon;
using test::leaf;
using test::values;
using K = DispatchKey;

namespace {

const char* const made_there = "A view was created in inference mode and is being modified inplace in normal mode.";

/// The dispatcher's steps while `f` runs, without those of the kernels.
template <class F>
std::vector<std::string> steps(F&& f) {
  support::Trace trace;
  f();
  std::vector<std::string> out;
  for (const auto& line : trace.lines)
    if (line.find("[kernel]") != 0) out.push_back(line);
  return out;
}
using Steps = std::vector<std::string>;

Tensor inference_tensor() {
  InferenceMode guard;
  return ones({2, 3}, "dtype"_a = kDouble);
}
ViewOrigin origin(const Tensor& t) { return autograd::meta_of(t)->view->origin; }
const Tensor& base(const Tensor& t) { return autograd::meta_of(t)->view->base; }

}  // namespace

TEST_CASE("case 204: inference mode changes the thread's sets and gives them back", "[autograd][inference]") {
  LocalKeys before = local_keys();
  auto is_default = [&] {
    return local_keys().included == before.included && local_keys().excluded == before.excluded &&
           !is_inference_mode() && is_grad_enabled();
  };
  auto is_on = [&] {
    return local_keys().included == before.included.without(K::ADInplaceOrView) &&
           local_keys().excluded == (before.excluded | key_sets::autograd) && is_inference_mode() && !is_grad_enabled();
  };
  {
    InferenceMode on;
    CHECK(is_on());
    CHECK_FALSE(is_excluded(K::ADInplaceOrView));
    {
      InferenceMode off(false);
      CHECK(is_default());
      {
        InferenceMode again;
        CHECK(is_on());
      }
      CHECK(is_default());
    }
    CHECK(is_on());
    CHECK_THROWS_AS(
        [] {
          InferenceMode off(false);
          fail<ValueError>("on the way out");
        }(),
        ValueError);
    CHECK(is_on());
  }
  CHECK(is_default());
}

TEST_CASE("case 205: what was saved before and changed in inference mode is refused", "[autograd][inference]") {
  Tensor s = leaf({1, 2});
  Tensor a = ops::clone(s);
  Tensor out = sum(mul(a, a));
  {
    InferenceMode guard;
    a.mul_(2.0);
  }
  CHECK_ERROR_CONTAINS(
      out.backward(), AutogradError,
      "one of the variables needed for gradient computation has been modified by an inplace operation: [float64 [2]]");
}

TEST_CASE("case 206: in inference mode inference tensors reach the backend's kernels alone", "[autograd][inference]") {
  InferenceMode guard;
  Tensor t = inference_tensor(), product, view;
  CHECK(steps([&] { product = mul(t, t); }) == Steps{"[call] aten::mul.Tensor CPU"});
  CHECK(steps([&] { t.mul_(t); }) == Steps{"[call] aten::mul_.Tensor CPU"});
  CHECK(steps([&] { view = t.view({3, 2}); }) == Steps{"[call] aten::view CPU"});
  for (const Tensor& x : {product, t, view}) {
    CHECK(x->is_inference());
    CHECK_FALSE(x.keys().has(K::ADInplaceOrView));
    CHECK_FALSE(x.keys().has(K::AutogradCPU));
    CHECK_FALSE(x.requires_grad());
  }
  CHECK_FALSE(view.is_view());
}

TEST_CASE("case 207: outside, functions of inference tensors give normal tensors", "[autograd][inference]") {
  Tensor t = inference_tensor(), out;
  CHECK(steps([&] { out = mul(t, t); }) == Steps{"[call] aten::mul.Tensor CPU"});
  CHECK_FALSE(out->is_inference());
  CHECK(out.keys().has(K::ADInplaceOrView));
  CHECK(out.keys().has(K::AutogradCPU));
  CHECK_FALSE(out.requires_grad());
}

TEST_CASE("case 208: outside, an inference tensor is not changed in place", "[autograd][inference]") {
  Tensor t = inference_tensor();
  const char* text =
      "Inplace update to inference tensor outside InferenceMode is not allowed. Make a clone() to get a normal tensor before the inplace update.";
  // The key is the thread's, not the tensor's.
  CHECK_FALSE(t.keys().has(K::ADInplaceOrView));
  CHECK(steps([&] { CHECK_THROWS_TEXT(t.mul_(t), text); }) == Steps{"[call] aten::mul_.Tensor ADInplaceOrView"});
  CHECK_ERROR(t.add_(1.0), AutogradError, text);
  Tensor normal = ones({2, 3}, "dtype"_a = kDouble);
  CHECK_ERROR(add(normal, normal, "out"_a = t), AutogradError, text);
  // The peer writes before it refuses; here the tensor is as it was.
  CHECK(values(t) == std::vector<double>(6, 1.0));
  CHECK_NOTHROW(normal.mul_(t));
  InferenceMode guard;
  CHECK_NOTHROW(t.mul_(normal));
}

TEST_CASE("case 209: outside, a view of an inference tensor is one, and no tracked view", "[autograd][inference]") {
  Tensor t = inference_tensor(), view;
  CHECK(steps([&] {
          view = t.view({3, 2});
        }) == Steps{"[call] aten::view ADInplaceOrView", "[redispatch] aten::view CPU"});
  CHECK(view->is_inference());
  CHECK_FALSE(view.is_view());
}

TEST_CASE("case 210: a normal tensor that is changed in inference mode stays normal", "[autograd][inference]") {
  bool grad = GENERATE(true, false);
  Tensor a = ops::clone(leaf({1, 2}).set_requires_grad(grad)), view;
  {
    InferenceMode guard;
    for (int i = 0; i < 2; ++i) {
      CHECK(steps([&] { a.mul_(2.0); }) ==
            Steps{"[call] aten::mul_.Scalar ADInplaceOrView", "[redispatch] aten::mul_.Scalar CPU"});
      CHECK_FALSE(a->is_inference());
      CHECK(a.requires_grad() == grad);
    }
    view = a.view({2, 1});
    CHECK_FALSE(view->is_inference());
    CHECK(view.requires_grad() == grad);
  }
  CHECK(a.version() == 2);
  CHECK(values(a) == std::vector<double>{4, 8});
}

TEST_CASE("case 211: a view made in inference mode is not changed where gradients are recorded",
          "[autograd][inference]") {
  bool grad = GENERATE(true, false);
  Tensor a = ops::clone(leaf({1, 2}).set_requires_grad(grad)), view;
  {
    InferenceMode guard;
    view = a.view({2, 1});
  }
  CHECK(mul(view, 2.0).requires_grad() == grad);
  CHECK(view.view({1, 2}).requires_grad() == grad);
  if (grad) {
    CHECK_ERROR_CONTAINS(view.mul_(2.0), AutogradError, made_there);
    CHECK_ERROR_CONTAINS(view.mul_(2.0), AutogradError,
                         "it is forbidden. It is argument 'self' of aten::mul_.Scalar. Write to a clone().");
  } else {
    CHECK_NOTHROW(view.mul_(2.0));
  }
  CHECK(values(a) == (grad ? std::vector<double>{1, 2} : std::vector<double>{2, 4}));
}

TEST_CASE("case 212: a view made in inference mode is a normal tensor that remembers it", "[autograd][inference]") {
  bool grad = GENERATE(true, false);
  Tensor a = ops::clone(leaf({1, 2}).set_requires_grad(grad)), view, of_view;
  {
    InferenceMode guard;
    view = a.view({2, 1});
    of_view = view.view({1, 2});
    for (const Tensor& v : {view, of_view}) {
      CHECK_FALSE(v->is_inference());
      CHECK(v.keys().has(K::ADInplaceOrView));
      CHECK(v.keys().has(K::AutogradCPU));
      CHECK(v.requires_grad() == grad);
      CHECK(v.is_leaf());
      CHECK((v.is_view() && base(v).is_same(a) && origin(v) == ViewOrigin::Inference));
    }
    view.mul_(2.0);
    CHECK((a.version() == 1 && view.version() == 1 && of_view.version() == 1));
    CHECK(origin(view) == ViewOrigin::Inference);
    CHECK(mul(view, 2.0)->is_inference());
  }
  CHECK(values(a) == std::vector<double>{2, 4});
}

TEST_CASE("case 213: an inference tensor is mixed with others where nothing of it is saved", "[autograd][inference]") {
  Tensor s = leaf({1, 2}), c, index;
  {
    InferenceMode guard;
    c = test::vector({3, 4});
    index = tensor({0, 1});
  }
  const char* text =
      "Inference tensors cannot be saved for backward. Make a clone() to get a normal tensor and use it in autograd, or use NoGradGuard instead of InferenceMode.";
  add(c, s).backward(ones({2}, "dtype"_a = kDouble));
  CHECK(values(s.grad()) == std::vector<double>{1, 1});
  CHECK_FALSE(c.requires_grad());
  CHECK_ERROR(mul(c, s), AutogradError, text);
  CHECK_ERROR(mul(s, c), AutogradError, text);
  CHECK_ERROR(index_select(s, 0, index), AutogradError, text);
  CHECK_ERROR(ops::index(s, {index}), AutogradError, text);  // saves a list
  CHECK_NOTHROW(mul(s, ops::clone(c)));
  NoGradGuard guard;
  CHECK_NOTHROW(mul(s, c));
}

TEST_CASE("case 214: a view of a view made in inference mode is refused in place too", "[autograd][inference]") {
  Tensor s = leaf({1, 2}), b, c;
  {
    InferenceMode guard;
    b = s.view({2, 1});
  }
  CHECK_ERROR_CONTAINS(b.mul_(2.0), AutogradError, made_there);
  {
    NoGradGuard guard;
    c = b.view({1, 2});
  }
  CHECK(origin(c) == ViewOrigin::Inference);
  CHECK_ERROR_CONTAINS(c.mul_(2.0), AutogradError, made_there);
}
