// Windows, beside numbers of PyTorch 2.15.
#include "support.hpp"

using namespace test;
namespace W = tenon::ops::signal::windows;

namespace {
void is_near(const Tensor& got, const Numbers& expected) {
  Numbers all = values(got);
  REQUIRE(all.size() == expected.size());
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == Approx(expected[i]).epsilon(1e-11).margin(1e-14));
}
}  // namespace

TEST_CASE("windows of torch.signal are symmetric unless told otherwise", "[ops]") {
  is_near(W::gaussian(4, {.std = 2, .dtype = kDouble}),
          {0.7548396019890073, 0.9692332344763441, 0.9692332344763441, 0.7548396019890073});
  is_near(W::exponential(4, {.tau = 2, .dtype = kDouble}),
          {0.4723665527410147, 0.7788007830714049, 0.7788007830714049, 0.4723665527410147});
  is_near(W::cosine(4, {.dtype = kDouble}),
          {0.3826834323650898, 0.9238795325112867, 0.9238795325112867, 0.3826834323650899});
  is_near(W::kaiser(4, {.dtype = kDouble}),
          {5.2773441320097665e-05, 0.5188447216723614, 0.5188447216723614, 5.2773441320097665e-05});
  is_near(W::general_cosine(4, {.a = {0.5, 0.3, 0.2}, .dtype = kDouble}), {0.4, 0.55, 0.55, 0.4});
  is_near(W::general_hamming(4, {.alpha = 0.6, .dtype = kDouble}), {0.2, 0.8, 0.8, 0.2});
  is_near(W::hamming(4, {.dtype = kDouble}), {0.08, 0.77, 0.77, 0.08});
  is_near(W::hann(4, {.dtype = kDouble}), {0, 0.75, 0.75, 0});
  is_near(W::blackman(4, {.dtype = kDouble}), {0, 0.63, 0.63, 0});
  is_near(W::nuttall(4, {.dtype = kDouble}), {0.0003628, 0.5292298, 0.5292298, 0.0003628});
  is_near(W::bartlett(4, {.dtype = kDouble}), {0, 2.0 / 3, 2.0 / 3, 0});
}

TEST_CASE("periodic windows lack the last point of the symmetric one of one more", "[ops]") {
  is_near(W::gaussian(5, {.std = 2, .sym = false, .dtype = kDouble}),
          {0.4578333617716143, 0.7548396019890073, 0.9692332344763441, 0.9692332344763441, 0.7548396019890073});
  is_near(W::exponential(5, {.tau = 2, .sym = false, .dtype = kDouble}),
          {0.2865047968601901, 0.4723665527410147, 0.7788007830714049, 0.7788007830714049, 0.4723665527410147});
  is_near(W::exponential(5, {.center = 1, .sym = false, .dtype = kDouble}),
          {0.36787944117144233, 1, 0.36787944117144233, 0.1353352832366127, 0.049787068367863944});
  is_near(W::cosine(5, {.sym = false, .dtype = kDouble}),
          {0.25881904510252074, 0.7071067811865475, 0.9659258262890683, 0.9659258262890683, 0.7071067811865476});
  is_near(W::kaiser(5, {.sym = false, .dtype = kDouble}),
          {5.2773441320097665e-05, 0.10171968770956304, 0.7929398341014605, 0.7929398341014605, 0.10171968770956323});
  is_near(W::nuttall(5, {.sym = false, .dtype = kDouble}),
          {0.0003628, 0.11051525304987178, 0.7982580969501282, 0.7982580969501283, 0.11051525304987185});
  is_near(W::bartlett(5, {.sym = false, .dtype = kDouble}), {0, 0.4, 0.8, 0.8, 0.4});
  // What the operators of older names make.
  for (bool sym : {true, false}) {
    CHECK(ops::allclose(W::hann(7, {.sym = sym}), ops::hann_window(7, !sym)));
    CHECK(ops::allclose(W::hamming(7, {.sym = sym}), ops::hamming_window(7, !sym)));
    CHECK(ops::allclose(W::blackman(7, {.sym = sym}), ops::blackman_window(7, !sym), 1e-5, 1e-7));
    CHECK(ops::allclose(W::bartlett(7, {.sym = sym}), ops::bartlett_window(7, !sym)));
    CHECK(ops::allclose(W::kaiser(7, {.beta = 5, .sym = sym}), ops::kaiser_window(7, !sym, 5.0)));
  }
}

TEST_CASE("windows of no point and of one have the dtype and gradient asked for", "[ops]") {
  CHECK(W::gaussian(0).numel() == 0);
  CHECK(W::hann(0, {.dtype = kDouble}).dtype() == kDouble);
  for (const Tensor& w : {W::gaussian(1), W::exponential(1), W::cosine(1), W::kaiser(1), W::hann(1),
                          W::nuttall(1, {.sym = false}), W::bartlett(1), W::cosine(1, {.sym = false})})
    CHECK((w.dtype() == kFloat && values(w) == Numbers{1}));
  CHECK(W::nuttall(3, {.device = Device(kCPU), .requires_grad = true}).requires_grad());
  CHECK(values(W::kaiser(3, {.beta = 0})) == Numbers{1, 1, 1});
}

TEST_CASE("windows refuse options that make none", "[ops]") {
  CHECK_ERROR(W::hann(-1), ValueError, "hann requires non-negative window length, got M=-1");
  CHECK_ERROR(W::cosine(3, {.dtype = kHalf}), ValueError, "cosine expects float32 or float64 dtypes, got: float16");
  CHECK_ERROR(W::gaussian(3, {.std = 0}), ValueError, "Standard deviation must be positive, got: 0 instead.");
  CHECK_ERROR(W::exponential(3, {.tau = -1}), ValueError, "Tau must be positive, got: -1 instead.");
  CHECK_ERROR(W::exponential(3, {.center = 1}), ValueError, "Center must be None for symmetric windows");
  CHECK_ERROR(W::kaiser(3, {.beta = -1}), ValueError, "beta must be non-negative, got: -1 instead.");
  CHECK_ERROR(W::general_cosine(3, {.a = {}}), ValueError, "Coefficients cannot be empty");
}
