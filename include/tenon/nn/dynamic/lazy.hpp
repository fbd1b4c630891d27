// Layers that learn the number of their inputs from their first call: torch.nn.LazyLinear and its kin.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include <tenon/library/default_device.hpp>
#include <tenon/nn/convolution.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/module.hpp>
#include <tenon/nn/normalization.hpp>
#include <tenon/nn/print.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::nn {

namespace detail {

/// An empty leaf of that dtype, where default tensors are.
Tensor leaf_without_size(ScalarType dtype);
/// The channels of an input of a convolution. Errors: ValueError for another number of dimensions.
std::int64_t channels_of(const Tensor& x, std::int64_t rank, const char* layer);
std::int64_t features_of(const Tensor& x, std::int64_t dim, const char* layer);
/// The first of the tensors of these names at `path` that has a size in that dimension, or null.
const Tensor* sized_in(std::size_t dim, const NamedTensors& tensors, const std::string& path,
                       std::initializer_list<const char*> names);
/// What is drawn while it lives is drawn again after it.
class DrawnAgain {
 public:
  DrawnAgain();
  ~DrawnAgain();
  DrawnAgain(const DrawnAgain&) = delete;

 private:
  Tensor state_;
};

/// The layer that a lazy one becomes. Until then what is done to all tensors of a module is done to an empty one in its
/// place, from which the layer's dtype and device are taken, and whether it is frozen.
template <class L>
class Late {
 public:
  explicit Late(ScalarType dtype, bool has_tensors = true) {
    if (has_tensors) static_cast<Tensor&>(size_unknown_) = leaf_without_size(dtype);
  }
  bool made() const { return layer_.has_value(); }
  const L& layer() const { return *layer_; }
  /// The layer; in the first call what `make(dtype)` gives.
  template <class Make>
  const L& get(ScalarType dtype, Make make) const {
    if (!layer_) {
      if (!size_unknown_.defined()) return layer_.emplace(make(dtype));
      DefaultDeviceGuard at(size_unknown_.device());
      layer_.emplace(make(size_unknown_.dtype()));
      if (!size_unknown_.requires_grad()) requires_grad_(*layer_, false);
    }
    return *layer_;
  }
  /// The layer that `make(size, dtype)` gives for the size of a tensor of these names, where it is not made yet.
  template <class Make>
  void fit(const Tensor* sized, std::size_t dim, ScalarType dtype, Make make) const {
    if (layer_ || !sized) return;
    DrawnAgain nothing_drawn;
    get(dtype, [&](ScalarType now) { return make(sized->sizes()[dim], now); });
  }
  /// What walks through the modules meets the layer where there is one, else the lazy one.
  template <class Lazy, class F>
  static void walk(Lazy& lazy, const std::string& path, F& visit) {
    if (lazy.late.layer_) return descend(forget_mutable(lazy, *lazy.late.layer_), path, visit);
    visit(path, lazy);
    if (lazy.late.size_unknown_.defined()) visit(join(path, "weight"), lazy.late.size_unknown_);
    if constexpr (hears_of_ends<Lazy, F>) visit.leave(path, lazy);
  }
  template <class Lazy>
  static Described describe_as(const Lazy& lazy, std::string name, std::string extra) {
    if (lazy.late.layer_) return describe(*lazy.late.layer_);
    return {std::move(name), std::move(extra), {}};
  }

 private:
  /// A layer of a constant module is constant.
  template <class Lazy>
  static auto& forget_mutable(Lazy&, L& layer) {
    return static_cast<std::conditional_t<std::is_const_v<Lazy>, const L&, L&>>(layer);
  }
  mutable std::optional<L> layer_;
  UninitializedParameter size_unknown_;
};

}  // namespace detail

// What walks through modules, for a lazy one; they are aggregates and have no base class.
#define TENON_INTERNAL_LAZY(NAME, EXTRA)                                                               \
  detail::Described tenon_describe() const { return decltype(late)::describe_as(*this, NAME, EXTRA); } \
  template <class This, class F>                                                                       \
  static void tenon_walk(This& self, const std::string& path, F& visit) {                              \
    decltype(late)::walk(self, path, visit);                                                           \
  }

