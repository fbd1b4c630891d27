// Embeddings and their gradients.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace embedding_family {

TENON_OPERATORS_OUT(
    embedding,
    (base,
     "aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor",
     Tag::core, out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(
    embedding_backward,
    "aten::embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq, bool sparse) -> Tensor");
TENON_OPERATORS_OUT(
    embedding_dense_backward,
    (base,
     "aten::embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq) -> Tensor",
     Tag::core, out_tags({Tag::generated})));

// Brings rows that are looked up down to a norm.
TENON_OPERATORS(embedding_renorm,
                (base, "aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor",
                 Tag::generated, inplace_tags()));

// Sums, means or maxima of bags of rows: mode 0, 1 or 2. Beside them: the bag of each index, the size of each bag and
// where its maxima come from.
TENON_OPERATORS_PLAIN(
    embedding_bag,
    (base,
     "aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False) -> (Tensor, Tensor, Tensor, Tensor)"),
    (padding_idx,
     "aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)"));
TENON_OPERATORS_OUT(
    _embedding_bag,
    (base,
     "aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)",
     Tag::core, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _embedding_bag_forward_only,
    (base,
     "aten::_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)",
     out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(
    _embedding_bag_backward,
    "aten::_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor");
TENON_OPERATORS_OUT(
    _embedding_bag_dense_backward,
    (base,
     "aten::_embedding_bag_dense_backward(Tensor grad, Tensor indices, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor",
     out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _embedding_bag_per_sample_weights_backward,
    (base,
     "aten::_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1) -> Tensor",
     out_tags({Tag::generated})));

}  // namespace embedding_family
}  // namespace tenon::ops
