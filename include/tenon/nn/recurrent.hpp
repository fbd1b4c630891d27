// Recurrent layers and cells, and batches of sequences of different lengths.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/nn/calling.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::nn {

/// Tensors by name in the order of their making.
struct NamedParameters : std::vector<std::pair<std::string, Parameter>> {
  using mapped_type = Parameter;
  const Parameter& at(std::string_view name) const;
};

/// Sequences of different lengths, one step after another without the padding: what the recurrent layers take in place
/// of a padded batch. `data` (sum of lengths, ..); `batch_sizes[t]`: how many sequences have a step t.
struct PackedSequence {
  Tensor data;
  std::vector<std::int64_t> batch_sizes;
  Tensor sorted_indices, unsorted_indices;  // undefined where the batch was sorted by length

  /// The same with `data` in that dtype and on that device, to which alone the indices go. Shares what stays as it is.
  PackedSequence to(std::optional<ScalarType> dtype, std::optional<Device> device = std::nullopt) const;
  PackedSequence to(ScalarType dtype) const { return to(std::optional(dtype)); }
  PackedSequence to(Device device) const { return to(std::nullopt, device); }
};
/// Shapes: input (T, B, ..), or (B, T, ..) with `batch_first`; lengths of int64 (B), each at least 1, also as a tensor.
/// Errors: ValueError for lengths that do not fit, or do not decrease where `enforce_sorted` says they do.
PackedSequence pack_padded_sequence(const Tensor& input, IntArrayRef lengths, bool batch_first = false,
                                    bool enforce_sorted = true);
PackedSequence pack_padded_sequence(const Tensor& input, const Tensor& lengths, bool batch_first = false,
                                    bool enforce_sorted = true);
/// The padded batch, and its lengths. `total_length` 0: that of the longest sequence.
std::pair<Tensor, std::vector<std::int64_t>> pad_packed_sequence(const PackedSequence& sequence,
                                                                 bool batch_first = false, double padding_value = 0,
                                                                 std::int64_t total_length = 0);
/// One padded batch of tensors of different first sizes: (T, B, ..), or (B, T, ..). `padding_side` is "right" or
/// "left".
Tensor pad_sequence(ArrayRef<Tensor> sequences, bool batch_first = false, double padding_value = 0,
                    std::string_view padding_side = "right");
/// The sequences of a padded batch, each of its length. Shapes: padded (T, B, ..), or (B, T, ..); lengths (B).
std::vector<Tensor> unpad_sequence(const Tensor& padded, IntArrayRef lengths, bool batch_first = false);
std::vector<Tensor> unpad_sequence(const Tensor& padded, const Tensor& lengths, bool batch_first = false);
/// Packs tensors of different first sizes. Errors: as pack_padded_sequence().
PackedSequence pack_sequence(ArrayRef<Tensor> sequences, bool enforce_sorted = true);
/// The sequences that pack_sequence() was given, in their order.
std::vector<Tensor> unpack_sequence(const PackedSequence& sequence);
/// The places that undo an order of places: `unsorted_indices` of `sorted_indices`. Shapes: (N), each of 0 .. N - 1
/// once. Errors: ValueError for other dimensions. Source: torch.nn.utils.rnn.invert_permutation of PyTorch 2.15.
Tensor invert_permutation(const Tensor& permutation);

