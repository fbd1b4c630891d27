// Distributions: the forms that are made of those in place.
#pragma once
#include <cmath>

#include <tenon/composite/distribution_checks.hpp>
#include <tenon/composite/functional.hpp>
#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

// --- Meta ---

inline Tensor& exponential_meta_(Tensor& self, double rate, const std::optional<Generator>&) {
  check_exponential(rate);
  return self;
}
inline Tensor& cauchy_meta_(Tensor& self, double, double sigma, const std::optional<Generator>&) {
  check_cauchy(self, sigma);
  return self;
}
inline Tensor& log_normal_meta_(Tensor& self, double, double std, const std::optional<Generator>&) {
  check_log_normal(std);
  return self;
}
inline Tensor& geometric_meta_(Tensor& self, double p, const std::optional<Generator>&) {
  check_geometric(p);
  return self;
}
inline Tensor& bernoulli_meta_(Tensor& self, double p, const std::optional<Generator>&) {
  check_bernoulli(p);
  return self;
}
inline Tensor& bernoulli_each_meta_(Tensor& self, const Tensor& p, const std::optional<Generator>&) {
  check_bernoulli_each(self, p);
  return self;
}
inline Tensor like_parameter_meta(const Tensor& self, const std::optional<Generator>&) {
  return make_tensor_symbolic(self.sym_sizes(), {}, self.dtype(), self.device());
}
inline Tensor gamma_grad_meta(const Tensor& self, const Tensor&) {
  return make_tensor_symbolic(self.sym_sizes(), {}, self.dtype(), self.device());
}
inline Tensor dirichlet_grad_meta(const Tensor& x, const Tensor& alpha, const Tensor& total) {
  check_dirichlet_grad(x, alpha, total);
  return make_tensor_symbolic(
      broadcast_shapes(broadcast_shapes(SymDimVector(x.sym_sizes()), alpha.sym_sizes()), total.sym_sizes()), {},
      x.dtype(), x.device());
}
inline Tensor binomial_meta(const Tensor& count, const Tensor& prob, const std::optional<Generator>&) {
  check_binomial(count, prob);
  return make_tensor_symbolic(broadcast_shapes(SymDimVector(count.sym_sizes()), prob.sym_sizes()), {}, count.dtype(),
                              count.device());
}
inline Tensor multinomial_meta(const Tensor& self, SymInt samples, bool replacement, const std::optional<Generator>&) {
  return make_tensor_symbolic(multinomial_sizes<SymInt>(self, samples, replacement), {}, kLong, self.device());
}
inline Tensor& randperm_out_meta(SymInt n, const std::optional<Generator>&, Tensor& out) {
  TENON_CHECK(n >= 0, ValueError, "n must be non-negative, got ", n);
  AutoDispatchBelowADInplaceOrView guard;
  resize_out(out, SymDimVector{n});
  return out;
}

// --- made of others ---

inline Tensor row_major_like(const Tensor& self, std::optional<ScalarType> dtype = std::nullopt) {
  return composite::empty(self.sym_sizes(), TensorOptions{dtype, {}, {}, {}}.or_like(self));
}
inline Tensor bernoulli(const Tensor& self, const std::optional<Generator>& generator) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = row_major_like(self);
  return ops::bernoulli_(out, self, "generator"_a = generator);
}
inline Tensor& bernoulli_out(const Tensor& self, const std::optional<Generator>& generator, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  resize_out(out, self.sym_sizes());
  return ops::bernoulli_(out, self, "generator"_a = generator);
}
inline Tensor bernoulli_p(const Tensor& self, double p, const std::optional<Generator>& generator) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = row_major_like(self);
  return ops::bernoulli_(out, p, "generator"_a = generator);
}
inline Tensor bernoulli_each(const Tensor& self, const Tensor& p, const std::optional<Generator>& generator) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = ops::clone(self);
  return ops::bernoulli_(out, p, "generator"_a = generator);
}

