// Shapes, dtypes and errors of linear equations, determinants and least squares, for every back end.
#pragma once
#include <initializer_list>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <tenon/composite/linalg_checks.hpp>
#include <tenon/structured/matrices.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

namespace equations {

/// A right side without a dimension for its columns.
template <class Int>
bool is_vector(const Tensor& A, const Tensor& B) {
  if (B.dim() == 1) return true;
  return B.dim() == A.dim() - 1 && sizes_of<Int>(B) == sizes_of<Int>(A).slice(0, sizes_of<Int>(A).size() - 1);
}
struct solve_ex_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& A, const Tensor& B, bool left, bool) const {
    const char* name = "linalg.solve";
    check_lapack_type(name, A.dtype());
    check_square<Int>(name, A);
    check_same_type(name, A, B);
    TENON_CHECK(B.dim() >= 1, ValueError, name, ": The input tensor B must have at least 1 dimension.");
    bool vector = is_vector<Int>(A, B);
    TENON_CHECK(left || !vector, ValueError, name,
                ": Vector broadcasting of the left hand side is not supported for left=False. In this case "
                "linalg.solve is equivalent to B / A.squeeze(-1)");
    if (vector) {
      const Int& n = sizes_of<Int>(B)[B.dim() - 1];
      TENON_CHECK(n == rows_of<Int>(A), ValueError, name, ": Incompatible shapes of A and B for the equation AX = B (",
                  rows_of<Int>(A), "x", columns_of<Int>(A), " and ", n, "x1)");
      ArrayRef<Int> a = sizes_of<Int>(A), b = sizes_of<Int>(B);
      dims_t<Int> shape = broadcast_shapes(a.slice(0, a.size() - 2), b.slice(0, b.size() - 1));
      shape.push_back(n);
      // PyTorch takes the last two dimensions of a batch of vectors for a matrix, and orders it by columns.
      if (shape.size() > 1)
        set_matrices<Int>(out, 0, shape, A.dtype(), A.device());
      else
        set_dense<Int>(out, 0, shape, A.dtype(), A.device());
    } else {
      check_equation<Int>(name, A, B, left);
      // What is solved from the right lies by rows.
      left ? set_matrices<Int>(out, 0, common_batch<Int>(A, B), A.dtype(), A.device())
           : set_dense<Int>(out, 0, common_batch<Int>(A, B), A.dtype(), A.device());
    }
    set_matrices<Int>(out, 1, dims_t<Int>(sizes_of<Int>(A)), A.dtype(), A.device());
    set_dense<Int>(out, 2, batch_of<Int>(A, 1), kInt, A.device());
    set_dense<Int>(out, 3, batch_of<Int>(A), kInt, A.device());
  }
};

struct lu_solve_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool) const {
    const char* name = "torch.linalg.lu_solve";
    check_lapack_type(name, LU.dtype());
    TENON_CHECK(pivots.dtype() == kInt, TypeError,
                "linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32");
    check_equation<Int>("linalg.lu_solve", LU, B, left);
    check_same_type("linalg.lu_solve", LU, B, "LU", "B");
    TENON_CHECK(pivots.dim() >= 1 && columns_of<Int>(LU) == sizes_of<Int>(pivots)[pivots.dim() - 1], ValueError,
                "linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix");
    TENON_CHECK((sizes_of<Int>(LU).slice(0, sizes_of<Int>(LU).size() - 1) == sizes_of<Int>(pivots)), ValueError,
                "linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots with shape ",
                pivots.sym_sizes(), " instead");
    set_matrices<Int>(out, 0, common_batch<Int>(LU, B), B.dtype(), B.device());
  }
};

struct inv_ex_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& A, bool) const {
    check_square<Int>("linalg.inv", A);
    check_lapack_type("linalg.inv", A.dtype());
    set_matrices<Int>(out, 0, dims_t<Int>(sizes_of<Int>(A)), A.dtype(), A.device());
    set_dense<Int>(out, 1, batch_of<Int>(A), kInt, A.device());
  }
};

struct ldl_solve_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& LD, const Tensor& pivots, const Tensor& B, bool) const {
    const char* name = "torch.linalg.ldl_solve";
    check_equation<Int>(name, LD, B, true);
    TENON_CHECK((sizes_of<Int>(LD).slice(0, sizes_of<Int>(LD).size() - 1) == sizes_of<Int>(pivots)), ValueError, name,
                ": Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape ",
                pivots.sym_sizes(), " instead");
    TENON_CHECK(pivots.dtype() == kInt, TypeError, name, ": Expected pivots to be integers of type torch.int32. Got ",
                enumerator_name(pivots.dtype()));
    check_same_type(name, LD, B, "LD", "B");
    check_lapack_type(name, LD.dtype());
    set_matrices<Int>(out, 0, common_batch<Int>(LD, B), B.dtype(), B.device());
  }
};

