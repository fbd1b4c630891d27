// torch.fft: values by definition for lengths of every kind, layouts, errors, gradients, any number of threads.
#include <cmath>
#include <cstring>

#include <tenon/autograd/gradcheck.hpp>
#include <tenon/cpu/parallel.hpp>

#include "every.hpp"

using namespace test;

namespace {

/// Complex numbers without a pattern.
Tensor complex_numbers(const DimVector& sizes, ScalarType dtype, std::int64_t seed = 0) {
  ScalarType real = to_real_type(dtype);
  return every::scattered(sizes, real, -1, 1, seed).to(dtype) +
         every::scattered(sizes, real, -1, 1, seed + 1).to(dtype) * Scalar(Complex<double>(0, 1));
}
std::vector<Complex<double>> elements(const Tensor& t) {
  Tensor c = t.to(kComplexDouble).contiguous();
  const auto* p = c.data_ptr<Complex<double>>();
  return {p, p + c.numel()};
}
/// The distance to the sum that defines the transform, by the largest output, of every
/// `sampled`-th one.
double error_by_definition(const Tensor& x, const Tensor& y, bool forward, std::size_t sampled) {
  auto a = elements(x), b = elements(y);
  const auto n = a.size();
  double worst = 0, most = 0;
  for (const auto& v : b) most = std::max(most, std::hypot(v.re, v.im));
  for (std::size_t k = 0; k < b.size(); k += sampled) {
    long double re = 0, im = 0;
    for (std::size_t j = 0; j < n; ++j) {
      long double angle = 2 * 3.14159265358979323846264338327950288L * static_cast<long double>(j * k % n) /
                          static_cast<long double>(n);
      long double c = std::cos(angle), s = forward ? -std::sin(angle) : std::sin(angle);
      re += a[j].re * c - a[j].im * s;
      im += a[j].re * s + a[j].im * c;
    }
    worst = std::max(worst, static_cast<double>(std::hypot(b[k].re - re, b[k].im - im)));
  }
  return worst / most;
}
double largest_difference(const Tensor& a, const Tensor& b) { return ops::abs(a - b).max().item().to_double(); }

}  // namespace

TEST_CASE("transforms of every kind of length are what the definition says", "[ops][fft]") {
  for (std::int64_t n : {1,  2,  3,  4,   5,   6,   7,   8,   9,   11,  12,  13,  16,   30,   31,   49,
                         64, 77, 97, 101, 127, 128, 130, 131, 210, 251, 256, 262, 1000, 1021, 1024, 2042}) {
    INFO(n);
    const std::size_t sampled = n > 300 ? 37 : 1;
    for (ScalarType dtype : {kComplexFloat, kComplexDouble}) {
      const double allowed = dtype == kComplexFloat ? 1e-6 : 3e-15;
      Tensor x = complex_numbers({n}, dtype), r = every::scattered({n}, to_real_type(dtype), -1, 1, 5);
      CHECK(error_by_definition(x, ops::fft_fft(x), true, sampled) < allowed);
      CHECK(error_by_definition(x, ops::fft_ifft(x, "norm"_a = "forward"), false, sampled) < allowed);
      CHECK(error_by_definition(r, ops::fft_rfft(r), true, sampled) < allowed);
      CHECK(error_by_definition(r, ops::fft_fft(r), true, sampled) < allowed);
      CHECK(largest_difference(ops::fft_irfft(ops::fft_rfft(r), n), r) < 10 * allowed);
      // Beside others, a line per lane of vectors.
      Tensor many = complex_numbers({37, n}, dtype), all = ops::fft_fft(many),
             turned = ops::fft_fft(many.t(), "dim"_a = 0);
      CHECK(error_by_definition(many[36], all[36], true, sampled) < allowed);
      CHECK(largest_difference(all, turned.t()) < 10 * allowed * std::sqrt(static_cast<double>(n)));
      CHECK(largest_difference(ops::fft_ifft(all), many) < 10 * allowed);
      Tensor reals = every::scattered({37, n}, to_real_type(dtype), -1, 1, 5), halves = ops::fft_rfft(reals);
      CHECK(error_by_definition(reals[36], halves[36], true, sampled) < allowed);
      CHECK(largest_difference(ops::fft_irfft(halves, n), reals) < 10 * allowed);
      Tensor columns = reals.t().contiguous().t();
      CHECK(largest_difference(ops::fft_irfft(ops::fft_rfft(columns), n), reals) < 10 * allowed);
    }
  }
}

TEST_CASE("long transforms are exact to rounding, also of prime length", "[ops][fft]") {
  for (std::int64_t n : {16384, 100000, 65537}) {
    INFO(n);
    Tensor x = complex_numbers({n}, kComplexFloat), y = ops::fft_fft(x);
    CHECK(error_by_definition(x, y, true, 9973) < 2e-6);
    CHECK(largest_difference(ops::fft_ifft(y), x) < 2e-6);
    Tensor r = every::scattered({2, n, 2}, kFloat, -1, 1, 1).transpose(0, 2);
    CHECK(largest_difference(ops::fft_irfft(ops::fft_rfft(r, "dim"_a = 1), n, 1), r) < 2e-6);
  }
}

