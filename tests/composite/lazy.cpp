// Conjugates and negated views by the fallbacks of their keys, through the operators that users call.
#include <tenon/autograd/engine.hpp>
#include <tenon/func.hpp>
#include <tenon/io/print.hpp>
#include <tenon/ops/elements.hpp>

#include "../ops/support.hpp"
#include "../registry_support.hpp"

using namespace test;
using C = Complex<double>;

namespace {

Tensor complexes(std::initializer_list<C> list, ScalarType dtype = kComplexDouble) {
  Tensor t = ops::empty({static_cast<std::int64_t>(list.size())}, "dtype"_a = kComplexDouble);
  std::copy(list.begin(), list.end(), t.data_ptr<C>());
  return t.to(dtype);
}
/// Real and imaginary parts as operators see them.
Numbers parts(const Tensor& t) { return values(ops::view_as_real(t.detach().resolve_conj())); }

}  // namespace

TEST_CASE("conj marks a view of the same memory", "[composite][lazy]") {
  Tensor z = complexes({{1, 2}, {3, -4}}), c = z.conj();
  CHECK((c.is_conj() && !z.is_conj() && c.is_view()));
  CHECK(c.data_ptr() == z.data_ptr());
  CHECK(parts(c) == Numbers{1, -2, 3, 4});
  CHECK_FALSE(c.conj().is_conj());
  CHECK((ops::is_conj(c) && !ops::is_neg(c)));
  Tensor r = tensor({1.0, 2.0});
  CHECK(r.conj().is_same(r));
  CHECK(r.resolve_conj().is_same(r));
  CHECK(r.resolve_neg().is_same(r));
  Tensor own = c.resolve_conj();
  CHECK((!own.is_conj() && own.data_ptr() != z.data_ptr()));
  CHECK(parts(own) == Numbers{1, -2, 3, 4});
  Tensor n = ops::_neg_view(r);
  CHECK((n.is_neg() && n.data_ptr() == r.data_ptr() && values(n) == Numbers{-1, -2}));
  CHECK(values(n.resolve_neg()) == Numbers{-1, -2});
  CHECK_FALSE(ops::_neg_view(n).is_neg());
  CHECK_ERROR_CONTAINS(ops::_conj(r), TypeError, "_conj(): expected a complex tensor, got one of dtype float32");
  CHECK_ERROR_CONTAINS(ops::_neg_view(r > 1), TypeError, "bool");
  CHECK((z._conj().is_conj() && r._neg_view().is_neg() && !r._is_zerotensor()));
  CHECK_ERROR_CONTAINS((n.accessor<float, 1>()), ValueError, "accessor(): expected a tensor that shows its memory");
  CHECK_ERROR_CONTAINS(as_span<float>(n), ValueError, "as_span(): expected a tensor that shows its memory");
  CHECK(parts(ops::_conj_copy(z)) == Numbers{1, -2, 3, 4});
  CHECK_FALSE(ops::_conj_copy(z).is_conj());
  CHECK(values(ops::_neg_view_copy(r)) == Numbers{-1, -2});
}

