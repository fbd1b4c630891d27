// Products of groups of rows or columns, and of factors of 8 bits, for every back end.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/grouped_mm.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/types.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::composite {

inline void check_grouped_mm(const Tensor& a, const Tensor& b, const std::optional<Tensor>& offs,
                             const std::optional<Tensor>& bias, std::optional<ScalarType> out_dtype) {
  TENON_CHECK(a.dtype() == b.dtype(), TypeError, "Expected mat_a and mat_b to have the same dtype, got ",
              enumerator_name(a.dtype()), " and ", enumerator_name(b.dtype()));
  TENON_CHECK(a.dtype() == kFloat || is_reduced_floating_type(a.dtype()), TypeError,
              "Expected mat_a to be Float32, BFloat16 or Float16 matrix, got ", enumerator_name(a.dtype()));
  TENON_CHECK(a.dim() == 2 || a.dim() == 3, ValueError, "mat_a has to be 2 or 3d");
  TENON_CHECK(b.dim() == 2 || b.dim() == 3, ValueError, "mat_b has to be 2 or 3d");
  const bool given = offs && offs->defined();
  TENON_CHECK(given == (a.dim() == 2 || b.dim() == 2), ValueError,
              "Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d");
  if (a.dim() == 3 || b.dim() == 3)
    TENON_CHECK(a.sym_size(-1) == b.sym_size(-2), ValueError, "contraction dimension of mat_a and mat_b must match");
  if (given) {
    TENON_CHECK(offs->dim() == 1, ValueError, "offs has to be 1D");
    TENON_CHECK(offs->dtype() == kInt, TypeError, "Offsets have to be int32");
    if (a.dim() != b.dim())
      TENON_CHECK(offs->sym_size(0) == (a.dim() == 3 ? a : b).sym_size(0), ValueError,
                  "matrix batch sizes have to match");
  } else
    TENON_CHECK(a.sym_size(0) == b.sym_size(0), ValueError, "batched dimension has to match");
  TENON_CHECK(!bias || !bias->defined(), NotImplementedError, "Bias not supported yet");
  TENON_CHECK(!out_dtype || *out_dtype == a.dtype(), TypeError, "Grouped gemm output dtype must match `mat_a` dtype");
}
/// What no group reaches is 0.
inline Tensor grouped_mm(const Tensor& a, const Tensor& b, const std::optional<Tensor>& offs,
                         const std::optional<Tensor>& bias, std::optional<ScalarType> out_dtype) {
  check_grouped_mm(a, b, offs, bias, out_dtype);
  if (!offs || !offs->defined()) return ops::bmm(a, b);
  const bool sums = a.dim() == 2 && b.dim() == 2, rows = a.dim() == 2;
  const SymInt &groups = offs->sym_size(0), &m = a.sym_size(-2), &n = b.sym_size(-1);
  const SymInt& length = sums ? a.sym_size(1) : rows ? m : n;
  if (sums) TENON_CHECK(length == b.sym_size(0), ValueError, "contraction dimension of mat_a and mat_b must match");
  SymInt shape[] = {groups, m, n};
  Tensor out = ops::new_zeros(a, SymIntArrayRef(shape + (sums ? 0 : 1), sums ? 3 : 2));
  if (out.is_meta()) return out;
  std::int64_t begin = 0;
  for (std::int64_t i = 0; i < offs->size(0); ++i) {
    const std::int64_t end = ops::select(*offs, 0, i).item<std::int64_t>(), count = end - begin;
    TENON_CHECK(count >= 0 && end <= length, ValueError, "_grouped_mm(): expected offsets that do not decrease, up to ",
                length, ", got ", end);
    Tensor part = sums   ? ops::mm(ops::narrow(a, 1, begin, count), ops::narrow(b, 0, begin, count))
                  : rows ? ops::mm(ops::narrow(a, 0, begin, count), ops::select(b, 0, i))
                         : ops::mm(ops::select(a, 0, i), ops::narrow(b, 1, begin, count));
    Tensor to = sums ? Tensor(ops::select(out, 0, i)) : Tensor(ops::narrow(out, rows ? 0 : 1, begin, count));
    ops::copy_(to, part);
    begin = end;
  }
  return out;
}
inline Tensor weight_int8pack_mm(const Tensor& a, const Tensor& weight, const Tensor& scales) {
  constexpr const char* name = "_weight_int8pack_mm_cpu : ";
  TENON_CHECK(a.dtype() == kFloat || is_reduced_floating_type(a.dtype()), TypeError, name,
              "expect A to be either 32-bit or 16-bit float tensor.");
  TENON_CHECK(a.dim() == 2, ValueError, name, "expect A to be 2D tensor.");
  TENON_CHECK(weight.dtype() == kChar, TypeError, name, "expect B to be int8 tensor.");
  TENON_CHECK(weight.dim() == 2 && weight.sym_size(1) == a.sym_size(1), ValueError, name,
              "expect B.size(1) == ", a.sym_size(1));
  TENON_CHECK(scales.dim() == 1 && scales.sym_size(0) == weight.sym_size(0), ValueError, name,
              "expect scales to be 1d tensor with size ", weight.sym_size(0));
  TENON_CHECK(scales.dtype() == a.dtype(), TypeError, "expected scalar type ", enumerator_name(a.dtype()),
              " but found ", enumerator_name(scales.dtype()));
  // Sums of 16-bit floats are float until they are scaled.
  Tensor sums = ops::mm(ops::to(a, kFloat), ops::t(ops::to(weight, kFloat)));
  return ops::to(ops::mul(sums, ops::to(scales, kFloat)), a.dtype());
}
inline bool is_float8(ScalarType t) { return t == kFloat8_e4m3fn || t == kFloat8_e5m2; }
inline void check_scaled_mm(const Tensor& a, const Tensor& b, const Tensor& scale_a, const Tensor& scale_b,
                            const std::optional<Tensor>& bias) {
  constexpr const char* name = "_scaled_mm: ";
  TENON_CHECK(a.dim() == 2, ValueError, name, "self must be a matrix, got ", a.dim(), "-D tensor");
  TENON_CHECK(b.dim() == 2, ValueError, name, "mat2 must be a matrix, got ", b.dim(), "-D tensor");
  TENON_CHECK(a.sym_size(1) == b.sym_size(0), ValueError, name, "mat1 and mat2 shapes cannot be multiplied (",
              a.sym_size(0), "x", a.sym_size(1), " and ", b.sym_size(0), "x", b.sym_size(1), ")");
  TENON_CHECK(is_float8(a.dtype()), TypeError, "Expected mat1 to be Float8 matrix got ", enumerator_name(a.dtype()));
  auto is_scale = [](const Tensor& t, const SymInt& rows, const SymInt& columns) {
    return t.dim() == 2 && t.sym_size(0) == rows && t.sym_size(1) == columns && t.is_contiguous();
  };
  bool floats = is_float8(b.dtype()) && scale_a.dtype() == kFloat && scale_b.dtype() == kFloat;
  bool each = scale_a.sym_numel() == SymInt(1) && scale_b.sym_numel() == SymInt(1);
  TENON_CHECK(floats && (each || (is_scale(scale_a, a.sym_size(0), 1) && is_scale(scale_b, 1, b.sym_size(1)))),
              ValueError, "Invalid scaling configuration.\n",
              "- For TensorWise scaling, a and b should be float8, scales should be float and singletons.\n",
              "- For RowWise scaling, a and b should be float8, scales should be float, scale_a should be (",
              a.sym_size(0), ", 1) and scale_b should be (1, ", b.sym_size(1), "), and both should be contiguous.\n",
              "Got mat_a.dtype()=", enumerator_name(a.dtype()), ", scale_a.dtype()=", enumerator_name(scale_a.dtype()),
              ", scale_a.size()=", scale_a.sym_sizes(), ", mat_b.dtype()=", enumerator_name(b.dtype()),
              ", scale_b.dtype()=", enumerator_name(scale_b.dtype()), ", scale_b.size()=", scale_b.sym_sizes());
  if (bias && bias->defined())
    TENON_CHECK(bias->sym_numel() == b.sym_size(1), ValueError, "Bias must be size ", b.sym_size(1), " but got ",
                bias->sym_numel());
}
inline Tensor scaled_mm(const Tensor& a, const Tensor& b, const Tensor& scale_a, const Tensor& scale_b,
                        const std::optional<Tensor>& bias, const std::optional<Tensor>& scale_result,
                        std::optional<ScalarType> out_dtype, bool) {
  check_scaled_mm(a, b, scale_a, scale_b, bias);
  const ScalarType dtype = out_dtype.value_or(a.dtype());
  auto flat = [](const Tensor& t) { return t.dim() == 2 ? t : Tensor(ops::reshape(t, {1})); };
  Tensor product = ops::mul(ops::mul(ops::mm(ops::to(a, kFloat), ops::to(b, kFloat)), flat(scale_a)), flat(scale_b));
  if (bias && bias->defined()) product = ops::add(product, ops::to(*bias, kFloat));
  // As in PyTorch, where only 8 bits that were asked for are scaled.
  if (scale_result && scale_result->defined() && out_dtype && is_float8(dtype))
    product = ops::div(product, *scale_result);
  return ops::to(product, dtype);
}
inline Tensor& scaled_mm_out(const Tensor& a, const Tensor& b, const Tensor& scale_a, const Tensor& scale_b,
                             const std::optional<Tensor>& bias, const std::optional<Tensor>& scale_result,
                             std::optional<ScalarType> out_dtype, bool fast, Tensor& out) {
  return copy_to_out(scaled_mm(a, b, scale_a, scale_b, bias, scale_result, out_dtype.value_or(out.dtype()), fast), out);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr auto all = DispatchKey::CompositeExplicitAutograd;
  m.def<ops::_grouped_mm_base>().def<ops::_weight_int8pack_mm_base>();
  m.impl<ops::_grouped_mm_base, &grouped_mm>(all).impl<ops::_weight_int8pack_mm_base, &weight_int8pack_mm>(all);
  define_forms(m, ops::_scaled_mm_base);
  m.impl<ops::_scaled_mm_base, &scaled_mm>(all).impl<ops::_scaled_mm_base_out, &scaled_mm_out>(all);
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_DERIVATIVE(_grouped_mm_base,
                 TENON_WRT((self), (grad, mat2, offs), _grouped_mm(grad, transpose(mat2, -2, -1), offs)),
                 TENON_WRT((mat2), (grad, self, offs), _grouped_mm(transpose(self, -2, -1), grad, offs)));

}  // namespace tenon::ops
