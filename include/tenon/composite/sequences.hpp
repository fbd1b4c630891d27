// Sequences padded to one length, powers of a sequence, and weights by the norms of their slices.
#pragma once
#include <vector>

#include <tenon/base/promote_types.hpp>
#include <tenon/base/sym_dim_vector.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/scan.hpp>
#include <tenon/ops/sequences.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::composite {

inline Tensor pad_sequence(TensorList sequences, bool batch_first, double padding_value,
                           std::string_view padding_side) {
  TENON_CHECK(!sequences.empty(), ValueError, "received an empty list of sequences");
  TENON_CHECK(padding_side == "left" || padding_side == "right", ValueError,
              "Expected padding_side to be one of left or right, but got ", padding_side, ".");
  SymInt longest = 0;
  for (const Tensor& t : sequences) {
    TENON_CHECK(t.dim() > 0, ValueError, "pad_sequence(): expected sequences, got a tensor without dimensions");
    if (t.sym_size(0) > longest) longest = t.sym_size(0);
  }
  std::vector<Tensor> padded;
  for (const Tensor& t : sequences) {
    const SymInt missing = longest - t.sym_size(0);
    // Pairs from the last dimension to the first.
    SymDimVector around(2 * static_cast<std::size_t>(t.dim()), SymInt(0));
    around[around.size() - (padding_side == "left" ? 2 : 1)] = missing;
    padded.push_back(ops::to(ops::constant_pad_nd(t, SymIntArrayRef(around), padding_value), sequences[0].dtype()));
  }
  return ops::stack(padded, batch_first ? 0 : 1);
}

/// A row of powers for each number, the highest first unless they increase; whole numbers are int64.
inline Tensor powers_of_sequence(const Tensor& x, std::optional<std::int64_t> n, bool increasing) {
  TENON_CHECK(x.dim() == 1, ValueError, "x must be a one-dimensional tensor.");
  const SymInt length = x.sym_size(0), count = n ? SymInt(*n) : length;
  TENON_CHECK(count >= 0, ValueError, "N must be non-negative.");
  const ScalarType dtype = promote_types(x.dtype(), kLong);
  if (count == 0) {
    SymInt none[] = {length, SymInt(0)};
    return ops::new_empty(x, SymIntArrayRef(none), dtype);
  }
  SymInt first[] = {length, SymInt(1)}, others[] = {length, count - 1};
  Tensor factors = ops::expand(ops::unsqueeze(ops::to(x, dtype), 1), SymIntArrayRef(others));
  std::vector<Tensor> powers{ops::new_ones(x, SymIntArrayRef(first), dtype), ops::cumprod(factors, 1)};
  Tensor all = ops::cat(powers, 1);
  return increasing ? all : Tensor(ops::flip(all, {1}));
}

/// The norm of each slice along a dimension, of all elements for -1.
inline Tensor norm_of_slices(const Tensor& v, std::int64_t power, std::int64_t dim) {
  if (dim == -1) return ops::norm(v, Scalar(power));
  dim = wrap_dim(dim, v.dim());
  SymDimVector sizes(static_cast<std::size_t>(v.dim()), SymInt(1));
  sizes[static_cast<std::size_t>(dim)] = v.sym_size(dim);
  SymInt rows[] = {v.sym_size(dim), SymInt(-1)};
  Tensor slices = ops::reshape(ops::transpose(v, 0, dim), SymIntArrayRef(rows));
  return ops::reshape(ops::norm(slices, Scalar(power), {1}), SymIntArrayRef(sizes));
}
inline Tensor weight_by_norms(const Tensor& v, const Tensor& g, std::int64_t dim) {
  return ops::mul(v, ops::div(g, norm_of_slices(v, 2, dim)));
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::pad_sequence_base>()
      .def<ops::vander_base>()
      .def<ops::norm_except_dim_base>()
      .def<ops::_weight_norm_base>();
  m.impl<ops::pad_sequence_base, &pad_sequence>().impl<ops::vander_base, &powers_of_sequence>();
  m.impl<ops::norm_except_dim_base, &norm_of_slices>().impl<ops::_weight_norm_base, &weight_by_norms>();
}

}  // namespace tenon::composite
