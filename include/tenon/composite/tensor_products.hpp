// Products of vectors, matrices and tensors made of other operators.
#pragma once
#include <algorithm>

#include <tenon/base/warning.hpp>
#include <tenon/composite/einsum.hpp>
#include <tenon/composite/linalg_checks.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>

namespace tenon::composite {

/// Sum of products over pairs of dimensions; a dimension of size 1 is broadcast.
inline Tensor tensordot(const Tensor& self, const Tensor& other, IntArrayRef dims_self, IntArrayRef dims_other) {
  TENON_CHECK(dims_self.size() == dims_other.size(), ValueError, "both dimension lists should have same length");
  TENON_CHECK(self.dtype() == other.dtype(), TypeError, "both inputs should have same dtype");
  DimVector of_self, of_other, ones_self, ones_other;
  for (std::size_t i = 0; i < dims_self.size(); ++i) {
    std::int64_t a = wrap_dim(dims_self[i], self.dim()), b = wrap_dim(dims_other[i], other.dim());
    if (self.dim() == 0 || other.dim() == 0) continue;
    bool x = is_wide(self, a), y = is_wide(other, b);
    TENON_CHECK(!x || !y || self.sym_size(a) == other.sym_size(b), ValueError,
                "contracted dimensions need to match, but first has size ", self.sym_size(a), " in dim ", dims_self[i],
                " and second has size ", other.sym_size(b), " in dim ", dims_other[i]);
    if (!y && x) ones_self.push_back(a);
    if (!x && y) ones_other.push_back(b);
    of_self.push_back(a);
    of_other.push_back(b);
  }
  auto contains = [](const DimVector& list, std::int64_t d) {
    for (std::int64_t x : list)
      if (x == d) return true;
    return false;
  };
  auto twice = [&](const DimVector& list) {
    DimVector seen;
    for (std::int64_t d : list) {
      TENON_CHECK(!contains(seen, d), ValueError, "dim ", d, " appears multiple times in the list of dims");
      seen.push_back(d);
    }
  };
  twice(of_self);
  twice(of_other);
  // Sums keep the dtype, unlike those of integers elsewhere: both factors go into one product.
  auto alone = [](const Tensor& t, const DimVector& dims) {
    return dims.empty() ? t : Tensor(ops::sum(t, IntArrayRef(dims), true, "dtype"_a = t.dtype()));
  };
  Tensor a = alone(self, ones_self), b = alone(other, ones_other);
  DimVector first, second(of_other);
  SymDimVector shape;
  SymInt m = 1, n = 1, k = 1;
  for (std::int64_t d = 0; d < a.dim(); ++d) {
    if (contains(of_self, d)) continue;
    first.push_back(d);
    shape.push_back(a.sym_size(d));
    m = m * a.sym_size(d);
  }
  for (std::int64_t d : of_self) {
    first.push_back(d);
    k = k * a.sym_size(d);
  }
  for (std::int64_t d = 0; d < b.dim(); ++d) {
    if (contains(of_other, d)) continue;
    second.push_back(d);
    shape.push_back(b.sym_size(d));
    n = n * b.sym_size(d);
  }
  SymInt x[] = {m, k}, y[] = {k, n};
  Tensor out = ops::mm(ops::reshape(ops::permute(a, IntArrayRef(first)), SymIntArrayRef(x, 2)),
                       ops::reshape(ops::permute(b, IntArrayRef(second)), SymIntArrayRef(y, 2)));
  return ops::reshape(out, SymIntArrayRef(shape));
}
inline Tensor inner(const Tensor& self, const Tensor& other) {
  if (self.dim() == 0 || other.dim() == 0) return ops::mul(self, other);
  TENON_CHECK(self.sym_size(-1) == other.sym_size(-1), ValueError,
              "inner() the last dimension must match on both input tensors but got shapes ", self.sym_sizes(), " and ",
              other.sym_sizes());
  std::int64_t last[] = {-1};
  return tensordot(self, other, IntArrayRef(last, 1), IntArrayRef(last, 1));
}
inline Tensor ger(const Tensor& self, const Tensor& vec2) { return ops::outer(self, vec2); }
inline Tensor linalg_matmul(const Tensor& self, const Tensor& other) { return ops::matmul(self, other); }

/// Every element of `self` times the whole of `other`: the dimensions interleave.
inline Tensor kron(const Tensor& self, const Tensor& other) {
  std::int64_t dims = self.dim() > other.dim() ? self.dim() : other.dim();
  SymDimVector a, b, shape;
  auto size = [&](const Tensor& t, std::int64_t d) {
    return d < dims - t.dim() ? SymInt(1) : t.sym_size(d - (dims - t.dim()));
  };
  for (std::int64_t d = 0; d < dims; ++d) {
    SymInt x = size(self, d), y = size(other, d);
    a.push_back(x);
    a.push_back(1);
    b.push_back(1);
    b.push_back(y);
    shape.push_back(x * y);
  }
  Tensor product = ops::mul(ops::reshape(self, SymIntArrayRef(a)), ops::reshape(other, SymIntArrayRef(b)));
  return product.is_contiguous() ? Tensor(ops::_unsafe_view(product, SymIntArrayRef(shape)))
                                 : Tensor(ops::reshape(product, SymIntArrayRef(shape)));
}
inline Tensor& kron_out(const Tensor& self, const Tensor& other, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  give_result(kron(self, other), out);
  return out;
}

inline Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight,
                       const std::optional<Tensor>& bias) {
  bool biased = bias && bias->defined();
  TENON_CHECK(input1.dtype() == input2.dtype() && input1.dtype() == weight.dtype(), TypeError,
              "All tensors must have the same dtype, got input1: ", input1.dtype(), ", input2: ", input2.dtype(),
              ", weight: ", weight.dtype());
  TENON_CHECK(input1.dim() == input2.dim(), ValueError, "bilinear(): input dimensions do not match: got ", input1.dim(),
              " and ", input2.dim());
  TENON_CHECK(input1.dim() >= 1 && weight.dim() == 3, ValueError,
              "bilinear(): expected inputs of at least one dimension and a weight of three, got ", input1.dim(),
              " and ", weight.dim());
  SymDimVector shape;
  SymInt count = 1;
  for (std::int64_t d = 0; d + 1 < input1.dim(); ++d) {
    TENON_CHECK(input1.sym_size(d) == input2.sym_size(d), ValueError,
                "bilinear(): input batch dimensions do not match at dim ", d, ": got ", input1.sym_size(d), " and ",
                input2.sym_size(d));
    shape.push_back(input1.sym_size(d));
    count = count * shape.back();
  }
  SymInt out = weight.sym_size(0), n1 = weight.sym_size(1), n2 = weight.sym_size(2);
  TENON_CHECK(input1.sym_size(-1) == n1, ValueError, "bilinear(): input1 size does not match weight size: got ",
              input1.sym_size(-1), " but expected ", n1);
  TENON_CHECK(input2.sym_size(-1) == n2, ValueError, "bilinear(): input2 size does not match weight size: got ",
              input2.sym_size(-1), " but expected ", n2);
  TENON_CHECK(!biased || bias->sym_size(0) == out, ValueError, "bilinear(): bias size does not match weight size: got ",
              biased ? bias->sym_size(0) : SymInt(0), " but expected ", out);
  shape.push_back(out);
  // The first input meets the weights of all outputs in one product, each row of that the second input.
  std::int64_t order[] = {1, 0, 2};
  SymInt x[] = {count, n1}, w[] = {n1, out * n2}, y[] = {count, n2, 1}, met[] = {count, out, n2};
  Tensor rows = ops::mm(ops::reshape(input1, SymIntArrayRef(x, 2)),
                        ops::reshape(ops::permute(weight, IntArrayRef(order, 3)), SymIntArrayRef(w, 2)));
  Tensor result =
      ops::reshape(ops::bmm(ops::view(rows, SymIntArrayRef(met, 3)), ops::reshape(input2, SymIntArrayRef(y, 3))),
                   SymIntArrayRef(shape));
  return biased ? Tensor(ops::add(result, *bias)) : result;
}

