// fuse(): an expression over elements as one pass over tensors, with its sum and its gradient.
#pragma once
#include <cmath>
#include <limits>

#include <tenon/autograd/graph/function.hpp>
#include <tenon/autograd/mode.hpp>
#include <tenon/cpu/detail/fuse_loops.hpp>
#include <tenon/cuda/own_formulas.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/pointwise/names.hpp>
#include <tenon/reduction/rule.hpp>

namespace tenon {

namespace detail {

/// What is done with the elements that a fused expression gives.
struct FusedReduction {
  enum class Kind : std::uint8_t { None, Sum, Mean } kind = Kind::None;
  std::optional<DimVector> dims;  ///< all where there are none
  bool keepdim = false;

  std::uint64_t mask(std::int64_t rank) const {
    return reduction::dim_mask(dims ? std::optional<IntArrayRef>(*dims) : std::nullopt, rank);
  }
  Tensor by_operators(const Tensor& elements) const {
    if (kind == Kind::None) return elements;
    DimVector all;
    for (std::int64_t d = 0; d < elements.dim(); ++d) all.push_back(d);
    IntArrayRef over = dims ? IntArrayRef(*dims) : IntArrayRef(all);
    return kind == Kind::Sum ? Tensor(ops::sum(elements, over, keepdim)) : Tensor(ops::mean(elements, over, keepdim));
  }
  DimVector sizes_of_result(IntArrayRef sizes) const {
    DimVector out;
    std::uint64_t reduced = mask(static_cast<std::int64_t>(sizes.size()));
    for (std::size_t d = 0; d < sizes.size(); ++d)
      if (bool gone = reduced >> d & 1; !gone || keepdim) out.push_back(gone ? 1 : sizes[d]);
    return out;
  }
  /// The gradient of the elements from that of the result.
  Tensor backward(const Tensor& grad, SymIntArrayRef sizes) const {
    if (kind == Kind::None) return grad;
    auto rank = static_cast<std::int64_t>(sizes.size());
    std::uint64_t reduced = mask(rank);
    Tensor g = grad;
    SymInt count = 1;
    for (std::int64_t d = 0; d < rank; ++d)
      if (reduced >> d & 1) {
        if (!keepdim) g = ops::unsqueeze(g, d);
        count = count * sizes[static_cast<std::size_t>(d)];
      }
    if (kind == Kind::Mean) g = ops::div(g, static_cast<double>(count.guard_int(__FILE__, __LINE__)));
    return ops::expand(g, sizes);
  }
};

inline bool runs_directly(const Tensor& t) {
  // Autograd is dealt with before, and where new tensors are made does not matter.
  constexpr KeySet plain(DispatchKey::CPU),
      aside = key_sets::autograd_and_inplace_or_view.add(DispatchKey::BackendSelect);
  return with_local_keys(t.keys()).without_functionalities(aside) == plain;
}

}  // namespace detail

/// What fuse() makes of a lambda; call it with one to four tensors.
template <class F>
class Fused {
  using Reduction = detail::FusedReduction;

 public:
  /// `name` is that of the kernels that a .cu file may have.
  explicit Fused(F f, Reduction reduction = {}, std::string_view name = {})
      : f_(std::move(f)), reduction_(std::move(reduction)), name_(name) {}
  /// The same, with its elements added up or averaged over dimensions, over all if there are none, in the same pass.
  Fused sum(std::optional<DimVector> dims = std::nullopt, bool keepdim = false) const {
    return Fused(f_, {Reduction::Kind::Sum, std::move(dims), keepdim}, name_);
  }
  Fused mean(std::optional<DimVector> dims = std::nullopt, bool keepdim = false) const {
    return Fused(f_, {Reduction::Kind::Mean, std::move(dims), keepdim}, name_);
  }

  template <class... T>
  Tensor operator()(const T&... x) const {
    static_assert((std::is_same_v<T, Tensor> && ...),
                  "tenon: what fuse() returns is called with tensors alone; numbers are captured by the lambda");
    static_assert(sizeof...(T) >= 1 && sizeof...(T) <= cpu::kMaxOutputs,
                  "tenon: fuse() takes a lambda of one to four tensors");
    using V = math::vec<float, cpu::default_arch>;
    static_assert(std::is_invocable_v<const F&, std::conditional_t<true, V, T>...>,
                  "tenon: the lambda of fuse() does not take as many elements as there are tensors");
    static_assert(!math::is_mask_v<std::invoke_result_t<const F&, std::conditional_t<true, V, T>...>>,
                  "tenon: the lambda of fuse() returns a comparison; select(condition, a, b) makes numbers of it");
    if (is_grad_enabled() && (x.requires_grad() || ...)) return recorded(x...);
    return forward(x...);
  }

