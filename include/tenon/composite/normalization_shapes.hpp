// Shapes, dtypes and errors of layer, group and root-mean-square normalisation, for every back end.
#pragma once
#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <tenon/ops/normalization.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::composite {

namespace normalization {

using OptionalTensor = std::optional<Tensor>;
inline bool is_given(const std::optional<Tensor>& t) { return t && t->defined(); }

/// The dtype of weights, biases and statistics: 16-bit input may have them in float.
template <class... Parameter>
ScalarType parameter_dtype(const Tensor& input, const Parameter&... p) {
  bool mixed = is_reduced_floating_type(input.dtype()) && ((is_given(p) && p->dtype() == kFloat) || ...);
  return mixed ? kFloat : input.dtype();
}
template <class... Parameter>
void check_parameter_dtypes(const Tensor& input, const Parameter&... p) {
  ScalarType expected = parameter_dtype(input, p...);
  auto one = [&](const std::optional<Tensor>& t) {
    if (is_given(t))
      TENON_CHECK(t->dtype() == expected, TypeError, "mixed dtype (CPU): expect parameter to have scalar type of ",
                  enumerator_name(is_reduced_floating_type(input.dtype()) ? kFloat : input.dtype()));
  };
  (one(p), ...);
}
template <class Int>
void check_normalized_shape(const Tensor& input, ArrayRef<Int> shape, const std::optional<Tensor>& weight,
                            const std::optional<Tensor>& bias) {
  TENON_CHECK(!shape.empty(), ValueError,
              "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
              "normalized_shape = ",
              shape);
  auto check = [&](const std::optional<Tensor>& t, const char* name) {
    if (is_given(t))
      TENON_CHECK(sizes_of<Int>(*t) == shape, ValueError, "Expected ", name,
                  " to be of same shape as normalized_shape, but got ", name, " of shape ", t->sym_sizes(),
                  " and normalized_shape = ", shape);
  };
  check(weight, "weight");
  check(bias, "bias");
  std::size_t n = static_cast<std::size_t>(input.dim());
  if (n >= shape.size() && sizes_of<Int>(input).slice(n - shape.size(), shape.size()) == shape) return;
  std::string wanted = "[*";
  for (const Int& s : shape) wanted += concat(", ", s);
  fail<ValueError>("Given normalized_shape=", shape, ", expected input with shape ", wanted, "], but got input of size",
                   input.sym_sizes());
}
/// The input's shape with 1 for each normalised dimension.
template <class Int>
dims_t<Int> statistics_shape(const Tensor& input, std::size_t normalized) {
  dims_t<Int> sizes(sizes_of<Int>(input));
  for (std::size_t d = sizes.size() - normalized; d < sizes.size(); ++d) sizes[d] = Int(1);
  return sizes;
}

struct layer_norm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& input, ArrayRef<Int> shape, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, double) const {
    check_normalized_shape<Int>(input, shape, weight, bias);
    check_parameter_dtypes(input, weight, bias);
    ScalarType statistics = parameter_dtype(input, weight, bias);
    out.set_output_raw_strided(0, sizes_of<Int>(input), {}, input.dtype(), input.device());
    dims_t<Int> rows = statistics_shape<Int>(input, shape.size());
    out.set_output_raw_strided(1, ArrayRef<Int>(rows), {}, statistics, input.device());
    out.set_output_raw_strided(2, ArrayRef<Int>(rows), {}, statistics, input.device());
  }
};