/// A Linear whose in_features is the last size of its first input: `LazyLinear{10}`. Its weight is drawn in that call,
/// which one thread makes, or in load_state(), which tells its size too; from then on it is the Linear for all that
/// looks into modules, and prints as one. Errors: ValueError from parameters(), state() and named_buffers() before the
/// first call.
struct LazyLinear {
  Count out_features;
  Parameter bias = true;
  ScalarType dtype = get_default_dtype();
  detail::Late<Linear> late = detail::Late<Linear>(dtype);

  Tensor operator()(const Tensor& x) const {
    Calling call(this);
    return call(
        late.get(dtype, [&](ScalarType now) { return make(detail::features_of(x, -1, "LazyLinear"), now); })(x));
  }
  Linear make(std::int64_t in_features, ScalarType now) const {
    return {in_features, out_features, bias.wanted(), now};
  }
  void tenon_fit(const std::string& path, const NamedTensors& tensors) const {
    late.fit(detail::sized_in(1, tensors, path, {"weight"}), 1, dtype,
             [&](std::int64_t in, ScalarType now) { return make(in, now); });
  }
  TENON_INTERNAL_LAZY("LazyLinear", Description()
                                        .add("in_features", std::int64_t{0})
                                        .add("out_features", out_features)
                                        .add("bias", bias.wanted())
                                        .text)
};

/// A Conv whose in_channels are those of its first input: `LazyConv2d{.out_channels = 16, .kernel_size = 3}`.
/// Errors: as for LazyLinear; ValueError for an input of another number of dimensions.
template <std::size_t Rank>
struct LazyConv {
  Count out_channels;
  Sizes<Rank> kernel_size;
  Sizes<Rank> stride = 1;
  ConvPadding<Rank> padding = 0;
  Sizes<Rank> dilation = 1;
  Count groups = 1;
  Parameter bias = true;
  std::string padding_mode = "zeros";
  ScalarType dtype = get_default_dtype();
  detail::Late<Conv<Rank>> late = detail::Late<Conv<Rank>>(dtype);

  Tensor operator()(const Tensor& x) const {
    Calling call(this);
    return call(late.get(dtype, [&](ScalarType now) { return make(detail::channels_of(x, Rank, name()), now); })(x));
  }
  Conv<Rank> make(std::int64_t in_channels, ScalarType now) const {
    return {in_channels, out_channels, kernel_size,   stride,       padding,
            dilation,    groups,       bias.wanted(), padding_mode, now};
  }
  void tenon_fit(const std::string& path, const NamedTensors& tensors) const {
    late.fit(detail::sized_in(1, tensors, path, {"weight"}), 1, dtype,
             [&](std::int64_t in, ScalarType now) { return make(in * groups, now); });
  }
  TENON_INTERNAL_LAZY(name(), detail::describe(geometry(), bias.wanted()))

 private:
  static constexpr const char* name() {
    constexpr const char* names[] = {"LazyConv1d", "LazyConv2d", "LazyConv3d"};
    return names[Rank - 1];
  }
  detail::ConvGeometry geometry() const {
    return {name(),   0,  out_channels,   groups,       kernel_size, stride, padding.sizes(),
            dilation, {}, padding.word(), padding_mode, false,       dtype};
  }
};
using LazyConv1d = LazyConv<1>;
using LazyConv2d = LazyConv<2>;
using LazyConv3d = LazyConv<3>;

/// A ConvTranspose whose in_channels are those of its first input.
template <std::size_t Rank>
struct LazyConvTranspose {
  Count out_channels;
  Sizes<Rank> kernel_size;
  Sizes<Rank> stride = 1;
  Sizes<Rank> padding = 0;
  Sizes<Rank> output_padding = 0;
  Count groups = 1;
  Parameter bias = true;
  Sizes<Rank> dilation = 1;
  std::string padding_mode = "zeros";
  ScalarType dtype = get_default_dtype();
  detail::Late<ConvTranspose<Rank>> late = detail::Late<ConvTranspose<Rank>>(dtype);