/// The sum over `sumdim` of a product of three, each with new dimensions where it is broadcast.
inline Tensor trilinear(const Tensor& i1, const Tensor& i2, const Tensor& i3, IntArrayRef expand1, IntArrayRef expand2,
                        IntArrayRef expand3, IntArrayRef sumdim, std::int64_t unroll_dim) {
  std::int64_t dims = i1.dim() + static_cast<std::int64_t>(expand1.size());
  TENON_CHECK(unroll_dim >= 0 && unroll_dim < dims, ValueError, "unroll_dim must be in [0,", dims - 1, "]");
  auto spread = [&](Tensor x, IntArrayRef places) {
    DimVector sorted(places);
    for (std::int64_t& d : sorted) d = wrap_dim(d, dims);
    std::sort(sorted.begin(), sorted.end());
    for (std::int64_t d : sorted) x = ops::unsqueeze(x, d);
    return x;
  };
  Tensor product = ops::mul(ops::mul(spread(i1, expand1), spread(i2, expand2)), spread(i3, expand3));
  if (sumdim.empty()) return product.to(i1.dtype());
  return ops::sum(product, sumdim, "dtype"_a = i1.dtype());
}

/// The cheapest order for a chain of products, by the classical table over all its parts: `split[i][j]` is where the
/// part from i to j is cut.
inline std::vector<std::vector<std::size_t>> chain_order(const std::vector<double>& sizes) {
  std::size_t n = sizes.size() - 1;
  std::vector<std::vector<double>> cost(n, std::vector<double>(n, 0));
  std::vector<std::vector<std::size_t>> split(n, std::vector<std::size_t>(n, 0));
  for (std::size_t length = 2; length <= n; ++length)
    for (std::size_t i = 0; i + length <= n; ++i) {
      std::size_t j = i + length - 1;
      for (std::size_t k = i; k < j; ++k) {
        double c = cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1];
        if (k == i || c < cost[i][j]) {
          cost[i][j] = c;
          split[i][j] = k;
        }
      }
    }
  return split;
}
inline Tensor chain_product(const std::vector<Tensor>& matrices, const std::vector<std::vector<std::size_t>>& split,
                            std::size_t i, std::size_t j) {
  if (i == j) return matrices[i];
  return ops::mm(chain_product(matrices, split, i, split[i][j]), chain_product(matrices, split, split[i][j] + 1, j));
}
inline Tensor multi_dot(TensorList given) {
  std::size_t n = given.size();
  TENON_CHECK(n >= 2, ValueError, "multi_dot(): expected at least 2 tensors but got ", n);
  std::vector<Tensor> matrices(given.begin(), given.end());
  auto vector_or_matrix = [&](std::size_t i, const char* which) {
    std::int64_t d = given[i].dim();
    TENON_CHECK(d == 1 || d == 2, ValueError, "multi_dot(): the ", which, " tensor must be 1D or 2D but got ", d, "D");
    return d == 1;
  };
  bool row = vector_or_matrix(0, "first"), column = vector_or_matrix(n - 1, "last");
  if (row) matrices.front() = ops::unsqueeze(given[0], 0);
  if (column) matrices.back() = ops::unsqueeze(given[n - 1], -1);
  for (std::size_t i = 0; i < n; ++i) {
    TENON_CHECK(matrices[i].dim() == 2, ValueError, "multi_dot(): tensor ", i, " must be 2D but got ", given[i].dim(),
                "D");
    TENON_CHECK(given[i].dtype() == given[0].dtype(), TypeError,
                "multi_dot(): all tensors must have be the same dtype but tensor 0 is ", given[0].dtype(),
                " and tensor ", i, " ", enumerator_name(given[i].dtype()));
  }
  std::vector<double> sizes{static_cast<double>(matrices[0].sym_size(0).guard_int())};
  for (std::size_t i = 0; i < n; ++i) {
    TENON_CHECK(i + 1 == n || matrices[i].sym_size(1) == matrices[i + 1].sym_size(0), ValueError,
                "multi_dot(): tensors ", i, " and ", i + 1, " with shapes ", given[i].sym_sizes(), " and ",
                given[i + 1 == n ? i : i + 1].sym_sizes(), " cannot be multiplied");
    sizes.push_back(n == 2 ? 1.0 : static_cast<double>(matrices[i].sym_size(1).guard_int()));
  }
  Tensor out = chain_product(matrices, chain_order(sizes), 0, n - 1);
  if (row) out = ops::squeeze(out, 0);
  return column ? Tensor(ops::squeeze(out, -1)) : out;
}
inline Tensor chain_matmul(TensorList given) {
  for (const Tensor& t : given)
    TENON_CHECK(t.dim() == 2, ValueError, "Tensor dimension is ", t.dim(), ", expected 2 instead.");
  TENON_CHECK(!given.empty(), ValueError, "chain_matmul(): Expected one or more matrices");
  return given.size() == 1 ? Tensor(ops::clone(given[0])) : multi_dot(given);
}

