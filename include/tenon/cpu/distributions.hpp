// Distributions on the CPU, an element after the other in the order of memory: PyTorch's numbers for the same seed.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <tenon/composite/distributions.hpp>
#include <tenon/composite/dropout.hpp>
#include <tenon/cpu/detail/samplers.hpp>
#include <tenon/cpu/random.hpp>
#include <tenon/math/beta_slope.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/sort.hpp>

namespace tenon::cpu::detail {

/// Stores `make(uniform number in double)` in every element, with the locked generator.
template <class T, class F>
void generate_double(const Tensor& self, const std::optional<Generator>& generator, F make) {
  check_no_internal_overlap(self);
  LockedGenerator g(generator);
  generate<T>(self, *g, 2, [&](const std::uint32_t* w, std::int64_t) {
    return cast_element<T>(make(GeneratorImpl::uniform(joined(w))));
  });
}
/// The same for the floating dtypes that distributions of real numbers have.
template <class F>
Tensor& fill_real(const char* op, Tensor& self, const std::optional<Generator>& generator, F make) {
  visit_floating(op, self.dtype(), [&]<class T>(type_tag<T>) { generate_double<T>(self, generator, make); });
  return self;
}

inline Tensor& exponential_(Tensor& self, double rate, const std::optional<Generator>& generator) {
  composite::check_exponential(rate);
  return fill_real("exponential_()", self, generator, [=](double u) { return -1 / rate * std::log1p(-u); });
}
inline Tensor& cauchy_(Tensor& self, double median, double sigma, const std::optional<Generator>& generator) {
  composite::check_cauchy(self, sigma);
  return fill_real("cauchy_()", self, generator,
                   [=](double u) { return median + sigma * std::tan(3.14159265358979323846 * (u - 0.5)); });
}
inline Tensor& log_normal_(Tensor& self, double mean, double std, const std::optional<Generator>& generator) {
  composite::check_log_normal(std);
  visit_floating("log_normal_()", self.dtype(), [&]<class T>(type_tag<T>) {
    check_no_internal_overlap(self);
    LockedGenerator g(generator);
    each_run<T>(self, [&](T* p, std::int64_t n, std::int64_t step) {
      for (std::int64_t i = 0; i < n; ++i) p[i * step] = cast_element<T>(std::exp(normal_draw(*g) * std + mean));
    });
  });
  return self;
}
inline Tensor& geometric_(Tensor& self, double p, const std::optional<Generator>& generator) {
  composite::check_geometric(p);
  TENON_CHECK(self.dtype() != kBool, NotImplementedError, "\"geometric_cpu\" not implemented for 'Bool'");
  visit_random(self.dtype(), [&]<class T>(type_tag<T>) {
    generate_double<T>(self, generator, [=](double u) { return std::ceil(std::log(u) / std::log1p(-p)); });
  });
  return self;
}

inline Tensor& bernoulli_(Tensor& self, double p, const std::optional<Generator>& generator) {
  composite::check_bernoulli(p);
  check_no_internal_overlap(self);
  // A uniform number in double, k / 2^53, is below p where k is below this: no conversion of each.
  const auto below = static_cast<std::uint64_t>(std::ceil(p * 0x1p53));
  visit_random(self.dtype(), [&]<class T>(type_tag<T>) {
    LockedGenerator g(generator);
    // Looked up: a branch would be guessed wrong as often as not.
    const std::array<T, 2> results{cast_element<T>(0), cast_element<T>(1)};
    generate<T>(self, *g, 2, [=](const std::uint32_t* w, std::int64_t) {
      return results[(joined(w) & ((std::uint64_t{1} << 53) - 1)) < below];
    });
  });
  return self;
}
/// Float probabilities are compared with 24 random bits each, double ones with 53.
inline Tensor& bernoulli_each_(Tensor& self, const Tensor& p, const std::optional<Generator>& generator) {
  composite::check_bernoulli_each(self, p);
  if (self.numel() == 0) return self;
  check_no_internal_overlap(self);
  check_no_overlap(self, p);
  const ScalarType type = p.dtype() == kDouble ? kDouble : kFloat;
  // In the order in which the elements of `self` lie in memory.
  Tensor each = make_tensor(self.sizes(), dense_strides_like(self.sizes(), self.strides()), type);
  copy_elements(each, p);
  auto fill = [&]<class T, class P>(type_tag<T>, type_tag<P>) {
    const P* from = static_cast<const P*>(each.data_ptr());
    TENON_CHECK(std::all_of(from, from + each.numel(), [](P given) { return given >= 0 && given <= 1; }), ValueError,
                "Expected p_in >= 0 && p_in <= 1 to be true, but got false.");
    LockedGenerator g(generator);
    generate<T>(self, *g, std::is_same_v<P, double> ? 2 : 1, [=](const std::uint32_t* w, std::int64_t i) {
      const double u = std::is_same_v<P, double> ? GeneratorImpl::uniform(joined(w)) : GeneratorImpl::uniform(*w);
      return cast_element<T>(u < static_cast<double>(from[i]) ? 1.0 : 0.0);
    });
  };
  visit_random(self.dtype(), [&]<class T>(type_tag<T> t) {
    type == kDouble ? fill(t, type_tag<double>{}) : fill(t, type_tag<float>{});
  });
  return self;
}

/// A row-major result whose elements are `draw(element of a, generator)`, in double.
template <class F>
Tensor draw_from(const char* op, const Tensor& a, const std::optional<Generator>& generator, F draw) {
  Tensor out = make_tensor(a.sizes(), {}, a.dtype()), from = row_major(a);
  visit_floating(op, a.dtype(), [&]<class T>(type_tag<T>) {
    const T* x = static_cast<const T*>(from.data_ptr());
    T* y = static_cast<T*>(out.data_ptr());
    LockedGenerator g(generator);
    for (std::int64_t i = 0; i < out.numel(); ++i) y[i] = cast_element<T>(draw(static_cast<double>(x[i]), *g));
  });
  return out;
}
inline Tensor poisson(const Tensor& self, const std::optional<Generator>& generator) {
  return draw_from("poisson()", self, generator, [](double rate, GeneratorImpl& g) { return poisson_draw(rate, g); });
}
inline Tensor binomial(const Tensor& count, const Tensor& prob, const std::optional<Generator>& generator) {
  composite::check_binomial(count, prob);
  DimVector sizes = broadcast_shapes(count.sizes(), prob.sizes());
  Tensor n = make_tensor(sizes, {}, count.dtype()), p = make_tensor(sizes, {}, prob.dtype());
  copy_elements(n, count);
  copy_elements(p, prob);
  Tensor out = n;
  visit_floating("binomial()", count.dtype(), [&]<class T>(type_tag<T>) {
    T* x = static_cast<T*>(n.data_ptr());
    const T* chance = static_cast<const T*>(p.data_ptr());
    LockedGenerator g(generator);
    GeneratorNumbers numbers{*g};
    for (std::int64_t i = 0; i < n.numel(); ++i)
      x[i] = cast_element<T>(math::binomial_draw(static_cast<double>(x[i]), static_cast<double>(chance[i]), numbers));
  });
  return out;
}
inline Tensor standard_gamma(const Tensor& self, const std::optional<Generator>& generator) {
  double least = 0;
  visit_floating("_standard_gamma()", self.dtype(), [&]<class T>(type_tag<T>) { least = math::least_positive<T>(); });
  return draw_from("_standard_gamma()", self, generator, [least](double alpha, GeneratorImpl& g) {
    GeneratorNumbers numbers{g};
    const double x = math::gamma_draw(alpha, numbers);
    return x < least ? least : x;
  });
}
inline Tensor standard_gamma_grad(const Tensor& self, const Tensor& output) {
  composite::check_standard_gamma_grad(self, output);
  Tensor out = make_tensor(self.sizes(), {}, self.dtype()), alpha = row_major(self), x = row_major(output);
  visit_floating("_standard_gamma_grad()", self.dtype(), [&]<class T>(type_tag<T>) {
    const T *a = static_cast<const T*>(alpha.data_ptr()), *b = static_cast<const T*>(x.data_ptr());
    T* y = static_cast<T*>(out.data_ptr());
    parallel_for(0, out.numel(), 512, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i)
        y[i] = cast_element<T>(math::gamma_slope(static_cast<double>(a[i]), static_cast<double>(b[i])));
    });
  });
  return out;
}
inline Tensor dirichlet_grad(const Tensor& x, const Tensor& alpha, const Tensor& total) {
  composite::check_dirichlet_grad(x, alpha, total);
  TENON_CHECK(x.dtype() == kDouble || x.dtype() == kFloat, NotImplementedError,
              "\"_dirichlet_grad\" not implemented for '", enumerator_name(x.dtype()), "'");
  DimVector sizes = broadcast_shapes(broadcast_shapes(x.sizes(), alpha.sizes()), total.sizes());
  Tensor out = make_tensor(sizes, {}, x.dtype()), shares = make_tensor(sizes, {}, kDouble),
         parameters = make_tensor(sizes, {}, kDouble), sums = make_tensor(sizes, {}, kDouble);
  copy_elements(shares, x);
  copy_elements(parameters, alpha);
  copy_elements(sums, total);
  auto *from = static_cast<double*>(shares.data_ptr()), *a = static_cast<double*>(parameters.data_ptr()),
       *sum = static_cast<double*>(sums.data_ptr());
  parallel_for(0, out.numel(), 512, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) from[i] = math::beta_slope(from[i], a[i], sum[i]);
  });
  copy_elements(out, shares);
  return out;
}
inline Tensor sample_dirichlet(const Tensor& self, const std::optional<Generator>& generator) {
  TENON_CHECK(self.dim() > 0, IndexError, "_sample_dirichlet(): expected a tensor of at least one dimension");
  Tensor gammas = standard_gamma(row_major(self, kDouble), generator),
         out = make_tensor(self.sizes(), {}, self.dtype());
  const std::int64_t n = self.sizes().back();
  const auto* x = static_cast<const double*>(gammas.data_ptr());
  visit_floating("_sample_dirichlet()", self.dtype(), [&]<class T>(type_tag<T>) {
    T* y = static_cast<T*>(out.data_ptr());
    // The largest number below one.
    const double most = 1 - (std::is_same_v<T, double>  ? 0x1p-53
                             : std::is_same_v<T, float> ? 0x1p-24
                             : std::is_same_v<T, Half>  ? 0x1p-11
                                                        : 0x1p-8);
    for (std::int64_t at = 0; at < out.numel(); at += n) {
      double sum = 0;
      for (std::int64_t i = at; i < at + n; ++i) sum += x[i];
      for (std::int64_t i = at; i < at + n; ++i)
        y[i] = cast_element<T>(std::min(most, std::max(math::least_positive<T>(), x[i] / sum)));
    }
  });
  return out;
}

