// Recurrent layers by their operators, and batches of sequences.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>

#include <tenon/base/body.hpp>
#include <tenon/nn/detail/start.hpp>
#include <tenon/nn/recurrent.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/packed_sequence.hpp>
#include <tenon/ops/recurrent.hpp>
#include <tenon/ops/tensor_of.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn {

TENON_BODY const Parameter& NamedParameters::at(std::string_view name) const {
  for (const auto& [own, value] : *this)
    if (own == name) return value;
  fail<ValueError>("no parameter is called '", name, "'");
}

namespace detail {

inline std::int64_t gates(RecurrentKind kind) {
  return kind == RecurrentKind::LSTM ? 4 : kind == RecurrentKind::GRU ? 3 : 1;
}
inline const char* name_of(RecurrentKind kind) {
  return kind == RecurrentKind::LSTM ? "LSTM" : kind == RecurrentKind::GRU ? "GRU" : "RNN";
}

TENON_BODY RecurrentKind rnn_kind(std::string_view nonlinearity) {
  TENON_CHECK(nonlinearity == "tanh" || nonlinearity == "relu", ValueError, "Unknown nonlinearity '", nonlinearity,
              "'. Select from 'tanh' or 'relu'.");
  return nonlinearity == "tanh" ? RecurrentKind::Tanh : RecurrentKind::ReLU;
}

TENON_BODY NamedParameters new_parameters(const RecurrentOptions& o, ScalarType dtype) {
  TENON_CHECK(o.hidden_size > 0, ValueError, "hidden_size must be greater than zero");
  TENON_CHECK(o.num_layers > 0, ValueError, "num_layers must be greater than zero");
  TENON_CHECK(o.dropout >= 0 && o.dropout <= 1, ValueError,
              "dropout should be a number in range [0, 1] representing the probability of an element being zeroed");
  TENON_CHECK(o.proj_size >= 0, ValueError, "proj_size should be a positive integer or zero to disable projections");
  TENON_CHECK(o.proj_size < o.hidden_size, ValueError, "proj_size has to be smaller than hidden_size");
  NamedParameters out;
  double bound = 1 / std::sqrt(static_cast<double>(o.hidden_size));
  std::int64_t directions = o.bidirectional ? 2 : 1, state = o.proj_size ? o.proj_size : o.hidden_size,
               rows = gates(o.kind) * o.hidden_size;
  for (std::int64_t layer = 0; layer < o.num_layers; ++layer)
    for (std::int64_t d = 0; d < directions; ++d) {
      std::string end = concat("_l", layer, d ? "_reverse" : "");
      auto add = [&](const char* name, IntArrayRef sizes) {
        out.emplace_back(name + end, Parameter(uniform_leaf(sizes, bound, dtype)));
      };
      add("weight_ih", {rows, layer == 0 ? o.input_size : state * directions});
      add("weight_hh", {rows, state});
      if (o.bias) {
        add("bias_ih", {rows});
        add("bias_hh", {rows});
      }
      if (o.proj_size) add("weight_hr", {o.proj_size, o.hidden_size});
    }
  return out;
}

/// All weights, as the operators take them: layer by layer, direction by direction.
inline std::vector<Tensor> tensors_of(const NamedParameters& weights) {
  std::vector<Tensor> out;
  for (const auto& [name, value] : weights) out.push_back(value);
  return out;
}
/// Calls the operator of the kind with a sequence's own arguments, then those that all have; `last` follows them.
template <class... Last>
RecurrentResult run_operator(const RecurrentOptions& o, const NamedParameters& weights, const auto& sequence,
                             const Tensor& h, const Tensor& c, Last... last) {
  std::vector<Tensor> params = tensors_of(weights);
  auto call = [&](const auto& op, const auto& state) {
    return std::apply(
        [&](const auto&... own) {
          return op(own..., state, params, o.bias, o.num_layers, o.dropout, o.training, o.bidirectional, last...);
        },
        sequence);
  };
  if (o.kind == RecurrentKind::LSTM) {
    auto [output, last_h, last_c] = call(ops::lstm, std::vector<Tensor>{h, c});
    return {output, last_h, last_c};
  }
  auto [output, last_h] = o.kind == RecurrentKind::GRU    ? call(ops::gru, h)
                          : o.kind == RecurrentKind::Tanh ? call(ops::rnn_tanh, h)
                                                          : call(ops::rnn_relu, h);
  return {output, last_h, {}};
}

/// The state given, or zeros; throws ValueError where its size is another.
inline Tensor checked_state(const RecurrentOptions& o, const Tensor& given, const Tensor& x, std::int64_t batch,
                            std::int64_t features, const char* name) {
  DimVector sizes{o.num_layers * (o.bidirectional ? 2 : 1), batch, features};
  if (!given.defined()) return ops::zeros(IntArrayRef(sizes), "dtype"_a = x.dtype(), "device"_a = x.device());
  TENON_CHECK(given.sizes() == IntArrayRef(sizes), ValueError, "Expected ", name, " size ", IntArrayRef(sizes),
              ", got ", given.sizes());
  return given;
}

TENON_BODY RecurrentResult recur(const RecurrentOptions& o, const NamedParameters& weights, const Tensor& x,
                                 const Tensor& h, const Tensor& c) {
  TENON_CHECK(x.dim() == 2 || x.dim() == 3, ValueError, name_of(o.kind), ": Expected input to be 2D or 3D, got ",
              x.dim(), "D tensor instead");
  TENON_CHECK(x.size(-1) == o.input_size, ValueError, "input.size(-1) must be equal to input_size. Expected ",
              o.input_size, ", got ", x.size(-1));
  bool batched = x.dim() == 3;
  for (const Tensor* state : {&h, &c})
    if (state->defined())
      TENON_CHECK(state->dim() == x.dim(), ValueError, "For ", batched ? "batched 3-D" : "unbatched 2-D",
                  " input, hx should also be ", x.dim(), "-D but got ", state->dim(), "-D tensor");
  Tensor in = !batched ? ops::unsqueeze(x, 1) : o.batch_first ? ops::transpose(x, 0, 1) : x;
  std::int64_t steps = in.size(0), batch = in.size(1), state = o.proj_size ? o.proj_size : o.hidden_size;
  TENON_CHECK(steps > 0, ValueError, "Expected sequence length to be larger than 0 in ", name_of(o.kind));
  auto lifted = [&](const Tensor& t) { return t.defined() && !batched ? ops::unsqueeze(t, 1) : t; };
  Tensor h0 = checked_state(o, lifted(h), x, batch, state, "hidden[0]"), c0;
  if (o.kind == RecurrentKind::LSTM) c0 = checked_state(o, lifted(c), x, batch, o.hidden_size, "hidden[1]");
  RecurrentResult r = run_operator(o, weights, std::tuple<const Tensor&>(in), h0, c0, false);
  if (!batched) {
    r.output = ops::squeeze(r.output, 1);
    r.h = ops::squeeze(r.h, 1);
    if (r.c.defined()) r.c = ops::squeeze(r.c, 1);
  } else if (o.batch_first) {
    r.output = ops::transpose(r.output, 0, 1);
  }
  return r;
}

TENON_BODY PackedResult recur(const RecurrentOptions& o, const NamedParameters& weights, const PackedSequence& x,
                              const Tensor& h, const Tensor& c) {
  TENON_CHECK(x.data.size(-1) == o.input_size, ValueError, "input.size(-1) must be equal to input_size. Expected ",
              o.input_size, ", got ", x.data.size(-1));
  std::int64_t batch = x.batch_sizes.at(0), state = o.proj_size ? o.proj_size : o.hidden_size;
  auto ordered = [](const Tensor& t, const Tensor& by) {
    return t.defined() && by.defined() ? ops::index_select(t, 1, by) : t;
  };
  Tensor h0 = checked_state(o, ordered(h, x.sorted_indices), x.data, batch, state, "hidden[0]"), c0;
  if (o.kind == RecurrentKind::LSTM)
    c0 = checked_state(o, ordered(c, x.sorted_indices), x.data, batch, o.hidden_size, "hidden[1]");
  Tensor batch_sizes = tensor(x.batch_sizes);
  RecurrentResult r = run_operator(o, weights, std::tuple<const Tensor&, const Tensor&>(x.data, batch_sizes), h0, c0);
  return {{r.output, x.batch_sizes, x.sorted_indices, x.unsorted_indices},
          ordered(r.h, x.unsorted_indices),
          ordered(r.c, x.unsorted_indices)};
}

TENON_BODY std::string describe(const RecurrentOptions& o) {
  Description d;
  d.value(o.input_size).value(o.hidden_size);
  if (o.proj_size) d.add("proj_size", o.proj_size);
  if (o.num_layers != 1) d.add("num_layers", o.num_layers);
  if (!o.bias) d.add("bias", false);
  if (o.batch_first) d.add("batch_first", true);
  if (o.dropout != 0) d.add("dropout", o.dropout);
  if (o.bidirectional) d.add("bidirectional", true);
  return d.text;
}

TENON_BODY Tensor new_parameters(RecurrentKind kind, std::int64_t in, std::int64_t hidden, ScalarType dtype,
                                 Parameter& weight_hh, Parameter& bias_ih, Parameter& bias_hh, bool bias) {
  double bound = hidden > 0 ? 1 / std::sqrt(static_cast<double>(hidden)) : 0;
  std::int64_t rows = gates(kind) * hidden;
  Tensor weight_ih = uniform_leaf({rows, in}, bound, dtype);
  weight_hh = uniform_leaf({rows, hidden}, bound, dtype);
  if (bias) {
    bias_ih = uniform_leaf({rows}, bound, dtype);
    bias_hh = uniform_leaf({rows}, bound, dtype);
  }
  return weight_ih;
}

TENON_BODY std::pair<Tensor, Tensor> step(RecurrentKind kind, const Tensor& x, const Tensor& h, const Tensor& c,
                                          const Tensor& weight_ih, const Tensor& weight_hh, const Tensor& bias_ih,
                                          const Tensor& bias_hh) {
  std::int64_t in = weight_ih.size(1), hidden = weight_hh.size(1);
  TENON_CHECK(x.dim() == 1 || x.dim() == 2, ValueError, name_of(kind), "Cell: Expected input to be 1D or 2D, got ",
              x.dim(), "D instead");
  TENON_CHECK(x.size(-1) == in, ValueError, "input has inconsistent input_size: got ", x.size(-1), " expected ", in);
  bool batched = x.dim() == 2;
  Tensor input = batched ? x : ops::unsqueeze(x, 0);
  auto state = [&](const Tensor& given, int which) {
    if (!given.defined()) return ops::zeros({input.size(0), hidden}, "dtype"_a = x.dtype(), "device"_a = x.device());
    Tensor s = batched ? given : ops::unsqueeze(given, 0);
    TENON_CHECK(s.dim() == 2 && s.size(1) == hidden, ValueError, "hidden", which, " has inconsistent hidden_size: got ",
                s.size(-1), ", expected ", hidden);
    TENON_CHECK(s.size(0) == input.size(0), ValueError, "Input batch size ", input.size(0), " doesn't match hidden",
                which, " batch size ", s.size(0));
    return s;
  };
  Tensor h0 = state(h, 0), c0 = kind == RecurrentKind::LSTM ? state(c, 1) : Tensor();
  Tensor next_h, next_c;
  auto call = [&](const auto& op, const auto& s) {
    return op(input, s, weight_ih, weight_hh, if_defined(bias_ih), if_defined(bias_hh));
  };
  if (kind == RecurrentKind::LSTM)
    std::tie(next_h, next_c) = call(ops::lstm_cell, std::vector<Tensor>{h0, c0});
  else
    next_h = kind == RecurrentKind::GRU    ? call(ops::gru_cell, h0)
             : kind == RecurrentKind::Tanh ? call(ops::rnn_tanh_cell, h0)
                                           : call(ops::rnn_relu_cell, h0);
  if (batched) return {next_h, next_c};
  return {ops::squeeze(next_h, 0), next_c.defined() ? ops::squeeze(next_c, 0) : next_c};
}

TENON_BODY std::string describe_cell(std::int64_t input_size, std::int64_t hidden_size, bool bias,
                                     std::string_view nonlinearity) {
  Description d;
  d.value(input_size).value(hidden_size);
  if (!bias) d.add("bias", false);
  if (nonlinearity != "tanh") d.add("nonlinearity", nonlinearity);
  return d.text;
}

}  // namespace detail