namespace detail {

enum class RecurrentKind : std::uint8_t { Tanh, ReLU, LSTM, GRU };

struct RecurrentOptions {
  RecurrentKind kind;
  std::int64_t input_size, hidden_size, num_layers;
  bool bias, batch_first, bidirectional;
  double dropout;
  std::int64_t proj_size;
  bool training;
};
/// The options of a layer; a kind that cannot project has no `proj_size`.
template <class Layer>
RecurrentOptions options_of(const Layer& l) {
  std::int64_t proj_size = 0;
  if constexpr (requires { l.proj_size; }) proj_size = l.proj_size;
  return {l.kind(),      l.input_size,    l.hidden_size, l.num_layers, l.bias,
          l.batch_first, l.bidirectional, l.dropout,     proj_size,    l.training};
}
NamedParameters new_parameters(const RecurrentOptions& o, ScalarType dtype);
RecurrentKind rnn_kind(std::string_view nonlinearity);

/// The result of all layers, and the state at the end of each; `c` for LSTM alone.
struct RecurrentResult {
  Tensor output, h, c;
};
struct PackedResult {
  PackedSequence output;
  Tensor h, c;
};
RecurrentResult recur(const RecurrentOptions& o, const NamedParameters& weights, const Tensor& x, const Tensor& h,
                      const Tensor& c);
PackedResult recur(const RecurrentOptions& o, const NamedParameters& weights, const PackedSequence& x, const Tensor& h,
                   const Tensor& c);
std::string describe(const RecurrentOptions& o);
Tensor new_parameters(RecurrentKind kind, std::int64_t in, std::int64_t hidden, ScalarType dtype, Parameter& weight_hh,
                      Parameter& bias_ih, Parameter& bias_hh, bool bias);
/// One step. Shapes: x (N, in) or (in), h (N, hidden) or (hidden).
std::pair<Tensor, Tensor> step(RecurrentKind kind, const Tensor& x, const Tensor& h, const Tensor& c,
                               const Tensor& weight_ih, const Tensor& weight_hh, const Tensor& bias_ih,
                               const Tensor& bias_hh);
std::string describe_cell(std::int64_t input_size, std::int64_t hidden_size, bool bias, std::string_view nonlinearity);

}  // namespace detail

// Shapes of all: x (T, B, input_size), (B, T, input_size) with `batch_first`, or (T, input_size); the output has
// hidden_size (proj_size) features for each direction; the state (layers * directions, B, hidden_size). Without a state
// it is zero. Weights are drawn uniformly from +-1/sqrt(hidden_size).

/// h' = tanh(W x + b + U h + d), or with `nonlinearity` "relu".
struct RNN {
  Count input_size, hidden_size;
  std::int64_t num_layers = 1;
  std::string nonlinearity = "tanh";
  bool bias = true, batch_first = false;
  double dropout = 0;
  bool bidirectional = false;
  ScalarType dtype = get_default_dtype();
  bool training = true;
  NamedParameters weights = detail::new_parameters(detail::options_of(*this), dtype);

  std::tuple<Tensor, Tensor> operator()(const Tensor& x, const Tensor& h = {}) const;
  std::tuple<PackedSequence, Tensor> operator()(const PackedSequence& x, const Tensor& h = {}) const;
  std::string extra_repr() const { return detail::describe(detail::options_of(*this)); }
  NamedParameters& tenon_items() { return weights; }
  const NamedParameters& tenon_items() const { return weights; }
  detail::RecurrentKind kind() const { return detail::rnn_kind(nonlinearity); }
};

/// Long short-term memory (Hochreiter and Schmidhuber, 1997); with `proj_size` the output is projected.
struct LSTM {
  Count input_size, hidden_size;
  std::int64_t num_layers = 1;
  bool bias = true, batch_first = false;
  double dropout = 0;
  bool bidirectional = false;
  std::int64_t proj_size = 0;
  ScalarType dtype = get_default_dtype();
  bool training = true;
  NamedParameters weights = detail::new_parameters(detail::options_of(*this), dtype);

  using State = std::tuple<Tensor, Tensor>;
  std::tuple<Tensor, State> operator()(const Tensor& x, const State& state = {}) const;
  std::tuple<PackedSequence, State> operator()(const PackedSequence& x, const State& state = {}) const;
  std::string extra_repr() const { return detail::describe(detail::options_of(*this)); }
  NamedParameters& tenon_items() { return weights; }
  const NamedParameters& tenon_items() const { return weights; }
  detail::RecurrentKind kind() const { return detail::RecurrentKind::LSTM; }
};