 private:
  template <class... T>
  using loops = cpu::detail::fused_loops<F, static_cast<int>(sizeof...(T))>;
  cpu::detail::fused_forward<F> closure() const { return {f_}; }

  static ScalarType compute_type(TensorList x) {
    ScalarType type = x.size() == 1 ? x[0].dtype() : result_type(x);
    TENON_CHECK(!is_complex_type(type) && has_arithmetic(type), TypeError, "fuse() computes real numbers, got ", type);
    return is_floating_type(type) ? type : get_default_dtype();
  }
  template <class... T>
  Tensor forward(const T&... x) const {
    constexpr std::size_t n = sizeof...(T);
    auto lambda = closure();
    const Tensor* operands[] = {&x...};
    // Dense operands of one shape and of a type that has a loop need no iteration.
    if (const TensorImpl* first = operands[0]->unsafe_impl();
        first && reduction_.kind == Reduction::Kind::None && (detail::runs_directly(x) && ...)) [[likely]] {
      bool direct = first->dtype() == kFloat || first->dtype() == kDouble;
      direct = direct && first->numel() < cpu::kParallelElements;
      for (const Tensor* t : operands)
        direct = direct && (*t)->dtype() == first->dtype() && (*t)->is_contiguous() && (*t)->sizes() == first->sizes();
      if (direct) [[likely]] {
        Tensor out = make_tensor(first->sizes(), {}, first->dtype());
        void* to = out->data();
        const void* from[] = {x->data()...};
        std::int64_t steps[n];
        for (std::int64_t& step : steps) step = 1;
        loops<T...>::of(first->dtype(), false).row(&lambda, &to, from, steps, first->numel());
        return out;
      }
    }
    const Tensor list[] = {x...};
    ScalarType type = compute_type(list);
    if (!(detail::runs_directly(x) && ...)) {
      if (!name_.empty() && cuda::has_own_formula(name_, n, {list, n}, type)) return on_device({list, n}, type);
      return reduction_.by_operators(by_operators(x...));
    }
    const cpu::Loop& loop = loops<T...>::of(type, false);
    if (reduction_.kind != Reduction::Kind::None) return reduced(loop, &lambda, list, type);
    DimVector shape = shape_of(list);
    Tensor out = make_tensor(shape, detail::result_strides(shape, operands, n), type);
    cpu::Operands o(shape.data(), static_cast<int>(shape.size()), out.numel(), type);
    o.add_output(cpu::operand_of(out, shape));
    for (const Tensor& t : list) o.add_input(cpu::operand_of(t, shape));
    cpu::active_tables().pointwise->run(loop, &lambda, o);
    return out;
  }
  static DimVector shape_of(TensorList x) {
    DimVector sizes(x[0].sizes());
    for (const Tensor& t : x.slice(1, x.size() - 1)) sizes = broadcast_shapes(IntArrayRef(sizes), t.sizes());
    return sizes;
  }
  /// By the kernels of a .cu file.
  Tensor on_device(TensorList x, ScalarType type) const {
    const auto& calls = tenon_cuda_own_formulas;
    DimVector sizes = shape_of(x);
    std::int64_t count = 1;
    for (std::int64_t size : sizes) count *= size;
    bool reduces = reduction_.kind != Reduction::Kind::None;
    DimVector result = reduces ? reduction_.sizes_of_result(sizes) : sizes, strides;
    if (!reduces) {
      const Tensor* operands[cpu::kMaxOutputs];
      for (std::size_t k = 0; k < x.size(); ++k) operands[k] = &x[k];
      strides = detail::result_strides(sizes, operands, x.size());
    }
    DeviceGuard guard(x[0].device());
    Tensor out = make_tensor(result, strides, type, x[0].device());
    if (out.numel() == 0) return out;
    if (!reduces) {
      calls.values(name_, x, out);
      return out;
    }
    double scale = 1;
    if (reduction_.kind == Reduction::Kind::Mean) scale = static_cast<double>(out.numel()) / static_cast<double>(count);
    calls.sums(name_, x, sizes, reduction_.mask(static_cast<std::int64_t>(sizes.size())), reduction_.keepdim, scale,
               out);
    return out;
  }
  /// Kept dimensions first, then those that are added up.
  Tensor reduced(const cpu::Loop& loop, const void* lambda, TensorList x, ScalarType type) const {
    DimVector sizes = shape_of(x), order, shape;
    auto rank = static_cast<std::int64_t>(sizes.size());
    std::uint64_t mask = reduction_.mask(rank);
    for (bool pass : {false, true})
      for (std::int64_t d = 0; d < rank; ++d)
        if ((mask >> d & 1) == pass) order.push_back(d);
    std::size_t kept = 0;
    for (std::int64_t d = 0; d < rank; ++d) kept += !(mask >> d & 1);
    bool in_order = std::is_sorted(order.begin(), order.end());
    for (std::int64_t d : order) shape.push_back(sizes[static_cast<std::size_t>(d)]);
    std::vector<cpu::detail::FusedInput> inputs;
    for (const Tensor& t : x) {
      cpu::detail::FusedInput in{&t, {}, in_order && t.is_contiguous() && t.sizes() == IntArrayRef(sizes)};
      for (std::int64_t d : order) {
        std::int64_t own = d - (rank - t.dim());
        in.strides.push_back(own < 0 || t.sizes()[own] == 1 ? 0 : t.strides()[own]);
      }
      inputs.push_back(std::move(in));
    }
    std::int64_t count = 1;
    for (std::size_t d = kept; d < shape.size(); ++d) count *= shape[d];
    bool mean = reduction_.kind == Reduction::Kind::Mean;
    Tensor out = make_tensor(reduction_.sizes_of_result(sizes), {}, type);
    std::vector<double> sums(static_cast<std::size_t>(out.numel()),
                             mean && count == 0 ? std::numeric_limits<double>::quiet_NaN() : 0);
    double scale = mean ? 1.0 / static_cast<double>(count) : 1.0;
    if (count > 0 && !sums.empty()) {
      if (type == kDouble)
        cpu::detail::fused_sum<double>(loop, lambda, shape, kept, inputs, scale, sums);
      else
        cpu::detail::fused_sum<float>(loop, lambda, shape, kept, inputs, scale, sums);
    }
    visit_floating_type(
        type,
        [&]<class E>(type_tag<E>) {
          auto* to = static_cast<E*>(out.data_ptr());
          for (std::size_t i = 0; i < sums.size(); ++i) to[i] = static_cast<E>(static_cast<cpu::compute_t<E>>(sums[i]));
        },
        [] {});
    return out;
  }

