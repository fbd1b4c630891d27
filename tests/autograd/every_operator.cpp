// Every operator that has a derivative, and the derivative of that: both against finite differences.
#include <cmath>
#include <map>
#include <set>

#include "../ops/every_function.hpp"

using namespace test;
using every::Function;

namespace {

/// Operators that record a history and have no derivative, or another than finite differences have, and why.
const std::map<std::string, std::string> without = {
    {"aten::floor_divide", "PyTorch has no derivative either, and says so when it is asked for"},
    {"aten::floor_divide_.Tensor", "as floor_divide"},
    {"aten::floor_divide.Scalar", "as floor_divide"},
    {"aten::floor_divide_.Scalar", "as floor_divide"},
    {"aten::heaviside", "as floor_divide"},
    {"aten::heaviside_", "as floor_divide"},
    {"aten::scatter.reduce", "as floor_divide"},
    {"aten::scatter_.reduce", "as floor_divide"},
    {"aten::scatter.value_reduce", "as floor_divide"},
    {"aten::scatter_.value_reduce", "as floor_divide"},
    {"aten::igamma", "as floor_divide, by the first argument"},
    {"aten::igamma_", "as floor_divide, by the first argument"},
    {"aten::igammac", "as floor_divide, by the first argument"},
    {"aten::igammac_", "as floor_divide, by the first argument"},
    {"aten::special_gammainc", "as igamma"},
    {"aten::special_gammaincc", "as igamma"},
    {"aten::special_zeta", "as floor_divide, by the first argument"},
    {"aten::special_zeta.other_scalar", "as floor_divide"},
    {"aten::_chunk_cat", "as floor_divide"},
    {"aten::_functional_assert_async.msg", "as floor_divide"},
    {"aten::histogram.bin_ct", "as floor_divide"},
    {"aten::histogram.bins_tensor", "as floor_divide"},
    {"aten::histogramdd", "as floor_divide"},
    {"aten::histogramdd.int_bins", "as floor_divide"},
    {"aten::histogramdd.TensorList_bins", "as floor_divide"},
    {"aten::_histogramdd_bin_edges", "as floor_divide"},
    {"aten::_histogramdd_from_bin_cts", "as floor_divide"},
    {"aten::_histogramdd_from_bin_tensors", "as floor_divide"},
    {"aten::batch_norm_update_stats", "as floor_divide"},
    {"aten::dequantize.self", "as floor_divide"},
    {"aten::resize", "as floor_divide"},
    {"aten::resize_as", "as floor_divide"},
    {"aten::embedding_renorm", "as floor_divide"},
    {"aten::embedding_renorm_", "as floor_divide"},
    {"aten::_unique", "as floor_divide"},
    {"aten::_unique2", "as floor_divide"},
    {"aten::unique_consecutive", "as floor_divide"},
    {"aten::unique_dim", "as floor_divide"},
    {"aten::unique_dim_consecutive", "as floor_divide"},
    {"aten::fake_quantize_per_tensor_affine", "rounding counts as if it were the identity"},
    {"aten::fake_quantize_per_tensor_affine.tensor_qparams", "rounding counts as if it were the identity"},
    {"aten::fake_quantize_per_tensor_affine_cachemask", "rounding counts as if it were the identity"},
    {"aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams", "rounding counts as if it were the identity"},
    {"aten::fused_moving_avg_obs_fake_quant", "writes the range that it follows, which is a leaf here"},
    {"aten::_batch_norm_with_update_functional", "its new running statistics have no derivative, as in PyTorch"},
    {"aten::_cast_Float", "the result has too few digits for differences"},
    {"aten::_cast_Half", "as _cast_Float"},
    {"aten::_scaled_dot_product_flash_attention_for_cpu", "the sums count as constants, as in PyTorch"},
    {"aten::_scaled_dot_product_flash_attention_for_cpu_backward", "as floor_divide"},
    {"aten::_transform_bias_rescale_qkv", "as floor_divide"},
    {"aten::_native_multi_head_attention", "as floor_divide"},
    {"aten::_transformer_encoder_layer_fwd", "as floor_divide"},
    {"aten::_scaled_mm", "as floor_divide"},
    {"aten::_weight_norm_interface_backward", "as floor_divide"},
    {"aten::segment_reduce", "its gradient has no derivative, as in PyTorch"},
    {"aten::_segment_reduce_backward", "its gradient has no derivative, as in PyTorch"},
    {"aten::cosine_similarity", "where eps stands for a norm PyTorch keeps the gradient of the norm"},
    {"aten::detach_copy", "nothing to differentiate: PyTorch records a history that ends there"},
    {"aten::_index_put_impl", "of a place that is written twice PyTorch gives both values the gradient"},
    {"aten::_index_put_impl_", "of a place that is written twice PyTorch gives both values the gradient"},
    {"aten::_unsafe_index_put", "of a place that is written twice PyTorch gives both values the gradient"},
    {"aten::index_put", "of a place that is written twice PyTorch gives both values the gradient"},
    {"aten::index_put_", "of a place that is written twice PyTorch gives both values the gradient"},
    {"aten::put_", "of a place that is written twice PyTorch gives both values the gradient"},
    {"aten::put", "of a place that is written twice PyTorch gives both values the gradient"},
    {"aten::max_unpool2d", "of a place that is written twice PyTorch gives both values the gradient"},
    {"aten::max_unpool3d", "of a place that is written twice PyTorch gives both values the gradient"},
    {"aten::_native_batch_norm_legit_functional", "its new running statistics have no derivative, as in PyTorch"},
    {"aten::log_sigmoid_backward", "its buffer counts as a part of self, as in PyTorch"},
    {"aten::polar", "of a negative length PyTorch's gradient has the other sign"},
    {"aten::_philox_normal", "random numbers by a key have no derivative, as in PyTorch"},
    {"aten::_philox_normal_", "as _philox_normal"},
    {"aten::_philox_uniform", "as _philox_normal"},
    {"aten::_philox_uniform_", "as _philox_normal"},
    {"aten::as_strided_scatter",
     "PyTorch's gradient of self, which recorded cases hold, is not the limit of differences"},
    {"aten::normal.Tensor_float", "PyTorch's gradient of random numbers by their mean or deviation is zero"},
    {"aten::normal.float_Tensor", "as normal.Tensor_float"},
    {"aten::normal.Tensor_Tensor", "as normal.Tensor_float"},
    {"aten::_standard_gamma", "its gradient is that of the distribution, not of the way to draw from it"},
    {"aten::_standard_gamma_grad", "PyTorch has no derivative either"},
    {"aten::_dirichlet_grad", "PyTorch has no derivative either"},
    {"aten::_sample_dirichlet", "as _standard_gamma; not implemented in PyTorch either"},
    {"aten::rrelu_with_noise_functional", "PyTorch has no derivative by the noise either"},
    {"aten::rrelu_with_noise_backward", "as rrelu_with_noise_functional"},
    {"aten::_embedding_bag_forward_only", "PyTorch has no derivative either"},
    {"aten::_embedding_bag_backward", "PyTorch has no second derivative either"},
    {"aten::_embedding_bag_dense_backward", "as _embedding_bag_backward"},
    {"aten::_embedding_bag_per_sample_weights_backward", "as _embedding_bag_backward"},
    {"aten::ctc_loss.IntList", "its gradient is the one behind a log_softmax, as in PyTorch"},
    {"aten::ctc_loss.Tensor", "as ctc_loss.IntList"},
    {"aten::_ctc_loss_backward", "PyTorch has no second derivative either"},
    {"aten::_ctc_loss_backward.Tensor", "as _ctc_loss_backward"},
    {"aten::binomial", "PyTorch has no derivative either"},
    {"aten::logical_and_", "PyTorch does not record it: gradients pass on"},
    {"aten::logical_not_", "as logical_and_"},
    {"aten::logical_or_", "as logical_and_"},
    {"aten::logical_xor_", "as logical_and_"},
    {"aten::resize_", "refuses tensors that require grad"},
    {"aten::resize_as_", "as resize_"},
    {"aten::_new_zeros_with_same_feature_meta", "PyTorch has no derivative either"},
    {"aten::set", "PyTorch has no derivative either"},
    {"aten::set.source_Storage", "PyTorch has no derivative either"},
    {"aten::set.source_Storage_storage_offset", "PyTorch has no derivative either"},
    {"aten::set.source_Tensor", "PyTorch has no derivative either"},
    {"aten::set_", "PyTorch has no derivative either"},
    {"aten::set_.source_Storage", "PyTorch has no derivative either"},
    {"aten::set_.source_Storage_storage_offset", "PyTorch has no derivative either"},
    {"aten::set_.source_Tensor", "PyTorch has no derivative either"},
    {"aten::set_.source_Tensor_storage_offset", "PyTorch has no derivative either"},
    {"aten::_linalg_eigvals", "PyTorch has no derivative either, and says so when it is asked for"},
    {"aten::chalf", "the result has too few digits for differences"},
    {"aten::linalg_eig", "refuses sums that depend on the phases of eigenvectors"},
    {"aten::requires_grad_", "is asked to forget the history of a tensor that is no leaf, which it refuses"},
    {"aten::retain_grad", "refuses tensors that do not require grad"},
};

/// Operators with a derivative that no call here asks for it, and what it would take. Recorded answers have them.
const std::map<std::string, std::string> not_reached = {
    {"aten::_ctc_loss", "lengths and labels that fit each other"},
    {"aten::_ctc_loss.Tensor", "lengths and labels that fit each other"},
    {"aten::_fake_quantize_learnable_per_channel_affine", "a scale for each channel"},
    {"aten::_fake_quantize_learnable_per_tensor_affine", "a scale of one element"},
    {"aten::_grouped_mm", "ends of groups"},
    {"aten::_weight_norm_interface", "norms along one dimension"},
    {"aten::detach_", "forgets the history that is looked for"},
    {"aten::fake_quantize_per_channel_affine_cachemask", "a scale for each channel"},
    {"aten::linalg_matrix_sqrth", "a symmetric matrix"},
    {"aten::special_zeta.self_scalar", "a number above one"},
};

/// Factorisations and what is made of them: differences say nothing where a matrix is nearly singular, as these often
/// are; tests/ops/linear_algebra.cpp takes regular ones. LDL factors and geqrf have no derivative, as in PyTorch.
const std::set<std::string, std::less<>> of_regular_matrices = {"aten::_linalg_det",
                                                                "aten::_linalg_eigh",
                                                                "aten::_linalg_slogdet",
                                                                "aten::_linalg_solve_ex",
                                                                "aten::_linalg_svd",
                                                                "aten::_lu_with_info",
                                                                "aten::cholesky_inverse",
                                                                "aten::cholesky_solve",
                                                                "aten::det",
                                                                "aten::geqrf",
                                                                "aten::inverse",
                                                                "aten::linalg_cholesky",
                                                                "aten::linalg_cholesky_ex",
                                                                "aten::linalg_cond",
                                                                "aten::linalg_cond.p_str",
                                                                "aten::linalg_det",
                                                                "aten::linalg_eigh",
                                                                "aten::linalg_eigvalsh",
                                                                "aten::linalg_inv",
                                                                "aten::linalg_inv_ex",
                                                                "aten::linalg_ldl_factor",
                                                                "aten::linalg_ldl_factor_ex",
                                                                "aten::linalg_ldl_solve",
                                                                "aten::linalg_lstsq",
                                                                "aten::linalg_lu",
                                                                "aten::linalg_lu_factor",
                                                                "aten::linalg_lu_factor_ex",
                                                                "aten::linalg_lu_solve",
                                                                "aten::linalg_pinv",
                                                                "aten::linalg_pinv.atol_rtol_float",
                                                                "aten::linalg_pinv.atol_rtol_tensor",
                                                                "aten::linalg_pinv.rcond_tensor",
                                                                "aten::linalg_polar",
                                                                "aten::linalg_qr",
                                                                "aten::linalg_slogdet",
                                                                "aten::linalg_solve",
                                                                "aten::linalg_solve_ex",
                                                                "aten::linalg_svd",
                                                                "aten::linalg_svdvals",
                                                                "aten::logdet",
                                                                "aten::lu_solve",
                                                                "aten::nuclear_norm",
                                                                "aten::nuclear_norm.dim",
                                                                "aten::pinverse",
                                                                "aten::slogdet",
                                                                "aten::svd",
                                                                "aten::triangular_solve"};

struct Problem {
  std::string text;
};

bool near(double a, double b) { return std::abs(a - b) <= 2e-5 * (1 + std::abs(a) + std::abs(b)); }

enum class Found { NotDifferentiable, Once, Twice };

/// Compares both derivatives; throws Problem where they differ.
Found compare(const Function& f) {
  if (f.inputs.empty() || !std::isfinite(f.value())) return Found::NotDifferentiable;
  std::vector<Tensor> first = f.gradient();
  if (first.empty()) return Found::NotDifferentiable;
  if (!f.weights_differ()) {
    double expected = f.along([&] { return f.value(); }), got = f.product(first);
    if (!std::isfinite(expected) || !std::isfinite(got)) return Found::NotDifferentiable;
    if (!near(expected, got)) throw Problem{concat("the derivative is ", got, ", by differences ", expected)};
  }
  std::vector<Tensor> second;
  f.gradient_value(&second);
  double expected = f.along([&] { return f.gradient_value(); }), got = f.product(second);
  if (!std::isfinite(expected) || !std::isfinite(got)) return Found::Once;
  if (!near(expected, got)) throw Problem{concat("the second derivative is ", got, ", by differences ", expected)};
  return Found::Twice;
}

/// What the walk over elements of one dtype says of an operator.
struct Verdict {
  bool once = false, again = false;
  std::string why;
  bool fails() const { return once && (!again || !why.empty()); }
};
Verdict judge(const OperatorHandle& op, ScalarType dtype) {
  Verdict v;
  for (bool defaults : {true, false})
    for (every::Shapes shapes : every::all_shapes(3)) {
      if (shapes.dtype != kFloat) continue;
      shapes.dtype = dtype;
      for (auto [low, high] : {std::pair{0.15, 0.85}, {1.2, 2.4}, {-2.3, 2.2}}) {
        try {
          Found found = compare(Function(op, shapes, low, high, defaults));
          v.once = v.once || found != Found::NotDifferentiable;
          v.again = v.again || found == Found::Twice;
        } catch (const Problem& p) {
          v.once = true;
          v.why = concat(p.text, " (shapes ", shapes.self, ", ", shapes.index, ", ", shapes.small, ", from ", low, ")");
        } catch (const AutogradError& e) {
          v.once = true;
          v.why = e.what();
        } catch (const NotImplementedError& e) {
          if (std::string_view(e.what()).find("derivative") == std::string_view::npos) continue;
          v.once = true;
          v.why = e.what();
        } catch (const Error&) {  // not these arguments
        }
      }
    }
  return v;
}
bool is_walked(const OperatorHandle& op) {
  return every::writes_of(op.schema()) != every::Writes::Out && !of_regular_matrices.contains(op.name());
}

}  // namespace

