// Counting: of integers and of values in bins.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace histogram_family {

TENON_OPERATORS_OUT(bincount, (base, "aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor",
                               with_method, Tag::dynamic_output_shape, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(histc, (base, "aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
                            with_method));
TENON_OPERATORS_OUT(
    histogram,
    (bin_ct,
     "aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)",
     with_method),
    (bins_tensor,
     "aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)",
     with_method));
// Of points: the last dimension holds the coordinates, each with bins of its own.
TENON_OPERATORS_PLAIN(
    histogramdd,
    "aten::histogramdd(Tensor self, int[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)",
    (int_bins,
     "aten::histogramdd.int_bins(Tensor self, int bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)"),
    (TensorList_bins,
     "aten::histogramdd.TensorList_bins(Tensor self, Tensor[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)"));
TENON_OPERATORS_OUT(
    _histogramdd_bin_edges,
    (base,
     "aten::_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor[]",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _histogramdd_from_bin_cts,
    (base,
     "aten::_histogramdd_from_bin_cts(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _histogramdd_from_bin_tensors,
    (base,
     "aten::_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False) -> Tensor",
     out_tags({Tag::generated})));

}  // namespace histogram_family
}  // namespace tenon::ops
