// Shapes, dtypes and errors of matrix factorizations, for every back end.
#pragma once
#include <string_view>
#include <tenon/ops/factorization.hpp>
#include <tenon/structured/matrices.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

namespace factorizations {

struct cholesky_ex_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, bool, bool) const {
    check_square<Int>("linalg.cholesky", self);
    check_lapack_type("linalg.cholesky", self.dtype());
    set_matrices<Int>(out, 0, dims_t<Int>(sizes_of<Int>(self)), self.dtype(), self.device());
    set_dense<Int>(out, 1, batch_of<Int>(self), kInt, self.device());
  }
};

struct cholesky_inverse_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, bool) const {
    check_square<Int>("cholesky_inverse", self);
    check_lapack_type("cholesky_inverse", self.dtype());
    set_matrices<Int>(out, 0, dims_t<Int>(sizes_of<Int>(self)), self.dtype(), self.device(), OutputCast::Allowed);
  }
};

struct lu_factor_ex_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& A, bool, bool) const {
    check_matrix("linalg.lu_factor", A);
    check_lapack_type("linalg.lu_factor", A.dtype());
    Int k = smaller<Int>(rows_of<Int>(A), columns_of<Int>(A));
    set_matrices<Int>(out, 0, dims_t<Int>(sizes_of<Int>(A)), A.dtype(), A.device());
    set_dense<Int>(out, 1, batch_of<Int>(A, 2, {k}), kInt, A.device());
    set_dense<Int>(out, 2, batch_of<Int>(A), kInt, A.device());
  }
};
struct lu_unpack_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& LU, const Tensor& pivots, bool data, bool places) const {
    TENON_CHECK(LU.dim() >= 2, ValueError,
                "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: ", LU.sym_sizes(), " instead");
    TENON_CHECK(!places || pivots.dtype() == kInt, TypeError,
                "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n"
                "Note: this function is intended to be used with the output produced by torch.linalg.lu_factor");
    Int m = rows_of<Int>(LU), n = columns_of<Int>(LU), k = smaller<Int>(m, n);
    dims_t<Int> expected = batch_of<Int>(LU, 2, {k});
    TENON_CHECK(!places || sizes_of<Int>(pivots) == ArrayRef<Int>(expected), ValueError,
                "torch.lu_unpack: Expected LU_pivots of size ", expected, ", got ", pivots.sym_sizes());
    dims_t<Int> none{Int(0)};
    if (places)
      set_dense<Int>(out, 0, batch_of<Int>(LU, 2, {m, m}), LU.dtype(), LU.device());
    else
      set_dense<Int>(out, 0, none, LU.dtype(), LU.device());
    if (data) {
      set_dense<Int>(out, 1, batch_of<Int>(LU, 2, {m, k}), LU.dtype(), LU.device());
      set_dense<Int>(out, 2, batch_of<Int>(LU, 2, {k, n}), LU.dtype(), LU.device());
    } else {
      set_dense<Int>(out, 1, none, LU.dtype(), LU.device());
      set_dense<Int>(out, 2, none, LU.dtype(), LU.device());
    }
  }
};

struct linalg_lu_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& A, bool pivot) const {
    check_matrix("linalg.lu", A);
    check_lapack_type("linalg.lu", A.dtype());
    Int m = rows_of<Int>(A), n = columns_of<Int>(A), k = smaller<Int>(m, n);
    set_dense<Int>(out, 0, pivot ? batch_of<Int>(A, 2, {m, m}) : dims_t<Int>{Int(0)}, A.dtype(), A.device());
    set_dense<Int>(out, 1, batch_of<Int>(A, 2, {m, k}), A.dtype(), A.device());
    set_dense<Int>(out, 2, batch_of<Int>(A, 2, {k, n}), A.dtype(), A.device());
  }
};

struct ldl_factor_ex_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, bool, bool) const {
    check_square<Int>("torch.linalg.ldl_factor_ex", self);
    check_lapack_type("torch.linalg.ldl_factor_ex", self.dtype());
    set_matrices<Int>(out, 0, dims_t<Int>(sizes_of<Int>(self)), self.dtype(), self.device());
    set_dense<Int>(out, 1, batch_of<Int>(self, 1), kInt, self.device());
    set_dense<Int>(out, 2, batch_of<Int>(self), kInt, self.device());
  }
};

struct geqrf_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self) const {
    check_matrix("torch.geqrf", self, "self");
    check_lapack_type("torch.geqrf", self.dtype());
    Int k = smaller<Int>(rows_of<Int>(self), columns_of<Int>(self));
    set_matrices<Int>(out, 0, dims_t<Int>(sizes_of<Int>(self)), self.dtype(), self.device(), OutputCast::Allowed);
    set_dense<Int>(out, 1, batch_of<Int>(self, 2, {k}), self.dtype(), self.device(), OutputCast::Allowed);
  }
};