TEST_CASE("transforms of several dimensions are those of one after the other", "[ops][fft]") {
  Tensor x = complex_numbers({3, 4, 5}, kComplexDouble), r = every::scattered({3, 4, 6}, kDouble, -1, 1, 2);
  CHECK(largest_difference(ops::fft_fftn(x), ops::fft_fft(ops::fft_fft(ops::fft_fft(x), "dim"_a = 1), "dim"_a = 0)) <
        1e-13);
  CHECK(largest_difference(ops::fft_rfft2(r), ops::fft_fft(ops::fft_rfft(r), "dim"_a = 1)) < 1e-13);
  CHECK(largest_difference(ops::fft_irfft2(ops::fft_rfft2(r)), r) < 1e-13);
  CHECK(largest_difference(ops::fft_hfftn(ops::fft_ihfftn(r)), r) < 1e-13);
  CHECK(largest_difference(ops::fft_fft2(r, "norm"_a = "ortho") * std::sqrt(24.0), ops::fft_fft2(r)) < 1e-13);
  CHECK(list(ops::fft_irfftn(x, IntArrayRef{2, 7}).sizes()) == Ints{3, 2, 7});
  CHECK(list(ops::fft_rfftn(r, std::nullopt, IntArrayRef{2, 0}).sizes()) == Ints{2, 4, 6});
  CHECK(values(ops::fft_fftshift(ops::fft_fftfreq(5))) == values(tensor({-0.4f, -0.2f, 0.f, 0.2f, 0.4f})));
  CHECK(values(ops::fft_ifftshift(ops::fft_fftshift(counted({3, 4})))) == values(counted({3, 4})));
  CHECK(values(ops::fft_rfftfreq(4, 0.5)) == Numbers{0, 0.5, 1});
}

TEST_CASE("what is transformed lies innermost, as strides of PyTorch 2.15 say", "[ops][fft]") {
  Tensor x = complex_numbers({2, 3, 4}, kComplexFloat), r = counted({2, 3, 4}), turned = x.permute({2, 0, 1});
  auto lies = [](const Tensor& t) { return list(t.strides()); };
  const std::nullopt_t all = std::nullopt;
  CHECK(lies(ops::fft_fft(x, "dim"_a = 0)) == Ints{1, 8, 2});
  CHECK(lies(ops::fft_fft(r, "dim"_a = 0)) == Ints{1, 8, 2});
  CHECK(lies(ops::fft_rfft(r, "dim"_a = 1)) == Ints{8, 1, 2});
  CHECK(lies(ops::fft_irfft(x, "dim"_a = 0)) == Ints{1, 8, 2});
  CHECK(lies(ops::fft_fft(turned, "dim"_a = 1)) == Ints{2, 1, 8});
  CHECK(lies(ops::fft_fft(turned, 5, 1)) == Ints{15, 1, 5});
  CHECK(lies(ops::fft_fft(x.as_strided({1, 1, 4, 2}, {8, 8, 2, 1}), "dim"_a = 0)) == Ints{1, 8, 2, 1});
  CHECK(lies(ops::fft_fft2(turned)) == Ints{6, 3, 1});
  CHECK(lies(ops::fft_fftn(x, all, IntArrayRef{2, 0})) == Ints{4, 8, 1});
  CHECK(lies(ops::fft_rfftn(r, all, IntArrayRef{2, 0, 1})) == Ints{8, 1, 2});
  CHECK(lies(ops::fft_irfftn(x, all, IntArrayRef{1, 0})) == Ints{1, 2, 6});
  CHECK(lies(ops::fft_hfftn(x, all, IntArrayRef{2, 0})) == Ints{1, 8, 2});
  CHECK(lies(ops::fft_ihfftn(r, all, IntArrayRef{2, 0})) == Ints{4, 8, 1});
  CHECK(lies(ops::fft_fftn(turned, all, IntArrayRef())) == Ints{1, 12, 4});
  CHECK(lies(ops::fft_fft(x.narrow(1, 0, 0), "dim"_a = 0)) == Ints{4, 4, 1});
  // An out form has its own strides; where a conjugate is written into it, an empty one gets those of the transform.
  Tensor a = ops::empty({0}, "dtype"_a = kComplexFloat), b = ops::empty({0}, "dtype"_a = kComplexFloat);
  CHECK(lies(ops::fft_fft(x, "dim"_a = 0, "out"_a = a)) == Ints{12, 4, 1});
  CHECK(lies(ops::fft_ihfft(r, "dim"_a = 0, "out"_a = b)) == Ints{1, 8, 2});
  CHECK(lies(ops::fft_fft(x.to(kMeta), "dim"_a = 0)) == Ints{1, 8, 2});
  CHECK(lies(ops::fft_irfftn(x.to(kMeta), all, IntArrayRef{1, 0})) == Ints{1, 2, 6});
}

