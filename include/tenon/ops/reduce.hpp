// Reductions and scans.
#pragma once
#include <tenon/structured/declare.hpp>

namespace tenon::ops {

TENON_OPERATOR(sum_base, "aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor");
TENON_OPERATOR_OUT(sum_dim_IntList, "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", "IntList_out");
TENON_FUNCTION(sum, sum_base, sum_dim_IntList, sum_dim_IntList_out);
TENON_OPERATOR(mean_base, "aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor");
TENON_OPERATOR_OUT(mean_dim, "aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", "out");
TENON_FUNCTION(mean, mean_base, mean_dim, mean_dim_out);
TENON_OPERATOR_OUT(amax_base, "aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor");
TENON_FUNCTION(amax, amax_base, amax_base_out);
TENON_OPERATOR_OUT(amin_base, "aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor");
TENON_FUNCTION(amin, amin_base, amin_base_out);
TENON_OPERATOR_OUT(argmax_base, "aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor");
TENON_FUNCTION(argmax, argmax_base, argmax_base_out);
TENON_OPERATOR_OUT(argmin_base, "aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor");
TENON_FUNCTION(argmin, argmin_base, argmin_base_out);
TENON_OPERATOR_FORMS(cumsum_base, "aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor");
TENON_FUNCTION(cumsum, cumsum_base, cumsum_base_out);
TENON_OPERATOR(max_base, "aten::max(Tensor self) -> Tensor");
TENON_OPERATOR(min_base, "aten::min(Tensor self) -> Tensor");
TENON_FUNCTION(max, max_base);
TENON_FUNCTION(min, min_base);
TENON_OPERATOR(all_base, "aten::all(Tensor self) -> Tensor");
TENON_OPERATOR(any_base, "aten::any(Tensor self) -> Tensor");
TENON_FUNCTION(all, all_base);
TENON_FUNCTION(any, any_base);

}  // namespace tenon::ops
