// Matrix products of any ranks, made of the others.
#pragma once
#include <tenon/base/promote_types.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::composite {

/// Whether the batch of the larger operand joins the rows of one matrix product.
template <class Int>
bool folds(const Tensor& a, const Tensor& b) {
  bool first = a.dim() >= b.dim();
  const Tensor &large = first ? a : b, &small = first ? b : a;
  if (large.dim() < 3 || small.dim() > 2) return false;
  // Else the gradient of the small operand would have the batch's size before it is summed.
  if (small.requires_grad()) return true;
  if (a.dim() == 2) return false;  // the product would have to be transposed back by a copy
  if (numel_of<Int>(large) == 0) return true;
  ArrayRef<Int> sizes = sizes_of<Int>(large), strides = strides_of<Int>(large);
  for (std::int64_t d = 0; d + 2 < large.dim(); ++d)
    if (strides[d] != strides[d + 1] * sizes[d + 1]) return false;
  return true;
}
template <class Int>
Tensor folded_matmul(const Tensor& a, const Tensor& b) {
  bool swapped = b.dim() > a.dim();
  Tensor large = swapped ? ops::transpose(b, -2, -1) : a, small = !swapped ? b : a.dim() == 2 ? Tensor(ops::t(a)) : a;
  ArrayRef<Int> sizes = sizes_of<Int>(large);
  dims_t<Int> shape(sizes.slice(0, sizes.size() - 1));
  Int folded[] = {count_elements(shape), sizes.back()};
  Tensor rows = ops::reshape(large, ArrayRef<Int>(folded));
  if (small.dim() == 1) return ops::_unsafe_view(ops::mv(rows, small), shape);
  shape.push_back(sizes_of<Int>(small)[1]);
  Tensor out = ops::_unsafe_view(ops::mm(rows, small), shape);
  return swapped ? Tensor(ops::contiguous(ops::transpose(out, -2, -1))) : out;
}
template <class Int>
Tensor matmul(const Tensor& a, const Tensor& b) {
  std::int64_t x = a.dim(), y = b.dim();
  TENON_CHECK(x != 0 && y != 0, ValueError, "both arguments to matmul need to be at least 1D, but they are ", x,
              "D and ", y, "D");
  if (x == 2 && y == 2) return ops::mm(a, b);
  if (x == 1 && y == 1) return ops::dot(a, b);
  if (x == 2 && y == 1) return ops::mv(a, b);
  if (x == 1 && y == 2) {
    // In place, as PyTorch does it: the result counts as written once.
    Tensor row = ops::mm(ops::unsqueeze(a, 0), b);
    return ops::squeeze_(row, 0);
  }
  if (folds<Int>(a, b)) return folded_matmul<Int>(a, b);
  ArrayRef<Int> s = sizes_of<Int>(a), r = sizes_of<Int>(b),
                batch1 = s.slice(0, static_cast<std::size_t>(x > 2 ? x - 2 : 0)),
                batch2 = r.slice(0, static_cast<std::size_t>(y > 2 ? y - 2 : 0));
  const Int& k1 = s.back();
  Int n = x > 1 ? s[x - 2] : Int(1), k2 = y > 1 ? r[y - 2] : r[0], p = y > 1 ? r.back() : Int(1);
  if (x == 3 && y == 3 && !known_equal(batch1[0], batch2[0])) {
    if (a.requires_grad() && batch1[0] == 1) return ops::matmul(ops::squeeze(a, 0), b);
    if (b.requires_grad() && batch2[0] == 1) return ops::matmul(a, ops::squeeze(b, 0));
  }
  dims_t<Int> shape = broadcast_shapes(batch1, batch2), wide1(shape), wide2(shape);
  Int count = count_elements(shape);
  wide1.push_back(n);
  wide1.push_back(k1);
  wide2.push_back(k2);
  if (y > 1) wide2.push_back(p);
  Int flat1[] = {count, n, k1}, flat2[] = {count, k2, p};
  Tensor first = ops::reshape(ops::expand(a, wide1), ArrayRef<Int>(flat1));
  Tensor second = ops::reshape(ops::expand(b, wide2), ArrayRef<Int>(flat2, y > 1 ? 3 : 2));
  if (y == 1) second = ops::unsqueeze(second, 2);
  if (x > 1) shape.push_back(n);
  if (y > 1) shape.push_back(p);
  Tensor out = ops::bmm(first, second);
  return ops::_unsafe_view(y > 1 ? out : Tensor(ops::squeeze(out, -1)), shape);
}
template <class Int>
Tensor linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
  std::int64_t dims = input.dim();
  TENON_CHECK(dims != 0 && weight.dim() != 0, ValueError,
              "both arguments to linear need to be at least 1D, but they are ", dims, "D and ", weight.dim(), "D");
  bool biased = bias && bias->defined();
  if (biased && dims == 2) return ops::addmm(*bias, input, ops::t(weight));
  // One rounding of 16-bit floats instead of two, where PyTorch does so: if nothing has to be copied for it.
  if (biased && input.is_contiguous() && weight.dim() == 2 && bias->dim() != 0 && bias->is_contiguous()) {
    dims_t<Int> shape(sizes_of<Int>(input));
    Int folded[] = {count_elements(ArrayRef<Int>(shape).slice(0, shape.size() - 1)), shape.back()};
    Tensor out = ops::addmm(*bias, ops::reshape(input, ArrayRef<Int>(folded)), ops::t(weight));
    shape.back() = sizes_of<Int>(out)[1];
    return ops::_unsafe_view(out, shape);
  }
  Tensor out = ops::matmul(input, ops::t(weight));
  if (!biased) return out;
  // As if the bias were added in place: it changes neither shape nor dtype.
  Tensor sum = ops::add(out, *bias);
  TENON_CHECK(sum.sym_sizes() == out.sym_sizes(), ValueError, "output with shape ", out.sym_sizes(),
              " doesn't match the broadcast shape ", sum.sym_sizes());
  check_can_cast(sum.dtype(), out.dtype());
  return sum.dtype() == out.dtype() ? sum : ops::to(sum, out.dtype());
}
/// Stores a finished result in the caller's tensor.
inline Tensor& store_result(const Tensor& result, Tensor& out) {
  Outputs o(StructuredForm::Out, out.is_meta());
  o.give(0, out);
  o.set_output_raw_strided(0, result.sym_sizes(), {}, result.dtype(), result.device(), OutputCast::Allowed);
  if (!out.is_meta()) ops::copy_(out, result);
  return out;
}
inline Tensor& matmul_out(const Tensor& a, const Tensor& b, Tensor& out) {
  Tensor result = ops::matmul(a, b);
  // In the words of the product that PyTorch calls.
  TENON_CHECK(a.dim() != 1 || b.dim() != 1 || out.dtype() == result.dtype(), TypeError, "result dtype ",
              enumerator_name(out.dtype()), " does not match input dtype ", enumerator_name(result.dtype()));
  TENON_CHECK(a.dim() != 2 || b.dim() != 1 || out.dtype() == result.dtype(), TypeError,
              "addmv input tensors must have the same dtype, but got ", enumerator_name(out.dtype()), ", ",
              enumerator_name(a.dtype()), ", and ", enumerator_name(b.dtype()));
  check_out_dtype(result, out);
  return store_result(result, out);
}
inline Tensor& linear_out(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, Tensor& out) {
  Tensor result = ops::linear(input, weight, bias);
  check_out_dtype(result, out);
  return store_result(result, out);
}
inline void check_outer(const Tensor& self, const Tensor& vec2) {
  TENON_CHECK(self.dim() == 1, ValueError, "outer: Expected 1-D argument self, but got ", self.dim(), "-D");
  TENON_CHECK(vec2.dim() == 1, ValueError, "outer: Expected 1-D argument vec2, but got ", vec2.dim(), "-D");
}
inline Tensor outer(const Tensor& self, const Tensor& vec2) {
  check_outer(self, vec2);
  return ops::mul(ops::reshape(self, {self.sym_size(0), 1}), vec2);
}
inline Tensor& outer_out(const Tensor& self, const Tensor& vec2, Tensor& out) {
  check_outer(self, vec2);
  return ops::mul(ops::reshape(self, {self.sym_size(0), 1}), vec2, "out"_a = out);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::matmul_base>().def<ops::matmul_base_out>().def<ops::linear_base>().def<ops::linear_base_out>();
  m.def<ops::outer_base>().def<ops::outer_base_out>();
  m.impl<ops::matmul_base, &matmul<std::int64_t>>().impl<ops::linear_base, &linear<std::int64_t>>();
  m.impl<ops::outer_base, &outer>();
  m.impl<ops::matmul_base_out, &matmul_out>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::linear_base_out, &linear_out>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::outer_base_out, &outer_out>(DispatchKey::CompositeExplicitAutograd);
}

TENON_SYMBOLIC_LIBRARY_IMPL(aten, m) {
  m.impl<ops::matmul_base, &matmul<SymInt>>().impl<ops::linear_base, &linear<SymInt>>();
}

}  // namespace tenon::composite
