// The weights of convolutions laid out anew: torch.nn.utils.memory_format.
#pragma once
#include <cstddef>
#include <string>

#include <tenon/nn/convolution.hpp>
#include <tenon/nn/module.hpp>

namespace tenon::nn::utils {

namespace detail {
/// What both functions do for convolutions of a rank; `name` is the function's, `last` its format with channels last.
template <std::size_t Rank, class Net>
Net& convert_weights(const char* name, Net& module, MemoryFormat format, MemoryFormat last) {
  TENON_CHECK(format == last || format == MemoryFormat::Contiguous, ValueError, name, "(): expected ", last,
              " or contiguous_format, got ", format);
  nn::detail::Replaced known;
  auto change = [&](auto& layer) { layer.weight = nn::detail::laid_out(layer.weight, format, known); };
  for_each_module(module, [&]<class Layer>(const std::string&, Layer& m) {
    if constexpr (std::is_same_v<Layer, Conv<Rank>> || std::is_same_v<Layer, ConvTranspose<Rank>>) {
      change(m);
    } else if constexpr (requires { m.template as<Conv<Rank>>(); }) {
      if (auto* layer = m.template as<Conv<Rank>>()) change(*layer);
      if (auto* layer = m.template as<ConvTranspose<Rank>>()) change(*layer);
    }
  });
  return module;
}
}  // namespace detail

/// Lays out the weight of every Conv2d and ConvTranspose2d in a module in that order, ChannelsLast or Contiguous, and
/// no other tensor: where one convolution between others is then called, all of them compute in that order. Weights are
/// new leaves: make optimisers afterwards. Returns the module. Errors: ValueError for another format.
/// Source: torch.nn.utils.convert_conv2d_weight_memory_format of PyTorch 2.15.
template <class Net>
Net& convert_conv2d_weight_memory_format(Net& module, MemoryFormat format) {
  return detail::convert_weights<2>("convert_conv2d_weight_memory_format", module, format, MemoryFormat::ChannelsLast);
}
/// The same of Conv3d and ConvTranspose3d, ChannelsLast3d or Contiguous.
/// Source: torch.nn.utils.convert_conv3d_weight_memory_format of PyTorch 2.15.
template <class Net>
Net& convert_conv3d_weight_memory_format(Net& module, MemoryFormat format) {
  return detail::convert_weights<3>("convert_conv3d_weight_memory_format", module, format,
                                    MemoryFormat::ChannelsLast3d);
}

}  // namespace tenon::nn::utils