TENON_BODY PackedSequence PackedSequence::to(std::optional<ScalarType> dtype, std::optional<Device> device) const {
  auto moved = [](const Tensor& t, ScalarType type, Device where) { return t.defined() ? t.to(where, type) : t; };
  const Device where = device.value_or(data.device());
  return {moved(data, dtype.value_or(data.dtype()), where), batch_sizes, moved(sorted_indices, kLong, where),
          moved(unsorted_indices, kLong, where)};
}

namespace detail {
/// Lengths of a tensor of the CPU, as a list.
inline std::vector<std::int64_t> lengths_of(const Tensor& lengths, const char* whose) {
  TENON_CHECK(lengths.defined() && lengths.dim() == 1 && lengths.device().is_cpu(), ValueError, whose,
              ": argument 'lengths': expected a tensor of one dimension on the CPU, got ",
              lengths.defined() ? concat("one of shape ", lengths.sizes(), " on ", lengths.device()) : "none");
  const Tensor whole = lengths.to(kLong).contiguous();
  const auto* first = whole.data_ptr<std::int64_t>();
  return {first, first + whole.numel()};
}
}  // namespace detail
TENON_BODY PackedSequence pack_padded_sequence(const Tensor& input, const Tensor& lengths, bool batch_first,
                                               bool enforce_sorted) {
  return pack_padded_sequence(input, detail::lengths_of(lengths, "pack_padded_sequence()"), batch_first,
                              enforce_sorted);
}
TENON_BODY std::vector<Tensor> unpad_sequence(const Tensor& padded, const Tensor& lengths, bool batch_first) {
  return unpad_sequence(padded, detail::lengths_of(lengths, "unpad_sequence()"), batch_first);
}
TENON_BODY PackedSequence pack_padded_sequence(const Tensor& input, IntArrayRef lengths, bool batch_first,
                                               bool enforce_sorted) {
  Tensor x = batch_first ? ops::transpose(input, 0, 1) : input;
  std::size_t batch = lengths.size();
  TENON_CHECK(x.dim() >= 2 && x.size(1) == static_cast<std::int64_t>(batch), ValueError,
              "Expected `len(lengths)` to be equal to batch_size, but got ", batch,
              " (batch_size=", x.dim() >= 2 ? x.size(1) : 0, ")");
  TENON_CHECK(batch > 0, ValueError, "Cannot pack empty tensors.");
  std::vector<std::int64_t> order(batch), inverse(batch);
  std::iota(order.begin(), order.end(), 0);
  auto length = [&](std::int64_t i) { return lengths[static_cast<std::size_t>(i)]; };
  PackedSequence out;
  if (enforce_sorted) {
    TENON_CHECK(std::is_sorted(lengths.begin(), lengths.end(), std::greater<>()), ValueError,
                "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
                "`enforce_sorted=False` to pack_padded_sequence to sidestep this requirement.");
  } else {
    std::sort(order.begin(), order.end(),
              [&](auto a, auto b) { return std::pair(-length(a), a) < std::pair(-length(b), b); });
    for (std::size_t i = 0; i < batch; ++i) inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    out.sorted_indices = tensor(order).to(x.device());
    out.unsorted_indices = tensor(inverse).to(x.device());
    x = ops::index_select(x, 1, out.sorted_indices);
  }
  for (std::int64_t& i : order) i = length(i);
  auto [data, sizes] = ops::_pack_padded_sequence(x, tensor(order), false);
  out.data = data;
  const auto* size = sizes.data_ptr<std::int64_t>();
  out.batch_sizes.assign(size, size + sizes.numel());
  return out;
}

