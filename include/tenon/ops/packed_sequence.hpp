// Sequences of a batch without their padding.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace packed_sequence_family {

// The rows of the sequences of a batch, step by step, and the number of sequences that reach each step. Lengths do not
// increase.
TENON_OPERATORS_PLAIN(
    _pack_padded_sequence,
    "aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)");
TENON_OPERATORS_PLAIN(
    _pack_padded_sequence_backward,
    "aten::_pack_padded_sequence_backward(Tensor grad, SymInt[] input_size, Tensor batch_sizes, bool batch_first) -> Tensor");
TENON_OPERATORS_PLAIN(
    _pad_packed_sequence,
    "aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, int total_length) -> (Tensor, Tensor)");

}  // namespace packed_sequence_family
}  // namespace tenon::ops
