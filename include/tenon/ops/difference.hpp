// Differences between neighbours and estimates of gradients from samples.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace difference_family {

TENON_OPERATORS_OUT(
    diff, (base, "aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor",
           with_method));
TENON_OPERATORS_PLAIN(
    gradient,
    (scalarint,
     "aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int edge_order=1) -> Tensor[]"),
    (scalararray,
     "aten::gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1) -> Tensor[]"),
    (array, "aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]"),
    (scalarrayint,
     "aten::gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, int edge_order=1) -> Tensor[]"),
    (scalarrayarray,
     "aten::gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, int edge_order=1) -> Tensor[]"),
    (tensorarrayint,
     "aten::gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, int edge_order=1) -> Tensor[]"),
    (tensorarray,
     "aten::gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int edge_order=1) -> Tensor[]"));

}  // namespace difference_family
}  // namespace tenon::ops