inline Tensor cross(const Tensor& self, const Tensor& other, std::optional<std::int64_t> dim) {
  if (!dim) {
    for (std::int64_t d = 0; d < self.dim() && !dim; ++d)
      if (self.sym_size(d) == 3) dim = d;
    TENON_CHECK(dim, ValueError, "no dimension of size 3 in input");
  }
  return ops::linalg_cross(self, other, "dim"_a = *dim);
}
inline Tensor vecdot(const Tensor& x, const Tensor& y, std::int64_t dim) {
  TENON_CHECK(x.is_floating_point() || x.is_complex(), NotImplementedError,
              "linalg.vecdot: Expected a floating point or complex tensor as input. Got ", enumerator_name(x.dtype()));
  TENON_CHECK(x.dtype() == y.dtype(), TypeError,
              "linalg.vecdot: Expected x and y to have the same dtype, but found x of type ",
              enumerator_name(x.dtype()), " and y of type ", enumerator_name(y.dtype()), " instead");
  if (x.dim() == 1 && y.dim() == 1) return ops::vdot(x, y);
  return ops::sum(ops::mul(x.is_complex() ? Tensor(ops::conj_physical(x)) : x, y), dim);
}
inline Tensor linalg_diagonal(const Tensor& self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  return ops::diagonal(self, offset, dim1, dim2);
}
/// The powers of x from 0 to n - 1 along a new last dimension.
inline Tensor vander(const Tensor& self, std::optional<SymInt> n) {
  Tensor x = self.dim() == 0 ? Tensor(ops::unsqueeze(self, 0)) : self;
  TENON_CHECK(x.dtype() != kBool, NotImplementedError,
              "linalg.vander supports floating point, complex, and integer tensors, but got ", x.dtype());
  SymInt count = n ? *n : x.sym_size(-1);
  TENON_CHECK(count > 1, ValueError, "N must be greater than 1.");
  SymDimVector shape(x.sym_sizes()), one(x.sym_sizes());
  shape.push_back(count - 1);
  one.push_back(1);
  Tensor powers = ops::cumprod(ops::expand(ops::unsqueeze(x, -1), SymIntArrayRef(shape)), -1);
  Tensor both[] = {ops::ones(SymIntArrayRef(one), "dtype"_a = powers.dtype(), "device"_a = x.device()), powers};
  return ops::cat(TensorList(both, 2), -1);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  auto with_out = [&]<class Op>(Op) {
    m.def<typename Op::out{}>();
    implement_out_by_copy<Op>(m, Place{__FILE__, __LINE__});
  };
  m.def<ops::tensordot_base>().def<ops::inner_base>().def<ops::ger_base>().def<ops::kron_base>();
  m.def<ops::linalg_matmul_base>().def<ops::linalg_multi_dot_base>().def<ops::chain_matmul_base>();
  m.def<ops::_trilinear_base>();
  m.impl<ops::_trilinear_base, &trilinear>();
  with_out(ops::_trilinear_base);
  m.def<ops::cross_base>().def<ops::linalg_vecdot_base>().def<ops::linalg_vander_base>();
  m.def<ops::einsum_base>().def<ops::bilinear_base>().def<ops::linalg_diagonal_base>();
  m.impl<ops::tensordot_base, &tensordot>().impl<ops::inner_base, &inner>().impl<ops::ger_base, &ger>();
  m.impl<ops::kron_base, &kron>().impl<ops::linalg_matmul_base, &linalg_matmul>();
  m.impl<ops::linalg_multi_dot_base, &multi_dot>().impl<ops::chain_matmul_base, &chain_matmul>();
  m.impl<ops::cross_base, &cross>().impl<ops::linalg_vecdot_base, &vecdot>();
  m.impl<ops::linalg_vander_base, &vander>().impl<ops::einsum_base, &einsum>();
  m.impl<ops::bilinear_base, &bilinear>().impl<ops::linalg_diagonal_base, &linalg_diagonal>();
  with_out(ops::tensordot_base);
  with_out(ops::inner_base);
  with_out(ops::ger_base);
  m.def<ops::kron_base_out>();
  m.impl<ops::kron_base_out, &kron_out>(DispatchKey::CompositeExplicitAutograd);
  with_out(ops::linalg_matmul_base);
  with_out(ops::linalg_multi_dot_base);
  with_out(ops::chain_matmul_base);
  with_out(ops::cross_base);
  with_out(ops::linalg_vecdot_base);
}

}  // namespace tenon::composite