TENON_BODY std::pair<Tensor, std::vector<std::int64_t>> pad_packed_sequence(const PackedSequence& sequence,
                                                                            bool batch_first, double padding_value,
                                                                            std::int64_t total_length) {
  auto [out, counts] = ops::_pad_packed_sequence(sequence.data, tensor(sequence.batch_sizes), batch_first,
                                                 Scalar(padding_value), total_length);
  const auto* count = counts.data_ptr<std::int64_t>();
  std::vector<std::int64_t> lengths(count, count + counts.numel());
  if (sequence.unsorted_indices.defined()) {
    out = ops::index_select(out, batch_first ? 0 : 1, sequence.unsorted_indices);
    std::vector<std::int64_t> given(lengths.size());
    Tensor here = sequence.unsorted_indices.to(kCPU, kLong);
    const auto* place = here.data_ptr<std::int64_t>();
    for (std::size_t i = 0; i < given.size(); ++i) given[i] = lengths[static_cast<std::size_t>(place[i])];
    lengths = given;
  }
  return {out, lengths};
}

TENON_BODY Tensor pad_sequence(ArrayRef<Tensor> sequences, bool batch_first, double padding_value,
                               std::string_view padding_side) {
  TENON_CHECK(!sequences.empty(), ValueError, "pad_sequence(): expected a non-empty list of tensors");
  TENON_CHECK(padding_side == "left" || padding_side == "right", ValueError,
              "Expected padding_side to be one of left or right, but got ", padding_side, ".");
  std::int64_t longest = 0;
  for (const Tensor& s : sequences) longest = std::max(longest, s.size(0));
  std::vector<Tensor> rows;
  for (const Tensor& s : sequences) {
    DimVector missing(s.sizes());
    missing[0] = longest - s.size(0);
    if (missing[0] == 0) {
      rows.push_back(s);
      continue;
    }
    Tensor padding = ops::new_full(s, IntArrayRef(missing), padding_value);
    rows.push_back(padding_side == "left" ? ops::cat({padding, s}, 0) : ops::cat({s, padding}, 0));
  }
  return ops::stack(rows, batch_first ? 0 : 1);
}
TENON_BODY std::vector<Tensor> unpad_sequence(const Tensor& padded, IntArrayRef lengths, bool batch_first) {
  TENON_CHECK(padded.dim() >= 2 && padded.size(batch_first ? 0 : 1) == static_cast<std::int64_t>(lengths.size()),
              ValueError, "unpad_sequence(): expected as many lengths as sequences, got ", lengths.size(),
              " for a batch of shape ", padded.sizes());
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    Tensor sequence = ops::select(padded, batch_first ? 0 : 1, static_cast<std::int64_t>(i));
    out.push_back(ops::narrow(sequence, 0, 0, lengths[i]));
  }
  return out;
}
TENON_BODY PackedSequence pack_sequence(ArrayRef<Tensor> sequences, bool enforce_sorted) {
  std::vector<std::int64_t> lengths;
  for (const Tensor& s : sequences) lengths.push_back(s.size(0));
  return pack_padded_sequence(pad_sequence(sequences), lengths, false, enforce_sorted);
}
TENON_BODY Tensor invert_permutation(const Tensor& permutation) {
  TENON_CHECK(permutation.defined() && permutation.dim() == 1, ValueError,
              "invert_permutation(): expected places of shape (N), got ",
              permutation.defined() ? permutation.sizes() : IntArrayRef());
  const Tensor places =
      ops::arange(permutation.numel(), "dtype"_a = permutation.dtype(), "device"_a = permutation.device());
  return ops::scatter(permutation, 0, permutation, places);
}
TENON_BODY std::vector<Tensor> unpack_sequence(const PackedSequence& sequence) {
  auto [padded, lengths] = pad_packed_sequence(sequence, true);
  return unpad_sequence(padded, lengths, true);
}

