// Recurrent networks, made of products and activations.
#pragma once
#include <algorithm>
#include <tuple>
#include <vector>

#include <tenon/library/library.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/dropout.hpp>
#include <tenon/ops/in_memory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/recurrent.hpp>
#include <tenon/ops/split.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

enum class Recurrence : std::uint8_t { Tanh, ReLU, LSTM, GRU };

/// The weights of one direction of one layer; undefined where there are none. `hr` projects the state of an LSTM.
struct RecurrentWeights {
  Tensor ih, hh, bias_ih, bias_hh, hr;
};
struct RecurrentState {
  Tensor h, c;
};
inline Tensor gates(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return ops::linear(x, weight, bias.defined() ? std::optional<Tensor>(bias) : std::nullopt);
}
/// The state after a step from what the input gives to the gates (N, gates * hidden) and the state before it.
template <Recurrence Kind>
RecurrentState next_state(const Tensor& from_input, const RecurrentState& s, const RecurrentWeights& w) {
  Tensor from_state = gates(s.h, w.hh, w.bias_hh);
  if constexpr (Kind == Recurrence::Tanh) return {ops::tanh(from_input + from_state), {}};
  if constexpr (Kind == Recurrence::ReLU) return {ops::relu(from_input + from_state), {}};
  if constexpr (Kind == Recurrence::LSTM) {
    auto g = ops::chunk(from_input + from_state, 4, 1);
    Tensor cell = ops::sigmoid(g[1]) * s.c + ops::sigmoid(g[0]) * ops::tanh(g[2]);
    Tensor out = ops::sigmoid(g[3]) * ops::tanh(cell);
    return {w.hr.defined() ? Tensor(ops::linear(out, w.hr)) : out, cell};
  }
  if constexpr (Kind == Recurrence::GRU) {
    auto a = ops::chunk(from_input, 3, 1), b = ops::chunk(from_state, 3, 1);
    Tensor reset = ops::sigmoid(a[0] + b[0]), update = ops::sigmoid(a[1] + b[1]);
    Tensor candidate = ops::tanh(a[2] + reset * b[2]);
    return {candidate + update * (s.h - candidate), {}};
  }
}

/// Throws ValueError unless the weights have a row for each unit of each gate.
template <Recurrence Kind>
void check_rows(const RecurrentWeights& w, const RecurrentState& s) {
  SymInt rows = s.c.defined() ? s.c.sym_size(-1) : s.h.sym_size(-1);
  rows = rows * (Kind == Recurrence::LSTM ? 4 : Kind == Recurrence::GRU ? 3 : 1);
  for (const Tensor* t : {&w.ih, &w.hh})
    TENON_CHECK(t->dim() == 2 && t->sym_size(0) == rows, ValueError, "recurrent weights of shape ", t->sym_sizes(),
                ": expected a matrix of ", rows, " rows");
}

/// The outputs of all steps and the state behind the last.
struct RecurrentRun {
  Tensor output;
  RecurrentState state;
};
/// One direction of one layer over (T, B, features).
template <Recurrence Kind>
RecurrentRun run_padded(const RecurrentWeights& w, const Tensor& data, RecurrentState s, bool reverse) {
  check_rows<Kind>(w, s);
  Tensor from_input = gates(data, w.ih, w.bias_ih);
  std::vector<Tensor> outputs(static_cast<std::size_t>(data.sym_size(0).guard_int(__FILE__, __LINE__)));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::size_t t = reverse ? outputs.size() - 1 - i : i;
    s = next_state<Kind>(ops::select(from_input, 0, static_cast<std::int64_t>(t)), s, w);
    outputs[t] = s.h;
  }
  return {ops::stack(outputs, 0), s};
}
/// The same over packed steps, where the sequences that still run come first: the state at the end of each.
template <Recurrence Kind>
RecurrentRun run_packed(const RecurrentWeights& w, const Tensor& data, IntArrayRef batch_sizes,
                        const RecurrentState& first, bool reverse) {
  check_rows<Kind>(w, first);
  Tensor from_input = gates(data, w.ih, w.bias_ih);
  constexpr bool cell = Kind == Recurrence::LSTM;
  std::vector<Tensor> outputs(batch_sizes.size()), ended_h, ended_c;
  std::int64_t offset = reverse ? data.size(0) : 0, active = reverse ? 0 : batch_sizes[0];
  auto part = [](const Tensor& t, std::int64_t from, std::int64_t n) { return Tensor(ops::narrow(t, 0, from, n)); };
  RecurrentState s{part(first.h, 0, active), cell ? part(first.c, 0, active) : Tensor()};
  for (std::size_t i = 0; i < batch_sizes.size(); ++i) {
    std::size_t t = reverse ? batch_sizes.size() - 1 - i : i;
    std::int64_t n = batch_sizes[t];
    if (reverse) offset -= n;
    if (n < active) {
      ended_h.push_back(part(s.h, n, active - n));
      if (cell) ended_c.push_back(part(s.c, n, active - n));
      s = {part(s.h, 0, n), cell ? part(s.c, 0, n) : Tensor()};
    } else if (n > active) {
      auto with_new = [&](const Tensor& now, const Tensor& from) {
        Tensor added = part(from, active, n - active);
        return active == 0 ? added : Tensor(ops::cat({now, added}, 0));
      };
      s = {with_new(s.h, first.h), cell ? with_new(s.c, first.c) : Tensor()};
    }
    active = n;
    s = next_state<Kind>(part(from_input, offset, n), s, w);
    outputs[t] = s.h;
    if (!reverse) offset += n;
  }
  auto all_ends = [](std::vector<Tensor>& ended, const Tensor& last) {
    if (ended.empty()) return last;
    ended.push_back(last);
    std::reverse(ended.begin(), ended.end());
    return Tensor(ops::cat(ended, 0));
  };
  return {ops::cat(outputs, 0), {all_ends(ended_h, s.h), cell ? all_ends(ended_c, s.c) : Tensor()}};
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
  RecurrentRun r = run_layers(p, x, s, params, &run_padded<Kind>);
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
                      return run_packed<Kind>(w, x, steps, first, reverse);
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