TEST_CASE("views of a conjugate are conjugates, copies are not", "[composite][lazy]") {
  Tensor z = complexes({{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}).view({2, 3}), c = z.conj();
  for (const Tensor& v : {c.t(), c.view({6}), c.select(0, 1), c.slice(1, 1), c.unsqueeze(0), c.expand({2, 2, 3}),
                          c.flatten(), c.detach(), c.contiguous(), c.unfold(0, 1, 1), c.diagonal(), c.permute({1, 0}),
                          c.as_strided({2}, {1}), c.reshape({3, 2}), ops::unbind(c)[0], c[0], c.alias()}) {
    CHECK(v.is_conj());
    CHECK(v->storage() == z->storage());
  }
  for (const Tensor& t : {c.clone(), c.to(kComplexFloat), ops::empty_like(c), ops::zeros_like(c), c.mul(1.0),
                          c.t().contiguous(), c.index_select(0, tensor({0})), ops::conj_physical(c), c.new_empty({2})})
    CHECK_FALSE(t.is_conj());
  CHECK((c.mT().is_conj() && z.mH().is_conj() && z.adjoint().is_conj() && !c.mH().is_conj()));
  CHECK(parts(ops::conj_physical(c)) == parts(z));
  CHECK(parts(c.slice(1, 1)[0].conj()) == Numbers{1, 1, 2, 2});
  // In place, other geometry alone.
  Tensor turned = z.conj();
  turned.t_();
  CHECK((turned.is_conj() && turned.sizes() == IntArrayRef{3, 2} && turned->storage() == z->storage()));
}

TEST_CASE("parts of a conjugate share its memory", "[composite][lazy]") {
  Tensor z = complexes({{1, 2}, {3, -4}}), c = z.conj();
  CHECK(values(ops::real(c)) == Numbers{1, 3});
  Tensor im = ops::imag(c);
  CHECK((im.is_neg() && !ops::real(c).is_neg() && im->storage() == z->storage()));
  CHECK(values(im) == Numbers{-2, 4});
  im.mul_(10);
  CHECK(parts(z) == Numbers{1, 20, 3, -40});
  CHECK_ERROR(
      ops::view_as_real(c), ValueError,
      "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original.");
  CHECK_ERROR(c.view(kDouble), ValueError,
              "torch.Tensor.view is not supported for conjugate view tensors when converting to a different dtype.");
  CHECK_ERROR(
      im.view(kLong), ValueError,
      "torch.Tensor.view is not supported for tensors with negative bit set when converting to a different dtype.");
  Tensor pairs = ops::view_as_real(ops::_neg_view(z));
  CHECK((pairs.is_neg() && values(pairs) == Numbers{-1, -20, -3, 40}));
  Tensor whole = ops::view_as_complex(ops::_neg_view(tensor({1.0, 2.0})));
  CHECK((whole.is_neg() && parts(whole) == Numbers{-1, -2}));
}

TEST_CASE("writes through a conjugate and a negated view reach the memory", "[composite][lazy]") {
  Tensor z = complexes({{0, 0}, {1, 2}, {3, 4}}), part = z.conj().slice(0, 1);
  Tensor& same = part.add_(Scalar(C(0, 1)));
  CHECK((&same == &part && part.is_conj()));
  CHECK(parts(z) == Numbers{0, 0, 1, 1, 3, 3});
  part.mul_(z.slice(0, 1));  // reads what it writes
  CHECK(parts(z) == Numbers{0, 0, 2, 0, 18, 0});
  z.conj().zero_();
  CHECK(parts(z) == Numbers{0, 0, 0, 0, 0, 0});
  z.conj().fill_(Scalar(C(1, 2)));
  CHECK(parts(z) == Numbers{1, -2, 1, -2, 1, -2});
  z.add_(z.conj());
  CHECK(parts(z) == Numbers{2, 0, 2, 0, 2, 0});
  Tensor r = tensor({1.0, -2.0}), n = ops::_neg_view(r);
  n.relu_();
  CHECK(values(r) == Numbers{0, -2});
  n.neg_();
  CHECK(values(r) == Numbers{0, 2});
  n.index_put_({0}, 7);
  CHECK(values(r) == Numbers{-7, 2});
  Tensor grows = complexes({}).conj();
  ops::mul(complexes({{1, 1}, {2, -1}}), complexes({{1, 1}, {2, -1}}), "out"_a = grows);
  CHECK((grows.is_conj() && parts(grows) == Numbers{0, 2, 3, -4}));
  Tensor memory = ops::zeros({2}, "dtype"_a = kComplexDouble), out = memory.conj();
  CHECK(ops::sub(complexes({{1, 1}, {2, -1}}), memory, "out"_a = out).is_same(out));
  CHECK(parts(memory) == Numbers{1, -1, 2, 1});
  // Several results, and one of them twice marked.
  Tensor values_of = ops::_neg_view(ops::empty({1})), at = ops::empty({1}, "dtype"_a = kLong);
  ops::max(tensor({{1.0, 5.0, 2.0}}), 1, "max"_a = values_of, "max_values"_a = at);
  CHECK((values(values_of) == Numbers{5} && values(at) == Numbers{1} &&
         values(ops::_neg_view(values_of)) == Numbers{-5}));
}

TEST_CASE("copies convert between what is conjugated and negated", "[composite][lazy]") {
  Tensor a = complexes({{1, 1}, {2, -1}});
  Tensor sources[] = {a, a.conj(), ops::_neg_view(a), ops::_neg_view(a.conj())};
  Numbers seen[] = {{1, 1, 2, -1}, {1, -1, 2, 1}, {-1, -1, -2, 1}, {-1, 1, -2, -1}};
  for (std::size_t i = 0; i < 4; ++i)
    for (ScalarType dtype : {kComplexDouble, kComplexFloat})
      for (bool gaps : {false, true}) {
        Tensor memory =
            gaps ? ops::zeros({4}, "dtype"_a = dtype).slice(0, 0, 4, 2) : ops::zeros({2}, "dtype"_a = dtype);
        for (Tensor to :
             {memory, memory.conj(), Tensor(ops::_neg_view(memory)), Tensor(ops::_neg_view(memory.conj()))}) {
          to.copy_(sources[i]);
          CHECK(parts(to) == seen[i]);
        }
      }
  Tensor real = ops::zeros({2});
  ops::_neg_view(real).copy_(a.conj());
  CHECK(values(real) == Numbers{-1, -2});
  Tensor bytes = tensor({1, 2}).to(kByte);
  CHECK(values(ops::_neg_view(bytes).clone()) == Numbers{255, 254});
  CHECK(ops::_neg_view(bytes)[0].item().to<std::int64_t>() == 255);
}

TEST_CASE("operators read conjugates as their elements", "[composite][lazy]") {
  Tensor a = complexes({{1, 1}, {2, -1}}), c = a.conj();
  CHECK(parts(ops::cat({a, c, ops::_neg_view(a)})) == Numbers{1, 1, 2, -1, 1, -1, 2, 1, -1, -1, -2, 1});
  Tensor m = complexes({{1, 1}, {2, -1}, {0, 3}, {4, 0}}).view({2, 2});
  CHECK(parts(ops::matmul(m.conj(), m)) == Numbers{-1, 6, 9, 1, 3, 9, 13, -6});
  CHECK(parts(ops::matmul(m.mH(), m)) == Numbers{11, 0, 1, -15, 1, 15, 21, 0});
  CHECK(parts(ops::dot(c, a)) == Numbers{7, 0});
  CHECK(values(c.abs()) == values(a.abs()));
  CHECK(ops::equal(c, a.conj()));
  CHECK_FALSE(ops::equal(c, a));
  CHECK(c[1].item().to<C>() == C(2, 1));
  CHECK(ops::_neg_view(c)[1].item().to<C>() == C(-2, -1));
  CHECK(ops::_neg_view(tensor({3.0}))[0].item<double>() == -3);
  CHECK(ops::_neg_view(tensor({3.0, 4.0})).to_vector<float>() == std::vector<float>{-3, -4});
  CHECK(to_string(c) == "tensor([1.-1.j, 2.+1.j], dtype=complex128)");
  CHECK(to_string(ops::imag(c)) == "tensor([-1.,  1.], dtype=float64)");
  CHECK(parts(ops::where(tensor({1.0, 0.0}) > 0, c, a)) == Numbers{1, -1, 2, -1});
  // A list of optional tensors, one of them a view of other elements.
  CHECK(parts(c.index({ops::_neg_view(tensor({-1, 0}))})) == Numbers{2, 1, 1, -1});
}

TEST_CASE("W16: the boxed fallback of Conjugate serves any operator", "[composite][lazy][walkthrough]") {
  Tensor z = complexes({{1, 1}, {2, -1}}), c = z.conj();
  // The lines of a call but those of new memory.
  auto lines = [](auto&& f) {
    support::Trace trace;
    f();
    std::erase_if(trace.lines, [](const std::string& l) { return l.find(" aten::empty.") != l.npos; });
    return trace.lines;
  };
  using Lines = std::vector<std::string>;
  const Lines copied{"[call] aten::clone CPU", "[kernel] aten::clone CPU unboxed", "[call] aten::copy_ CPU",
                     "[kernel] aten::copy_ CPU unboxed"};
  auto joined = [](Lines a, const Lines& b, const Lines& c) {
    a.insert(a.end(), b.begin(), b.end());
    a.insert(a.end(), c.begin(), c.end());
    return a;
  };
  CHECK(lines([&] { ops::add(c, z); }) ==
        joined({"[call] aten::add.Tensor AutogradCPU", "[kernel] aten::add.Tensor AutogradCPU unboxed",
                "[redispatch] aten::add.Tensor Conjugate", "[kernel] aten::add.Tensor Conjugate boxed"},
               copied, {"[redispatchBoxed] aten::add.Tensor CPU"}));
  CHECK(lines([&] { c.sin_(); }) ==
        joined({"[call] aten::sin_ AutogradCPU", "[kernel] aten::sin_ AutogradCPU unboxed",
                "[redispatch] aten::sin_ ADInplaceOrView", "[kernel] aten::sin_ ADInplaceOrView unboxed",
                "[redispatch] aten::sin_ Conjugate", "[kernel] aten::sin_ Conjugate boxed"},
               copied,
               {"[redispatchBoxed] aten::sin_ CPU", "[call] aten::copy_ CPU", "[kernel] aten::copy_ CPU unboxed"}));
  // A view carries the key on.
  CHECK(lines([&] { ops::slice(c, 0, 0, 1); }) ==
        Lines{"[call] aten::slice.Tensor AutogradCPU", "[kernel] aten::slice.Tensor AutogradCPU sym",
              "[redispatch] aten::slice.Tensor ADInplaceOrView", "[kernel] aten::slice.Tensor ADInplaceOrView sym",
              "[redispatch] aten::slice.Tensor Conjugate", "[kernel] aten::slice.Tensor Conjugate boxed",
              "[redispatchBoxed] aten::slice.Tensor CPU"});
  // Several results and tensors that are optional.
  Tensor x = ops::_neg_view(ops::neg(counted({2, 3}))), mean = ops::zeros({3}), var = ops::ones({3});
  Tensor shown = ops::_neg_view(mean);
  auto [out, saved_mean, saved_std] =
      ops::native_batch_norm(x, std::nullopt, std::nullopt, shown, var, true, 1.0, 1e-5);
  CHECK(values(saved_mean) == Numbers{1.5, 2.5, 3.5});
  CHECK((!out.is_neg() && out.sizes() == x.sizes()));
}

TEST_CASE("gradients pass through conjugates and negated views", "[composite][lazy][autograd]") {
  Tensor x = complexes({{1, 2}, {3, -4}}).requires_grad_();
  CHECK(x.conj().grad_fn()->name() == "ConjBackward0");
  CHECK(ops::_neg_view(x).grad_fn()->name() == "NegViewBackward0");
  x.conj().backward(complexes({{1, 1}, {0, 2}}));
  CHECK(parts(x.grad()) == Numbers{1, -1, 0, -2});
  x.grad() = Tensor();
  x.conj().backward(complexes({{1, 1}, {0, 2}}));
  x.conj().backward(complexes({{1, 1}, {0, 2}}));
  CHECK(parts(x.grad()) == Numbers{2, -2, 0, -4});

  Tensor leaf = complexes({{1, 2}, {3, -4}}).requires_grad_(), y = leaf * 1, v = y.conj();
  v.mul_(complexes({{0, 2}, {1, 1}}));
  CHECK(y.grad_fn()->name() == "CopySlices");
  CHECK(parts(y) == Numbers{4, -2, -1, -7});
  (y * complexes({{1, 1}, {2, -1}})).backward(complexes({{1, 0}, {1, 0}}));
  // y = x conj(w), so that dy = conj(g) conj(w) ...
  CHECK(parts(leaf.grad()) == Numbers{2, 2, 1, 3});

  Tensor reals = tensor({1.0, 2.0}).requires_grad_(), w = reals * 1;
  ops::_neg_view(w).add_(tensor({1.0, 3.0}));
  CHECK(values(w) == Numbers{0, -1});
  (w * w).sum().backward();
  CHECK(values(reals.grad()) == Numbers{0, -2});

  // The imaginary part of a conjugate, written.
  Tensor q = complexes({{1, 2}, {3, -4}}).requires_grad_(), p = q * 1, im = ops::imag(p.conj());
  im.mul_(tensor({2.0, 3.0}));
  CHECK(parts(p) == Numbers{1, 4, 3, -12});
  ops::view_as_real(p).sum().backward();
  CHECK(parts(q.grad()) == Numbers{1, 2, 1, 3});

  // A view whose base was written is read again.
  Tensor s = complexes({{1, 2}}).requires_grad_(), t = s * 1, u = t.conj();
  t.mul_(Scalar(C(0, 2)));
  u.backward(complexes({{1, 0}}));
  CHECK(parts(s.grad()) == Numbers{0, -2});

  // What is written shares its memory with a conjugate that has no history.
  Tensor loose = s.detach().conj().detach(), o = loose.clone().conj().detach();
  Tensor weight = complexes({{3, 1}}).requires_grad_();
  ops::real(o).mul_(ops::real(weight));
  o.backward(complexes({{1, 1}}));
  CHECK(parts(weight.grad()) == Numbers{1, 0});
}

TEST_CASE("transforms follow conjugates", "[composite][lazy][func]") {
  Tensor m = complexes({{1, 1}, {2, -1}, {0, 3}, {4, 0}}).view({2, 2});
  CHECK(values(func::vmap([](const Tensor& t) { return ops::imag(t.conj()); })(m)) == Numbers{-1, 1, -3, -0.0});
  CHECK(parts(func::vmap([](const Tensor& t) {
          CHECK(t.conj().is_conj());
          return ops::view_as_complex(ops::view_as_real(t.conj().resolve_conj()));
        })(m)) == Numbers{1, -1, 2, 1, 0, -3, 4, -0.0});
  CHECK(parts(func::vmap([](const Tensor& t) { return ops::mul(t.conj(), t); })(m)) ==
        Numbers{2, 0, 5, 0, 9, 0, 16, 0});
  Tensor a = complexes({{1, 1}, {2, -1}}), b = complexes({{5, 5}, {6, 6}});
  auto [value, tangent] = func::jvp([](const Tensor& t) { return t.conj() * t; }, a, b);
  CHECK((parts(value) == Numbers{2, 0, 5, 0} && parts(tangent) == Numbers{20, 0, 12, 0}));
  Tensor g = func::grad([](const Tensor& t) { return ops::real(t.conj() * t).sum(); })(a);
  CHECK(parts(g) == Numbers{2, 2, 4, -2});
  CHECK(values(func::jvp([](const Tensor& t) { return ops::_neg_view(t); }, tensor({1.0}), tensor({2.0})).second) ==
        Numbers{-2});
}

TEST_CASE("Meta tensors and symbolic sizes keep the marks", "[composite][lazy]") {
  Tensor z = ops::empty({2, 3}, "dtype"_a = kComplexFloat, "device"_a = kMeta), c = z.conj();
  CHECK((c.is_conj() && ops::imag(c).is_neg()));
  Tensor product = ops::matmul(c, c.t());
  CHECK((!product.is_conj() && product.sizes() == IntArrayRef{2, 2}));
  c.add_(z);
  CHECK(c.is_conj());
}
