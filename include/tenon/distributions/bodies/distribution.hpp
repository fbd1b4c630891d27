// Making distributions, and checking what they are given.
#pragma once
#include <algorithm>
#include <vector>

#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/distribution.hpp>
#include <tenon/tensor/default_dtype.hpp>
#include <tenon/tensor/tensor_options.hpp>

namespace tenon::distributions {

namespace detail {

inline std::string first_outside(const Tensor& value, const Tensor& in) {
  if (value.dim() != in.dim()) return concat("a tensor of shape ", value.sizes(), " that is not");
  Tensor bad = value.expand(in.sizes()).masked_select(in.logical_not());
  return concat(bad.select(0, 0).item<double>(), " in shape ", value.sizes());
}

TENON_BODY void check_parameter(const char* distribution, const char* name, const Tensor& value,
                                const Constraint& constraint) {
  NoGradGuard no_grad;
  Tensor in = constraint.check(value);
  TENON_CHECK(in.all().item<bool>(), ValueError, distribution, ": expected parameter '", name, "' to be ", constraint,
              ", got ", first_outside(value, in));
}
TENON_BODY void check_value(const char* distribution, const char* function, IntArrayRef batch, IntArrayRef event,
                            const Constraint& support, const Tensor& value) {
  DimVector expected = joined(batch, event);
  IntArrayRef sizes = value.sizes();
  std::size_t dims = sizes.size();
  bool fits = dims >= event.size();
  for (std::size_t i = 0; fits && i < std::min(dims, expected.size()); ++i) {
    std::int64_t a = sizes[dims - 1 - i], b = expected[expected.size() - 1 - i];
    fits = a == b || (i >= event.size() && (a == 1 || b == 1));
  }
  TENON_CHECK(fits, ValueError, distribution, ".", function, "(): expected a value that broadcasts with shape ", batch,
              " + ", event, ", got shape ", sizes);
  NoGradGuard no_grad;
  Tensor in = support.check(value);
  TENON_CHECK(in.all().item<bool>(), ValueError, distribution, ".", function, "(): expected a value that is ", support,
              ", got ", first_outside(value, in));
}

/// Numbers become tensors beside the others; all get one shape.
inline void broadcast(const char* distribution, std::initializer_list<NamedParameter> parameters) {
  TensorOptions options(get_default_dtype());
  bool found = false;
  for (const auto& p : parameters) {
    TENON_CHECK(p.value->defined() || p.value->number(), ValueError, distribution, ": parameter '", p.name,
                "' is missing");
    if (p.value->defined() && !found) options = p.value->options(), found = true;
  }
  std::vector<Tensor> tensors;
  for (const auto& p : parameters)
    tensors.push_back(p.value->defined() ? *p.value : ops::full({}, *p.value->number(), options.requires_grad(false)));
  if (tensors.size() > 1) tensors = ops::broadcast_tensors(tensors);
  std::size_t i = 0;
  for (const auto& p : parameters) *p.value = tensors[i++];
}

TENON_BODY Ready::Ready(const char* distribution, std::initializer_list<NamedParameter> parameters, bool validate) {
  broadcast(distribution, parameters);
  if (!validate) return;
  for (const auto& p : parameters) check_parameter(distribution, p.name, *p.value, p.constraint);
}

inline void check_one_given(const char* distribution, const Parameter& probs, const Parameter& logits) {
  bool first = probs.defined() || probs.number(), second = logits.defined() || logits.number();
  TENON_CHECK(first != second, ValueError, distribution, ": expected either 'probs' or 'logits', got ",
              first ? "both" : "neither");
}
TENON_BODY Ready ready_by_logits(const char* distribution, Parameter& probs, Parameter& logits,
                                 const Constraint& probs_in, bool validate, std::optional<NamedParameter> beside) {
  check_one_given(distribution, probs, logits);
  bool by_logits = logits.defined() || logits.number();
  NamedParameter given =
      by_logits ? NamedParameter{"logits", &logits, constraints::real()} : NamedParameter{"probs", &probs, probs_in};
  Ready ready = {distribution, {given}, false};
  if (beside) {
    ready = {distribution, {given, *beside}, false};
    *beside->value = beside->value->to(given.value->dtype());
    if (validate) check_parameter(distribution, beside->name, *beside->value, beside->constraint);
  }
  if (validate) check_parameter(distribution, given.name, *given.value, given.constraint);
  if (by_logits) {
    probs = logits.sigmoid();
  } else {
    Tensor p = clamped(probs);
    logits = p.log() - (-p).log1p();
  }
  return ready;
}
TENON_BODY Ready ready_by_classes(const char* distribution, Parameter& probs, Parameter& logits, bool validate) {
  check_one_given(distribution, probs, logits);
  bool by_logits = logits.defined() || logits.number();
  Parameter& given = by_logits ? logits : probs;
  const char* name = by_logits ? "logits" : "probs";
  TENON_CHECK(given.defined() && given.dim() >= 1, ValueError, distribution, ": expected parameter '", name,
              "' to have at least 1 dimension");
  if (by_logits) {
    logits = logits - logits.logsumexp(-1, true);
    if (validate) check_parameter(distribution, name, logits, constraints::real_vector());
    probs = logits.softmax(-1);
  } else {
    probs = probs / probs.sum(-1, true);
    if (validate) check_parameter(distribution, name, probs, constraints::simplex());
    logits = clamped(probs).log();
  }
  return {distribution, {}, false};
}

TENON_BODY DimVector joined(IntArrayRef a, IntArrayRef b, IntArrayRef c) {
  DimVector all;
  for (IntArrayRef part : {a, b, c})
    for (std::int64_t size : part) all.push_back(size);
  return all;
}
TENON_BODY Tensor sum_rightmost(const Tensor& t, std::int64_t dims) {
  Tensor sum = t;
  for (std::int64_t i = 0; i < dims; ++i) sum = sum.sum(-1);
  return sum;
}
TENON_BODY Tensor root(const Tensor& t) { return t.sqrt(); }
TENON_BODY Tensor without_grad(const Tensor& t) { return t.detach(); }
TENON_BODY Tensor empty_beside(const Tensor& like, IntArrayRef shape) {
  return ops::empty(shape, like.options().requires_grad(false));
}
TENON_BODY Tensor full_beside(const Tensor& like, IntArrayRef shape, double value) {
  return ops::full(shape, value, like.options().requires_grad(false));
}
TENON_BODY Tensor counted(const Tensor& like, std::int64_t count, std::size_t dims, ScalarType dtype) {
  DimVector shape(dims + 1, 1);
  shape[0] = count;
  return ops::arange(count, "dtype"_a = dtype, "device"_a = like.device()).view(shape);
}
TENON_BODY Tensor expanded_by(const Tensor& t, IntArrayRef batch, std::size_t event_dims) {
  return t.expand(joined(batch, t.sizes().slice(t.sizes().size() - event_dims, event_dims)));
}

}  // namespace detail
}  // namespace tenon::distributions
