// Sequences padded to one length, powers of a sequence, and weights by the norms of their slices.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace sequences_family {

TENON_OPERATORS_PLAIN(
    pad_sequence,
    "aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., str padding_side=\"right\") -> Tensor");
TENON_OPERATORS_PLAIN(vander, "aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor");
TENON_OPERATORS_PLAIN(norm_except_dim, "aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor");
TENON_OPERATORS_PLAIN(_weight_norm, "aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor");

}  // namespace sequences_family
}  // namespace tenon::ops
