// Weights of convolutions in another order.
#include <tenon/nn/memory_format.hpp>
#include <tenon/nn/dynamic/any_module.hpp>

#include "support.hpp"

using namespace test;

TEST_CASE("the weights of convolutions alone are laid out anew", "[nn][memory_format]") {
  nn::Sequential net{nn::Conv2d{3, 4, 3}, nn::AnyModule(nn::ConvTranspose2d{4, 5, 3}), nn::Conv3d{2, 3, 2}};
  const Tensor before = net.get<0>().weight, x = ops::randn({1, 3, 5, 5});
  const Tensor expected = net.get<0>()(x).detach();
  CHECK(&nn::utils::convert_conv2d_weight_memory_format(net, MemoryFormat::ChannelsLast) == &net);
  const Tensor weight = net.get<0>().weight, erased = net.get<1>().as<nn::ConvTranspose2d>()->weight;
  CHECK(weight.is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(ops::equal(weight, before));
  CHECK(weight.requires_grad());
  CHECK(weight.is_leaf());
  CHECK(erased.is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(net.get<2>().weight.is_contiguous());
  const Tensor y = net.get<0>()(x);
  CHECK(y.is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(ops::allclose(y, expected, 1e-5, 1e-6));

  nn::utils::convert_conv3d_weight_memory_format(net, MemoryFormat::ChannelsLast3d);
  CHECK(net.get<2>().weight.is_contiguous(MemoryFormat::ChannelsLast3d));
  nn::utils::convert_conv2d_weight_memory_format(net, MemoryFormat::Contiguous);
  CHECK(net.get<0>().weight.is_contiguous());
  CHECK_ERROR(
      nn::utils::convert_conv2d_weight_memory_format(net, MemoryFormat::ChannelsLast3d), ValueError,
      "convert_conv2d_weight_memory_format(): expected channels_last or contiguous_format, got channels_last_3d");
  CHECK_ERROR(nn::utils::convert_conv3d_weight_memory_format(net, MemoryFormat::Preserve), ValueError,
              "convert_conv3d_weight_memory_format(): expected channels_last_3d or contiguous_format, got "
              "preserve_format");
}
