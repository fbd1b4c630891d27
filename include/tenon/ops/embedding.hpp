// Embeddings and their gradients.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {

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

}  // namespace tenon::ops
