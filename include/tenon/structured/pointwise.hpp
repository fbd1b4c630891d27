// Pointwise operators: what their meta functions compute, for any signature; the operator itself arrives as data.
#pragma once
#include <tenon/structured/promotion.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon {

/// How a pointwise operator's compute and result dtypes follow from its operands.
enum class Promote : std::uint8_t {
  Same,          ///< computes and returns the common dtype
  IntToFloat,    ///< integers and bools compute as the default floating dtype
  Compare,       ///< computes in the common dtype, returns bool
  ComplexToReal, ///< computes in the common dtype, complex returns its real type
};

namespace detail {

/// What run time knows of a pointwise operator besides its loops.
struct PointwiseRule {
  Promote promote = Promote::Same;
  bool numbers_promote = true;      ///< Scalar arguments take part in promotion
  bool refuse_bool = false;         ///< `-` of bools for example
  std::uint8_t first_tensor = 0;    ///< tensors before this one do not take part in promotion (a mask)
  const char* name = "";
};

struct PointwiseMeta {
  ScalarType compute, result;
  DimVector sizes;
};

template <class T> inline constexpr bool is_tensor_argument_v = std::is_same_v<std::remove_cvref_t<T>, Tensor> || std::is_same_v<std::remove_cvref_t<T>, std::optional<Tensor>>;
template <class T> inline constexpr bool is_number_argument_v = std::is_same_v<std::remove_cvref_t<T>, Scalar> || std::is_same_v<T, double> || std::is_same_v<T, std::int64_t> || std::is_same_v<T, bool>;
inline const Tensor& tensor_of(const Tensor& t) { return t; }
inline const Tensor& tensor_of(const std::optional<Tensor>& t) {
  static const Tensor undefined;
  return t ? *t : undefined;
}

/// The dtype that the loops compute in.
inline ScalarType compute_dtype(const PointwiseRule& rule, const Tensor* const* tensors, unsigned n, const Scalar* numbers, unsigned n_numbers) {
  ScalarType type;
  if (n == rule.first_tensor + 1u && n_numbers == 0) type = tensors[rule.first_tensor]->dtype();
  else if (n == 2 && rule.first_tensor == 0 && n_numbers == 0 && tensors[0]->dtype() == tensors[1]->dtype()) type = tensors[0]->dtype();
  else {
    PromotionState state;
    for (unsigned i = rule.first_tensor; i < n; ++i) state.add(*tensors[i]);
    if (rule.numbers_promote) for (unsigned i = 0; i < n_numbers; ++i) state.add(numbers[i]);
    type = state.result();
  }
  if (rule.promote == Promote::IntToFloat && is_integral_type(type, true)) type = get_default_dtype();
  return type;
}
inline ScalarType result_dtype(const PointwiseRule& rule, ScalarType compute) {
  return rule.promote == Promote::Compare ? kBool : rule.promote == Promote::ComplexToReal ? to_real_type(compute) : compute;
}

/// Strides of a fresh result: those of the operands if they agree, so that a permuted layout survives; else row-major.
inline DimVector result_strides(IntArrayRef sizes, const Tensor* const* tensors, unsigned n) {
  std::size_t dims = sizes.size();
  DimVector order(dims);
  for (std::size_t i = 0; i < dims; ++i) order[i] = static_cast<std::int64_t>(dims - 1 - i);
  auto stride = [&](const Tensor& t, std::int64_t d) -> std::int64_t {
    auto own = d - (static_cast<std::int64_t>(dims) - t.dim());
    return own < 0 || (t.sizes()[own] == 1 && sizes[d] != 1) ? 0 : t.strides()[own];
  };
  // As PyTorch's iterator sorts: 1 if a belongs further out than b, -1 further in, 0 if the operands do not tell.
  auto compare = [&](std::int64_t a, std::int64_t b) {
    for (unsigned i = 0; i < n; ++i) {
      if (!tensors[i]->defined()) continue;
      std::int64_t x = stride(*tensors[i], a), y = stride(*tensors[i], b);
      if (x == 0 || y == 0) continue;
      if (x < y) return -1;
      if (x > y) return 1;
      if (sizes[a] > sizes[b]) return 1;
    }
    return 0;
  };
  for (std::size_t i = 1; i < dims; ++i) {
    std::size_t at = i;
    for (std::size_t j = i; j-- > 0;) {
      int c = compare(order[j], order[at]);
      if (c > 0) { std::swap(order[j], order[at]); at = j; }
      else if (c < 0) break;
    }
  }
  DimVector strides(dims);
  std::int64_t step = 1;
  for (std::int64_t d : order) { strides[d] = step; step *= sizes[d] > 1 ? sizes[d] : 1; }
  return strides;
}

[[gnu::cold, gnu::noinline]] inline Device mixed_device(const Tensor* const* tensors, unsigned n) {
  Device device = kCPU;
  bool found = false;
  for (unsigned i = 0; i < n; ++i) {
    const Tensor& t = *tensors[i];
    if (!t.defined() || (t.dim() == 0 && t.device().is_cpu())) continue;
    if (found && t.device() != device) fail<ValueError>("Expected all tensors to be on the same device, but found at least two devices, ", device, " and ", t.device());
    device = t.device();
    found = true;
  }
  return device;
}

/// The meta function of every pointwise operator.
inline void pointwise_meta(const PointwiseRule& rule, Outputs& out, const Tensor* const* tensors, unsigned n, const Scalar* numbers, unsigned n_numbers) {
  ScalarType compute = compute_dtype(rule, tensors, n, numbers, n_numbers);
  ScalarType result = result_dtype(rule, compute);
  const Tensor& first = *tensors[0];
  if (n == 1 || (n == 2 && first.sizes() == tensors[1]->sizes() && first.device() == tensors[1]->device())) [[likely]] {
    if (first.is_contiguous() && (n == 1 || tensors[1]->is_contiguous())) [[likely]] {
      out.set_output_raw_strided(0, first.sizes(), {}, result, first.device(), OutputCast::Allowed);
    } else {
      // The result may be resized: the operand's lists must not be its own.
      DimVector sizes(first.sizes());
      out.set_output_raw_strided(0, sizes, result_strides(sizes, tensors, n), result, first.device(), OutputCast::Allowed);
    }
  } else {
    DimVector sizes(first.sizes());
    for (unsigned i = 1; i < n; ++i)
      if (tensors[i]->defined()) sizes = broadcast_shapes(sizes, tensors[i]->sizes());
    out.set_output_raw_strided(0, sizes, result_strides(sizes, tensors, n), result, mixed_device(tensors, n), OutputCast::Allowed);
  }
  if (out.form() != StructuredForm::Functional)
    for (unsigned i = 0; i < n; ++i)
      if (tensors[i]->defined()) check_no_partial_overlap(out[0], *tensors[i]);
}

/// Splits the arguments of a signature into tensors and numbers.
template <class... A>
struct pointwise_arguments {
  static constexpr unsigned n_tensors = (0u + ... + is_tensor_argument_v<A>), n_numbers = (0u + ... + is_number_argument_v<A>);
  const Tensor* tensors[n_tensors + 1];
  Scalar numbers[n_numbers + 1];
  explicit pointwise_arguments(std::add_lvalue_reference_t<A>... args) {
    unsigned t = 0, s = 0;
    auto take = [&](const auto& x) {
      using X = std::remove_cvref_t<decltype(x)>;
      if constexpr (is_tensor_argument_v<X>) tensors[t++] = &tensor_of(x);
      else if constexpr (is_number_argument_v<X>) numbers[s++] = Scalar(x);
    };
    (take(args), ...);
  }
};

}  // namespace detail
}  // namespace tenon
