// Distances between vectors, similarity, and lines brought to a length.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace distance_family {

TENON_OPERATORS(renorm, (base, "aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor", with_method,
                         no_device_check));
TENON_OPERATORS_OUT(dist, (base, "aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor", with_method,
                           no_device_check, out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(pdist, "aten::pdist(Tensor self, float p=2.) -> Tensor");
TENON_OPERATORS_OUT(_pdist_forward, (base, "aten::_pdist_forward(Tensor self, float p=2.) -> Tensor", Tag::core,
                                     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(_pdist_backward,
                    (base, "aten::_pdist_backward(Tensor grad_output, Tensor self, float p, Tensor pdist) -> Tensor",
                     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(cdist, "aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor");
TENON_OPERATORS_OUT(_cdist_forward,
                    (base, "aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor",
                     Tag::core, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(_cdist_backward,
                    (base,
                     "aten::_cdist_backward(Tensor grad_output, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor",
                     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(
    pairwise_distance,
    "aten::pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07, bool keepdim=False) -> Tensor");
TENON_OPERATORS_PLAIN(cosine_similarity,
                      "aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor");
TENON_OPERATORS_OUT(_euclidean_dist,
                    (base, "aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor", out_tags({Tag::generated})));

}  // namespace distance_family
}  // namespace tenon::ops
