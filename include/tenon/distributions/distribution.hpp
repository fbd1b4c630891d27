// What distributions have in common.
#pragma once
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>

#include <tenon/base/atomic.hpp>
#include <tenon/base/dim_vector.hpp>
#include <tenon/base/shared_object.hpp>
#include <tenon/distributions/constraint.hpp>
#include <tenon/tensor/generator.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::distributions {

/// A parameter: a tensor, or a number, which takes dtype and device of the tensors beside it, else the default dtype.
class Parameter : public Tensor {
 public:
  Parameter() = default;
  Parameter(Tensor t) : Tensor(std::move(t)) {}
  template <class T>
    requires std::is_arithmetic_v<T> Parameter(T number) : number_(static_cast<double>(number)) {}
    const std::optional<double>& number() const { return number_; }

   private:
    std::optional<double> number_;
};

namespace detail {
TENON_PROCESS_WORD(Atomic<bool>, default_validate_args, true);
}
/// Whether new distributions check their parameters, and their methods values: true unless it was set otherwise, for
/// the whole program. The field `validate_args` of a distribution says it for that one.
inline bool get_default_validate_args() { return detail::default_validate_args.load(MemoryOrder::Relaxed); }
inline void set_default_validate_args(bool validate) {
  detail::default_validate_args.store(validate, MemoryOrder::Relaxed);
}

/// What is drawn from and has densities or masses: every type with these calls, a user's own too.
template <class D>
concept distribution = requires(const D& d, const Tensor& value, IntArrayRef shape) {
  { d.batch_shape() } -> std::convertible_to<DimVector>;
  { d.event_shape() } -> std::convertible_to<DimVector>;
  { d.sample(shape) } -> std::same_as<Tensor>;
  { d.log_prob(value) } -> std::same_as<Tensor>;
  { d.expand(shape) } -> std::same_as<D>;
};
/// One whose samples have derivatives by its parameters.
template <class D>
concept reparameterized = distribution<D> && requires(const D& d, IntArrayRef shape) {
  { d.rsample(shape) } -> std::same_as<Tensor>;
};

namespace detail {

struct NamedParameter {
  const char* name;
  Parameter* value;
  Constraint constraint;
};
/// The last field of a distribution: where it is made, numbers become tensors, parameters are broadcast and checked.
struct Ready {
  Ready(const char* distribution, std::initializer_list<NamedParameter> parameters, bool validate);
};
/// The same for two forms of one parameter, of which one is given; the other follows from it. `beside` is broadcast
/// with it.
Ready ready_by_logits(const char* distribution, Parameter& probs, Parameter& logits, const Constraint& probs_in,
                      bool validate, std::optional<NamedParameter> beside = std::nullopt);
/// For classes along the last dimension: probabilities are divided by their sum.
Ready ready_by_classes(const char* distribution, Parameter& probs, Parameter& logits, bool validate);

void check_parameter(const char* distribution, const char* name, const Tensor& value, const Constraint& constraint);
void check_value(const char* distribution, const char* function, IntArrayRef batch, IntArrayRef event,
                 const Constraint& support, const Tensor& value);
template <class D>
void check_value(const D& d, const char* function, const Tensor& value) {
  if (d.validate_args) check_value(D::name, function, d.batch_shape(), d.event_shape(), d.support(), value);
}

DimVector joined(IntArrayRef a, IntArrayRef b, IntArrayRef c = {});
Tensor sum_rightmost(const Tensor& t, std::int64_t dims);
Tensor root(const Tensor& t);
/// Memory of a tensor, without what it was computed from.
Tensor without_grad(const Tensor& t);
/// Fresh memory of a shape, with dtype and device of another tensor.
Tensor empty_beside(const Tensor& like, IntArrayRef shape);
Tensor full_beside(const Tensor& like, IntArrayRef shape, double value);
/// 0 to count - 1 along a new first dimension, `dims` dimensions of size 1 behind it.
Tensor counted(const Tensor& like, std::int64_t count, std::size_t dims, ScalarType dtype);
Tensor expanded_by(const Tensor& t, IntArrayRef batch, std::size_t event_dims);
template <class D>
D expanded(D d, IntArrayRef batch, std::initializer_list<Parameter D::*> fields, std::size_t event_dims = 0) {
  for (auto field : fields) d.*field = expanded_by(d.*field, batch, event_dims);
  return d;
}

}  // namespace detail

/// What every distribution of the library declares. Shapes: a sample is sample_shape + batch_shape() + event_shape();
/// `log_prob` takes values that broadcast with the last two, and drops the event's dimensions; moments have both.
/// `sample` is not recorded for gradients. Without a generator the process's own is used, which manual_seed() sets.
/// Errors: ValueError for a value outside of `support()` and for a wrong shape, unless `validate_args` is false.
#define TENON_INTERNAL_DISTRIBUTION(NAME)           \
  TENON_INTERNAL_DISTRIBUTION_WITHOUT_MOMENTS(NAME) \
  Tensor mean() const;                              \
  Tensor variance() const;                          \
  Tensor stddev() const { return detail::root(variance()); }
/// The same of those that have no formula for their moments.
#define TENON_INTERNAL_DISTRIBUTION_WITHOUT_MOMENTS(NAME)                                                       \
  static constexpr const char* name = #NAME;                                                                    \
  DimVector batch_shape() const;                                                                                \
  DimVector event_shape() const;                                                                                \
  Constraint support() const;                                                                                   \
  Tensor sample(IntArrayRef sample_shape = {}, const std::optional<Generator>& generator = std::nullopt) const; \
  Tensor log_prob(const Tensor& value) const;                                                                   \
  /* A view of the parameters in another batch shape; nothing is checked again. */                              \
  NAME expand(IntArrayRef batch_shape) const;                                                                   \
                                                                                                                \
 private:                                                                                                       \
  detail::Ready make();                                                                                         \
                                                                                                                \
 public:
/// What those with a formula for it declare: draws with derivatives, the distribution function and its inverse.
#define TENON_INTERNAL_RSAMPLE \
  Tensor rsample(IntArrayRef sample_shape = {}, const std::optional<Generator>& generator = std::nullopt) const;
#define TENON_INTERNAL_CDF               \
  Tensor cdf(const Tensor& value) const; \
  Tensor icdf(const Tensor& probability) const;

}  // namespace tenon::distributions
