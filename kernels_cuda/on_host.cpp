// Registers on CUDA what the host computes for it: factorizations and solutions by LAPACK, Fourier transforms, and what
// has no kernel yet. Arguments are copied to the host and results back, which waits for the device.
#include <tenon/library/library.hpp>
#include <tenon/ops/cpu_fallback.hpp>
#include <tenon/ops/factorization.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/fft.hpp>
#include <tenon/ops/histogram.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/matrix.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/reduce_into.hpp>
#include <tenon/ops/repeat.hpp>
#include <tenon/ops/solve.hpp>
#include <tenon/ops/sort.hpp>
#include <tenon/ops/spectral.hpp>
#include <tenon/ops/unique.hpp>

namespace tenon::cuda {
namespace {

/// With their in-place and out forms.
template <auto... Ops>
void compute_on_host(Library& m) {
  auto one = [&]<class Op>(Op) {
    m.impl<Op{}>(Kernel(&cpu_fallback));
    if constexpr (requires { requires Op::has_inplace; }) m.impl<typename Op::inplace{}>(Kernel(&cpu_fallback));
    if constexpr (requires { requires Op::has_out; }) m.impl<typename Op::out{}>(Kernel(&cpu_fallback));
  };
  (one(Ops), ...);
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
  compute_on_host<ops::_fft_c2c_base, ops::_fft_c2r_base, ops::_fft_r2c_base>(m);
  compute_on_host<ops::_histogramdd_bin_edges_base, ops::_histogramdd_from_bin_cts_base,
                  ops::_histogramdd_from_bin_tensors_base, ops::bincount_base, ops::histc_base, ops::histogram_bin_ct,
                  ops::histogram_bins_tensor>(m);
  compute_on_host<ops::_unique_base, ops::_unique2_base, ops::unique_consecutive_base, ops::unique_dim_base,
                  ops::unique_dim_consecutive_base>(m);
  compute_on_host<ops::_segment_reduce_backward_base, ops::frexp_Tensor, ops::mode_base, ops::nonzero_static_base,
                  ops::repeat_interleave_Tensor, ops::segment_reduce_base>(m);
  compute_on_host<ops::linspace_base_out, ops::logspace_base_out, ops::range_step_out>(m);
}