struct cholesky_solve_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& input2, bool) const {
    TENON_CHECK(self.dim() >= 2, ValueError, "b should have at least 2 dimensions, but has ", self.dim(),
                " dimensions instead");
    TENON_CHECK(input2.dim() >= 2, ValueError, "u should have at least 2 dimensions, but has ", input2.dim(),
                " dimensions instead");
    check_equation<Int>("cholesky_solve", input2, self, true);
    check_same_type("cholesky_solve", self, input2, "b", "A");
    check_lapack_type("cholesky_solve", self.dtype());
    if (out.form() == StructuredForm::Out)  // copies into what it resizes row-major
      set_dense<Int>(out, 0, common_batch<Int>(input2, self), self.dtype(), self.device(), OutputCast::Allowed);
    else
      set_matrices<Int>(out, 0, common_batch<Int>(input2, self), self.dtype(), self.device());
  }
};

struct solve_triangular_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& B, bool, bool left, bool) const {
    check_equation<Int>("linalg.solve_triangular", self, B, left);
    check_same_type("linalg.solve_triangular", self, B);
    check_lapack_type("linalg.solve_triangular", self.dtype());
    set_matrices<Int>(out, 0, common_batch<Int>(self, B), self.dtype(), self.device());
  }
};
struct triangular_solve_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& A, bool, bool, bool) const {
    TENON_CHECK(self.dim() >= 2, ValueError,
                "torch.triangular_solve: Expected b to have at least 2 dimensions, but it has ", self.dim(),
                " dimensions instead");
    TENON_CHECK(A.dim() >= 2, ValueError,
                "torch.triangular_solve: Expected A to have at least 2 dimensions, but it has ", A.dim(),
                " dimensions instead");
    check_equation<Int>("triangular_solve", A, self, true);
    check_same_type("triangular_solve", A, self, "A", "b");
    check_lapack_type("triangular_solve", self.dtype());
    dims_t<Int> solution = common_batch<Int>(A, self), coefficient(solution);
    coefficient.back() = coefficient[coefficient.size() - 2];
    set_matrices<Int>(out, 0, solution, self.dtype(), self.device());
    set_matrices<Int>(out, 1, coefficient, A.dtype(), A.device());
  }
};
struct linalg_det_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& A) const {
    check_square<Int>("linalg.det", A);
    check_lapack_type("linalg.det", A.dtype());
    set_dense<Int>(out, 0, batch_of<Int>(A), A.dtype(), A.device());
    set_matrices<Int>(out, 1, dims_t<Int>(sizes_of<Int>(A)), A.dtype(), A.device());
    set_dense<Int>(out, 2, batch_of<Int>(A, 1), kInt, A.device());
  }
};
struct linalg_slogdet_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& A) const {
    check_square<Int>("linalg.slogdet", A);
    check_lapack_type("linalg.slogdet", A.dtype());
    set_dense<Int>(out, 0, batch_of<Int>(A), A.dtype(), A.device());
    set_dense<Int>(out, 1, batch_of<Int>(A), to_real_type(A.dtype()), A.device());
    set_matrices<Int>(out, 2, dims_t<Int>(sizes_of<Int>(A)), A.dtype(), A.device());
    set_dense<Int>(out, 3, batch_of<Int>(A, 1), kInt, A.device());
  }
};

enum class LeastSquares { Gels, Gelsy, Gelsd, Gelss };
inline LeastSquares least_squares_driver(std::optional<std::string_view> driver) {
  if (!driver || *driver == "gelsy") return LeastSquares::Gelsy;
  if (*driver == "gels") return LeastSquares::Gels;
  if (*driver == "gelsd") return LeastSquares::Gelsd;
  TENON_CHECK(*driver == "gelss", ValueError,
              "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)");
  return LeastSquares::Gelss;
}
/// The shapes of a call: A of m x n, right sides of m x k, in a common batch.
template <class Int>
struct LeastSquaresShape {
  bool vector = false;
  dims_t<Int> batch;
  Int m, n, k;

