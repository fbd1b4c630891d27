// Diagonals of matrices: taken, made into matrices, and the places on one side of one.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace diagonal_family {

TENON_OPERATORS_OUT(diag, (base, "aten::diag(Tensor self, int diagonal=0) -> Tensor", with_method));
TENON_OPERATORS_OUT(diag_embed,
                    (base, "aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
                     with_method, out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(diagflat, (base, "aten::diagflat(Tensor self, int offset=0) -> Tensor", with_method));
TENON_OPERATORS_OUT(
    tril_indices,
    (base,
     "aten::tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    triu_indices,
    (base,
     "aten::triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     out_tags({Tag::generated})));

}  // namespace diagonal_family
}  // namespace tenon::ops
