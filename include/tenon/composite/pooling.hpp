// Pooling by its public names, made of the native operators.
#pragma once
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/composite/pooling_shapes.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

namespace pooling {

inline void check_line(const char* op, const Tensor& self) {
  TENON_CHECK(self.dim() == 2 || self.dim() == 3, ValueError, "Expected 2 to 3 dimensions, but got ", self.dim(),
              "-dimensional tensor for argument #1 'self' (while checking arguments for ", op, ")");
}
/// A list for one dimension as one for two, of which the first has one element.
inline DimVector with_one(IntArrayRef list, std::int64_t one) {
  if (list.empty()) return {};
  TENON_CHECK(list.size() == 1, ValueError, "expected a list of one number, got ", list);
  return {one, list[0]};
}
inline Tensor avg_pool1d(const Tensor& self, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                         bool ceil_mode, bool include_padding) {
  check_line("avg_pool1d", self);
  return ops::squeeze(ops::avg_pool2d(ops::unsqueeze(self, -2), with_one(kernel, 1), with_one(stride, 1),
                                      with_one(padding, 0), ceil_mode, include_padding, std::nullopt),
                      -2);
}
inline std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& self, IntArrayRef kernel, IntArrayRef stride,
                                                          IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  TENON_CHECK(self.dim() == 2 || self.dim() == 3, ValueError,
              "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:",
              self.sym_sizes());
  auto [out, places] = ops::max_pool2d_with_indices(ops::unsqueeze(self, -2), with_one(kernel, 1), with_one(stride, 1),
                                                    with_one(padding, 0), with_one(dilation, 1), ceil_mode);
  return {ops::squeeze(out, -2), ops::squeeze(places, -2)};
}
inline Tensor max_pool1d(const Tensor& self, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                         IntArrayRef dilation, bool ceil_mode) {
  return std::get<0>(max_pool1d_with_indices(self, kernel, stride, padding, dilation, ceil_mode));
}
inline Tensor max_pool2d(const Tensor& self, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                         IntArrayRef dilation, bool ceil_mode) {
  return std::get<0>(ops::max_pool2d_with_indices(self, kernel, stride, padding, dilation, ceil_mode));
}
inline Tensor max_pool3d(const Tensor& self, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                         IntArrayRef dilation, bool ceil_mode) {
  return std::get<0>(ops::max_pool3d_with_indices(self, kernel, stride, padding, dilation, ceil_mode));
}
/// The mean of each channel, with its last dimensions of size 1, in the input's format.
template <std::size_t Dims>
Tensor mean_of_channels(const Tensor& self) {
  constexpr std::int64_t last[] = {-1, -2, -3};
  IntArrayRef dims(last, Dims);
  MemoryFormat format =
      self.is_symbolic() ? tenon::detail::sym_suggest_memory_format(self) : self.suggest_memory_format();
  if (format != (Dims == 2 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d))
    return ops::mean(self, dims, true);
  Tensor out = ops::mean(self, dims, false);
  for (std::size_t d = 0; d < Dims; ++d) out = ops::unsqueeze(out, 1);
  return ops::movedim(out, -1, 1);
}
/// One mean of everything is a mean, as in PyTorch, which then takes any number of dimensions: the loops over windows
/// would round each step of 16-bit volumes.
template <std::size_t Dims>
Tensor adaptive_avg_pool(const Tensor& self, SymIntArrayRef wanted) {
  TENON_CHECK(wanted.size() == Dims, ValueError, "adaptive_avg_pool", Dims, "d: output_size must be ", Dims);
  for (const SymInt& s : wanted)
    TENON_CHECK(s >= SymInt(0), ValueError, "adaptive_avg_pool", Dims,
                "d: elements of output_size must be greater than or equal to 0 but received ", wanted);
  bool one = true;
  for (const SymInt& s : wanted) one = one && s == SymInt(1);
  if (one) return mean_of_channels<Dims>(self);
  if constexpr (Dims == 2)
    return ops::_adaptive_avg_pool2d(self, wanted);
  else
    return ops::_adaptive_avg_pool3d(self, wanted);
}
template <std::size_t Dims>
Tensor& adaptive_avg_pool_out(const Tensor& self, SymIntArrayRef wanted, Tensor& out) {
  if constexpr (Dims == 2)
    return ops::_adaptive_avg_pool2d_base_out(self, wanted, out);
  else
    return ops::_adaptive_avg_pool3d_base_out(self, wanted, out);
}
inline Tensor adaptive_avg_pool1d(const Tensor& self, IntArrayRef wanted) {
  check_line("adaptive_avg_pool1d", self);
  return ops::squeeze(ops::adaptive_avg_pool2d(ops::unsqueeze(self, -2), with_one(wanted, 1)), -2);
}
inline std::tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor& self, IntArrayRef wanted) {
  check_line("adaptive_max_pool1d", self);
  auto [out, places] = ops::adaptive_max_pool2d(ops::unsqueeze(self, -2), with_one(wanted, 1));
  return {ops::squeeze(out, -2), ops::squeeze(places, -2)};
}

}  // namespace pooling

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace k = pooling;
  m.def<ops::avg_pool1d_base>().def<ops::avg_pool1d_base_out>();
  m.def<ops::max_pool1d_base>().def<ops::max_pool1d_with_indices_base>();
  m.def<ops::max_pool2d_base>().def<ops::max_pool3d_base>();
  m.def<ops::adaptive_avg_pool1d_base>().def<ops::adaptive_avg_pool1d_base_out>().def<ops::adaptive_max_pool1d_base>();
  m.def<ops::adaptive_avg_pool2d_base>().def<ops::adaptive_avg_pool2d_base_out>();
  m.def<ops::adaptive_avg_pool3d_base>().def<ops::adaptive_avg_pool3d_base_out>();
  m.impl<ops::avg_pool1d_base, &k::avg_pool1d>()
      .impl<ops::max_pool1d_base, &k::max_pool1d>()
      .impl<ops::max_pool1d_with_indices_base, &k::max_pool1d_with_indices>()
      .impl<ops::max_pool2d_base, &k::max_pool2d>()
      .impl<ops::max_pool3d_base, &k::max_pool3d>()
      .impl<ops::adaptive_avg_pool1d_base, &k::adaptive_avg_pool1d>()
      .impl<ops::adaptive_max_pool1d_base, &k::adaptive_max_pool1d>()
      .impl<ops::adaptive_avg_pool2d_base, &k::adaptive_avg_pool<2>>()
      .impl<ops::adaptive_avg_pool3d_base, &k::adaptive_avg_pool<3>>();
  m.impl<ops::adaptive_avg_pool2d_base_out, &k::adaptive_avg_pool_out<2>>()
      .impl<ops::adaptive_avg_pool3d_base_out, &k::adaptive_avg_pool_out<3>>();
  implement_out_by_copy<ops::avg_pool1d_base_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::adaptive_avg_pool1d_base_op>(m, Place{__FILE__, __LINE__});
}

}  // namespace tenon::composite
