// Products of vectors, matrices and tensors that are made of the basic ones.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace tensor_products_family {

TENON_OPERATORS_OUT(
    addbmm,
    (base, "aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
     with_method));
TENON_OPERATORS_INPLACE(
    addbmm,
    (base,
     "aten::addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)",
     method_only));
TENON_OPERATORS(addr,
                (base, "aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
                 with_method));
TENON_OPERATORS_OUT(inner, (base, "aten::inner(Tensor self, Tensor other) -> Tensor", with_method));
TENON_OPERATORS_OUT(ger, (base, "aten::ger(Tensor self, Tensor vec2) -> Tensor", with_method));
TENON_OPERATORS_OUT(kron, (base, "aten::kron(Tensor self, Tensor other) -> Tensor", with_method));
TENON_OPERATORS_OUT(tensordot,
                    "aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor");
TENON_OPERATORS_PLAIN(einsum, "aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor");
TENON_OPERATORS_PLAIN(bilinear,
                      "aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor");
TENON_OPERATORS_OUT(chain_matmul, "aten::chain_matmul(Tensor[] matrices) -> Tensor");
TENON_OPERATORS_OUT(cross, (base, "aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor", with_method));

TENON_OPERATORS_OUT(linalg_cross, "aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor");
TENON_OPERATORS_PLAIN(linalg_diagonal,
                      "aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)");
TENON_OPERATORS_OUT(linalg_matmul, "aten::linalg_matmul(Tensor self, Tensor other) -> Tensor");
TENON_OPERATORS_OUT(linalg_multi_dot, "aten::linalg_multi_dot(Tensor[] tensors) -> Tensor");
TENON_OPERATORS_PLAIN(linalg_vander, "aten::linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor");
TENON_OPERATORS_OUT(linalg_vecdot, "aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor");
TENON_OPERATORS_OUT(
    _trilinear,
    (base,
     "aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor",
     out_tags({Tag::generated})));

}  // namespace tensor_products_family
}  // namespace tenon::ops
