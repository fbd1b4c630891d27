// Negative log likelihood, cross entropy and mean squared error on the CPU.
#pragma once
#include <limits>

#include <tenon/cpu/loss_ops.hpp>
#include <tenon/cpu/reduction.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::cpu::detail {

/// What a loss does with the losses of its elements; PyTorch's numbers.
enum LossReduction : std::int64_t { kNoReduction = 0, kMeanReduction = 1, kSumReduction = 2 };

template <class Int>
void check_class_weight(const std::optional<Tensor>& weight, const Int& classes) {
  if (weight && weight->defined())
    TENON_CHECK(weight->dim() == 1 && sizes_of<Int>(*weight)[0] == classes, ValueError,
                "weight tensor should be defined either for all ", classes,
                " classes or no classes but got weight tensor of shape: ", weight->sym_sizes());
}
template <class Int>
void check_nll_shapes(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight) {
  TENON_CHECK(self.dim() == 1 || self.dim() == 2, ValueError, "input tensor should be 1D or 2D");
  TENON_CHECK(target.dim() <= 1, ValueError, "0D or 1D target tensor expected, multi-target not supported");
  TENON_CHECK((self.dim() == 1 && target.dim() == 0) ||
                  (target.dim() == 1 && sizes_of<Int>(self)[0] == sizes_of<Int>(target)[0]),
              ValueError, "size mismatch (got input: ", self.sym_sizes(), ", target: ", target.sym_sizes(), ")");
  check_class_weight<Int>(weight, sizes_of<Int>(self).back());
}
struct nll_loss_forward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                  std::int64_t reduction, const SymInt&) const {
    check_nll_shapes<Int>(self, target, weight);
    if (reduction == kNoReduction && self.dim() == 2)
      out.set_output_raw_strided(0, sizes_of<Int>(self).slice(0, 1), {}, self.dtype(), self.device());
    else
      out.set_output_raw_strided(0, {}, {}, self.dtype(), self.device());
    out.set_output_raw_strided(1, {}, {}, self.dtype(), self.device());
  }
};
/// The classes of a batch as int64, each in range or the ignored one.
inline Tensor target_classes(const Tensor& target, std::int64_t classes, std::int64_t ignore_index) {
  TENON_CHECK(target.dtype() == kLong || target.dtype() == kByte, TypeError,
              "expected target dtype to be int64 or uint8, but got ", target.dtype());
  Tensor list = row_major(target, kLong);
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  for (std::int64_t i = 0, n = list.numel(); i < n; ++i)
    TENON_CHECK(p[i] == ignore_index || (p[i] >= 0 && p[i] < classes), IndexError, "Target ", p[i],
                " is out of bounds.");
  return list;
}
/// The weights in a row; an undefined tensor if there are none.
inline Tensor class_weights(const std::optional<Tensor>& weight, ScalarType dtype) {
  if (!weight || !weight->defined()) return {};
  TENON_CHECK(weight->dtype() == dtype, TypeError, "expected weight to have the dtype of self, ", dtype, ", but got ",
              weight->dtype());
  return row_major(*weight, dtype);
}
template <class F>
void visit_floating(ScalarType dtype, const char* name, F f) {
  visit_floating_type(dtype, f, [&] { not_implemented_for(name, dtype); });
}
/// A sum of T's, each addition rounded, in PyTorch's order: 16 elements to a level, 8 levels. `carry(i)` follows the
/// addition of element i and is left out where nothing was added.
template <class T>
class CascadeSum {
 public:
  using C = compute_t<T>;
  void add(C x) { level_[0] = rounded(level_[0] + x); }
  void carry(std::int64_t i) {
    for (int k = 0; k + 1 < kLevels && (i >> (4 * k) & 15) == 0; ++k) {
      level_[k + 1] = rounded(level_[k + 1] + level_[k]);
      level_[k] = 0;
    }
  }
  T total() const {
    C sum = 0;
    for (C x : level_) sum = rounded(sum + x);
    return static_cast<T>(sum);
  }