TEST_CASE("every derivative is that of finite differences and can be differentiated again", "[autograd][every]") {
  std::string problems, unexpected, unreached;
  int twice = 0;
  for (const OperatorHandle& op : every::operators()) {
    if (!is_walked(op)) continue;
    Verdict v = judge(op, kDouble);
    twice += v.again;
    std::string name(op.name());
    if (v.fails() && !without.contains(name)) problems += concat(name, ": ", v.why, "\n");
    if (!v.fails() && without.contains(name)) unexpected += concat(name, "\n");
    const auto* own = op.entry().kernel_at(DispatchKey::Autograd);
    if (own && !(*own)->is_fallthrough && v.once == not_reached.contains(name)) unreached += concat(name, "\n");
  }
  CHECK(problems == "");
  CHECK(unexpected == "");  // no exception any more
  CHECK(unreached == "");
  CHECK(twice > 200);
}

TEST_CASE("every derivative by complex numbers is that of finite differences, and so is its own", "[autograd][every]") {
  std::string problems;
  int twice = 0;
  for (const OperatorHandle& op : every::operators()) {
    if (!is_walked(op)) continue;
    Verdict v = judge(op, kComplexDouble);
    twice += v.again;
    std::string name(op.name());
    if (v.fails() && !without.contains(name)) problems += concat(name, ": ", v.why, "\n");
  }
  CHECK(problems == "");
  CHECK(twice > 200);
}
