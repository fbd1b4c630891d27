// Factorizations, solutions, inverses and determinants made of the ones that tell a status.
#pragma once
#include <tenon/composite/linalg_checks.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factorization.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/math.hpp>

namespace tenon::composite {

inline Tensor linalg_cholesky(const Tensor& self, bool upper) {
  auto [factor, info] = ops::linalg_cholesky_ex(self, "upper"_a = upper);
  check_infos(info, "linalg.cholesky", self.dim() == 2);
  return factor;
}
inline std::tuple<Tensor, Tensor> lu_factor(const Tensor& A, bool pivot) {
  auto [lu, pivots, info] = ops::linalg_lu_factor_ex(A, "pivot"_a = pivot);
  check_infos(info, "torch.linalg.lu_factor", A.dim() == 2);
  return {lu, pivots};
}
inline std::tuple<Tensor, Tensor, Tensor> lu_with_info(const Tensor& self, bool pivot, bool check_errors) {
  auto [lu, pivots, info] = ops::linalg_lu_factor_ex(self, "pivot"_a = pivot, "check_errors"_a = check_errors);
  return {lu, pivots, info};
}
inline std::tuple<Tensor, Tensor> ldl_factor(const Tensor& self, bool hermitian) {
  auto [ld, pivots, info] = ops::linalg_ldl_factor_ex(self, "hermitian"_a = hermitian);
  check_infos(info, "torch.linalg.ldl_factor", self.dim() == 2);
  return {ld, pivots};
}
inline Tensor orgqr(const Tensor& self, const Tensor& tau) { return ops::linalg_householder_product(self, tau); }

inline std::tuple<Tensor, Tensor> solve_ex(const Tensor& A, const Tensor& B, bool left, bool check_errors) {
  auto [x, lu, pivots, info] = ops::_linalg_solve_ex(A, B, "left"_a = left, "check_errors"_a = check_errors);
  return {x, info};
}
inline Tensor linalg_solve(const Tensor& A, const Tensor& B, bool left) {
  auto [x, info] = ops::linalg_solve_ex(A, B, "left"_a = left);
  check_infos(info, "torch.linalg.solve", A.dim() == 2);
  return x;
}
inline Tensor lu_solve(const Tensor& self, const Tensor& LU, const Tensor& pivots) {
  return ops::linalg_lu_solve(LU, pivots, self);
}
inline Tensor linalg_inv(const Tensor& A) {
  auto [x, info] = ops::linalg_inv_ex(A);
  check_infos(info, "linalg.inv", A.dim() == 2);
  return x;
}
inline Tensor inverse(const Tensor& self) { return ops::linalg_inv(self); }

inline Tensor linalg_det(const Tensor& A) { return std::get<0>(ops::_linalg_det(A)); }
inline Tensor det(const Tensor& self) { return ops::linalg_det(self); }
inline std::tuple<Tensor, Tensor> linalg_slogdet(const Tensor& A) {
  auto [sign, log, lu, pivots] = ops::_linalg_slogdet(A);
  return {sign, log};
}
inline std::tuple<Tensor, Tensor> slogdet(const Tensor& self) {
  auto [sign, log] = ops::linalg_slogdet(self);
  return {sign, log};
}
inline Tensor logdet(const Tensor& self) {
  auto [sign, log] = ops::linalg_slogdet(self);
  if (self.is_complex()) return ops::add(ops::log(sign), log);
  return ops::masked_fill(log, ops::eq(sign, Scalar(-1)), Scalar(std::numeric_limits<double>::quiet_NaN()));
}

inline SymInt product_of(SymIntArrayRef sizes) {
  SymInt n = 1;
  for (const SymInt& s : sizes) n = n * s;
  return n;
}
inline Tensor tensorinv(const Tensor& self, std::int64_t ind) {
  TENON_CHECK(ind > 0, ValueError, "Expected a strictly positive integer for 'ind'");
  auto split = static_cast<std::size_t>(ind < self.dim() ? ind : self.dim());
  SymDimVector sizes(self.sym_sizes()), shape;
  SymInt first = product_of(SymIntArrayRef(sizes).slice(0, split)),
         rest = product_of(SymIntArrayRef(sizes).slice(split, sizes.size() - split));
  TENON_CHECK(first == rest, ValueError,
              "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got ",
              rest, " != ", first);
  for (std::size_t d = split; d < sizes.size(); ++d) shape.push_back(sizes[d]);
  for (std::size_t d = 0; d < split; ++d) shape.push_back(sizes[d]);
  SymInt square[] = {rest, rest};
  auto [x, info] = ops::linalg_inv_ex(ops::reshape(self, SymIntArrayRef(square, 2)));
  check_infos(info, "inv", true);
  return ops::reshape(x, SymIntArrayRef(shape));
}
inline Tensor tensorsolve(const Tensor& self, const Tensor& other, std::optional<IntArrayRef> dims) {
  Tensor a = self;
  if (dims) {
    // The named dimensions move to the end.
    DimVector order;
    auto named = [&](std::int64_t d) {
      for (std::int64_t x : *dims)
        if (wrap_dim(x, self.dim()) == d) return true;
      return false;
    };
    for (std::int64_t d = 0; d < self.dim(); ++d)
      if (!named(d)) order.push_back(d);
    for (std::int64_t d : *dims) order.push_back(wrap_dim(d, self.dim()));
    a = ops::permute(self, IntArrayRef(order));
  }
  SymDimVector sizes(a.sym_sizes()), shape;
  for (std::size_t d = static_cast<std::size_t>(other.dim()); d < sizes.size(); ++d) shape.push_back(sizes[d]);
  SymInt result = product_of(shape), given = product_of(other.sym_sizes());
  TENON_CHECK(
      result == given, ValueError,
      "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), "
      "but got ",
      result, " != ", given);
  SymInt square[] = {result, result};
  Tensor x =
      ops::linalg_solve(ops::reshape(a, SymIntArrayRef(square, 2)), ops::reshape(other, SymIntArrayRef(&given, 1)));
  return ops::reshape(x, SymIntArrayRef(shape));
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  auto define = [&](auto op) { define_with_out(m, op); };
  auto define_exact = [&](auto op) { define_with_out<true, same_dtype>(m, op); };
  define_exact(ops::linalg_cholesky_base);
  define_exact(ops::linalg_lu_factor_base);
  define(ops::_lu_with_info_base);
  define_exact(ops::linalg_ldl_factor_base);
  define(ops::orgqr_base);
  define_exact(ops::linalg_solve_ex_base);
  define_exact(ops::linalg_solve_base);
  define_exact(ops::lu_solve_base);
  define_exact(ops::linalg_inv_base);
  define_exact(ops::inverse_base);
  define_exact(ops::linalg_det_base);
  define(ops::det_base);
  define_exact(ops::linalg_slogdet_base);
  define_exact(ops::slogdet_base);
  define(ops::logdet_base);
  define_with_out<false>(m, ops::linalg_tensorinv_base);
  define(ops::linalg_tensorsolve_base);
  m.impl<ops::linalg_cholesky_base, &linalg_cholesky>().impl<ops::linalg_lu_factor_base, &lu_factor>();
  m.impl<ops::_lu_with_info_base, &lu_with_info>().impl<ops::linalg_ldl_factor_base, &ldl_factor>();
  m.impl<ops::orgqr_base, &orgqr>().impl<ops::linalg_solve_ex_base, &solve_ex>();
  m.impl<ops::linalg_solve_base, &linalg_solve>().impl<ops::lu_solve_base, &lu_solve>();
  m.impl<ops::linalg_inv_base, &linalg_inv>().impl<ops::inverse_base, &inverse>();
  m.impl<ops::linalg_det_base, &linalg_det>().impl<ops::det_base, &det>();
  m.impl<ops::linalg_slogdet_base, &linalg_slogdet>().impl<ops::slogdet_base, &slogdet>();
  m.impl<ops::logdet_base, &logdet>().impl<ops::linalg_tensorinv_base, &tensorinv>();
  m.impl<ops::linalg_tensorsolve_base, &tensorsolve>();
}

}  // namespace tenon::composite
