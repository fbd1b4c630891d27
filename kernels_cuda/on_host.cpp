// Registers on CUDA what the host computes for it: factorizations and solutions by LAPACK, numbers of a key, slopes
// of numbers of the beta distribution.
// Arguments are copied to the host and results back, which waits for the device.
#include <tenon/library/library.hpp>
#include <tenon/ops/cpu_fallback.hpp>
#include <tenon/ops/factorization.hpp>
#include <tenon/ops/from_file.hpp>
#include <tenon/ops/matrix.hpp>
#include <tenon/ops/philox.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/solve.hpp>
#include <tenon/ops/spectral.hpp>

namespace tenon::cuda {
namespace {

/// An operator with its in-place and out forms.
template <class Op>
void one_on_host(Library& m) {
  m.impl<Op{}>(Kernel(&cpu_fallback));
  if constexpr (requires { requires Op::has_inplace; }) m.impl<typename Op::inplace{}>(Kernel(&cpu_fallback));
  if constexpr (requires { requires Op::has_out; }) m.impl<typename Op::out{}>(Kernel(&cpu_fallback));
}
template <auto... Ops>
void compute_on_host(Library& m) {
  (one_on_host<std::remove_const_t<decltype(Ops)>>(m), ...);
}

Tensor from_file(std::string_view, std::optional<bool>, std::optional<std::int64_t>, std::optional<ScalarType>,
                 std::optional<Layout>, std::optional<Device> device, std::optional<bool>) {
  fail<NotImplementedError>("from_file(): a file is memory of the host, got device ", *device,
                            "; leave the device out and copy the tensor with .to(", *device, ")");
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  using namespace tenon;
  using cuda::compute_on_host;
  compute_on_host<ops::cholesky_inverse_base, ops::cholesky_solve_base, ops::geqrf_base, ops::linalg_cholesky_ex_base,
                  ops::linalg_householder_product_base, ops::linalg_inv_ex_base, ops::linalg_ldl_factor_ex_base,
                  ops::linalg_ldl_solve_base, ops::linalg_lu_base, ops::linalg_lu_factor_ex_base,
                  ops::linalg_lu_solve_base, ops::linalg_matrix_exp_base, ops::linalg_qr_base,
                  ops::linalg_solve_triangular_base, ops::lu_unpack_base, ops::ormqr_base>(m);
  compute_on_host<ops::_linalg_det_base, ops::_linalg_eigh_base, ops::_linalg_eigvals_base, ops::_linalg_slogdet_base,
                  ops::_linalg_solve_ex_base, ops::_linalg_svd_base, ops::linalg_eig_base, ops::linalg_lstsq_base,
                  ops::triangular_solve_base>(m);
  compute_on_host<ops::_philox_key_split_base, ops::_philox_key_fold_in_base, ops::_philox_key_fold_in_Tensor,
                  ops::_philox_uniform_base_, ops::_philox_normal_base_, ops::_philox_randint_base_>(m);
  compute_on_host<ops::_dirichlet_grad_base>(m);
  m.impl<ops::from_file_base, &cuda::from_file>();
}
