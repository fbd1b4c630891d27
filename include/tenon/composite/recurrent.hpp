// Recurrent networks: layers, directions, and single cells.
#pragma once
#include <tuple>
#include <vector>

#include <tenon/composite/lstm_layer.hpp>
#include <tenon/ops/dropout.hpp>
#include <tenon/ops/in_memory.hpp>
#include <tenon/ops/recurrent.hpp>

namespace tenon::composite {

/// One direction of one layer over (T, B, features).
template <Recurrence Kind>
RecurrentRun run_layer(const RecurrentWeights& w, const Tensor& data, const RecurrentState& s, bool reverse) {
  if constexpr (Kind == Recurrence::LSTM)
    if (data.dim() == 3 && fits_lstm_layer(data, s, w)) {
      DimVector rows(static_cast<std::size_t>(data.size(0)), data.size(1));
      RecurrentRun r = run_lstm_layer(w, ops::reshape(data, {-1, data.size(2)}), rows, s, reverse);
      return {ops::view(r.output, {data.size(0), data.size(1), -1}), r.state};
    }
  return run_padded<Kind>(w, data, s, reverse);
}
/// The same over packed steps.
template <Recurrence Kind>
RecurrentRun run_packed_layer(const RecurrentWeights& w, const Tensor& data, IntArrayRef batch_sizes,
                              const RecurrentState& s, bool reverse) {
  if constexpr (Kind == Recurrence::LSTM)
    if (fits_lstm_layer(data, s, w)) return run_lstm_layer(w, data, batch_sizes, s, reverse);
  return run_packed<Kind>(w, data, batch_sizes, s, reverse);
}

/// What all recurrent operators are told.
struct RecurrentPlan {
  bool has_biases;
  std::int64_t num_layers;
  double dropout;
  bool train, bidirectional;
};
/// All layers. State: (layers * directions, B, features); `run(weights, data, state, reverse)` is one direction of one.
template <class Run>
RecurrentRun run_layers(const RecurrentPlan& p, Tensor data, const RecurrentState& s, TensorList params, Run run) {
  std::int64_t directions = p.bidirectional ? 2 : 1;
  for (const Tensor* t : {&s.h, &s.c})
    TENON_CHECK(!t->defined() || (t->dim() == 3 && t->sym_size(0) == p.num_layers * directions), ValueError,
                "Expected a hidden state of size [", p.num_layers * directions, ", ..], got ", t->sym_sizes());
  // A state of another size than its cell is projected.
  bool cell = s.c.defined(), projects = cell && s.h.sym_size(-1) != s.c.sym_size(-1);
  std::size_t each = 2 + (p.has_biases ? 2u : 0u) + (projects ? 1u : 0u), next = 0;
  TENON_CHECK(p.num_layers > 0 && params.size() == each * static_cast<std::size_t>(p.num_layers * directions),
              ValueError, "got an incorrect number of RNN parameters");
  std::vector<Tensor> last_h, last_c;
  for (std::int64_t layer = 0; layer < p.num_layers; ++layer) {
    std::vector<Tensor> sides;
    for (std::int64_t d = 0; d < directions; ++d) {
      RecurrentWeights w;
      w.ih = params[next++];
      w.hh = params[next++];
      if (p.has_biases) {
        w.bias_ih = params[next++];
        w.bias_hh = params[next++];
      }
      if (projects) w.hr = params[next++];
      std::int64_t at = layer * directions + d;
      RecurrentRun r =
          run(w, data, {ops::select(s.h, 0, at), cell ? Tensor(ops::select(s.c, 0, at)) : Tensor()}, d == 1);
      sides.push_back(r.output);
      last_h.push_back(r.state.h);
      if (cell) last_c.push_back(r.state.c);
    }
    data = sides.size() == 1 ? sides[0] : Tensor(ops::cat(sides, -1));
    if (p.dropout > 0 && p.train && layer + 1 < p.num_layers) data = ops::dropout(data, p.dropout, true);
  }
  return {data, {ops::stack(last_h, 0), cell ? Tensor(ops::stack(last_c, 0)) : Tensor()}};
}
template <Recurrence Kind>
RecurrentRun recur_padded(const RecurrentPlan& p, const Tensor& input, const RecurrentState& s, TensorList params,
                          bool batch_first) {
  TENON_CHECK(input.dim() == 3, ValueError, "Expected a padded input of 3 dimensions, got ", input.sym_sizes());
  Tensor x = batch_first ? Tensor(ops::transpose(input, 0, 1)) : input;
  TENON_CHECK(x.sym_size(0) > 0, ValueError, "Expected sequence length to be larger than 0 in RNN");
  RecurrentRun r = run_layers(p, x, s, params, &run_layer<Kind>);
  if (batch_first) r.output = ops::transpose(r.output, 0, 1);
  return r;
}
template <Recurrence Kind>
RecurrentRun recur_packed(const RecurrentPlan& p, const Tensor& data, const Tensor& given_batch_sizes,
                          const RecurrentState& s, TensorList params) {
  const Tensor batch_sizes = tenon::detail::in_memory(given_batch_sizes);
  TENON_CHECK(batch_sizes.dim() == 1 && batch_sizes.dtype() == kLong && batch_sizes.is_contiguous() &&
                  batch_sizes.device().is_cpu() && batch_sizes.numel() > 0,
              ValueError, "Expected batch_sizes as a contiguous, not empty list of int64 on the CPU, got ",
              batch_sizes.dtype(), " of shape ", batch_sizes.sym_sizes());
  IntArrayRef steps(batch_sizes.data_ptr<std::int64_t>(), static_cast<std::size_t>(batch_sizes.numel()));
  std::int64_t total = 0;
  for (std::size_t t = 0; t < steps.size(); ++t) {
    TENON_CHECK(steps[t] > 0 && (t == 0 || steps[t] <= steps[t - 1]), ValueError,
                "batch_sizes must be positive and must not grow, got ", steps);
    total += steps[t];
  }
  TENON_CHECK(data.dim() == 2 && data.sym_size(0) == total && s.h.dim() == 3 && s.h.sym_size(1) == steps[0], ValueError,
              "packed data of shape ", data.sym_sizes(), " and a state of shape ", s.h.sym_sizes(),
              " do not fit batch_sizes of ", steps[0], " sequences and ", total, " steps");
  return run_layers(p, data, s, params,
                    [&](const RecurrentWeights& w, const Tensor& x, const RecurrentState& first, bool reverse) {
                      return run_packed_layer<Kind>(w, x, steps, first, reverse);
                    });
}

template <Recurrence Kind>
std::tuple<Tensor, Tensor> rnn_input(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,
                                     std::int64_t num_layers, double dropout, bool train, bool bidirectional,
                                     bool batch_first) {
  RecurrentRun r =
      recur_padded<Kind>({has_biases, num_layers, dropout, train, bidirectional}, input, {hx, {}}, params, batch_first);
  return {r.output, r.state.h};
}
template <Recurrence Kind>
std::tuple<Tensor, Tensor> rnn_data(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, TensorList params,
                                    bool has_biases, std::int64_t num_layers, double dropout, bool train,
                                    bool bidirectional) {
  RecurrentRun r =
      recur_packed<Kind>({has_biases, num_layers, dropout, train, bidirectional}, data, batch_sizes, {hx, {}}, params);
  return {r.output, r.state.h};
}
inline RecurrentState state_of(const char* name, TensorList hx) {
  TENON_CHECK(hx.size() == 2, ValueError, name, " expects two hidden states");
  return {hx[0], hx[1]};
}
inline std::tuple<Tensor, Tensor, Tensor> lstm_input(const Tensor& input, TensorList hx, TensorList params,
                                                     bool has_biases, std::int64_t num_layers, double dropout,
                                                     bool train, bool bidirectional, bool batch_first) {
  RecurrentRun r = recur_padded<Recurrence::LSTM>({has_biases, num_layers, dropout, train, bidirectional}, input,
                                                  state_of("lstm", hx), params, batch_first);
  return {r.output, r.state.h, r.state.c};
}
inline std::tuple<Tensor, Tensor, Tensor> lstm_data(const Tensor& data, const Tensor& batch_sizes, TensorList hx,
                                                    TensorList params, bool has_biases, std::int64_t num_layers,
                                                    double dropout, bool train, bool bidirectional) {
  RecurrentRun r = recur_packed<Recurrence::LSTM>({has_biases, num_layers, dropout, train, bidirectional}, data,
                                                  batch_sizes, state_of("lstm", hx), params);
  return {r.output, r.state.h, r.state.c};
}

inline void check_cell(const Tensor& input, const Tensor& state, const Tensor& w_ih, const Tensor& w_hh, int which) {
  for (const Tensor* t : {&input, &state, &w_ih, &w_hh})
    TENON_CHECK(t->dim() == 2, ValueError, "a recurrent cell takes matrices, got shape ", t->sym_sizes());
  TENON_CHECK(input.sym_size(1) == w_ih.sym_size(1), ValueError, "input has inconsistent input_size: got ",
              input.sym_size(1), " expected ", w_ih.sym_size(1));
  TENON_CHECK(input.sym_size(0) == state.sym_size(0), ValueError, "Input batch size ", input.sym_size(0),
              " doesn't match hidden", which, " batch size ", state.sym_size(0));
  TENON_CHECK(state.sym_size(1) == w_hh.sym_size(1), ValueError, "hidden", which, " has inconsistent hidden_size: got ",
              state.sym_size(1), ", expected ", w_hh.sym_size(1));
}
template <Recurrence Kind>
Tensor rnn_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh) {
  check_cell(input, hx, w_ih, w_hh, 0);
  RecurrentWeights w{w_ih, w_hh, b_ih.value_or(Tensor()), b_hh.value_or(Tensor()), {}};
  check_rows<Kind>(w, {hx, {}});
  return next_state<Kind>(gates(input, w.ih, w.bias_ih), {hx, {}}, w).h;
}
inline std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, TensorList hx, const Tensor& w_ih, const Tensor& w_hh,
                                            const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh) {
  RecurrentState s = state_of("lstm_cell", hx);
  check_cell(input, s.h, w_ih, w_hh, 0);
  check_cell(input, s.c, w_ih, w_hh, 1);
  RecurrentWeights w{w_ih, w_hh, b_ih.value_or(Tensor()), b_hh.value_or(Tensor()), {}};
  check_rows<Recurrence::LSTM>(w, s);
  s = next_state<Recurrence::LSTM>(gates(input, w.ih, w.bias_ih), s, w);
  return {s.h, s.c};
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  using enum Recurrence;
  m.def<ops::rnn_tanh_cell_base>().def<ops::rnn_relu_cell_base>().def<ops::lstm_cell_base>().def<ops::gru_cell_base>();
  m.impl<ops::rnn_tanh_cell_base, &rnn_cell<Tanh>>().impl<ops::rnn_relu_cell_base, &rnn_cell<ReLU>>();
  m.impl<ops::gru_cell_base, &rnn_cell<GRU>>().impl<ops::lstm_cell_base, &lstm_cell>();
  m.def<ops::rnn_tanh_input>().def<ops::rnn_relu_input>().def<ops::lstm_input>().def<ops::gru_input>();
  m.def<ops::rnn_tanh_data>().def<ops::rnn_relu_data>().def<ops::lstm_data>().def<ops::gru_data>();
  m.impl<ops::rnn_tanh_input, &rnn_input<Tanh>>().impl<ops::rnn_relu_input, &rnn_input<ReLU>>();
  m.impl<ops::gru_input, &rnn_input<GRU>>().impl<ops::lstm_input, &lstm_input>();
  m.impl<ops::rnn_tanh_data, &rnn_data<Tanh>>().impl<ops::rnn_relu_data, &rnn_data<ReLU>>();
  m.impl<ops::gru_data, &rnn_data<GRU>>().impl<ops::lstm_data, &lstm_data>();
}

}  // namespace tenon::composite