TEST_CASE("mistakes in transforms are told in PyTorch's words", "[ops][fft]") {
  Tensor r = counted({4, 6}), c = complex_numbers({4, 6}, kComplexFloat), out = ops::empty({0});
  CHECK_ERROR(ops::fft_rfft(c), TypeError, "rfft expects a real input tensor, but got ComplexFloat");
  CHECK_ERROR(ops::fft_fft(r, 0), ValueError, "Invalid number of data points (0) specified");
  CHECK_ERROR(ops::fft_fft(r, "norm"_a = "foo"), ValueError, "Invalid normalization mode: \"foo\"");
  CHECK_ERROR(ops::fft_fftn(r, std::nullopt, IntArrayRef{0, -2}), ValueError, "FFT dims must be unique");
  CHECK_ERROR(ops::fft_fftn(r, IntArrayRef{1, 2, 3}), ValueError,
              "Got shape with 3 values but input tensor only has 2 dimensions.");
  CHECK_ERROR(ops::fft_fft(r, "out"_a = out), TypeError, "fft expects a complex output tensor, but got Float");
  CHECK_ERROR(ops::fft_fft(r.to(kHalf)), NotImplementedError, "Unsupported dtype Half");
}

TEST_CASE("gradients of transforms, first and second, agree with finite differences", "[ops][fft][autograd]") {
  using List = std::vector<Tensor>;
  // Every result is made real by transforms, so that differences of real numbers see each of the three kernels.
  auto both = [](auto f, const Tensor& x) {
    Tensor leaf = x.detach().clone().requires_grad_();
    autograd::gradcheck([&](const List& a) { return f(a[0]); }, {leaf});
    autograd::gradcheck(
        [&](const List& a) {
          EnableGradGuard grad;
          Tensor y = f(a[0] * a[0]);
          return autograd::grad(TensorList(y), TensorList(a[0]), TensorList(y.cos()), true, true)[0];
        },
        {leaf});
  };
  Tensor x = every::scattered({2, 5}, kDouble, -1, 1, 3), even = every::scattered({6, 2}, kDouble, -1, 1, 4);
  both([](const Tensor& t) { return ops::fft_irfft(ops::fft_rfft(t, 6, -1, "ortho") * Scalar(Complex<double>(1, 2))); },
       x);
  both([](const Tensor& t) { return ops::fft_irfft(ops::fft_rfft(t, "dim"_a = 0), 5, 0); }, even);
  both([](const Tensor& t) { return ops::fft_hfft(ops::fft_fft(t) * Scalar(Complex<double>(1, 2)), 7); }, x);
  both([](const Tensor& t) { return ops::fft_irfft2(ops::fft_fft2(t, "norm"_a = "forward")); }, even);
  both([](const Tensor& t) { return ops::fft_hfftn(ops::fft_ihfftn(t) * Scalar(Complex<double>(0, 1))); }, x);
}

TEST_CASE("transforms have the same bits for any number of threads", "[ops][fft]") {
  const int before = get_num_threads();
  for (DimVector sizes : {DimVector{100000}, {3, 20011}, {300, 100}, {40, 30, 64}}) {
    Tensor x = complex_numbers(sizes, kComplexFloat), r = every::scattered(sizes, kFloat, -1, 1, 1);
    auto bytes = [&](int threads) {
      set_num_threads(threads);
      std::string out;
      for (const Tensor& t : {Tensor(ops::fft_fftn(x)), Tensor(ops::fft_rfftn(r)), Tensor(ops::fft_irfft(x))})
        out.append(static_cast<const char*>(t.data_ptr()), t.nbytes());
      return out;
    };
    std::string one = bytes(1);
    CHECK(bytes(2) == one);
    CHECK(bytes(5) == one);
  }
  set_num_threads(before);
}

TEST_CASE("imaginary parts of numbers that are real are not looked at", "[ops][fft]") {
  Tensor re = tensor({1.0, 2.0, 3.0}).to(kDouble), im = tensor({0.0, 1.0, 0.0}).to(kDouble);
  for (double off : {HUGE_VAL, std::nan("")}) {
    Tensor first = im.clone(), both = im.clone();
    first[0].fill_(off);
    both[0].fill_(off);
    both[2].fill_(off);
    for (int n : {1, 2, 3, 4, 5, 6, 7, 600, 601})
      CHECK(ops::equal(ops::fft_irfft(ops::complex(re, first), n), ops::fft_irfft(ops::complex(re, im), n)));
    CHECK(values(ops::fft_irfft(ops::complex(re, both), 4)) == Numbers{2, -1, 0, 0});
    Tensor lines = ops::complex(re, first).to(kComplexFloat).expand({9, 3});
    CHECK(values(ops::fft_irfft(lines, 4).sum(0)) == Numbers{18, -9, 0, 0});
  }
}