inline void check_deviations(const Tensor& std) {
  TENON_CHECK(!std.is_complex(), TypeError, "normal expects standard deviation to be non-complex");
  TENON_CHECK(std.is_meta() || std.numel() == 0 || ops::min(std).item().to_double() >= 0, ValueError,
              "normal expects all elements of std >= 0.0");
}
/// Normal numbers of mean 0 and of the shape; standard ones are multiplied by deviations later.
inline Tensor normal_of(const SymDimVector& sizes, const Tensor& like, const std::optional<Generator>& generator,
                        double std = 1) {
  Tensor out = composite::empty(sizes, TensorOptions{}.or_like(like));
  return ops::normal_(out, 0.0, std, "generator"_a = generator);
}
inline Tensor normal_tensor_float(const Tensor& mean, double std, const std::optional<Generator>& generator) {
  AutoDispatchBelowADInplaceOrView guard;
  TENON_CHECK(std >= 0, ValueError, "normal expects std >= 0.0, but found std ", std);
  Tensor out = normal_of(SymDimVector(mean.sym_sizes()), mean, generator, std);
  return ops::add_(out, mean);
}
inline Tensor normal_float_tensor(double mean, const Tensor& std, const std::optional<Generator>& generator) {
  AutoDispatchBelowADInplaceOrView guard;
  check_deviations(std);
  Tensor out = normal_of(SymDimVector(std.sym_sizes()), std, generator);
  return ops::add_(ops::mul_(out, std), Scalar(mean));
}
inline Tensor normal_tensor_tensor(const Tensor& mean, const Tensor& std, const std::optional<Generator>& generator) {
  AutoDispatchBelowADInplaceOrView guard;
  check_deviations(std);
  Tensor out = normal_of(broadcast_shapes(SymDimVector(mean.sym_sizes()), std.sym_sizes()), mean, generator);
  return ops::add_(ops::mul_(out, std), mean);
}
/// Numbers are drawn in the out tensor, in its dtype.
inline Tensor& normal_tensor_float_out(const Tensor& mean, double std, const std::optional<Generator>& generator,
                                       Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  TENON_CHECK(std >= 0, ValueError, "normal expects std >= 0.0, but found std ", std);
  resize_out(out, mean.sym_sizes());
  return ops::add_(ops::normal_(out, 0.0, std, "generator"_a = generator), mean);
}
inline Tensor& normal_float_tensor_out(double mean, const Tensor& std, const std::optional<Generator>& generator,
                                       Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  check_deviations(std);
  resize_out(out, std.sym_sizes());
  return ops::add_(ops::mul_(ops::normal_(out, 0.0, 1.0, "generator"_a = generator), std), Scalar(mean));
}
inline Tensor& normal_tensor_tensor_out(const Tensor& mean, const Tensor& std,
                                        const std::optional<Generator>& generator, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  check_deviations(std);
  resize_out(out, broadcast_shapes(SymDimVector(mean.sym_sizes()), std.sym_sizes()));
  return ops::add_(ops::mul_(ops::normal_(out, 0.0, 1.0, "generator"_a = generator), std), mean);
}
inline Tensor normal_float_float(double mean, double std, SymIntArrayRef size,
                                 const std::optional<Generator>& generator, std::optional<ScalarType> dtype,
                                 std::optional<Layout> layout, std::optional<Device> device,
                                 std::optional<bool> pin_memory) {
  Tensor out = composite::empty(size, TensorOptions{dtype, layout, device, pin_memory});
  return ops::normal_(out, mean, std, "generator"_a = generator);
}
inline Tensor& normal_float_float_out(double mean, double std, SymIntArrayRef size,
                                      const std::optional<Generator>& generator, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  resize_out(out, size);
  return ops::normal_(out, mean, std, "generator"_a = generator);
}

