// Registers layer, group, root-mean-square and batch normalisation with their gradients on CUDA.
#include <limits>
#include <tuple>

#include <tenon/composite/batch_norm_shapes.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/math.hpp>

#include "out_form.hpp"
#include "support.hpp"

namespace tenon::cuda {
namespace {

using composite::normalization::is_given;
using composite::normalization::OptionalTensor;
using composite::normalization::ThreeTensors;
using composite::normalization::TwoTensors;

/// The type that everything is computed in: that of wider parameters, if there are.
ScalarType common_dtype(const Tensor& input, const OptionalTensor& parameter) {
  return is_given(parameter) ? parameter->dtype() : input.dtype();
}
Tensor given(const OptionalTensor& t, ScalarType dtype) { return is_given(t) ? row_major(*t, dtype) : Tensor(); }
void* address(const Tensor& t) { return t.defined() ? t.data_ptr() : nullptr; }
std::int64_t product_of(IntArrayRef sizes) {
  std::int64_t n = 1;
  for (std::int64_t s : sizes) n *= s;
  return n;
}

NormCall rows_of(std::int64_t rows, std::int64_t groups, std::int64_t channels, std::int64_t inner, bool centered) {
  NormCall c{};
  c.rows = rows, c.groups = groups, c.channels = channels, c.inner = inner, c.centered = centered;
  return c;
}
NormCall layer_rows(const Tensor& input, IntArrayRef shape, bool centered) {
  std::int64_t size = product_of(shape);
  return rows_of(size ? input.numel() / size : 0, 1, size, 1, centered);
}
/// Fills `out`, the statistics, of which `mean` may be undefined, and brings them home.
void run_rows(const char* name, NormCall c, const Tensor& input, const OptionalTensor& weight,
              const OptionalTensor& bias, double eps, const Tensor& out, const Tensor& mean, const Tensor& rstd) {
  if (rstd.numel() == 0) return;
  c.dtype = common_dtype(input, weight);
  c.eps = eps;
  ScalarType sums = has_arithmetic(c.dtype) ? compute_type_of(c.dtype) : c.dtype;
  Tensor x = row_major(input, c.dtype), w = given(weight, c.dtype), b = given(bias, c.dtype);
  Result y(out, c.dtype), m(mean.defined() ? mean : rstd, sums), r(rstd, sums);
  c.in = address(x), c.weight = address(w), c.bias = address(b), c.out = y.data(), c.rstd = r.data();
  c.mean = mean.defined() ? m.data() : nullptr;
  if (!normalize_rows(c, runtime::current_stream())) not_implemented_for(name, input.dtype());
  runtime::check_launch(name);
  y.done();
  r.done();
  if (mean.defined()) m.done();
}
/// The gradients by input, weight and bias; those that are undefined are not asked for.
void run_rows_back(const char* name, NormCall c, const Tensor& grad, const Tensor& input, const OptionalTensor& mean,
                   const Tensor& rstd, const OptionalTensor& weight, const Tensor& dx, const Tensor& dw,
                   const Tensor& db) {
  c.dtype = common_dtype(input, weight);
  ScalarType sums = has_arithmetic(c.dtype) ? compute_type_of(c.dtype) : c.dtype;
  Tensor x = row_major(input, c.dtype), g = row_major(grad, c.dtype), w = given(weight, c.dtype), m = given(mean, sums),
         r = row_major(rstd, sums);
  c.in = address(x), c.grad = address(g), c.weight = address(w), c.mean = address(m), c.rstd = address(r);
  auto check = [&](bool known) {
    if (!known) not_implemented_for(name, input.dtype());
    runtime::check_launch(name);
  };
  if (dx.defined() && dx.numel() != 0) {
    Result to(dx, c.dtype);
    c.out = to.data();
    check(normalize_rows_back(c, runtime::current_stream()));
    to.done();
  }
  if (!dw.defined() && !db.defined()) return;
  const Tensor& any = dw.defined() ? dw : db;
  if (any.numel() == 0) return;
  Result by_weight(any, sums), by_bias(db.defined() ? db : any, sums);
  c.weight_grad = dw.defined() ? by_weight.data() : nullptr;
  c.bias_grad = db.defined() ? by_bias.data() : nullptr;
  check(normalize_rows_parameters(c, runtime::current_stream()));
  if (dw.defined()) by_weight.done();
  if (db.defined()) by_bias.done();
}

ThreeTensors layer_norm(const Tensor& input, IntArrayRef shape, const OptionalTensor& weight,
                        const OptionalTensor& bias, double eps) {
  DeviceGuard guard(input.device());
  AutoDispatchBelowADInplaceOrView below;
  auto [y, m, r] = ops::native_layer_norm(without_data(input), shape, without_data(weight), without_data(bias), eps);
  Tensor out = like_on(input.device(), y), mean = like_on(input.device(), m), rstd = like_on(input.device(), r);
  run_rows("LayerNormKernelImpl", layer_rows(input, shape, true), input, weight, bias, eps, out, mean, rstd);
  return {out, mean, rstd};
}
ThreeTensors layer_norm_backward(const Tensor& grad, const Tensor& input, IntArrayRef shape, const Tensor& mean,
                                 const Tensor& rstd, const OptionalTensor& weight, const OptionalTensor& bias,
                                 ArrayRef<bool> mask) {
  DeviceGuard guard(input.device());
  AutoDispatchBelowADInplaceOrView below;
  auto [x, w, b] = ops::native_layer_norm_backward(without_data(grad), without_data(input), shape, without_data(mean),
                                                   without_data(rstd), without_data(weight), without_data(bias), mask);
  Tensor dx = like_on(input.device(), x), dw = like_on(input.device(), w), db = like_on(input.device(), b);
  run_rows_back("LayerNormBackwardKernelImpl", layer_rows(input, shape, true), grad, input, mean, rstd, weight, dx, dw,
                db);
  return {dx, dw, db};
}

NormCall group_rows(std::int64_t n, std::int64_t channels, std::int64_t plane, std::int64_t groups) {
  return rows_of(n * groups, groups, channels / groups, plane, true);
}
ThreeTensors group_norm(const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias, std::int64_t n,
                        std::int64_t channels, std::int64_t plane, std::int64_t groups, double eps) {
  DeviceGuard guard(input.device());
  AutoDispatchBelowADInplaceOrView below;
  auto [y, m, r] = ops::native_group_norm(without_data(input), without_data(weight), without_data(bias), n, channels,
                                          plane, groups, eps);
  Tensor out = like_on(input.device(), y), mean = like_on(input.device(), m), rstd = like_on(input.device(), r);
  run_rows("GroupNormKernelImpl", group_rows(n, channels, plane, groups), input, weight, bias, eps, out, mean, rstd);
  return {out, mean, rstd};
}
ThreeTensors group_norm_backward(const Tensor& grad, const Tensor& input, const Tensor& mean, const Tensor& rstd,
                                 const OptionalTensor& weight, std::int64_t n, std::int64_t channels,
                                 std::int64_t plane, std::int64_t groups, ArrayRef<bool> mask) {
  DeviceGuard guard(input.device());
  AutoDispatchBelowADInplaceOrView below;
  auto [x, w, b] =
      ops::native_group_norm_backward(without_data(grad), without_data(input), without_data(mean), without_data(rstd),
                                      without_data(weight), n, channels, plane, groups, mask);
  Tensor dx = like_on(input.device(), x), dw = like_on(input.device(), w), db = like_on(input.device(), b);
  run_rows_back("GroupNormBackwardKernelImpl", group_rows(n, channels, plane, groups), grad, input, mean, rstd, weight,
                dx, dw, db);
  return {dx, dw, db};
}

TwoTensors rms_norm(const Tensor& input, IntArrayRef shape, const OptionalTensor& weight, std::optional<double> eps) {
  DeviceGuard guard(input.device());
  AutoDispatchBelowADInplaceOrView below;
  auto [y, r] = ops::_fused_rms_norm(without_data(input), shape, without_data(weight), eps);
  Tensor out = like_on(input.device(), y), rstd = like_on(input.device(), r);
  double least = compute_type_of(input.dtype()) == kDouble ? std::numeric_limits<double>::epsilon()
                                                           : static_cast<double>(std::numeric_limits<float>::epsilon());
  run_rows("rms_norm", layer_rows(input, shape, false), input, weight, std::nullopt, eps.value_or(least), out, Tensor(),
           rstd);
  return {out, rstd};
}
TwoTensors rms_norm_backward(const Tensor& grad, const Tensor& input, IntArrayRef shape, const Tensor& rstd,
                             const OptionalTensor& weight, ArrayRef<bool> mask) {
  DeviceGuard guard(input.device());
  AutoDispatchBelowADInplaceOrView below;
  auto [x, w] = ops::_fused_rms_norm_backward(without_data(grad), without_data(input), shape, without_data(rstd),
                                              without_data(weight), mask);
  Tensor dx = like_on(input.device(), x), dw = like_on(input.device(), w);
  run_rows_back("rms_norm_backward", layer_rows(input, shape, false), grad, input, std::nullopt, rstd, weight, dx, dw,
                Tensor());
  return {dx, dw};
}

/// The channels of a batch in memory, channels last where the input has them so.
struct BatchMemory {
  BatchNormCall call{};
  MemoryFormat format = MemoryFormat::Contiguous;
  BatchMemory(const Tensor& input, ScalarType dtype) {
    if (input.dim() == 4 || input.dim() == 5) format = input.suggest_memory_format();
    bool last = format != MemoryFormat::Contiguous;
    std::int64_t positions = product_of(input.sizes().slice(2, static_cast<std::size_t>(input.dim()) - 2));
    call.dtype = dtype;
    call.channels = input.sizes()[1];
    call.outer = input.sizes()[0] * (last ? positions : 1);
    call.inner = last ? 1 : positions;
  }
  Tensor fresh(const Tensor& like) const {
    return make_tensor(like.sizes(), strides_for(like.sizes(), format), call.dtype, like.device());
  }
  Tensor read(const Tensor& t) const {
    if (t.dtype() == call.dtype && t.is_contiguous(format)) return t;
    Tensor copied = fresh(t);
    copy_elements(copied, t);
    return copied;
  }
  Tensor written(const Tensor& t) const { return t.dtype() == call.dtype && t.is_contiguous(format) ? t : fresh(t); }
};
ThreeTensors batch_norm_train(const Tensor& input, const OptionalTensor& weight, const OptionalTensor& bias,
                              const OptionalTensor& running_mean, const OptionalTensor& running_var, bool training,
                              double momentum, double eps) {
  DeviceGuard guard(input.device());
  AutoDispatchBelowADInplaceOrView below;
  auto [y, m, r] =
      ops::native_batch_norm(without_data(input), without_data(weight), without_data(bias), without_data(running_mean),
                             without_data(running_var), training, momentum, eps);
  if (training) composite::normalization::check_batch_elements(input);
  Tensor out = like_on(input.device(), y), mean = like_on(input.device(), m), invstd = like_on(input.device(), r);
  if (out.numel() == 0) return {out, mean, invstd};
  ScalarType dtype = common_dtype(input, weight), sums = has_arithmetic(dtype) ? compute_type_of(dtype) : dtype;
  BatchMemory memory(input, dtype);
  BatchNormCall& c = memory.call;
  Tensor x = memory.read(input), to = memory.written(out), w = given(weight, dtype), b = given(bias, dtype),
         running[] = {given(running_mean, sums), given(running_var, sums)};
  c.train = training, c.eps = eps, c.momentum = momentum;
  c.in = address(x), c.weight = address(w), c.bias = address(b), c.out = address(to);
  Result saved_mean(mean, sums), saved_invstd(invstd, sums);
  Tensor spread;
  if (training) {
    c.mean = saved_mean.data(), c.invstd = saved_invstd.data();
    c.running_mean = address(running[0]), c.running_var = address(running[1]);
  } else {
    spread = ops::rsqrt(ops::add(running[1], Scalar(eps)));
    c.mean = address(running[0]), c.invstd = address(spread);
  }
  if (!batch_norm(c, runtime::current_stream())) not_implemented_for("batch_norm", input.dtype());
  runtime::check_launch("batch_norm");
  if (!to.is_same(out)) copy_elements(out, to);
  if (training) {
    saved_mean.done();
    saved_invstd.done();
    if (is_given(running_mean) && !running[0].is_same(*running_mean)) copy_elements(*running_mean, running[0]);
    if (is_given(running_var) && !running[1].is_same(*running_var)) copy_elements(*running_var, running[1]);
  }
  return {out, mean, invstd};
}
ThreeTensors batch_norm_back(const Tensor& grad, const Tensor& input, const OptionalTensor& weight,
                             const OptionalTensor& running_mean, const OptionalTensor& running_var,
                             const OptionalTensor& save_mean, const OptionalTensor& save_invstd, bool train, double eps,
                             ArrayRef<bool> mask) {
  DeviceGuard guard(input.device());
  AutoDispatchBelowADInplaceOrView below;
  auto [x, w, b] = ops::native_batch_norm_backward(
      without_data(grad), without_data(input), without_data(weight), without_data(running_mean),
      without_data(running_var), without_data(save_mean), without_data(save_invstd), train, eps, mask);
  Tensor dx = like_on(input.device(), x), dw = like_on(input.device(), w), db = like_on(input.device(), b);
  const OptionalTensor &mean = train ? save_mean : running_mean, &spread = train ? save_invstd : running_var;
  composite::normalization::check_batch_statistics_given(mean, spread);
  if (input.sizes()[1] == 0) return {dx, dw, db};
  ScalarType dtype = common_dtype(input, weight), sums = has_arithmetic(dtype) ? compute_type_of(dtype) : dtype;
  BatchMemory memory(input, dtype);
  BatchNormCall& c = memory.call;
  Tensor from = memory.read(input), g = memory.read(grad), factor = given(weight, dtype), m = given(mean, sums),
         s = given(spread, sums), to = dx.defined() ? memory.written(dx) : dx;
  if (!train) s = ops::rsqrt(ops::add(s, Scalar(eps)));
  std::int64_t channels = c.channels;
  IntArrayRef each(&channels, 1);
  Tensor by_weight = make_tensor(each, {}, sums, input.device()), by_bias = make_tensor(each, {}, sums, input.device());
  c.train = train, c.eps = eps;
  c.in = address(from), c.grad = address(g), c.weight = address(factor), c.mean = address(m), c.invstd = address(s);
  c.out = address(to), c.weight_grad = address(by_weight), c.bias_grad = address(by_bias);
  if (!batch_norm_backward(c, runtime::current_stream())) not_implemented_for("batch_norm_backward", input.dtype());
  runtime::check_launch("batch_norm_backward");
  if (dx.defined() && !to.is_same(dx)) copy_elements(dx, to);
  if (dw.defined()) copy_elements(dw, by_weight);
  if (db.defined()) copy_elements(db, by_bias);
  return {dx, dw, db};
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  using namespace tenon;
  m.impl<ops::native_layer_norm_base, &cuda::layer_norm>()
      .impl<ops::native_layer_norm_backward_base, &cuda::layer_norm_backward>()
      .impl<ops::native_group_norm_base, &cuda::group_norm>()
      .impl<ops::native_group_norm_backward_base, &cuda::group_norm_backward>()
      .impl<ops::_fused_rms_norm_base, &cuda::rms_norm>()
      .impl<ops::_fused_rms_norm_backward_base, &cuda::rms_norm_backward>()
      .impl<ops::native_batch_norm_base, &cuda::batch_norm_train>()
      .impl<ops::native_batch_norm_backward_base, &cuda::batch_norm_back>();
  cuda::implement_out_by_copy<ops::native_layer_norm_base, ops::native_group_norm_base, ops::native_batch_norm_base>(
      m, CallSite::now());
}
