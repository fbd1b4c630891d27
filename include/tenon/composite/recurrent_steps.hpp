// Recurrent networks step by step, made of products and activations.
#pragma once
#include <algorithm>
#include <vector>

#include <tenon/library/library.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/operators.hpp>
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

}  // namespace tenon::composite
