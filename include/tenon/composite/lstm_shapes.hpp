// One direction of one layer of an LSTM: shapes and what is refused.
#pragma once
#include <optional>
#include <tuple>

#include <tenon/composite/recurrent_steps.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

struct LstmShape {
  SymInt total, batch, inputs, hidden;
};
/// The shape of a layer over `total` rows; nothing if those of its tensors do not fit each other.
inline std::optional<LstmShape> lstm_shape(const SymInt& total, const SymInt& inputs, const RecurrentState& s,
                                           const RecurrentWeights& w) {
  for (const Tensor* t : {&s.h, &s.c, &w.ih, &w.hh})
    if (t->dim() != 2) return std::nullopt;
  LstmShape shape{total, s.h.sym_size(0), inputs, s.h.sym_size(1)};
  SymInt gates = shape.hidden * SymInt(4);
  bool fit = s.c.sym_sizes() == s.h.sym_sizes() && w.ih.sym_size(0) == gates && w.ih.sym_size(1) == inputs &&
             w.hh.sym_size(0) == gates && w.hh.sym_size(1) == shape.hidden &&
             w.bias_ih.defined() == w.bias_hh.defined();
  for (const Tensor* b : {&w.bias_ih, &w.bias_hh})
    if (b->defined()) fit = fit && b->dim() == 1 && b->sym_size(0) == gates;
  return fit ? std::optional(shape) : std::nullopt;
}
inline LstmShape check_lstm_layer(const Tensor& input, const RecurrentState& s, const RecurrentWeights& w,
                                  IntArrayRef batch_sizes) {
  TENON_CHECK(input.dim() == 2, ValueError, "_lstm_layer: expected an input of 2 dimensions, got ", input.sym_sizes());
  auto shape = lstm_shape(input.sym_size(0), input.sym_size(1), s, w);
  TENON_CHECK(shape, ValueError, "_lstm_layer: an input of shape ", input.sym_sizes(), ", states of ", s.h.sym_sizes(),
              " and ", s.c.sym_sizes(), " and weights of ", w.ih.sym_sizes(), " and ", w.hh.sym_sizes(),
              " do not fit each other or their biases");
  std::int64_t total = 0, before = batch_sizes.empty() ? 0 : batch_sizes[0];
  for (std::int64_t n : batch_sizes) {
    TENON_CHECK(n > 0 && n <= before, ValueError, "batch_sizes must be positive and must not grow, got ", batch_sizes);
    total += before = n;
  }
  TENON_CHECK(!batch_sizes.empty() && shape->batch == SymInt(batch_sizes[0]) && shape->total == SymInt(total),
              ValueError, "_lstm_layer: an input of shape ", input.sym_sizes(), " and states of ", s.h.sym_sizes(),
              " do not fit batch_sizes ", batch_sizes);
  for (const Tensor* t : {&s.h, &s.c, &w.ih, &w.hh, &w.bias_ih, &w.bias_hh})
    TENON_CHECK(!t->defined() || t->dtype() == input.dtype(), TypeError, "_lstm_layer: expected all tensors of ",
                input.dtype(), ", got ", t->dtype());
  return *shape;
}
/// Bytes of the workspace: four gates, the cell and the state before it, of each row.
template <class Int>
Int lstm_workspace(const Int& total, const Int& hidden, ScalarType dtype) {
  return total * hidden * Int(6 * static_cast<std::int64_t>(item_size(dtype)));
}
using FourTensors = std::tuple<Tensor, Tensor, Tensor, Tensor>;
using SixTensors = std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor>;
/// Whether there is a gradient of a result. Throws ValueError where it has another shape or dtype.
inline bool is_lstm_gradient(const std::optional<Tensor>& g, IntArrayRef sizes, ScalarType dtype) {
  TENON_CHECK(!g || !g->defined() || (g->sizes() == sizes && g->dtype() == dtype), ValueError,
              "_lstm_layer_backward: expected a gradient of shape ", sizes, " and ", dtype);
  return g && g->defined();
}
inline void check_lstm_workspace(const Tensor& workspace, std::int64_t total, std::int64_t hidden, ScalarType dtype) {
  TENON_CHECK(workspace.dtype() == kByte && workspace.is_contiguous() &&
                  workspace.numel() == lstm_workspace(total, hidden, dtype),
              ValueError, "_lstm_layer_backward: expected the workspace of _lstm_layer, got ", workspace.dtype(),
              " of shape ", workspace.sizes());
}

}  // namespace tenon::composite