  template <class... T>
  static SymDimVector sym_shape_of(const T&... x) {
    SymDimVector sizes;
    ((sizes = broadcast_shapes(SymIntArrayRef(sizes), x.sym_sizes())), ...);
    return sizes;
  }
  /// The elements by operators: for tensors that hold no elements here, and for gradients of gradients.
  template <class... T>
  Tensor by_operators(const T&... x) const {
    math::symbol y(f_(math::symbol(x)...));
    SymDimVector sizes = sym_shape_of(x...);
    const Tensor list[] = {x...};
    if (y.is_number())
      return ops::full(SymIntArrayRef(sizes), y.number(), "dtype"_a = compute_type(list),
                       "device"_a = list[0].device());
    return ops::to(ops::expand(y.tensor(), SymIntArrayRef(sizes)), compute_type(list));
  }
  /// A gradient of the shape and dtype of its input.
  static Tensor fitted(const Tensor& gradient, const Tensor& input) {
    return ops::to(gradient.sum_to_size(input.sym_sizes()), input.dtype());
  }
  template <class... T>
  std::vector<Tensor> backward(const Tensor& given, const T&... x) const {
    constexpr std::size_t n = sizeof...(T);
    SymDimVector sizes = sym_shape_of(x...);
    Tensor grad = reduction_.backward(given, sizes);
    std::vector<Tensor> out(n);
    const Tensor list[] = {x...};
    if (!is_grad_enabled() && detail::runs_directly(grad) && (detail::runs_directly(x) && ...)) {
      ScalarType type = compute_type(list);
      const cpu::Loop& loop = loops<T...>::of(type, true);
      cpu::detail::fused_backward<F> lambda{f_};
      IntArrayRef shape = grad.sizes();
      cpu::Operands o(shape.data(), static_cast<int>(shape.size()), grad.numel(), type);
      for (Tensor& t : out) {
        t = make_tensor(shape, {}, type);
        o.add_output(cpu::operand_of(t, shape));
      }
      o.add_input(cpu::operand_of(grad, shape));
      for (const Tensor& t : list) o.add_input(cpu::operand_of(t, shape));
      cpu::active_tables().pointwise->run(loop, &lambda, o);
    } else if (!is_grad_enabled() && !name_.empty() &&
               cuda::has_own_gradients(name_, grad, {list, n}, compute_type(list))) {
      for (Tensor& t : out) t = make_tensor(grad.sizes(), {}, compute_type(list), grad.device());
      tenon_cuda_own_formulas.gradients(name_, grad, {list, n}, nullptr, out);
    } else {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        auto y = f_(math::dual_input<I, n>(math::symbol(list[I]))...);
        if constexpr (!math::is_dual_v<decltype(y)>)
          ((out[I] = pointwise::gradient_of(0, grad)), ...);
        else
          ((out[I] = pointwise::gradient_of(math::detail::full<math::symbol>(std::get<I>(y.tangents)), grad)), ...);
      }
      (std::make_index_sequence<n>{});
    }
    for (std::size_t i = 0; i < n; ++i) out[i] = fitted(out[i], list[i]);
    return out;
  }
  template <class... T>
  Tensor recorded(const T&... x) const {
    Fused self = *this;
    return autograd::custom_gradient([self](const T&... t) { return self.forward(t...); },
                                     [self](const Tensor& grad, const T&... t) { return self.backward(grad, t...); },
                                     x...);
  }

