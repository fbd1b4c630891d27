// Shapes, dtypes and errors of batch normalisation, for every back end.
#pragma once
#include <tenon/composite/normalization_shapes.hpp>

namespace tenon::composite {

namespace normalization {

template <class Int>
void check_channels(const Tensor& input, const std::optional<Tensor>& t, const char* name) {
  if (is_given(t))
    TENON_CHECK(numel_of<Int>(*t) == sizes_of<Int>(input)[1], ValueError, name, " should contain ",
                sizes_of<Int>(input)[1], " elements not ", numel_of<Int>(*t));
}
template <class Int>
void check_batch_norm(const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                      const std::optional<Tensor>& mean, const std::optional<Tensor>& var, bool training) {
  TENON_CHECK(input.dim() >= 2, IndexError, "Dimension out of range (expected to be in range of [", -input.dim(), ", ",
              input.dim() - 1, "], but got 1)");
  check_channels<Int>(input, mean, "running_mean");
  check_channels<Int>(input, var, "running_var");
  check_channels<Int>(input, weight, "weight");
  check_channels<Int>(input, bias, "bias");
  if (!training) {
    TENON_CHECK(is_given(mean), ValueError, "running_mean must be defined in evaluation mode");
    TENON_CHECK(is_given(var), ValueError, "running_var must be defined in evaluation mode");
  }
  ScalarType expected = parameter_dtype(input, weight, bias, mean, var);
  for (const auto* t : {&weight, &bias, &mean, &var})
    if (is_given(*t))
      TENON_CHECK((*t)->dtype() == expected, TypeError, "mixed dtype (CPU): all inputs must share same datatype.");
}

struct batch_norm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& input, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, const std::optional<Tensor>& mean,
                  const std::optional<Tensor>& var, bool training, double, double) const {
    check_batch_norm<Int>(input, weight, bias, mean, var, training);
    ScalarType statistics = parameter_dtype(input, weight, bias, mean, var);
    dims_t<Int> strides = format_strides<Int>(input), rows{training ? sizes_of<Int>(input)[1] : Int(0)};
    out.set_output_raw_strided(0, sizes_of<Int>(input), ArrayRef<Int>(strides), input.dtype(), input.device());
    out.set_output_raw_strided(1, ArrayRef<Int>(rows), {}, statistics, input.device());
    out.set_output_raw_strided(2, ArrayRef<Int>(rows), {}, statistics, input.device());
  }
};

/// Of no elements there are no statistics.
inline void check_batch_elements(const Tensor& input) {
  TENON_CHECK(input.sym_numel() != 0, ValueError,
              "input tensor must have at least one element, but got input_sizes = ", input.sym_sizes());
}
inline void check_batch_statistics_given(const OptionalTensor& mean, const OptionalTensor& scale) {
  TENON_CHECK(is_given(mean) && is_given(scale), ValueError, "expected statistics of the batch to be defined");
}
inline void check_batch_statistics(const Tensor& grad, const Tensor& input, const OptionalTensor& weight,
                                   const OptionalTensor& mean, const OptionalTensor& scale) {
  TENON_CHECK(input.dim() >= 2, IndexError, "Dimension out of range (expected to be in range of [", -input.dim(), ", ",
              input.dim() - 1, "], but got 1)");
  TENON_CHECK(grad.sizes() == input.sizes(), ValueError, "Expected grad_out of shape ", input.sizes(), ", but got ",
              grad.sizes());
  check_batch_statistics_given(mean, scale);
  check_channels<std::int64_t>(input, mean, "mean");
  check_channels<std::int64_t>(input, scale, "invstd");
  check_channels<std::int64_t>(input, weight, "weight");
}
inline ThreeTensors batch_norm_backward_meta(const Tensor&, const Tensor& input, const OptionalTensor& weight,
                                             const OptionalTensor&, const OptionalTensor&, const OptionalTensor&,
                                             const OptionalTensor&, bool, double, ArrayRef<bool> mask) {
  TENON_CHECK(input.dim() >= 2, IndexError, "Dimension out of range (expected to be in range of [", -input.dim(), ", ",
              input.dim() - 1, "], but got 1)");
  auto out = normalization_gradients_meta(input, weight, SymDimVector{input.sym_size(1)}, mask);
  SymDimVector strides = format_strides<SymInt>(input);
  if (mask[0] && !strides.empty())
    out[0] = make_tensor_symbolic(input.sym_sizes(), strides, input.dtype(), input.device());
  return three(std::move(out));
}

}  // namespace normalization

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(native_batch_norm_base, composite::normalization::batch_norm_meta);

}  // namespace tenon::ops