/// With replacement: each number falls between two sums of the probabilities before it.
template <class T>
void choose_with_replacement(const Tensor& weights, const Tensor& out, GeneratorImpl& g) {
  using S = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const std::int64_t n = weights.sizes().back(), rows = weights.dim() == 2 ? weights.sizes()[0] : 1,
                     samples = out.sizes().back();
  const T* w = static_cast<const T*>(weights.data_ptr());
  auto* to = static_cast<std::int64_t*>(out.data_ptr());
  std::vector<S> below(static_cast<std::size_t>(n));
  for (std::int64_t r = 0; r < rows; ++r, w += n, to += samples) {
    S sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const auto value = static_cast<S>(w[i]);
      TENON_CHECK(value >= 0, ValueError, "invalid multinomial distribution (encountering probability entry < 0)");
      TENON_CHECK(std::isfinite(value), ValueError,
                  "invalid multinomial distribution (encountering probability entry = infinity or NaN)");
      below[static_cast<std::size_t>(i)] = sum += value;
    }
    TENON_CHECK(sum > 0, ValueError, "invalid multinomial distribution (sum of probabilities <= 0)");
    for (S& b : below) b /= sum;
    below.back() = 1;
    for (std::int64_t k = 0; k < samples; ++k) {
      const double u = g.uniform_double();
      to[k] =
          std::lower_bound(below.begin(), below.end(), u, [](S b, double at) { return static_cast<double>(b) < at; }) -
          below.begin();
    }
  }
}
/// Without: the places of the largest weights over exponential numbers.
inline Tensor choose_without_replacement(const Tensor& self, std::int64_t samples,
                                         const std::optional<Generator>& generator) {
  AutoDispatchBelowADInplaceOrView guard;
  bool valid = true, empty = false;
  visit_floating("multinomial()", self.dtype(), [&]<class T>(type_tag<T>) {
    Tensor rows = row_major(self);
    const T* w = static_cast<const T*>(rows.data_ptr());
    const std::int64_t n = self.sizes().back();
    for (std::int64_t at = 0; at < self.numel(); at += n) {
      double sum = 0;
      for (std::int64_t i = at; i < at + n; ++i) {
        const auto value = static_cast<double>(w[i]);
        valid = valid && value >= 0 && std::isfinite(value);
        sum += value;
      }
      empty = empty || sum == 0;
    }
  });
  TENON_CHECK(valid, ValueError, "probability tensor contains either `inf`, `nan` or element < 0");
  TENON_CHECK(!empty, ValueError, "invalid multinomial distribution (sum of probabilities <= 0)");
  Tensor q = ops::empty_like(self);
  exponential_(q, 1, generator);
  q = ops::div(self, q);
  if (samples == 1) return ops::argmax(q, -1, true);
  return std::get<1>(ops::topk(q, samples));
}
inline Tensor multinomial(const Tensor& self, std::int64_t samples, bool replacement,
                          const std::optional<Generator>& generator) {
  DimVector sizes = composite::multinomial_sizes<std::int64_t>(self, samples, replacement);
  if (self.numel() == 0) return make_tensor(sizes, {}, kLong);
  if (!replacement || samples == 1) return choose_without_replacement(self, samples, generator);
  Tensor out = make_tensor(sizes, {}, kLong), weights = row_major(self);
  visit_floating("multinomial()", self.dtype(), [&]<class T>(type_tag<T>) {
    LockedGenerator g(generator);
    choose_with_replacement<T>(weights, out, *g);
  });
  return out;
}

