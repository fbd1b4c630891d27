// What the vendor's libraries of sorting and convolutions are asked for, by stand-ins that do what those are documented
// to do.
#include <tenon/cuda/libraries.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <tenon/cuda/launch.hpp>
#include <tenon/tenon.hpp>

#include "device.hpp"
#include "support.hpp"

using namespace tenon;
using namespace tenon::test;
using cuda::Convolution;
using cuda::LibraryConvolution;
using cuda::LibrarySort;
using cuda::LibraryTransform;

namespace {

int asked = 0;

struct convolve_plainly {
  template <class L>
  void operator()(L&, const LibraryConvolution& c) const {
    auto* x = static_cast<float*>(c.x_data);
    auto* w = static_cast<float*>(c.weight_data);
    auto* y = static_cast<float*>(c.y_data);
    auto size = [&](const int* s) {
      int n = 1;
      for (int d = 0; d < c.spatial + 2; ++d) n *= s[d];
      return n;
    };
    bool forward = c.what == Convolution::Forward, back = c.what == Convolution::Back;
    float* out = forward ? y : back ? x : w;
    const int* out_sizes = forward ? c.y : back ? c.x : c.weight;
    std::fill_n(out, size(out_sizes), 0.0f);
    int kernel = size(c.weight) / c.weight[0] / c.weight[1], per_group = c.y[1] / c.groups;
    for (int i = 0; i < size(c.y); ++i) {
      int place[3], rest = i;
      for (int d = c.spatial; d-- > 0;) place[d] = rest % c.y[2 + d], rest /= c.y[2 + d];
      int channel = rest % c.y[1], image = rest / c.y[1];
      for (int from = 0; from < c.weight[1]; ++from)
        for (int k = 0; k < kernel; ++k) {
          int tap[3], at = 0, left = k;
          for (int d = c.spatial; d-- > 0;) tap[d] = left % c.weight[2 + d], left /= c.weight[2 + d];
          bool inside = true;
          for (int d = 0; d < c.spatial; ++d) {
            int p = place[d] * c.stride[d] - c.padding[d] + tap[d] * c.dilation[d];
            inside = inside && p >= 0 && p < c.x[2 + d];
            at = at * c.x[2 + d] + p;
          }
          if (!inside) continue;
          int plane = image * c.x[1] + channel / per_group * c.weight[1] + from;
          float& a = x[plane * (size(c.x) / c.x[0] / c.x[1]) + at];
          float& b = w[(channel * c.weight[1] + from) * kernel + k];
          forward ? y[i] += a* b : back ? a += y[i]* b : b += a * y[i];
        }
    }
    int channels = out_sizes[1], plane = size(out_sizes) / out_sizes[0] / channels;
    if (c.bias)
      for (int i = 0; i < size(out_sizes); ++i) out[i] += static_cast<const float*>(c.bias)[i / plane % channels];
  }
};
bool convolution_by_stand_in(const LibraryConvolution& c, void* stream) {
  ++asked;
  if (c.dtype != kFloat) return false;
  cuda::launch<convolve_plainly>({1, 1}, stream, c);
  return true;
}
struct sort_plainly {
  template <class L>
  void operator()(L&, const LibrarySort& c) const {
    for (std::int64_t line = 0; line < c.lines; ++line) {
      cuda::SortItem* to = c.sorted + line * c.size;
      std::copy_n(c.items + line * c.size, c.size, to);
      std::stable_sort(to, to + c.size, [&](const cuda::SortItem& a, const cuda::SortItem& b) {
        return a.key >> c.first_bit < b.key >> c.first_bit;
      });
    }
  }
};
bool sort_by_stand_in(const LibrarySort& c, void* stream) {
  ++asked;
  cuda::launch<sort_plainly>({1, 1}, stream, c);
  return true;
}
template <class T>
struct transform_plainly {
  template <class L>
  void operator()(L&, const LibraryTransform& c) const {
    auto* in = static_cast<const Complex<T>*>(c.in);
    auto* out = static_cast<Complex<T>*>(c.out);
    for (std::int64_t i = 0; i < c.lines * c.n; ++i) {
      double re = 0, im = 0;
      for (std::int64_t k = 0; k < c.n; ++k) {
        double angle = (c.backward ? 2 : -2) * 3.14159265358979323846 * static_cast<double>(i % c.n * k) /
                       static_cast<double>(c.n);
        Complex<T> x = in[i / c.n * c.n + k];
        re += static_cast<double>(x.re) * std::cos(angle) - static_cast<double>(x.im) * std::sin(angle);
        im += static_cast<double>(x.re) * std::sin(angle) + static_cast<double>(x.im) * std::cos(angle);
      }
      out[i] = Complex<T>(static_cast<T>(re), static_cast<T>(im));
    }
  }
};
bool transform_by_stand_in(const LibraryTransform& c, void* stream) {
  ++asked;
  if (c.n == 7) return false;
  if (c.dtype == kComplexFloat)
    cuda::launch<transform_plainly<float>>({1, 1}, stream, c);
  else
    cuda::launch<transform_plainly<double>>({1, 1}, stream, c);
  return true;
}
/// The stand-ins for the time of a test.
struct StandIns {
  StandIns() {
    asked = 0;
    cuda::libraries().convolution = &convolution_by_stand_in;
    cuda::libraries().sort = &sort_by_stand_in;
    cuda::libraries().transform = &transform_by_stand_in;
  }
  ~StandIns() {
    cuda::libraries().convolution = nullptr;
    cuda::libraries().sort = nullptr;
    cuda::libraries().transform = nullptr;
  }
};

}  // namespace

