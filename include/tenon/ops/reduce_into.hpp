// Reductions of elements into the places that indices name, and of segments.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace reduce_into_family {

TENON_OPERATORS(
    scatter_reduce,
    (two,
     "aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor",
     with_method, Tag::core));
TENON_OPERATORS(
    index_reduce,
    (base,
     "aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor",
     with_method));
TENON_OPERATORS_OUT(
    segment_reduce,
    (base,
     "aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _segment_reduce_backward,
    (base,
     "aten::_segment_reduce_backward(Tensor grad, Tensor output, Tensor data, str reduce, *, Tensor? lengths=None, Tensor? offsets=None, int axis=0, Scalar? initial=None) -> Tensor",
     out_tags({Tag::generated})));

}  // namespace reduce_into_family
}  // namespace tenon::ops
