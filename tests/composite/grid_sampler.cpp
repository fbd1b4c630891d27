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
