// The types of operators whose way to a kernel is compiled once per program.
#include <tenon/dispatch/usual_calls.hpp>

#include <type_traits>

#include <tenon/ops.hpp>

#include <catch.hpp>

namespace {
using namespace tenon;
using namespace tenon::detail;

template <class... T>
struct types {
  template <class Sig>
  static constexpr bool have = (std::is_same_v<Sig, T> || ...);
  template <class Other>
  static constexpr bool all_in = (Other::template have<T> && ...);
};

#define TENON_TEST_TYPE(R, ...) , R(__VA_ARGS__)
template <class, class... T>
using listed = types<T...>;
using usual = listed<void TENON_INTERNAL_USUAL_CALLS(TENON_TEST_TYPE)>;

using operators =
    types<signature_t<ops::relu_base>, signature_t<ops::mul_Tensor>, signature_t<ops::mul_Scalar>,
          signature_t<ops::var_base>, signature_t<ops::one_hot_base>, signature_t<ops::permute_base>,
          signature_t<ops::reshape_base>, signature_t<ops::gelu_base>, signature_t<ops::sum_base>,
          signature_t<ops::where_self>, signature_t<ops::add_Tensor>, signature_t<ops::mse_loss_base>,
          signature_t<ops::div_Tensor_mode>, signature_t<ops::linear_base>, signature_t<ops::add_Scalar>,
          signature_t<ops::clamp_base>, signature_t<ops::dropout_base>, signature_t<ops::all_dim>,
          signature_t<ops::transpose_int>, signature_t<ops::select_int>, signature_t<ops::narrow_base>,
          signature_t<ops::slice_Tensor>, signature_t<ops::index_select_base>, signature_t<ops::gather_base>,
          signature_t<ops::scatter_add_base>, signature_t<ops::softmax_int>, signature_t<ops::argmax_base>,
          signature_t<ops::amax_base>, signature_t<ops::expand_base>, signature_t<ops::sum_dim_IntList>,
          signature_t<ops::var_correction>, signature_t<ops::to_dtype>, signature_t<ops::addcmul_base>,
          signature_t<ops::addmm_base>, signature_t<ops::cat_base>, signature_t<ops::einsum_base>,
          signature_t<ops::embedding_base>, signature_t<ops::nll_loss_base>, signature_t<ops::cross_entropy_loss_base>,
          signature_t<ops::conv2d_base>, signature_t<ops::max_pool2d_base>, signature_t<ops::layer_norm_base>,
          signature_t<ops::batch_norm_base>, signature_t<ops::max_dim>, signature_t<ops::unbind_int>,
          signature_t<ops::chunk_base>, signature_t<ops::split_Tensor>, signature_t<ops::equal_base>,
          signature_t<ops::item_base>, signature_t<ops::relu_base_>, signature_t<ops::mul_Tensor_>,
          signature_t<ops::mul_Scalar_>, signature_t<ops::copy_base_>, signature_t<ops::add_Tensor_>,
          signature_t<ops::addcmul_base_>, signature_t<ops::clamp_base_>, signature_t<ops::normal_base_>>;

#define TENON_TEST_FACTORY(...) , Tensor(__VA_ARGS__)
using usual_factories = listed<void TENON_INTERNAL_USUAL_FACTORIES(TENON_TEST_FACTORY)>;
using factories =
    types<signature_t<ops::zeros_base>, signature_t<ops::empty_memory_format>, signature_t<ops::full_base>,
          signature_t<ops::eye_base>, signature_t<ops::eye_m>, signature_t<ops::arange_base>,
          signature_t<ops::arange_start>, signature_t<ops::arange_start_step>, signature_t<ops::linspace_base>,
          signature_t<ops::randint_base>, signature_t<ops::randint_low>>;
}  // namespace

TEST_CASE("the operators that most programs call have usual types, and each usual type an operator", "[ops][call]") {
  STATIC_REQUIRE(operators::all_in<usual>);
  STATIC_REQUIRE(usual::all_in<operators>);
  STATIC_REQUIRE(factories::all_in<usual_factories>);
  STATIC_REQUIRE(usual_factories::all_in<factories>);
}