 private:
  static constexpr int kLevels = 8;
  static C rounded(C x) { return static_cast<C>(static_cast<T>(x)); }
  C level_[kLevels] = {};
};
inline void nll_loss_forward_cpu(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                                 std::int64_t reduction, std::int64_t ignore_index, const Tensor& output,
                                 const Tensor& total_weight) {
  std::int64_t classes = self.sizes().back(), row = self.dim() == 2 ? self.strides()[0] : 0,
               column = self.strides().back();
  Tensor list = target_classes(target, classes, ignore_index), weights = class_weights(weight, self.dtype());
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  std::int64_t n = list.numel();
  visit_floating(self.dtype(), "nll_loss_out_frame", [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    auto x = static_cast<const T*>(self.data_ptr());
    auto w = weights.defined() ? static_cast<const T*>(weights.data_ptr()) : nullptr;
    auto y = static_cast<T*>(output.data_ptr());
    auto loss = [&](std::int64_t i) {
      return -static_cast<C>(x[i * row + p[i] * column]) * (w ? static_cast<C>(w[p[i]]) : C(1));
    };
    if (reduction == kNoReduction && self.dim() == 2) {
      std::int64_t step = output.strides()[0];
      for (std::int64_t i = 0; i < n; ++i) y[i * step] = static_cast<T>(p[i] == ignore_index ? C(0) : loss(i));
      *static_cast<T*>(total_weight.data_ptr()) = T(0);
      return;
    }
    CascadeSum<T> sum, weight_sum;
    std::int64_t used = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      if (p[i] == ignore_index) continue;
      ++used;
      sum.add(static_cast<C>(static_cast<T>(loss(i))));
      if (w) weight_sum.add(static_cast<C>(w[p[i]]));
      sum.carry(i);
      weight_sum.carry(i);
    }
    T total = w ? weight_sum.total() : static_cast<T>(static_cast<C>(used));
    *y =
        reduction == kMeanReduction ? static_cast<T>(static_cast<C>(sum.total()) / static_cast<C>(total)) : sum.total();
    *static_cast<T*>(total_weight.data_ptr()) = total;
  });
}
struct nll_loss_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, const Tensor& target,
                  const std::optional<Tensor>& weight, std::int64_t reduction, const SymInt&,
                  const Tensor& total_weight) const {
    check_nll_shapes<Int>(self, target, weight);
    TENON_CHECK(numel_of<Int>(total_weight) == 1, ValueError,
                "expected total_weight to be a  single element tensor, got: ", total_weight.sym_sizes(), " (",
                numel_of<Int>(total_weight), " elements)");
    if (reduction == kNoReduction && self.dim() == 2)
      TENON_CHECK(grad.dim() == 1 && sizes_of<Int>(grad)[0] == sizes_of<Int>(self)[0], ValueError,
                  "Expected a tensor of dimension 1 and tensor.size[0] == ", sizes_of<Int>(self)[0],
                  " but got: dimension ", grad.dim(), " and tensor.size = ", grad.sym_sizes());
    else
      TENON_CHECK(grad.dim() <= 1 && numel_of<Int>(grad) == 1, ValueError,
                  "Expected a single element grad_output tensor, but got: ", grad.sym_sizes());
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
  }
};
inline void nll_loss_backward_cpu(const Tensor& grad, const Tensor& self, const Tensor& target,
                                  const std::optional<Tensor>& weight, std::int64_t reduction,
                                  std::int64_t ignore_index, const Tensor& total_weight, const Tensor& out) {
  fill_elements(out, Scalar(0));
  std::int64_t row = self.dim() == 2 ? out.strides()[0] : 0, column = out.strides().back();
  Tensor list = target_classes(target, self.sizes().back(), ignore_index),
         weights = class_weights(weight, self.dtype());
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  std::int64_t n = list.numel();
  visit_floating(self.dtype(), "nll_loss_backward_out_frame", [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    auto w = weights.defined() ? static_cast<const T*>(weights.data_ptr()) : nullptr;
    auto g = static_cast<const T*>(grad.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    bool each = reduction == kNoReduction && self.dim() == 2;
    std::int64_t step = each ? grad.strides()[0] : 0;
    C divisor = reduction == kMeanReduction ? static_cast<C>(*static_cast<const T*>(total_weight.data_ptr())) : C(1);
    for (std::int64_t i = 0; i < n; ++i) {
      if (p[i] == ignore_index) continue;
      y[i * row + p[i] * column] =
          static_cast<T>(-(w ? static_cast<C>(w[p[i]]) : C(1)) * (static_cast<C>(g[i * step]) / divisor));
    }
  });
}
inline Tensor nll_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                       std::int64_t reduction, std::int64_t ignore_index) {
  return std::get<0>(ops::nll_loss_forward(self, target, weight, reduction, ignore_index));
}
inline Tensor& nll_loss_out(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                            std::int64_t reduction, std::int64_t ignore_index, Tensor& out) {
  Tensor total = make_tensor({}, {}, self.dtype(), self.device());
  ops::nll_loss_forward_base_out(self, target, weight, reduction, ignore_index, out, total);
  return out;
}
/// Any number of dimensions behind the classes; they join the batch.
template <class Int>
Tensor nll_loss_nd(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                   std::int64_t reduction, std::int64_t ignore_index) {
  if (self.dim() <= 2) {
    TENON_CHECK(self.dim() > 0, ValueError, "Expected 1 or more dimensions (got 0)");
    if (self.dim() == 2 || target.dim() > 0)
      TENON_CHECK(target.dim() > 0 && sizes_of<Int>(self)[0] == sizes_of<Int>(target)[0], ValueError,
                  "Expected input batch_size (", self.sym_size(0), ") to match target batch_size (",
                  target.dim() ? target.sym_size(0) : SymInt(1), ").");
    return ops::nll_loss(self, target, weight, reduction, ignore_index);
  }
  ArrayRef<Int> expected = sizes_of<Int>(self);
  DimVector order;
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (d != 1) order.push_back(d);
  order.push_back(1);
  dims_t<Int> positions;
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (d != 1) positions.push_back(expected[d]);
  TENON_CHECK(sizes_of<Int>(target) == ArrayRef<Int>(positions), ValueError, "Expected target size ", positions,
              ", got ", target.sym_sizes());
  Int folded[] = {count_elements(positions), expected[1]};
  Tensor flat = ops::reshape(ops::permute(self, order), ArrayRef<Int>(folded));
  Tensor loss = ops::nll_loss(flat, ops::reshape(target, ArrayRef<Int>(folded, 1)), weight, reduction, ignore_index);
  return reduction == kNoReduction ? Tensor(ops::view(loss, positions)) : loss;
}

