// Reductions into named places and of segments, distances and similarity: values, errors, gradients.
#include <cmath>

#include "../ops/support.hpp"

#include <tenon/autograd/gradcheck.hpp>

using namespace test;

namespace {
using List = std::vector<Tensor>;
Tensor leaf(IntArrayRef sizes) { return (counted(sizes, kDouble) + 1).sin().requires_grad_(); }
}  // namespace

TEST_CASE("elements are reduced into the places that an index names", "[composite]") {
  Tensor self = tensor({1.0, 2.0, 3.0}), index = tensor({0, 0, 2}), src = tensor({4.0, 5.0, 7.0});
  CHECK(values(ops::scatter_reduce(self, 0, index, src, "sum")) == Numbers{10, 2, 10});
  CHECK(values(ops::scatter_reduce(self, 0, index, src, "mean", "include_self"_a = false)) == Numbers{4.5, 2, 7});
  CHECK(values(ops::scatter_reduce(self, 0, index, src, "amin")) == Numbers{1, 2, 3});
  CHECK(values(ops::scatter_reduce(tensor({0, 0}), 0, tensor({0, 0, 1}), tensor({-3, -4, -5}), "mean")) ==
        Numbers{-3, -3});
  CHECK_ERROR(ops::scatter_reduce(self, 0, index, src, "add"), ValueError,
              "reduce argument must be either sum, prod, mean, amax or amin, got add");
  CHECK(values(ops::index_reduce(self.view({1, 3}), 1, index, src.view({1, 3}), "prod")) == Numbers{20, 2, 21});
  CHECK_ERROR(ops::index_reduce(self, 0, index + 9, src, "prod"), IndexError, "index out of range in self");
  for (const char* how : {"sum", "prod", "mean", "amax"})
    for (bool include : {true, false})
      autograd::gradcheck(
          [&](const List& t) {
            return ops::scatter_reduce(t[0], 0, tensor({0, 2, 0, 0}), t[1], how, "include_self"_a = include).sin();
          },
          {leaf({3}), (counted({4}, kDouble) + 1.5).cos().requires_grad_()});
}

TEST_CASE("segments are reduced by lengths or offsets, empty ones to what they begin with", "[composite]") {
  Tensor x = counted({6});
  CHECK(values(ops::segment_reduce(x, "sum", "lengths"_a = tensor({2, 0, 4}))) == Numbers{1, 0, 14});
  CHECK(values(ops::segment_reduce(x, "max", "offsets"_a = tensor({0, 2, 6}), "initial"_a = 3)) == Numbers{3, 5});
  CHECK_ERROR(ops::segment_reduce(x, "sum", "lengths"_a = tensor({2, 2})), ValueError,
              "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when "
              "!unsafe.");
  CHECK_ERROR(ops::segment_reduce(x, "sum", "offsets"_a = tensor({0, 9})), ValueError,
              "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when "
              "!unsafe.");
  for (const char* how : {"sum", "mean", "max", "min", "prod"})
    autograd::gradcheck(
        [&](const List& t) {
          return ops::segment_reduce(t[0], how, "lengths"_a = tensor({2, 3})).sin();
        },
        {leaf({5, 2})});
}

TEST_CASE("distances between all pairs, norms brought to a bound, similarity", "[composite]") {
  Tensor x = tensor({0.0, 0.0, 3.0, 4.0, 0.0, 1.0}).to(kDouble).view({3, 2});
  CHECK(values(ops::pdist(x)) == Numbers{5, 1, std::sqrt(18.0)});
  CHECK(values(ops::cdist(x, x.narrow(0, 0, 1), 1.0)) == Numbers{0, 7, 1});
  // From no distance comes a gradient of every dtype.
  Tensor rows = ops::ones({2, 3}, "dtype"_a = kHalf), none = ops::ones({0, 3}, "dtype"_a = kHalf);
  Tensor pairs = ops::zeros({2, 0}, "dtype"_a = kHalf);
  CHECK(values(ops::_cdist_backward(pairs, rows, none, 2.0, pairs)) == Numbers{0, 0, 0, 0, 0, 0});
  CHECK(values(ops::dist(x, x + 1, 0)) == Numbers{6});
  Tensor held = ops::renorm(x, 2, 0, 1);
  CHECK(std::abs(ops::norm(held.select(0, 1)).item<double>() - 1) < 1e-6);
  CHECK(values(held.select(0, 2)) == Numbers{0, 1});
  CHECK_ERROR(ops::pdist(x, -1.0), ValueError, "pdist only supports non-negative p values");
  CHECK_ERROR(ops::cosine_similarity(tensor({1}), tensor({1}), 0), TypeError,
              "expected common dtype to be floating point, yet common dtype is Long");
  for (double p : {1.0, 1.5, 2.0, 3.0, HUGE_VAL}) {
    auto pdist = [=](const List& t) { return ops::pdist(t[0], p); };
    autograd::gradcheck(pdist, {leaf({3, 2})});
    auto cdist = [=](const List& t) { return ops::cdist(t[0], t[1], p); };
    autograd::gradcheck(cdist, {leaf({2, 3, 2}), leaf({4, 2})});
  }
  // Of the squares of gradients, by PyTorch 2.15; one difference is zero.
  auto twice = [](auto distances) {
    Tensor t = tensor({{0.5, -1.0, 2.0}, {0.25, 0.75, -0.5}, {1.5, -1.0, 0.125}}, "dtype"_a = kDouble).requires_grad_();
    Tensor y = distances(t);
    Tensor weights = ops::arange(1, y.numel() + 1, "dtype"_a = kDouble).view_as(y);
    Tensor d = autograd::grad({(y * weights).sum()}, {t}, {}, true, true)[0];
    return values(autograd::grad({(d * d).sum()}, {t})[0]);
  };
  auto near = [](const Numbers& got, const Numbers& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(got.at(i) == Approx(expected[i]));
  };
  near(twice([](const Tensor& t) { return ops::pdist(t, 1.5); }),
       {-1.8444707190066008, -0.060845443992965764, -1.5546562727083666, -2.740173365180741, -1.0523917938474963,
        0.820834039873974, 4.584644084187342, 1.1132372378404618, 0.7338222328343935});
  near(twice([](const Tensor& t) { return ops::cdist(t, t.narrow(0, 0, 2) * 2, 2.0); }),
       {0.9482734668638919, -17.006650385486616, -5.5632433958480725, -34.44980045168428, 29.356013516702063,
        -45.586487475834204, -28.665850937411278, 2.0296992969013274, 19.810972906184062});
  near(twice([](const Tensor& t) { return ops::cdist(t, t.narrow(0, 0, 2) * 2, 3.0); }),
       {-0.91868796266275, 18.87327424098156, 4.307951354641659, 39.99476069100159, 77.44900626267986,
        45.60999848464405, -41.34715646690197, -28.87534760251401, -11.34674413256431});
  near(twice([](const Tensor& t) { return ops::pdist(t, HUGE_VAL); }), Numbers(9, 0.0));
  autograd::gradcheck([](const List& t) { return ops::cosine_similarity(t[0], t[1], 0); },
                      {leaf({3, 2}), leaf({3, 1})});
  autograd::gradcheck([](const List& t) { return ops::renorm(t[0], 2, 0, 1); }, {leaf({3, 2})});
}