inline Tensor randperm_generator(SymInt n, const std::optional<Generator>& generator, std::optional<ScalarType> dtype,
                                 std::optional<Layout> layout, std::optional<Device> device,
                                 std::optional<bool> pin_memory) {
  Tensor out = composite::empty(SymDimVector{n}, TensorOptions{dtype, layout, device, pin_memory});
  return ops::randperm(n, "generator"_a = generator, "out"_a = out);
}
inline Tensor randperm(SymInt n, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                       std::optional<Device> device, std::optional<bool> pin_memory) {
  return randperm_generator(n, std::nullopt, dtype, layout, device, pin_memory);
}
inline Tensor& randperm_plain_out(SymInt n, Tensor& out) {
  return ops::randperm(n, "generator"_a = std::optional<Generator>(), "out"_a = out);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  auto overwrites = [&]<class Op, class Write>(Op op, Write write) {
    m.def<Write{}>();
    define_by_overwriting(m, op, write);
  };
  overwrites(ops::exponential_base, ops::exponential_base_);
  overwrites(ops::cauchy_base, ops::cauchy_base_);
  overwrites(ops::log_normal_base, ops::log_normal_base_);
  overwrites(ops::geometric_base, ops::geometric_base_);
  m.def<ops::bernoulli_base>().def<ops::bernoulli_p>().def<ops::bernoulli_Tensor>();
  m.def<ops::bernoulli_base_out>().def<ops::bernoulli_p_out>().def<ops::bernoulli_Tensor_out>();
  m.def<ops::bernoulli_float_>().def<ops::bernoulli_Tensor_>();
  m.impl<ops::exponential_base_, &exponential_meta_>(DispatchKey::Meta)
      .impl<ops::cauchy_base_, &cauchy_meta_>(DispatchKey::Meta)
      .impl<ops::log_normal_base_, &log_normal_meta_>(DispatchKey::Meta)
      .impl<ops::geometric_base_, &geometric_meta_>(DispatchKey::Meta)
      .impl<ops::bernoulli_float_, &bernoulli_meta_>(DispatchKey::Meta)
      .impl<ops::bernoulli_Tensor_, &bernoulli_each_meta_>(DispatchKey::Meta);
  m.impl<ops::bernoulli_base, &bernoulli>(all)
      .impl<ops::bernoulli_base_out, &bernoulli_out>(all)
      .impl<ops::bernoulli_p, &bernoulli_p>(all)
      .impl<ops::bernoulli_Tensor, &bernoulli_each>(all);

  define_with_copied_out(m, ops::poisson_base);
  define_with_copied_out(m, ops::binomial_base);
  define_with_copied_out(m, ops::_standard_gamma_base);
  define_with_copied_out(m, ops::_standard_gamma_grad_base);
  define_with_copied_out(m, ops::_dirichlet_grad_base);
  define_with_copied_out(m, ops::_sample_dirichlet_base);
  define_with_copied_out(m, ops::multinomial_base);
  implement_out_by_copy<ops::bernoulli_p_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::bernoulli_Tensor_op>(m, Place{__FILE__, __LINE__});
  m.impl<ops::poisson_base, &like_parameter_meta>(DispatchKey::Meta)
      .impl<ops::binomial_base, &binomial_meta>(DispatchKey::Meta)
      .impl<ops::_standard_gamma_base, &like_parameter_meta>(DispatchKey::Meta)
      .impl<ops::_standard_gamma_grad_base, &gamma_grad_meta>(DispatchKey::Meta)
      .impl<ops::_dirichlet_grad_base, &dirichlet_grad_meta>(DispatchKey::Meta)
      .impl<ops::_sample_dirichlet_base, &like_parameter_meta>(DispatchKey::Meta)
      .impl<ops::multinomial_base, &multinomial_meta>(DispatchKey::Meta);
  m.def<ops::normal_Tensor_float>().def<ops::normal_Tensor_float_out>();
  m.def<ops::normal_float_Tensor>().def<ops::normal_float_Tensor_out>();
  m.def<ops::normal_Tensor_Tensor>().def<ops::normal_Tensor_Tensor_out>();
  m.impl<ops::normal_Tensor_float_out, &normal_tensor_float_out>(all)
      .impl<ops::normal_float_Tensor_out, &normal_float_tensor_out>(all)
      .impl<ops::normal_Tensor_Tensor_out, &normal_tensor_tensor_out>(all);
  m.impl<ops::normal_Tensor_float, &normal_tensor_float>(all)
      .impl<ops::normal_float_Tensor, &normal_float_tensor>(all)
      .impl<ops::normal_Tensor_Tensor, &normal_tensor_tensor>(all);
  m.def<ops::normal_float_float>().def<ops::normal_float_float_out>();
  m.impl<ops::normal_float_float, &normal_float_float>(all).impl<ops::normal_float_float_out, &normal_float_float_out>(
      all);
  m.def<ops::randperm_base>().def<ops::randperm_generator>();
  m.def<ops::randperm_base_out>().def<ops::randperm_generator_out>();
  m.impl<ops::randperm_base, &randperm>(all)
      .impl<ops::randperm_generator, &randperm_generator>(all)
      .impl<ops::randperm_base_out, &randperm_plain_out>(all)
      .impl<ops::randperm_generator_out, &randperm_out_meta>(DispatchKey::Meta);
}
TENON_LIBRARY_IMPL(aten, BackendSelect, m) {
  select_back_end<ops::normal_float_float, ops::randperm_base, ops::randperm_generator>(m);
}

}  // namespace tenon::composite