/// The weights of classes as a factor of the scores.
template <class Int>
Tensor class_factor(const Tensor& input, const Tensor& weight) {
  if (input.dim() <= 1) return weight;
  dims_t<Int> shape(static_cast<std::size_t>(input.dim()), Int(1));
  shape[1] = sizes_of<Int>(weight)[0];
  return ops::view(weight, shape);
}
/// The number of classes where it becomes a number that others are multiplied by.
template <class Int>
double class_count(const Tensor& input, std::int64_t class_dim) {
  return static_cast<double>(SymInt(sizes_of<Int>(input)[class_dim]).guard_int(__FILE__, __LINE__));
}
template <class Int>
Tensor cross_entropy_probabilities(const Tensor& input, const Tensor& target, const std::optional<Tensor>& weight,
                                   std::int64_t reduction, double smoothing, std::int64_t class_dim) {
  Tensor wanted = smoothing > 0 ? ops::add(ops::mul(target, Scalar(1 - smoothing)),
                                           Scalar(smoothing / class_count<Int>(input, class_dim)))
                                : target;
  Tensor loss = ops::mul(input, wanted);
  if (weight && weight->defined()) loss = ops::mul(loss, class_factor<Int>(input, *weight));
  if (reduction == kNoReduction) return ops::neg(ops::sum(loss, class_dim));
  if (reduction == kSumReduction) return ops::neg(ops::sum(loss));
  if constexpr (std::is_same_v<Int, SymInt>) {
    // The batch's size stays a symbol.
    return ops::neg(ops::mean(ops::sum(loss, class_dim)));
  } else {
    double batch = static_cast<double>(input.numel()) / class_count<Int>(input, class_dim);
    return ops::div(ops::neg(ops::sum(loss)),
                    Scalar(input.numel() == 0 ? std::numeric_limits<double>::quiet_NaN() : batch));
  }
}
template <class Int>
Tensor cross_entropy_smoothed(const Tensor& input, const Tensor& target, const std::optional<Tensor>& weight,
                              std::int64_t reduction, std::int64_t ignore_index, double smoothing,
                              std::int64_t class_dim) {
  Tensor likelihood = ops::nll_loss_nd(input, target, weight, reduction, ignore_index);
  bool weighted = weight && weight->defined();
  Tensor smooth = ops::neg(ops::sum(weighted ? ops::mul(input, class_factor<Int>(input, *weight)) : input, class_dim));
  Tensor ignored = ops::eq(target, Scalar(ignore_index));
  smooth = ops::where(ignored, Scalar(0), smooth);
  if (reduction != kNoReduction) {
    smooth = ops::sum(smooth);
    if (reduction == kMeanReduction) {
      Tensor kept = ops::eq(ignored, Scalar(false));
      if (weighted) {
        Tensor classes = ops::where(ignored, Scalar(0), target);
        Tensor chosen = ops::index_select(*weight, 0, ops::reshape(classes, {-1}));
        smooth = ops::div(smooth, ops::sum(ops::mul(chosen, ops::reshape(kept, {-1}))));
      } else
        smooth = ops::div(smooth, ops::sum(kept));
    }
  }
  double share = smoothing / class_count<Int>(input, class_dim);
  return ops::add(ops::mul(likelihood, Scalar(1 - smoothing)), ops::mul(smooth, Scalar(share)));
}
template <class Int>
Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                          std::int64_t reduction, std::int64_t ignore_index, double label_smoothing) {
  std::int64_t class_dim = self.dim() == 1 ? 0 : 1;
  bool probabilities = sizes_of<Int>(self) == sizes_of<Int>(target);
  if (probabilities) {
    TENON_CHECK(target.is_floating_point(), TypeError,
                "Expected floating point type for target with class probabilities, got ", target.dtype());
    TENON_CHECK(ignore_index < 0, ValueError, "ignore_index is not supported for floating point target");
    check_class_weight<Int>(weight, sizes_of<Int>(self)[class_dim]);
  }
  TENON_CHECK(label_smoothing <= 1, ValueError, "label_smoothing must be between 0.0 and 1.0. Got: ", label_smoothing);
  Tensor input = ops::_log_softmax(self, class_dim, false);
  if (probabilities)
    return cross_entropy_probabilities<Int>(input, target, weight, reduction, label_smoothing, class_dim);
  if (label_smoothing > 0)
    return cross_entropy_smoothed<Int>(input, target, weight, reduction, ignore_index, label_smoothing, class_dim);
  if (self.dim() == 2 && target.dim() == 1 && sizes_of<Int>(self)[0] == sizes_of<Int>(target)[0])
    return std::get<0>(ops::nll_loss_forward(input, target, weight, reduction, ignore_index));
  return ops::nll_loss_nd(input, target, weight, reduction, ignore_index);
}