  F f_;
  Reduction reduction_;
  std::string_view name_;
};

/// One pass over the elements of tensors for a whole expression:
///
///     Tensor y = fuse([](auto a, auto b) { return relu(a * b + a); })(x, w);
///     Tensor loss = fuse([](auto a, auto b) { return (a - b) * (a - b); }).mean()(x, w);
///
/// The lambda calls functions of tenon::math unqualified (exp, tanh, select(condition, a, b), maximum, relu, ...) and
/// captures numbers by value. Where `using namespace tenon::ops` makes these names mean operators, write
/// TENON_FUSE(lambda). Shapes: one to four tensors, which broadcast. Dtypes: real ones, mixed: the common one is
/// computed, integers as the default dtype, 16-bit floats as float. Strides: any. Sums are kept in double and do not
/// depend on the number of threads. Autograd: the gradient of every tensor is one pass too, by dual numbers, and can be
/// differentiated again. Tensors that are not plain memory of the CPU (Meta, symbolic, those of a transformation)
/// compute by operators. Errors: ValueError if shapes do not broadcast, TypeError for complex tensors. Cost: one pass;
/// a call with 16 elements costs little more than the memory of its result.
template <class F>
Fused<F> fuse(F f) {
  return Fused<F>(std::move(f));
}

namespace detail {
template <class F>
Fused<F> named_fused(F f, const char* name) {
  static_assert(std::is_empty_v<F>, "tenon: the lambda of TENON_FUSED captures nothing");
  return Fused<F>(std::move(f), {}, name);
}
}  // namespace detail

}  // namespace tenon

/// NAME, what fuse() makes of a lambda that captures nothing, at namespace scope of a header that begins with
/// <tenon/cpu/rows.hpp>:
///
///     TENON_FUSED(gate, [](auto a, auto b) { return relu(a * b + a); });
///     Tensor y = gate(x, w), loss = gate.mean()(x, w);
///
/// A `.cu` file that includes that header and ends with TENON_CUDA_ROWS(any_name) has the kernels of a device: values,
/// sums and gradients in one pass each. Without it tensors of a device compute by operators.
#define TENON_FUSED(NAME, ...)                           \
  inline const auto NAME = ::tenon::detail::named_fused( \
      [] {                                               \
        TENON_INTERNAL_MATH_NAMES                        \
        return __VA_ARGS__;                              \
      }(),                                               \
      #NAME ": " #__VA_ARGS__)

/// fuse() of a lambda whose unqualified names mean elements' functions, whatever else is called so where it is written.
#define TENON_FUSE(...)       \
  ::tenon::fuse([&] {         \
    TENON_INTERNAL_MATH_NAMES \
    return __VA_ARGS__;       \
  }())