/// Gated recurrent unit (Cho et al., 2014), in the form of PyTorch.
struct GRU {
  Count input_size, hidden_size;
  std::int64_t num_layers = 1;
  bool bias = true, batch_first = false;
  double dropout = 0;
  bool bidirectional = false;
  ScalarType dtype = get_default_dtype();
  bool training = true;
  NamedParameters weights = detail::new_parameters(detail::options_of(*this), dtype);

  std::tuple<Tensor, Tensor> operator()(const Tensor& x, const Tensor& h = {}) const;
  std::tuple<PackedSequence, Tensor> operator()(const PackedSequence& x, const Tensor& h = {}) const;
  std::string extra_repr() const { return detail::describe(detail::options_of(*this)); }
  NamedParameters& tenon_items() { return weights; }
  const NamedParameters& tenon_items() const { return weights; }
  detail::RecurrentKind kind() const { return detail::RecurrentKind::GRU; }
};

// One step of the layers above. Shapes: x (N, input_size) or (input_size).
struct RNNCell {
  Count input_size, hidden_size;
  bool bias = true;
  std::string nonlinearity = "tanh";
  ScalarType dtype = get_default_dtype();
  Parameter weight_hh = {}, bias_ih = {}, bias_hh = {};
  Parameter weight_ih = detail::new_parameters(detail::rnn_kind(nonlinearity), input_size, hidden_size, dtype,
                                               weight_hh, bias_ih, bias_hh, bias);

  Tensor operator()(const Tensor& x, const Tensor& h = {}) const {
    return Calling(this)(
        detail::step(detail::rnn_kind(nonlinearity), x, h, {}, weight_ih, weight_hh, bias_ih, bias_hh).first);
  }
  std::string extra_repr() const { return detail::describe_cell(input_size, hidden_size, bias, nonlinearity); }
  TENON_FIELDS(weight_ih, weight_hh, bias_ih, bias_hh)
};
struct LSTMCell {
  Count input_size, hidden_size;
  bool bias = true;
  ScalarType dtype = get_default_dtype();
  Parameter weight_hh = {}, bias_ih = {}, bias_hh = {};
  Parameter weight_ih = detail::new_parameters(detail::RecurrentKind::LSTM, input_size, hidden_size, dtype, weight_hh,
                                               bias_ih, bias_hh, bias);

  std::tuple<Tensor, Tensor> operator()(const Tensor& x, const std::tuple<Tensor, Tensor>& state = {}) const {
    auto [h, c] = detail::step(detail::RecurrentKind::LSTM, x, std::get<0>(state), std::get<1>(state), weight_ih,
                               weight_hh, bias_ih, bias_hh);
    return Calling(this)(std::tuple(h, c));
  }
  std::string extra_repr() const { return detail::describe_cell(input_size, hidden_size, bias, "tanh"); }
  TENON_FIELDS(weight_ih, weight_hh, bias_ih, bias_hh)
};
struct GRUCell {
  Count input_size, hidden_size;
  bool bias = true;
  ScalarType dtype = get_default_dtype();
  Parameter weight_hh = {}, bias_ih = {}, bias_hh = {};
  Parameter weight_ih = detail::new_parameters(detail::RecurrentKind::GRU, input_size, hidden_size, dtype, weight_hh,
                                               bias_ih, bias_hh, bias);

  Tensor operator()(const Tensor& x, const Tensor& h = {}) const {
    return Calling(this)(
        detail::step(detail::RecurrentKind::GRU, x, h, {}, weight_ih, weight_hh, bias_ih, bias_hh).first);
  }
  std::string extra_repr() const { return detail::describe_cell(input_size, hidden_size, bias, "tanh"); }
  TENON_FIELDS(weight_ih, weight_hh, bias_ih, bias_hh)
};

}  // namespace tenon::nn