namespace detail {
/// A layer called with a padded batch or a packed one, and with its state: h alone, or h and c.
template <class Layer, class Sequence>
std::tuple<Sequence, Tensor> call_layer(const Layer& l, const Sequence& x, const Tensor& h) {
  auto r = recur(options_of(l), l.weights, x, h, {});
  return {r.output, r.h};
}
template <class Layer, class Sequence>
std::tuple<Sequence, std::tuple<Tensor, Tensor>> call_layer(const Layer& l, const Sequence& x,
                                                            const std::tuple<Tensor, Tensor>& state) {
  auto r = recur(options_of(l), l.weights, x, std::get<0>(state), std::get<1>(state));
  return {r.output, {r.h, r.c}};
}
}  // namespace detail
TENON_BODY std::tuple<Tensor, Tensor> RNN::operator()(const Tensor& x, const Tensor& h) const {
  return Calling(this)(detail::call_layer(*this, x, h));
}
TENON_BODY std::tuple<PackedSequence, Tensor> RNN::operator()(const PackedSequence& x, const Tensor& h) const {
  return Calling(this)(detail::call_layer(*this, x, h));
}
TENON_BODY std::tuple<Tensor, LSTM::State> LSTM::operator()(const Tensor& x, const State& state) const {
  return Calling(this)(detail::call_layer(*this, x, state));
}
TENON_BODY std::tuple<PackedSequence, LSTM::State> LSTM::operator()(const PackedSequence& x, const State& state) const {
  return Calling(this)(detail::call_layer(*this, x, state));
}
TENON_BODY std::tuple<Tensor, Tensor> GRU::operator()(const Tensor& x, const Tensor& h) const {
  return Calling(this)(detail::call_layer(*this, x, h));
}
TENON_BODY std::tuple<PackedSequence, Tensor> GRU::operator()(const PackedSequence& x, const Tensor& h) const {
  return Calling(this)(detail::call_layer(*this, x, h));
}

}  // namespace tenon::nn