struct mse_loss_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& target, std::int64_t reduction) const {
    ScalarType dtype = result_type(self, target);
    dims_t<Int> sizes = broadcast_shapes(sizes_of<Int>(self), sizes_of<Int>(target));
    if (reduction != kNoReduction)
      return out.set_output_raw_strided(0, {}, {}, dtype, self.device(), OutputCast::Allowed);
    const Tensor* operands[] = {&self, &target};
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), tenon::detail::result_strides(sizes, operands, 2), dtype,
                               self.device(), OutputCast::Allowed);
  }
};
/// The operand in row-major order of a shape that it broadcasts to.
inline Tensor spread(const Tensor& t, IntArrayRef sizes, ScalarType dtype) {
  if (t.sizes() == sizes) return row_major(t, dtype);
  Tensor fresh = make_tensor(sizes, {}, dtype);
  copy_elements(fresh, t);
  return fresh;
}
inline void mse_loss_cpu(const Tensor& self, const Tensor& target, std::int64_t reduction, const Tensor& out) {
  ScalarType dtype = result_type(self, target);
  DimVector sizes = broadcast_shapes(self.sizes(), target.sizes());
  Tensor a = spread(self, sizes, dtype), b = spread(target, sizes, dtype);
  bool direct = reduction == kNoReduction && out.is_contiguous() && out.dtype() == dtype;
  Tensor losses = direct ? out : make_tensor(sizes, {}, dtype);
  std::int64_t n = losses.numel();
  visit_floating(dtype, "mse_cpu", [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    auto x = static_cast<const T*>(a.data_ptr()), y = static_cast<const T*>(b.data_ptr());
    auto z = static_cast<T*>(losses.data_ptr());
    parallel_for(0, n, 1 << 15, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        // The difference is an element, rounded as such: so do PyTorch's 16-bit floats.
        C d = static_cast<C>(static_cast<T>(static_cast<C>(x[i]) - static_cast<C>(y[i])));
        z[i] = static_cast<T>(d * d);
      }
    });
  });
  if (reduction == kNoReduction) return direct ? void() : copy_elements(out, losses);
  ScalarType wide = dtype == kDouble ? kDouble : kFloat;
  std::uint64_t all = tenon::reduction::dim_mask(std::nullopt, losses.dim());
  reduction == kMeanReduction ? reduce_by<tenon::reduction::mean>(wide, losses, all, false, out)
                              : reduce_by<tenon::reduction::sum>(wide, losses, all, false, out);
}
struct mse_loss_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t) const {
    dims_t<Int> sizes =
        broadcast_shapes(broadcast_shapes(sizes_of<Int>(self), sizes_of<Int>(target)), sizes_of<Int>(grad));
    const Tensor* operands[] = {&self, &target, &grad};
    out.set_output_raw_strided(0, sizes, tenon::detail::result_strides(sizes, operands, 3), result_type(self, target),
                               self.device(), OutputCast::Allowed);
  }
};
inline void mse_loss_backward_cpu(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t reduction,
                                  const Tensor& out) {
  ScalarType dtype = result_type(self, target);
  Tensor a = spread(self, out.sizes(), dtype), b = spread(target, out.sizes(), dtype);
  bool one = grad.numel() == 1, direct = out.is_contiguous() && out.dtype() == dtype;
  Tensor g = one ? row_major(grad, dtype) : spread(grad, out.sizes(), dtype),
         to = direct ? out : make_tensor(out.sizes(), {}, dtype);
  visit_floating(dtype, "mse_backward_cpu_out", [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    auto rounded = [](C v) { return static_cast<C>(static_cast<T>(v)); };
    C factor = rounded(static_cast<C>(reduction == kMeanReduction ? 2.0 / static_cast<double>(self.numel()) : 2.0));
    auto x = static_cast<const T*>(a.data_ptr()), y = static_cast<const T*>(b.data_ptr()),
         d = static_cast<const T*>(g.data_ptr());
    auto z = static_cast<T*>(to.data_ptr());
    parallel_for(0, to.numel(), 1 << 15, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i)
        z[i] = static_cast<T>(rounded(factor * rounded(static_cast<C>(x[i]) - static_cast<C>(y[i]))) *
                              static_cast<C>(d[one ? 0 : i]));
    });
  });
  if (!direct) copy_elements(out, to);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_reduce_kernels();
  m.def<ops::nll_loss_base>()
      .def<ops::nll_loss_base_out>()
      .def<ops::nll_loss_nd_base>()
      .def<ops::cross_entropy_loss_base>();
  m.impl<ops::nll_loss_base, &detail::nll_loss>().impl<ops::nll_loss_base_out, &detail::nll_loss_out>(
      DispatchKey::CompositeExplicitAutograd);
  m.impl<ops::nll_loss_nd_base, &detail::nll_loss_nd<std::int64_t>>()
      .impl<ops::cross_entropy_loss_base, &detail::cross_entropy_loss<std::int64_t>>();
}

TENON_SYMBOLIC_LIBRARY_IMPL(aten, m) {
  m.impl<ops::nll_loss_nd_base, &detail::nll_loss_nd<SymInt>>()
      .impl<ops::cross_entropy_loss_base, &detail::cross_entropy_loss<SymInt>>();
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_OF(nll_loss_forward_base, cpu::detail::nll_loss_forward_meta);
TENON_STRUCTURED_KERNEL(nll_loss_forward_base, CPU, cpu::detail::nll_loss_forward_cpu);
TENON_STRUCTURED_OF(nll_loss_backward_base, cpu::detail::nll_loss_backward_meta);
TENON_STRUCTURED_KERNEL(nll_loss_backward_base, CPU, cpu::detail::nll_loss_backward_cpu);
TENON_STRUCTURED_OF(mse_loss_base, cpu::detail::mse_loss_meta);
TENON_STRUCTURED_KERNEL(mse_loss_base, CPU, cpu::detail::mse_loss_cpu);
TENON_STRUCTURED_OF(mse_loss_backward_base, cpu::detail::mse_loss_backward_meta);
TENON_STRUCTURED_KERNEL(mse_loss_backward_base, CPU, cpu::detail::mse_loss_backward_cpu);

}  // namespace tenon::ops
