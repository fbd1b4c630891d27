// Windows of signals, spectra over time, windows of images as columns. Values of PyTorch 2.15.
#include "support.hpp"

#include <tenon/autograd/gradcheck.hpp>

using namespace test;

namespace {
using L = std::vector<std::int64_t>;
void near(const Tensor& t, const Numbers& expected) {
  Numbers got = values(t.to(kDouble));
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i]).margin(1e-12));
}
}  // namespace

TEST_CASE("windows are periodic unless they are asked to be symmetric", "[ops][signal]") {
  near(ops::hann_window(5, "dtype"_a = kDouble),
       {0, 0.3454915028125263, 0.9045084971874737, 0.9045084971874737, 0.3454915028125264});
  near(ops::hann_window(3, false), {0, 1, 0});
  near(ops::hamming_window(5, "dtype"_a = kDouble),
       {0.08, 0.3978521825875242, 0.9121478174124757, 0.9121478174124757, 0.3978521825875243});
  near(ops::hamming_window(3, false, 0.7), {0.24, 1.16, 0.24});
  near(ops::hamming_window(3, false, 0.7, 0.2, "dtype"_a = kDouble), {0.5, 0.9, 0.5});
  near(ops::blackman_window(5, "dtype"_a = kDouble),
       {0, 0.20077014326253045, 0.8492298567374694, 0.8492298567374696, 0.20077014326253056});
  near(ops::bartlett_window(5, "dtype"_a = kDouble), {0, 0.4, 0.8, 0.8, 0.4});
  Tensor kaiser = ops::kaiser_window(5, false, 3.0, "dtype"_a = kDouble);
  CHECK(values(kaiser)[0] == Approx(0.20490).epsilon(1e-4));
  CHECK(values(kaiser)[2] == 1);
  CHECK(values(ops::kaiser_window(1)) == Numbers{1});
  CHECK(ops::blackman_window(0).numel() == 0);
  CHECK(ops::hann_window(4).dtype() == get_default_dtype());
  Tensor out = ops::empty({0}, "dtype"_a = kDouble);
  near(ops::bartlett_window(3, false, "out"_a = out), {0, 1, 0});
  CHECK_ERROR(ops::hann_window(-1), ValueError,
              "hann_window requires non-negative window_length, got window_length=-1");
  CHECK_ERROR(ops::hann_window(3, "dtype"_a = kLong), TypeError,
              "hann_window expects floating point dtypes, got: int64");
}

TEST_CASE("columns hold the windows of an image, and their sum is the gradient", "[ops][columns]") {
  Tensor x = ops::arange(12, "dtype"_a = kDouble).view({1, 3, 4});
  Tensor c = ops::im2col(x, L{2, 2}, L{1, 1}, L{0, 1}, L{1, 2});
  CHECK(list(c.sizes()) == Ints{4, 6});
  CHECK(values(c[0]) == Numbers{0, 1, 3, 0, 5, 7});
  CHECK(values(c[3]) == Numbers{4, 6, 0, 8, 10, 0});
  Tensor counts = ops::col2im(ops::ones_like(c), L{3, 4}, L{2, 2}, L{1, 1}, L{0, 1}, L{1, 2});
  CHECK(values(counts) == Numbers{1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1});
  Tensor batch = counted({2, 3, 5, 4}, kDouble).transpose(2, 3).detach().requires_grad_();
  autograd::gradcheck(
      [](const std::vector<Tensor>& a) {
        return ops::im2col(a[0], L{2, 3}, L{2, 1}, L{1, 1}, L{1, 2});
      },
      {batch});
  CHECK_ERROR(
      ops::im2col(x, L{6, 2}, L{1, 1}, L{0, 0}, L{1, 1}), ValueError,
      "Given input with spatial size (3, 4), kernel_size=(6, 2), dilation=(1, 1), padding=(0, 0), calculated shape of the array of sliding blocks as (-2, 3), but its components must be at least one.");
  CHECK_ERROR(
      ops::col2im(ops::zeros({12, 11}), L{4, 5}, L{2, 2}, L{1, 1}, L{0, 0}, L{1, 1}), ValueError,
      "Given output_size=(4, 5), kernel_size=(2, 2), dilation=(1, 1), padding=(0, 0), stride=(1, 1), expected size of input's dimension 2 to match the calculated number of sliding blocks 3 * 4 = 12, but got input.size(2)=11.");
  CHECK_ERROR(ops::im2col(x.to(kInt), L{2, 2}, L{1, 1}, L{0, 0}, L{1, 1}), NotImplementedError,
              "\"im2col_out_cpu\" not implemented for 'Int'");
}

TEST_CASE("a spectrum over time gives the signal back", "[ops][signal]") {
  Tensor x = counted({2, 23}, kDouble).sin().contiguous();
  for (std::int64_t n : {8, 7})
    for (std::int64_t window : {n, n - 2})
      for (bool normalized : {false, true}) {
        Tensor w = ops::hann_window(window, false, "dtype"_a = kDouble) + 0.1;
        Tensor s = ops::stft(x, n, 2, window, w, true, "reflect", normalized, std::nullopt, true);
        CHECK(list(s.sizes()) == Ints{2, n / 2 + 1, 12});
        Tensor back = ops::istft(s, n, 2, window, w, true, normalized, std::nullopt, 22);
        CHECK(ops::amax(ops::abs(back - x.narrow(1, 0, 22))).item<double>() < 1e-12);
      }
  Tensor line = ops::arange(10, "dtype"_a = kDouble), w = tensor({1.0, 2.0, 3.0, 4.0}).to(kDouble);
  // Without padding the first piece begins at the points in front of the window, or with the window itself.
  Tensor inside = ops::stft(line, 8, 2, 4, w, false, true, true),
         aligned = ops::stft(line, 8, 2, 4, w, false, true, true, true);
  near(ops::real(inside[0]), {40, 60});
  near(ops::real(aligned[0]), {20, 40, 60, 80});
  autograd::gradcheck(
      [&](const std::vector<Tensor>& a) {
        return ops::stft(a[0], 8, 3, 4, w, true, "reflect", false, std::nullopt, false);
      },
      {line.clone().requires_grad_()});
  CHECK_ERROR(
      ops::stft(line, 4), ValueError,
      "stft requires the return_complex parameter be given for real inputs, and will further require that return_complex=True in a future PyTorch release.");
  CHECK_ERROR(ops::istft(line, 4), TypeError,
              "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.");
  CHECK_ERROR(
      ops::istft(ops::stft(line, 4, "return_complex"_a = true), 8), ValueError,
      "istft: expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 when onesided=True, but got 3");
}