inline Tensor& randperm_out(std::int64_t n, const std::optional<Generator>& generator, Tensor& out) {
  composite::check_randperm(n, out.dtype());
  AutoDispatchBelowADInplaceOrView guard;
  composite::resize_out(out, IntArrayRef{n});
  check_no_internal_overlap(out);
  LockedGenerator g(generator);
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = i;
  const bool narrow = n < static_cast<std::int64_t>(std::numeric_limits<std::uint32_t>::max() / 20);
  for (std::int64_t i = 0; i + 1 < n; ++i) {
    const auto left = static_cast<std::uint64_t>(n - i), with = (narrow ? (*g).random() : (*g).random64()) % left;
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(i) + with]);
  }
  visit_random(out.dtype(), [&]<class T>(type_tag<T>) {
    T* to = static_cast<T*>(out.data_ptr());
    const std::int64_t step = n > 0 ? out.strides()[0] : 0;
    for (std::int64_t i = 0; i < n; ++i) to[i * step] = cast_element<T>(order[static_cast<std::size_t>(i)]);
  });
  return out;
}

/// Elements at most zero by random factors, which `noise` keeps.
inline void rrelu_draw(const Tensor& self, const Tensor& noise, const Tensor& out, double lower, double upper,
                       const std::optional<Generator>& generator) {
  composite::check_rrelu(lower, upper);
  Tensor x = row_major(self), factors = make_tensor(self.sizes(), {}, noise.dtype()),
         y = make_tensor(self.sizes(), {}, self.dtype());
  visit_floating("rrelu_with_noise()", self.dtype(), [&]<class T>(type_tag<T>) {
    const T* from = static_cast<const T*>(x.data_ptr());
    T *f = static_cast<T*>(factors.data_ptr()), *to = static_cast<T*>(y.data_ptr());
    LockedGenerator g(generator);
    for (std::int64_t i = 0; i < x.numel(); ++i) {
      const auto value = static_cast<double>(from[i]);
      if (value <= 0) {
        f[i] = cast_element<T>((*g).uniform_double() * (upper - lower) + lower);
        to[i] = cast_element<T>(value * static_cast<double>(f[i]));
      } else {
        f[i] = T(1.0f);
        to[i] = from[i];
      }
    }
  });
  copy_elements(noise, factors);
  copy_elements(out, y);
}
inline std::tuple<Tensor, Tensor> rrelu_functional(const Tensor& self, const Tensor& noise, const Scalar& lower,
                                                   const Scalar& upper, bool training,
                                                   const std::optional<Generator>& generator) {
  AutoDispatchBelowADInplaceOrView guard;
  if (!training) return {composite::rrelu_mean(self, lower, upper), ops::clone(noise)};
  Tensor out = make_tensor(self.sizes(), {}, self.dtype()), factors = make_tensor(self.sizes(), {}, self.dtype());
  rrelu_draw(self, factors, out, lower.to_double(), upper.to_double(), generator);
  return {out, factors};
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_IMPL(aten, CPU, m) {
  install_kernels_for<&KernelTables::random, ops::exponential_base_, ops::cauchy_base_, ops::geometric_base_,
                      ops::bernoulli_base, ops::bernoulli_p, ops::bernoulli_Tensor, ops::bernoulli_float_,
                      ops::bernoulli_Tensor_>();
  m.impl<ops::exponential_base_, &detail::exponential_>()
      .impl<ops::cauchy_base_, &detail::cauchy_>()
      .impl<ops::log_normal_base_, &detail::log_normal_>()
      .impl<ops::geometric_base_, &detail::geometric_>()
      .impl<ops::bernoulli_float_, &detail::bernoulli_>()
      .impl<ops::bernoulli_Tensor_, &detail::bernoulli_each_>();
  m.impl<ops::poisson_base, &detail::poisson>()
      .impl<ops::binomial_base, &detail::binomial>()
      .impl<ops::_standard_gamma_base, &detail::standard_gamma>()
      .impl<ops::_standard_gamma_grad_base, &detail::standard_gamma_grad>()
      .impl<ops::_dirichlet_grad_base, &detail::dirichlet_grad>()
      .impl<ops::_sample_dirichlet_base, &detail::sample_dirichlet>()
      .impl<ops::multinomial_base, &detail::multinomial>()
      .impl<ops::randperm_generator_out, &detail::randperm_out>()
      .impl<ops::rrelu_with_noise_functional_base, &detail::rrelu_functional>();
}

}  // namespace tenon::cpu
