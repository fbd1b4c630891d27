// Shapes, dtypes and errors of eigenvalues and singular values, for every back end.
#pragma once
#include <optional>
#include <string_view>
#include <tenon/library/library.hpp>
#include <tenon/ops/spectral.hpp>
#include <tenon/structured/matrices.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

namespace spectra {

inline char triangle_of(std::string_view uplo) {
  TENON_CHECK(uplo == "L" || uplo == "U" || uplo == "l" || uplo == "u", ValueError,
              "Expected UPLO argument to be 'L' or 'U', but got ", uplo);
  return uplo == "L" || uplo == "l" ? 'L' : 'U';
}
struct eigh_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& A, std::string_view uplo, bool vectors) const {
    check_square<Int>("linalg.eigh", A);
    check_lapack_type("linalg.eigh", A.dtype());
    triangle_of(uplo);
    set_dense<Int>(out, 0, batch_of<Int>(A, 1), to_real_type(A.dtype()), A.device());
    if (vectors)
      set_matrices<Int>(out, 1, dims_t<Int>(sizes_of<Int>(A)), A.dtype(), A.device());
    else
      set_dense<Int>(out, 1, {Int(0)}, A.dtype(), A.device());
  }
};

struct eig_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self) const {
    check_square<Int>("linalg.eig", self);
    check_lapack_type("linalg.eig", self.dtype());
    ScalarType dtype = to_complex_type(self.dtype());
    set_dense<Int>(out, 0, batch_of<Int>(self, 1), dtype, self.device(), OutputCast::Allowed);
    set_matrices<Int>(out, 1, dims_t<Int>(sizes_of<Int>(self)), dtype, self.device(), OutputCast::Allowed);
  }
};
template <class Int>
Tensor eigvals_meta(const Tensor& self) {
  check_square<Int>("linalg.eigvals", self);
  check_lapack_type("linalg.eigvals", self.dtype());
  Outputs out(StructuredForm::Functional, true);
  set_dense<Int>(out, 0, batch_of<Int>(self, 1), to_complex_type(self.dtype()), self.device(), OutputCast::Allowed);
  return out.take(0);
}

struct svd_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& A, bool full, bool vectors,
                  std::optional<std::string_view> driver) const {
    check_matrix("linalg.svd", A);
    check_lapack_type("linalg.svd", A.dtype());
    TENON_CHECK(!driver || !A.is_cpu(), ValueError,
                "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.");
    Int m = rows_of<Int>(A), n = columns_of<Int>(A), k = smaller<Int>(m, n);
    if (vectors) {
      set_matrices<Int>(out, 0, batch_of<Int>(A, 2, {m, full ? m : k}), A.dtype(), A.device());
      set_matrices<Int>(out, 2, batch_of<Int>(A, 2, {full ? n : k, n}), A.dtype(), A.device());
    } else {
      set_dense<Int>(out, 0, {Int(0)}, A.dtype(), A.device());
      set_dense<Int>(out, 2, {Int(0)}, A.dtype(), A.device());
    }
    set_dense<Int>(out, 1, batch_of<Int>(A, 2, {k}), to_real_type(A.dtype()), A.device());
  }
};

}  // namespace spectra

TENON_LIBRARY_FRAGMENT(aten, m) { m.def<ops::_linalg_eigvals_base>(); }
TENON_LIBRARY_IMPL(aten, Meta, m) { m.impl<ops::_linalg_eigvals_base, &spectra::eigvals_meta<SymInt>>(); }

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(_linalg_eigh_base, composite::spectra::eigh_meta);
TENON_STRUCTURED_OF(linalg_eig_base, composite::spectra::eig_meta);
TENON_STRUCTURED_OF(_linalg_svd_base, composite::spectra::svd_meta);

}  // namespace tenon::ops