  Tensor operator()(const Tensor& x, IntArrayRef output_size = {}) const {
    Calling call(this);
    return call(late.get(dtype, [&](ScalarType now) { return make(detail::channels_of(x, Rank, name()), now); })(
        x, output_size));
  }
  ConvTranspose<Rank> make(std::int64_t in_channels, ScalarType now) const {
    return {in_channels, out_channels,  kernel_size, stride,       padding, output_padding,
            groups,      bias.wanted(), dilation,    padding_mode, now};
  }
  void tenon_fit(const std::string& path, const NamedTensors& tensors) const {
    late.fit(detail::sized_in(0, tensors, path, {"weight"}), 0, dtype,
             [&](std::int64_t in, ScalarType now) { return make(in, now); });
  }
  TENON_INTERNAL_LAZY(name(), detail::describe(geometry(), bias.wanted()))

 private:
  static constexpr const char* name() {
    constexpr const char* names[] = {"LazyConvTranspose1d", "LazyConvTranspose2d", "LazyConvTranspose3d"};
    return names[Rank - 1];
  }
  detail::ConvGeometry geometry() const {
    static const std::string none;
    return {name(),         0,    out_channels, groups, kernel_size, stride, padding, dilation,
            output_padding, none, padding_mode, true,   dtype};
  }
};
using LazyConvTranspose1d = LazyConvTranspose<1>;
using LazyConvTranspose2d = LazyConvTranspose<2>;
using LazyConvTranspose3d = LazyConvTranspose<3>;

/// A BatchNorm or InstanceNorm whose num_features is the second size of its first input. It learns a scale and a shift
/// and keeps running statistics unless it is told not to, for instances too, as PyTorch's does.
template <std::size_t Rank, bool Instance>
struct LazyChannelNorm {
  double eps = 1e-5;
  std::optional<double> momentum = 0.1;
  bool affine = true, track_running_stats = true;
  ScalarType dtype = get_default_dtype();
  bool training = true;
  Parameter bias = true;
  detail::Late<ChannelNorm<Rank, Instance>> late =
      detail::Late<ChannelNorm<Rank, Instance>>(dtype, affine || track_running_stats);

  Tensor operator()(const Tensor& x) const {
    Calling call(this);
    return call(
        late.get(dtype, [&](ScalarType now) { return make(detail::features_of(x, 1, name().c_str()), now); })(x));
  }
  ChannelNorm<Rank, Instance> make(std::int64_t num_features, ScalarType now) const {
    return {.num_features = num_features,
            .eps = eps,
            .momentum = momentum,
            .affine = affine,
            .track_running_stats = track_running_stats,
            .dtype = now,
            .training = training,
            .bias = bias.wanted()};
  }
  void tenon_fit(const std::string& path, const NamedTensors& tensors) const {
    late.fit(detail::sized_in(0, tensors, path, {"weight", "running_mean"}), 0, dtype,
             [&](std::int64_t features, ScalarType now) { return make(features, now); });
  }
  TENON_INTERNAL_LAZY(name(),
                      detail::describe_norm(0, eps, momentum, affine, affine&& bias.wanted(), track_running_stats))

 private:
  static std::string name() { return std::string("Lazy") + detail::norm_kind(Rank, Instance).name; }
};
using LazyBatchNorm1d = LazyChannelNorm<1, false>;
using LazyBatchNorm2d = LazyChannelNorm<2, false>;
using LazyBatchNorm3d = LazyChannelNorm<3, false>;
using LazyInstanceNorm1d = LazyChannelNorm<1, true>;
using LazyInstanceNorm2d = LazyChannelNorm<2, true>;
using LazyInstanceNorm3d = LazyChannelNorm<3, true>;
#undef TENON_INTERNAL_LAZY

}  // namespace tenon::nn
