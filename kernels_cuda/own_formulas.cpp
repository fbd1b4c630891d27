// Formulas of a program's own beyond their values as rows: fused ones, sums and gradients.
#include <tenon/cuda/own_formulas.hpp>

#include <tenon/dispatch/device_guard.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

const TypedFormula& kernels(std::string_view name, ScalarType dtype) {
  return *find_type(*find_own_formula(name), dtype);
}
bool serves(std::string_view name, std::size_t tensors, ScalarType dtype) {
  const NamedFormula* formula = find_own_formula(name);
  if (!formula || formula->elements != static_cast<int>(tensors)) return false;
  const TypedFormula* typed = find_type(*formula, dtype);
  return typed && typed->gradients;
}

void values(std::string_view name, TensorList x, const Tensor& out) {
  DeviceGuard guard(out.device());
  Elementwise call;
  const Tensor* tensors[kMostOperands] = {&out};
  call.at[0] = operand_of(out);
  call.operands = 1;
  for (const Tensor& t : x) {
    tensors[call.operands] = &t;
    call.at[call.operands++] = operand_of(t);
  }
  walk_elements(call, out.sizes(), tensors);
  kernels(name, out.dtype()).run(call, nullptr, runtime::current_stream());
  runtime::check_launch("fuse");
}

void sums(std::string_view name, TensorList x, IntArrayRef sizes, std::uint64_t mask, bool keepdim, double scale,
          const Tensor& out) {
  DeviceGuard guard(out.device());
  FormulaSumCall call{};
  call.scale = scale;
  // Operand 0 is the result, which has no steps where elements are added up.
  DimVector kept, gone, to_kept[kMostOperands], to_gone[kMostOperands];
  auto item = static_cast<std::int64_t>(out.element_size());
  DimVector steps[kMostOperands];
  for (std::size_t k = 0; k < x.size(); ++k) {
    steps[k + 1] = steps_of(x[k], sizes);
    call.in[k] = static_cast<const char*>(x[k].data_ptr());
    call.in_dtype[k] = x[k].dtype();
  }
  for (std::int64_t d = 0, at = 0; d < static_cast<std::int64_t>(sizes.size()); ++d) {
    bool reduced = mask >> d & 1;
    (reduced ? gone : kept).push_back(sizes[d]);
    DimVector* to = reduced ? to_gone : to_kept;
    to[0].push_back(reduced ? 0 : out.strides()[at] * item);
    at += !reduced || keepdim;
    for (int k = 1; k < kMostOperands; ++k) to[k].push_back(steps[k].empty() ? 0 : steps[k][d]);
  }
  auto walk = [](const DimVector& shape, const DimVector* s) {
    return walk_over(shape, {&s[0], &s[1], &s[2], &s[3], &s[4]});
  };
  ReduceCall& r = call.results;
  r.kept = walk(kept, to_kept);
  r.reduced = walk(gone, to_gone);
  r.out = out.data_ptr();
  r.out_dtype = out.dtype();
  r.parts = reduce_parts_for(r.kept.count, r.reduced.count, ReduceLayout::Any);
  Tensor scratch;
  if (r.parts > 1) {
    scratch = scratch_on(out.device(), static_cast<std::int64_t>(sizeof(double)) * r.kept.count * r.parts);
    r.scratch = scratch.data_ptr();
  }
  kernels(name, out.dtype()).sum(call, runtime::current_stream());
  runtime::check_launch("fuse");
}

void gradients(std::string_view name, const Tensor& grad, TensorList x, const Scalar* numbers, TensorList out) {
  if (grad.numel() == 0) return;
  DeviceGuard guard(grad.device());
  GradientCall call{};
  DimVector steps[kMostOperands];
  for (DimVector& s : steps) s = DimVector(grad.sizes().size(), 0);
  for (std::size_t k = 0; k <= x.size(); ++k) {
    const Tensor& t = k < x.size() ? x[k] : grad;
    steps[k] = steps_of(t, grad.sizes());
    call.in[k] = static_cast<const char*>(t.data_ptr());
    call.in_dtype[k] = t.dtype();
    if (k < out.size()) call.out[k] = static_cast<char*>(out[k].data_ptr());
  }
  call.dtype = out[0].dtype();
  call.walk = walk_over(grad.sizes(), {&steps[0], &steps[1], &steps[2], &steps[3], &steps[4]});
  call.dense = call.walk.dims <= 1;
  for (std::size_t k = 0; k <= x.size() && call.dense && call.walk.dims == 1; ++k)
    call.dense = call.walk.step[k][0] == static_cast<std::int64_t>(item_size(call.in_dtype[k]));
  kernels(name, call.dtype).gradients(call, numbers, runtime::current_stream());
  runtime::check_launch("fuse");
}

}  // namespace
}  // namespace tenon::cuda

extern const tenon::cuda::OwnFormulaCalls tenon_cuda_own_formulas = {&tenon::cuda::serves, &tenon::cuda::values,
                                                                     &tenon::cuda::sums, &tenon::cuda::gradients};
