// Sampling at the points of a grid: gradients of gradients, in every mode.
#include <tenon/autograd/gradcheck.hpp>

#include "../ops/support.hpp"

using namespace test;

namespace {
using List = std::vector<Tensor>;
Tensor leaf(IntArrayRef sizes, double by) { return ((counted(sizes, kDouble) + 1) * by).sin().requires_grad_(); }
}  // namespace

TEST_CASE("sampling at a grid's points can be differentiated twice", "[composite]") {
  Tensor image = leaf({1, 2, 3, 4}, 1), grid = leaf({1, 2, 2, 2}, 2.3);
  // Points outside of the image, too.
  Tensor far = (grid.detach() * 1.7).requires_grad_();
  for (std::int64_t mode : {0, 1, 2})
    for (std::int64_t padding : {0, 1, 2})
      for (bool align : {true, false})
        for (const Tensor& points : {grid, far}) {
          INFO("mode " << mode << ", padding " << padding << ", align_corners " << align);
          CHECK(autograd::gradgradcheck(
              [&](const List& t) { return ops::grid_sampler(t[0], t[1], mode, padding, align); }, {image, points}));
        }
  for (std::int64_t padding : {0, 1, 2})
    CHECK(autograd::gradgradcheck([&](const List& t) { return ops::grid_sampler(t[0], t[1], 0, padding, false); },
                                  {leaf({1, 1, 2, 3, 2}, 1), leaf({1, 1, 2, 1, 3}, 2.3)}));
  // By the grid alone, and by an image whose gradient nobody asks for.
  Tensor fixed = image.detach();
  CHECK(autograd::gradgradcheck([&](const List& t) { return ops::grid_sampler(fixed, t[0], 2, 1, false); }, {grid}));
}

TEST_CASE("16-bit sampling rounds at every step, as PyTorch 2.15 does", "[composite]") {
  // What PyTorch answers, of numbers that both make alike: multiples of 0.37 and 0.17, rounded once.
  auto repeated = [](IntArrayRef sizes, std::int64_t by, std::int64_t less, double times) {
    return (ops::fmod(counted(sizes), by) - less).to(kBFloat16) * times;
  };
  auto points = [](IntArrayRef sizes) { return (ops::fmod(counted(sizes) * 0.17, 2.2) - 1.1).to(kBFloat16); };
  auto all = [](const Tensor& t) { return values(t.to(kDouble)); };
  const bool both[] = {true, true};
  Tensor plane = repeated({1, 2, 3, 4}, 7, 3, 0.37), flat = points({1, 2, 3, 2});
  CHECK(all(ops::grid_sampler_2d(plane, flat, 0, 0, false)) ==
        Numbers{-0.19921875, -0.9140625, 0.0576171875, 0.70703125, 0.390625, 0.21875, 0.1328125, 0.59375, 0.2890625,
                -0.029296875, -0.333984375, -0.40234375});
  auto [a, b] = ops::grid_sampler_2d_backward(repeated({1, 2, 2, 3}, 5, 2, 0.21), plane, flat, 0, 2, true,
                                              ArrayRef<bool>(both, 2));
  CHECK(all(a) == Numbers{-0.41015625,
                          -0.103515625,
                          0,
                          0,
                          -0.08056640625,
                          0.10791015625,
                          0.2275390625,
                          -0.0400390625,
                          0,
                          0.03173828125,
                          -0.0224609375,
                          -0.130859375,
                          -0.1591796875,
                          0.015625,
                          0,
                          0,
                          0.00836181640625,
                          0.341796875,
                          -0.0966796875,
                          -0.02001953125,
                          0,
                          0.004638671875,
                          -0.2421875,
                          -0.0654296875});
  CHECK(all(b) == Numbers{0.3515625, -0.38671875, -0.1171875, -0.30859375, 0.1171875, -0.2333984375, 0.349609375,
                          -0.69921875, 0, 0, 0.0322265625, 0.2578125});
  Tensor volume = repeated({1, 1, 2, 3, 4}, 7, 3, 0.37), deep = points({1, 1, 2, 2, 3});
  CHECK(all(ops::grid_sampler_3d(volume, deep, 0, 0, false)) ==
        Numbers{-0.1474609375, -0.220703125, 0.1484375, -0.369140625});
  auto [c, d] = ops::grid_sampler_3d_backward(repeated({1, 1, 1, 2, 2}, 5, 2, 0.21), volume, deep, 0, 1, false,
                                              ArrayRef<bool>(both, 2));
  CHECK(all(d) == Numbers{0, 0, 0, -0.1572265625, -0.26171875, -0.1875, 0, 0, 0, 0.154296875, -0.34765625, 0});
}