TEST_CASE("a library is asked for the convolution and its gradients", "[cuda_sim]") {
  StandIns stand_ins;
  int times = 0;
  auto check = [&](const Tensor& x, const Tensor& w, const Tensor& b, IntArrayRef stride, IntArrayRef padding,
                   IntArrayRef dilation, bool transposed, std::int64_t groups) {
    INFO(x.dim() << " dimensions, transposed " << transposed);
    DimVector none(stride.size(), 0);
    std::vector<Tensor> here, far;
    for (const Tensor& t : {x, w, b}) {
      here.push_back(t.clone().requires_grad_());
      far.push_back(there(t).requires_grad_());
    }
    auto run = [&](const std::vector<Tensor>& t) {
      return ops::convolution(t[0], t[1], t[2], stride, padding, dilation, transposed, none, groups);
    };
    Tensor a = run(here), c = run(far);
    CHECK(asked == ++times);
    CHECK(ops::allclose(on_cpu(c.detach()), a.detach(), 1e-4, 1e-5));
    Tensor weight = waves(a.sizes(), 0.9);
    ops::sum(a * weight).backward();
    ops::sum(c * there(weight)).backward();
    CHECK(asked == (times += 2));
    for (std::size_t i = 0; i < 3; ++i) CHECK(ops::allclose(on_cpu(far[i].grad()), here[i].grad(), 1e-3, 1e-4));
  };
  check(waves({2, 4, 9, 7}, 0.37), waves({6, 2, 3, 2}, 0.71), waves({6}, 1.3), {2, 1}, {1, 0}, {1, 2}, false, 2);
  check(waves({2, 4, 5, 6}, 0.37), waves({4, 3, 3, 2}, 0.53), waves({6}, 1.3), {2, 1}, {1, 0}, {1, 2}, true, 2);
  check(waves({2, 3, 12}, 0.37), waves({5, 3, 4}, 0.71), waves({5}, 1.3), {2}, {3}, {1}, false, 1);
  check(waves({2, 2, 4, 5, 3}, 0.37), waves({3, 2, 2, 3, 1}, 0.71), waves({3}, 1.3), {1, 2, 1}, {1, 0, 1}, {2, 1, 1},
        false, 1);
  // What it does not take is left to kernels.
  Tensor x = waves({1, 2, 4, 4}, 0.3).to(kDouble), w = waves({2, 2, 3, 3}, 0.3).to(kDouble);
  CHECK(ops::allclose(on_cpu(ops::conv2d(there(x), there(w))), ops::conv2d(x, w)));
  CHECK(asked == ++times);
  auto complex = [](const Tensor& t) { return ops::complex(t, t * 2); };
  CHECK(ops::allclose(on_cpu(ops::conv2d(there(complex(x)), there(complex(w)))), ops::conv2d(complex(x), complex(w))));
  CHECK(asked == times);
  cuda::ConvolutionCall large{};
  large.dtype = kFloat, large.batch = std::int64_t{1} << 31, large.groups = large.in_channels = large.out_channels = 1;
  CHECK_FALSE(cuda::library_convolution(large, Convolution::Forward));
  large.batch = std::int64_t{1} << 20, large.in_channels = 1 << 12;  // each an int, their product none
  CHECK_FALSE(cuda::library_convolution(large, Convolution::Forward));
  large.batch = large.in_channels = 1;
  CHECK(cuda::library_convolution(large, Convolution::Forward));
}