template <class Int>
void check_groups(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                  const Int& channels, std::int64_t groups) {
  TENON_CHECK(channels > Int(0), ValueError, "Expected number of channels to be greater than 0, got ", channels);
  TENON_CHECK(groups > 0, ValueError, "Expected num groups to be greater than 0, got ", groups);
  TENON_CHECK(channels % Int(groups) == 0, ValueError,
              "Expected number of channels in input to be divisible by num_groups, but got input of shape ",
              input.sym_sizes(), " and num_groups=", groups);
  auto check = [&](const std::optional<Tensor>& t, const char* name) {
    if (is_given(t))
      TENON_CHECK(t->dim() == 1 && sizes_of<Int>(*t)[0] == channels, ValueError, "Expected ", name,
                  " to be a vector of size equal to the number of channels in input, but got ", name, " of shape ",
                  t->sym_sizes(), " and input of shape ", input.sym_sizes());
  };
  check(weight, "weight");
  check(bias, "bias");
}
template <class Int>
dims_t<Int> format_strides(const Tensor& input) {
  if (input.dim() != 4 && input.dim() != 5) return {};
  MemoryFormat format =
      input.is_symbolic() ? tenon::detail::sym_suggest_memory_format(input) : input.suggest_memory_format();
  return format == MemoryFormat::Contiguous ? dims_t<Int>() : dims_t<Int>(strides_for(sizes_of<Int>(input), format));
}
struct group_norm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& input, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, const Int& n, const Int& channels, const Int& plane,
                  std::int64_t groups, double) const {
    check_groups<Int>(input, weight, bias, channels, groups);
    TENON_CHECK(plane > Int(0), ValueError, "Expected HxW to be greater than 0, got ", plane);
    TENON_CHECK(numel_of<Int>(input) == n * channels * plane, ValueError, "Expected input of ", n, " x ", channels,
                " x ", plane, " elements, but got input of shape ", input.sym_sizes());
    check_parameter_dtypes(input, weight, bias);
    ScalarType statistics = parameter_dtype(input, weight, bias);
    dims_t<Int> strides = out.form() == StructuredForm::Functional ? format_strides<Int>(input) : dims_t<Int>();
    out.set_output_raw_strided(0, sizes_of<Int>(input), ArrayRef<Int>(strides), input.dtype(), input.device());
    dims_t<Int> rows{n, Int(groups)};
    out.set_output_raw_strided(1, ArrayRef<Int>(rows), {}, statistics, input.device());
    out.set_output_raw_strided(2, ArrayRef<Int>(rows), {}, statistics, input.device());
  }
};
inline void check_rms(const Tensor& input, SymIntArrayRef shape, const std::optional<Tensor>& weight) {
  check_normalized_shape<SymInt>(input, shape, weight, std::nullopt);
  if (!input.is_floating_point()) not_implemented_for("rms_norm", input.dtype());
}
using TwoTensors = std::tuple<Tensor, Tensor>;
inline TwoTensors rms_norm_meta(const Tensor& input, IntArrayRef shape, const std::optional<Tensor>& weight,
                                std::optional<double>) {
  check_rms(input, SymIntArrayRef(SymDimVector(shape)), weight);
  SymDimVector rows = statistics_shape<SymInt>(input, shape.size());
  return {make_tensor_symbolic(input.sym_sizes(), SymDimVector(), input.dtype(), input.device()),
          make_tensor_symbolic(rows, SymDimVector(), compute_type_of(input.dtype()), input.device())};
}
/// Their shapes, for Meta tensors.
inline std::array<Tensor, 3> normalization_gradients_meta(const Tensor& input, const std::optional<Tensor>& weight,
                                                          SymIntArrayRef parameter_shape, ArrayRef<bool> mask) {
  std::array<Tensor, 3> out;
  if (mask[0]) out[0] = make_tensor_symbolic(input.sym_sizes(), SymDimVector(), input.dtype(), input.device());
  for (std::size_t i = 1; i < mask.size(); ++i)
    if (mask[i])
      out[i] = make_tensor_symbolic(parameter_shape, SymDimVector(), is_given(weight) ? weight->dtype() : input.dtype(),
                                    input.device());
  return out;
}
using ThreeTensors = std::tuple<Tensor, Tensor, Tensor>;
inline ThreeTensors three(std::array<Tensor, 3> t) { return {std::move(t[0]), std::move(t[1]), std::move(t[2])}; }
inline ThreeTensors layer_norm_backward_meta(const Tensor&, const Tensor& input, SymIntArrayRef shape, const Tensor&,
                                             const Tensor&, const std::optional<Tensor>& weight,
                                             const std::optional<Tensor>&, ArrayRef<bool> mask) {
  return three(normalization_gradients_meta(input, weight, shape, mask));
}
inline ThreeTensors group_norm_backward_meta(const Tensor&, const Tensor& input, const Tensor&, const Tensor&,
                                             const std::optional<Tensor>& weight, SymInt, SymInt channels, SymInt,
                                             std::int64_t, ArrayRef<bool> mask) {
  return three(normalization_gradients_meta(input, weight, SymDimVector{channels}, mask));
}
inline TwoTensors rms_norm_backward_meta(const Tensor&, const Tensor& input, IntArrayRef shape, const Tensor&,
                                         const std::optional<Tensor>& weight, ArrayRef<bool> mask) {
  auto out = normalization_gradients_meta(input, weight, SymDimVector(shape), mask);
  return {std::move(out[0]), std::move(out[1])};
}

}  // namespace normalization

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(native_layer_norm_base, composite::normalization::layer_norm_meta);
TENON_STRUCTURED_OF(native_group_norm_base, composite::normalization::group_norm_meta);

}  // namespace tenon::ops