enum class QrMode { Reduced, Complete, OnlyR };
inline QrMode qr_mode(std::string_view mode) {
  if (mode == "reduced") return QrMode::Reduced;
  if (mode == "complete") return QrMode::Complete;
  TENON_CHECK(mode == "r", ValueError, "qr received unrecognized mode '", mode,
              "' but expected one of 'reduced' (default), 'r', or 'complete'");
  return QrMode::OnlyR;
}
struct linalg_qr_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& A, std::string_view mode) const {
    check_matrix("linalg.qr", A);
    check_lapack_type("linalg.qr", A.dtype());
    QrMode kind = qr_mode(mode);
    Int m = rows_of<Int>(A), n = columns_of<Int>(A), k = kind == QrMode::Complete ? m : smaller<Int>(m, n);
    if (kind == QrMode::OnlyR)
      set_dense<Int>(out, 0, {Int(0)}, A.dtype(), A.device());
    else
      set_matrices<Int>(out, 0, batch_of<Int>(A, 2, {m, k}), A.dtype(), A.device());
    set_matrices<Int>(out, 1, batch_of<Int>(A, 2, {k, n}), A.dtype(), A.device());
  }
};

template <class Int>
void check_reflections(const char* name, const Tensor& input, const Tensor& tau) {
  TENON_CHECK(input.dim() >= 2, ValueError, name, ": input must have at least 2 dimensions.");
  TENON_CHECK(columns_of<Int>(input) >= sizes_of<Int>(tau)[tau.dim() - 1], ValueError, name,
              ": input.shape[-1] must be greater than or equal to tau.shape[-1]");
  TENON_CHECK(input.dim() - tau.dim() == 1, ValueError, name,
              ": Expected tau to have one dimension less than input, but got tau.ndim equal to ", tau.dim(),
              " and input.ndim is equal to ", input.dim());
  for (std::int64_t d = 0; d + 2 < input.dim(); ++d)
    TENON_CHECK(sizes_of<Int>(input)[d] == sizes_of<Int>(tau)[d], ValueError, name,
                ": Expected batch dimensions of tau to be equal to input.shape[:-2], but got ", tau.sym_sizes());
  TENON_CHECK(tau.dtype() == input.dtype(), TypeError, name, ": tau dtype ", tau.dtype(),
              " does not match input dtype ", input.dtype());
}
struct householder_product_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& input, const Tensor& tau) const {
    const char* name = "torch.linalg.householder_product";
    TENON_CHECK(input.dim() >= 2, ValueError, name, ": input must have at least 2 dimensions.");
    TENON_CHECK(rows_of<Int>(input) >= columns_of<Int>(input), ValueError, name,
                ": input.shape[-2] must be greater than or equal to input.shape[-1]");
    TENON_CHECK(tau.dim() >= 1, ValueError, name, ": tau must have at least 1 dimension.");
    check_reflections<Int>(name, input, tau);
    check_lapack_type(name, input.dtype());
    set_matrices<Int>(out, 0, dims_t<Int>(sizes_of<Int>(input)), input.dtype(), input.device(), OutputCast::Allowed);
  }
};

struct ormqr_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& tau, const Tensor& other, bool left, bool) const {
    const char* name = "torch.ormqr";
    TENON_CHECK(other.dim() >= 2, ValueError, name, ": other must have at least 2 dimensions.");
    TENON_CHECK(tau.dim() >= 1 && self.dim() >= 2, ValueError, name, ": input must have at least 2 dimensions.");
    const Int& size = left ? rows_of<Int>(other) : columns_of<Int>(other);
    TENON_CHECK(size >= sizes_of<Int>(tau)[tau.dim() - 1], ValueError, name, ": other.shape[", left ? -2 : -1,
                "] must be greater than or equal to tau.shape[-1]");
    TENON_CHECK(size == rows_of<Int>(self), ValueError, name, ": other.shape[", left ? -2 : -1,
                "] must be equal to input.shape[-2]");
    check_reflections<Int>(name, self, tau);
    TENON_CHECK(self.dim() == other.dim(), ValueError, name,
                ": Expected other to have the same number of dimensions as input, but got other.ndim equal to ",
                other.dim(), " and input.ndim is equal to ", self.dim());
    for (std::int64_t d = 0; d + 2 < self.dim(); ++d)
      TENON_CHECK(sizes_of<Int>(self)[d] == sizes_of<Int>(other)[d], ValueError, name,
                  ": Expected batch dimensions of other to be equal to input.shape[:-2], but got ", other.sym_sizes());
    check_same_type(name, self, other, "input", "other");
    check_lapack_type(name, self.dtype());
    set_matrices<Int>(out, 0, dims_t<Int>(sizes_of<Int>(other)), other.dtype(), other.device());
  }
};

}  // namespace factorizations

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(linalg_cholesky_ex_base, composite::factorizations::cholesky_ex_meta);
TENON_STRUCTURED_OF(cholesky_inverse_base, composite::factorizations::cholesky_inverse_meta);
TENON_STRUCTURED_OF(linalg_lu_factor_ex_base, composite::factorizations::lu_factor_ex_meta);
TENON_STRUCTURED_OF(lu_unpack_base, composite::factorizations::lu_unpack_meta);
TENON_STRUCTURED_OF(linalg_lu_base, composite::factorizations::linalg_lu_meta);
TENON_STRUCTURED_OF(linalg_ldl_factor_ex_base, composite::factorizations::ldl_factor_ex_meta);
TENON_STRUCTURED_OF(geqrf_base, composite::factorizations::geqrf_meta);
TENON_STRUCTURED_OF(linalg_qr_base, composite::factorizations::linalg_qr_meta);
TENON_STRUCTURED_OF(linalg_householder_product_base, composite::factorizations::householder_product_meta);
TENON_STRUCTURED_OF(ormqr_base, composite::factorizations::ormqr_meta);

}  // namespace tenon::ops
