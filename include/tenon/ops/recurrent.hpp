// Recurrent networks: one step, and whole sequences, padded (`input`) or packed (`data`).
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace recurrent_family {

TENON_OPERATORS_PLAIN(
    rnn_tanh_cell,
    "aten::rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor");
TENON_OPERATORS_PLAIN(
    rnn_relu_cell,
    "aten::rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor");
TENON_OPERATORS_PLAIN(
    lstm_cell,
    "aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor, Tensor)");
TENON_OPERATORS_PLAIN(
    gru_cell,
    "aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor");
TENON_OPERATORS_PLAIN(
    rnn_tanh,
    (input,
     "aten::rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
     Tag::nondeterministic_seeded),
    (data,
     "aten::rnn_tanh.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_PLAIN(
    rnn_relu,
    (input,
     "aten::rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
     Tag::nondeterministic_seeded),
    (data,
     "aten::rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_PLAIN(
    lstm,
    (input,
     "aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)",
     Tag::nondeterministic_seeded),
    (data,
     "aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor, Tensor)",
     Tag::nondeterministic_seeded));
TENON_OPERATORS_PLAIN(
    gru,
    (input,
     "aten::gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
     Tag::nondeterministic_seeded),
    (data,
     "aten::gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
     Tag::nondeterministic_seeded));
// One direction of one layer of `lstm` over the steps' rows one behind another, as PyTorch's mkldnn_rnn_layer: outputs,
// the states behind, and a workspace, which is what the gradients take besides the arguments.
TENON_OPERATORS_PLAIN(
    _lstm_layer,
    "tenon::_lstm_layer(Tensor input, Tensor hx, Tensor cx, Tensor w_ih, Tensor w_hh, Tensor? b_ih, Tensor? b_hh, int[] batch_sizes, bool reverse) -> (Tensor, Tensor, Tensor, Tensor)");
TENON_OPERATORS_PLAIN(
    _lstm_layer_backward,
    "tenon::_lstm_layer_backward(Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, Tensor input, Tensor cx, Tensor w_ih, Tensor w_hh, Tensor workspace, int[] batch_sizes, bool reverse, bool[4] output_mask) -> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)");

}  // namespace recurrent_family
}  // namespace tenon::ops
