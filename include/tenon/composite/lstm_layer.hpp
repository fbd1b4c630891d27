// One direction of one layer of an LSTM as one operator: when it takes the place of the steps, its
// derivative.
#pragma once
#include <array>
#include <optional>

#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/by_composition.hpp>
#include <tenon/autograd/transformed.hpp>
#include <tenon/composite/lstm_shapes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/recurrent.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

/// Whether one operator computes a layer: of plain tensors of the CPU or of one CUDA device. Transforms see the steps,
/// which they know.
inline bool fits_lstm_layer(const Tensor& data, const RecurrentState& s, const RecurrentWeights& w) {
  constexpr KeySet plain = key_sets::autograd_and_inplace_or_view | key_sets::autocast | KeySet(DispatchKey::CPU) |
                           KeySet(DispatchKey::CUDA);
  if (w.hr.defined() || !(data.dtype() == kFloat || data.dtype() == kDouble)) return false;
  for (const Tensor* t : {&data, &s.h, &s.c, &w.ih, &w.hh, &w.bias_ih, &w.bias_hh})
    if (t->defined() && !(plain.has_all(t->keys()) && t->dtype() == data.dtype() && t->device() == data.device()))
      return false;
  if (data.numel() == 0 || s.h.numel() == 0) return false;
  std::int64_t inputs = data.size(-1), total = data.numel() / inputs;
  return (data.dim() == 2 || s.h.size(0) == data.size(1)) && lstm_shape(SymInt(total), SymInt(inputs), s, w);
}
inline std::optional<Tensor> if_defined(const Tensor& t) { return t.defined() ? std::optional(t) : std::nullopt; }
inline RecurrentRun run_lstm_layer(const RecurrentWeights& w, const Tensor& data, IntArrayRef batch_sizes,
                                   const RecurrentState& s, bool reverse) {
  auto [output, h, c, workspace] =
      ops::_lstm_layer(data, s.h, s.c, w.ih, w.hh, if_defined(w.bias_ih), if_defined(w.bias_hh), batch_sizes, reverse);
  return {output, {h, c}};
}

inline FourTensors lstm_layer_meta(const Tensor& input, const Tensor& hx, const Tensor& cx, const Tensor& w_ih,
                                   const Tensor& w_hh, const std::optional<Tensor>& b_ih,
                                   const std::optional<Tensor>& b_hh, IntArrayRef batch_sizes, bool) {
  LstmShape s = check_lstm_layer(input, {hx, cx}, {w_ih, w_hh, b_ih.value_or(Tensor()), b_hh.value_or(Tensor()), {}},
                                 batch_sizes);
  auto make = [&](SymDimVector sizes, ScalarType dtype) {
    return make_tensor_symbolic(sizes, SymDimVector(), dtype, input.device());
  };
  return {make({s.total, s.hidden}, input.dtype()), make({s.batch, s.hidden}, input.dtype()),
          make({s.batch, s.hidden}, input.dtype()), make({lstm_workspace(s.total, s.hidden, input.dtype())}, kByte)};
}
inline SixTensors lstm_layer_backward_meta(const std::optional<Tensor>&, const std::optional<Tensor>&,
                                           const std::optional<Tensor>&, const Tensor& input, const Tensor& cx,
                                           const Tensor& w_ih, const Tensor& w_hh, const Tensor&, IntArrayRef, bool,
                                           ArrayRef<bool> mask) {
  auto like = [&](bool wanted, SymIntArrayRef sizes) {
    return wanted ? make_tensor_symbolic(sizes, SymDimVector(), input.dtype(), input.device()) : Tensor();
  };
  return {like(mask[0], input.sym_sizes()), like(true, cx.sym_sizes()),
          like(true, cx.sym_sizes()),       like(mask[1], w_ih.sym_sizes()),
          like(mask[2], w_hh.sym_sizes()),  like(mask[3], SymDimVector{w_ih.sym_size(0)})};
}

}  // namespace tenon::composite

namespace tenon::ops {

namespace derivatives {

inline std::array<Tensor, 7> lstm_layer_gradients(const Tensor& grad_output, const Tensor& grad_h, const Tensor& grad_c,
                                                  const Tensor& input, const Tensor& hx, const Tensor& cx,
                                                  const Tensor& w_ih, const Tensor& w_hh,
                                                  const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh,
                                                  IntArrayRef batch_sizes, bool reverse, const Tensor& workspace,
                                                  autograd::Needs needs) {
  bool transformed =
      autograd::is_transformed(grad_output) || autograd::is_transformed(grad_h) || autograd::is_transformed(grad_c);
  if (is_grad_enabled() || transformed) {
    // A gradient that is differentiated itself, or is that of many examples, is that of the steps.
    auto steps = [&](const Tensors& t) -> Tensors {
      composite::RecurrentRun r = composite::run_packed<composite::Recurrence::LSTM>(
          {t[3], t[4], t[5], t[6], {}}, t[0], batch_sizes, {t[1], t[2]}, reverse);
      return {r.output, r.state.h, r.state.c};
    };
    Tensors got = back_through(steps, {input, hx, cx, w_ih, w_hh, b_ih.value_or(Tensor()), b_hh.value_or(Tensor())},
                               {grad_output, grad_h, grad_c});
    return {got[0], got[1], got[2], got[3], got[4], got[5], got[6]};
  }
  bool mask[] = {needs[0], needs[3], needs[4], needs[5] || needs[6]};
  auto given = [](const Tensor& t) { return composite::if_defined(t); };
  auto [x, h, c, ih, hh, bias] = _lstm_layer_backward(given(grad_output), given(grad_h), given(grad_c), input, cx, w_ih,
                                                      w_hh, workspace, batch_sizes, reverse, ArrayRef<bool>(mask, 4));
  // Two leaves do not share memory.
  return {x, h, c, ih, hh, bias, needs[5] && needs[6] ? Tensor(clone(bias)) : Tensor(bias)};
}

}  // namespace derivatives

TENON_DERIVATIVE(_lstm_layer_base,
                 TENON_WRT((input, hx, cx, w_ih, w_hh, b_ih, b_hh),
                           (grad0, grad1, grad2, input, hx, cx, w_ih, w_hh, b_ih, b_hh, batch_sizes, reverse, result3,
                            needs),
                           derivatives::lstm_layer_gradients(grad0, grad1, grad2, input, hx, cx, w_ih, w_hh, b_ih, b_hh,
                                                             batch_sizes, reverse, result3, needs)));

}  // namespace tenon::ops

TENON_LIBRARY_FRAGMENT(tenon, m) {
  using namespace tenon;
  m.def<ops::_lstm_layer_base>().def<ops::_lstm_layer_backward_base>();
}
TENON_LIBRARY_IMPL(tenon, Meta, m) {
  using namespace tenon;
  m.impl<ops::_lstm_layer_base, &composite::lstm_layer_meta>();
  m.impl<ops::_lstm_layer_backward_base, &composite::lstm_layer_backward_meta>();
}