TEST_CASE("a library is asked to sort few and long lines", "[cuda_sim]") {
  StandIns stand_ins;
  Tensor few = ops::remainder(ops::arange(2 * 17000) * 7919, 1013).reshape({2, 17000});
  for (bool descending : {false, true}) {
    auto [values, places] = ops::sort(few, std::optional<bool>(true), 1, descending);
    auto [v, p] = ops::sort(there(few), std::optional<bool>(true), 1, descending);
    CHECK(ops::equal(on_cpu(v), values));
    CHECK(ops::equal(on_cpu(p), places));
  }
  CHECK(asked == 2);
  CHECK(ops::equal(on_cpu(std::get<0>(ops::topk(there(few), 9, 1))), std::get<0>(ops::topk(few, 9, 1))));
  CHECK(asked == 3);
  Tensor lines = few.slice(1, 0, 1000), many = few.slice(1, 0, 16400).expand({9, 2, 16400}).select(1, 0);
  CHECK(ops::equal(on_cpu(std::get<0>(ops::sort(there(lines), 1))), std::get<0>(ops::sort(lines, 1))));
  CHECK(ops::equal(on_cpu(std::get<0>(ops::sort(there(many), 1))), std::get<0>(ops::sort(many, 1))));
  CHECK(asked == 3);
}

namespace {
/// Transforms of x, and the gradient of a sum of them, here and on the device.
void check_transforms(const Tensor& x) {
  INFO("shape " << x.sizes()[0] << ", " << x.sizes()[1] << ", " << x.sizes()[2]);
  auto same = [](const Tensor& far, const Tensor& here) {
    Tensor f = on_cpu(far.detach()), h = here.detach();
    double size =
        ops::view_as_real(h.is_complex() ? h : ops::complex(h, ops::zeros_like(h))).abs().max().item<double>();
    CHECK(ops::allclose(f, h, 1e-4, 1e-6 * (1 + size)));
  };
  Tensor y = there(x), c = ops::complex(x, x * 2), d = there(c);
  std::int64_t last = x.size(2);
  for (const char* norm : {"backward", "ortho", "forward"}) {
    same(ops::fft_fft(d, "norm"_a = norm), ops::fft_fft(c, "norm"_a = norm));
    same(ops::fft_ifftn(d, "norm"_a = norm), ops::fft_ifftn(c, "norm"_a = norm));
    same(ops::fft_rfft2(y, "norm"_a = norm), ops::fft_rfft2(x, "norm"_a = norm));
  }
  same(ops::fft_fft(d, "dim"_a = 0), ops::fft_fft(c, "dim"_a = 0));
  same(ops::fft_fft(y, "dim"_a = 1), ops::fft_fft(x, "dim"_a = 1));
  same(ops::fft_fft(d.transpose(0, 2).slice(1, 1)), ops::fft_fft(c.transpose(0, 2).slice(1, 1)));
  Tensor half = ops::fft_rfftn(x), far = there(half);
  same(ops::fft_irfftn(far, IntArrayRef(x.sizes())), x);
  if (last > 1) same(ops::fft_irfft(far, last), ops::fft_irfft(half, last));
  Tensor a = x.clone().requires_grad_(), b = there(x).requires_grad_();
  ops::sum(ops::abs(ops::fft_rfft(a))).backward();
  ops::sum(ops::abs(ops::fft_rfft(b))).backward();
  same(b.grad(), a.grad());
}
}  // namespace

TEST_CASE("Fourier transforms of any number of points are those of the host", "[cuda_sim]") {
  for (std::int64_t n : {1, 2, 3, 4, 7, 8, 12, 13, 30, 64}) check_transforms(waves({2, 3, n}, 0.37));
  check_transforms(waves({5, 4, 6}, 0.37).to(kDouble));
  Tensor none = ops::zeros({0, 4}, "dtype"_a = kComplexFloat, "device"_a = kCuda);
  CHECK(ops::fft_fft(none).numel() == 0);
  CHECK_ERROR_CONTAINS(ops::_fft_c2c(there(waves({4}, 1.0)), {0}, 0, true), TypeError, "Only supports complex dtypes");
}

TEST_CASE("a library is asked for Fourier transforms", "[cuda_sim]") {
  StandIns stand_ins;
  check_transforms(waves({2, 3, 8}, 0.37));
  CHECK(asked > 0);
  check_transforms(waves({2, 3, 7}, 0.37));  // of 7 points it takes none
}