  LeastSquaresShape(const Tensor& A, const Tensor& B) {
    TENON_CHECK(A.dim() >= 2, ValueError, "torch.linalg.lstsq: input must have at least 2 dimensions.");
    TENON_CHECK(B.dim() >= 1, ValueError, "torch.linalg.lstsq: other must have at least 1 dimension.");
    std::int64_t more = A.dim() - B.dim();
    TENON_CHECK(more >= 0 && more <= 1, ValueError,
                "torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() - "
                "other.dim()) <= 1");
    vector = is_vector<Int>(A, B);
    m = rows_of<Int>(A);
    n = columns_of<Int>(A);
    ArrayRef<Int> a = sizes_of<Int>(A), b = sizes_of<Int>(B);
    if (vector) {
      TENON_CHECK(m == b[b.size() - 1], ValueError, "torch.linalg.lstsq: input.size(-2) should match other.size(-1)");
      k = Int(1);
      batch = broadcast_shapes(a.slice(0, a.size() - 2), b.slice(0, b.size() - 1));
    } else {
      TENON_CHECK(B.dim() >= 2 && m == b[b.size() - 2], ValueError,
                  "torch.linalg.lstsq: input.size(-2) should match other.size(-2)");
      k = b[b.size() - 1];
      batch = broadcast_shapes(a.slice(0, a.size() - 2), b.slice(0, b.size() - 2));
    }
    check_lapack_type("torch.linalg.lstsq", A.dtype());
    TENON_CHECK(A.dtype() == B.dtype(), TypeError,
                "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype ",
                enumerator_name(A.dtype()), " and other's dtype ", enumerator_name(B.dtype()));
  }
  dims_t<Int> with(std::initializer_list<Int> more) const {
    dims_t<Int> out(batch);
    for (const Int& s : more) out.push_back(s);
    return out;
  }
  dims_t<Int> solution() const { return vector ? with({n}) : with({n, k}); }
};
using LeastSquaresResult = std::tuple<Tensor, Tensor, Tensor, Tensor>;

inline LeastSquaresResult lstsq_meta(const Tensor& self, const Tensor& b, std::optional<double>,
                                     std::optional<std::string_view> driver) {
  LeastSquaresShape<SymInt> s(self, b);
  LeastSquares kind = least_squares_driver(driver);
  bool values = kind == LeastSquares::Gelsd || kind == LeastSquares::Gelss,
       residuals = s.m > s.n && kind != LeastSquares::Gelsy;
  auto made = [&](const SymDimVector& sizes, ScalarType dtype) {
    Outputs out(StructuredForm::Functional, true);
    set_dense<SymInt>(out, 0, sizes, dtype, self.device(), OutputCast::Allowed);
    return out.take(0);
  };
  ScalarType real = to_real_type(self.dtype());
  SymDimVector strides = contiguous_strides(s.with({s.k, s.m > s.n ? s.m : s.n}));
  std::swap(strides[strides.size() - 1], strides[strides.size() - 2]);
  if (s.vector) strides.pop_back();
  return {make_tensor_symbolic(s.solution(), strides, self.dtype(), self.device()),
          made(residuals ? s.with({s.k}) : SymDimVector{SymInt(0)}, real),
          made(kind == LeastSquares::Gels ? SymDimVector{SymInt(0)} : s.batch, kLong),
          made(values ? s.with({smaller<SymInt>(s.m, s.n)}) : SymDimVector{SymInt(0)}, real)};
}

}  // namespace equations

TENON_LIBRARY_FRAGMENT(aten, m) { define_with_out(m, ops::linalg_lstsq_base, Derivative::Declared); }
TENON_LIBRARY_IMPL(aten, Meta, m) { m.impl<ops::linalg_lstsq_base, &equations::lstsq_meta>(); }

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(_linalg_solve_ex_base, composite::equations::solve_ex_meta);
TENON_STRUCTURED_OF(linalg_lu_solve_base, composite::equations::lu_solve_meta);
TENON_STRUCTURED_OF(linalg_inv_ex_base, composite::equations::inv_ex_meta);
TENON_STRUCTURED_OF(linalg_ldl_solve_base, composite::equations::ldl_solve_meta);
TENON_STRUCTURED_OF(cholesky_solve_base, composite::equations::cholesky_solve_meta);
TENON_STRUCTURED_OF(linalg_solve_triangular_base, composite::equations::solve_triangular_meta);
TENON_STRUCTURED_OF(triangular_solve_base, composite::equations::triangular_solve_meta);
TENON_STRUCTURED_OF(_linalg_det_base, composite::equations::linalg_det_meta);
TENON_STRUCTURED_OF(_linalg_slogdet_base, composite::equations::linalg_slogdet_meta);

}  // namespace tenon::ops
