// Layers that put elements around their input.
#pragma once
#include <cstdint>
#include <initializer_list>

#include <tenon/nn/calling.hpp>
#include <tenon/nn/parameter.hpp>

namespace tenon::nn {

namespace detail {
Tensor padded(const Tensor& x, IntArrayRef padding, std::string_view mode, double value);
/// How much is put before and behind each dimension, the last one first; one number stands for all.
template <std::size_t Rank>
using Margins = Sizes<2 * Rank>;
enum class PadMode : std::uint8_t { Zero, Reflection, Replication, Circular };
constexpr std::string_view name_of(PadMode mode) {
  constexpr std::string_view names[] = {"constant", "reflect", "replicate", "circular"};
  return names[static_cast<int>(mode)];
}

/// Shapes: x (N, C, L..) or (C, L..): `ReflectionPad2d{.padding = {left, right, top, bottom}}`.
template <PadMode Mode, std::size_t Rank>
struct PadLayer {
  Margins<Rank> padding;
  Tensor operator()(const Tensor& x) const { return Calling(this)(padded(x, padding, name_of(Mode), 0)); }
  std::string extra_repr() const { return Description().value(Description::tuple(padding)).text; }
  static std::string tenon_name() {
    constexpr const char* names[] = {"ZeroPad", "ReflectionPad", "ReplicationPad", "CircularPad"};
    return names[static_cast<int>(Mode)] + std::to_string(Rank) + "d";
  }
};
}  // namespace detail

template <std::size_t Rank>
using ZeroPad = detail::PadLayer<detail::PadMode::Zero, Rank>;
template <std::size_t Rank>
using ReflectionPad = detail::PadLayer<detail::PadMode::Reflection, Rank>;
template <std::size_t Rank>
using ReplicationPad = detail::PadLayer<detail::PadMode::Replication, Rank>;
template <std::size_t Rank>
using CircularPad = detail::PadLayer<detail::PadMode::Circular, Rank>;
template <std::size_t Rank>
struct ConstantPad {
  detail::Margins<Rank> padding;
  double value;
  Tensor operator()(const Tensor& x) const { return Calling(this)(detail::padded(x, padding, "constant", value)); }
  std::string extra_repr() const { return Description().add("padding", IntArrayRef(padding)).add("value", value).text; }
};

using ZeroPad1d = ZeroPad<1>;
using ZeroPad2d = ZeroPad<2>;
using ZeroPad3d = ZeroPad<3>;
using ReflectionPad1d = ReflectionPad<1>;
using ReflectionPad2d = ReflectionPad<2>;
using ReflectionPad3d = ReflectionPad<3>;
using ReplicationPad1d = ReplicationPad<1>;
using ReplicationPad2d = ReplicationPad<2>;
using ReplicationPad3d = ReplicationPad<3>;
using CircularPad1d = CircularPad<1>;
using CircularPad2d = CircularPad<2>;
using CircularPad3d = CircularPad<3>;
using ConstantPad1d = ConstantPad<1>;
using ConstantPad2d = ConstantPad<2>;
using ConstantPad3d = ConstantPad<3>;

}  // namespace tenon::nn
