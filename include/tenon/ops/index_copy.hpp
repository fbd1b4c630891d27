// Writing along an index or a mask: every written element comes from a tensor of its own.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR_FORMS(index_copy_base, "aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor");
TENON_FUNCTION(index_copy, index_copy_base, index_copy_base_out);
TENON_FUNCTION(index_copy_, index_copy_base_);
TENON_OPERATOR_FORMS(masked_scatter_base, "aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor");
TENON_FUNCTION(masked_scatter, masked_scatter_base, masked_scatter_base_out);
TENON_FUNCTION(masked_scatter_, masked_scatter_base_);
TENON_OPERATOR(masked_scatter_backward_base,
               "aten::masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor");
TENON_FUNCTION(masked_scatter_backward, masked_scatter_backward_base);

}  // namespace tenon::ops
