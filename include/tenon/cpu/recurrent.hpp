// A layer of an LSTM on the CPU and its gradients.
#pragma once
#include <tenon/composite/lstm_layer.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/lstm_kernels.hpp>
#include <tenon/ops/reduce.hpp>

namespace tenon::cpu::detail {

inline void check_lstm_dtype(ScalarType dtype) {
  if (dtype != kFloat && dtype != kDouble) not_implemented_for("_lstm_layer", dtype);
}
/// What forward and backward calls share. The workspace holds the gates, the cells and the states before them.
inline LstmCall lstm_call(const Tensor& x, const Tensor& w_ih, const Tensor& w_hh, const Tensor& cx,
                          const Tensor& workspace, IntArrayRef batch_sizes, bool reverse) {
  LstmCall call{x.dtype(), reverse};
  call.steps = static_cast<std::int64_t>(batch_sizes.size());
  call.rows = batch_sizes.data();
  call.batch = cx.sizes()[0];
  call.total = x.sizes()[0];
  call.inputs = x.sizes()[1];
  call.hidden = cx.sizes()[1];
  call.x = x.data_ptr();
  call.w_ih = w_ih.data_ptr();
  call.w_hh = w_hh.data_ptr();
  call.first_c = cx.data_ptr();
  auto bytes = static_cast<char*>(workspace.data_ptr());
  std::int64_t part = composite::lstm_workspace(call.total, call.hidden, x.dtype()) / 6;
  call.gates = bytes;
  call.cells = bytes + 4 * part;
  call.before = bytes + 5 * part;
  return call;
}
inline Tensor copy_of(const Tensor& t) {
  Tensor fresh = make_tensor(t.sizes(), {}, t.dtype());
  copy_elements(fresh, t);
  return fresh;
}
inline composite::FourTensors lstm_layer_cpu(const Tensor& input, const Tensor& hx, const Tensor& cx,
                                             const Tensor& w_ih, const Tensor& w_hh, const std::optional<Tensor>& b_ih,
                                             const std::optional<Tensor>& b_hh, IntArrayRef batch_sizes, bool reverse) {
  composite::check_lstm_layer(input, {hx, cx}, {w_ih, w_hh, b_ih.value_or(Tensor()), b_hh.value_or(Tensor()), {}},
                              batch_sizes);
  ScalarType dtype = input.dtype();
  check_lstm_dtype(dtype);
  std::int64_t total = input.sizes()[0], hidden = hx.sizes()[1];
  Tensor y = make_tensor({total, hidden}, {}, dtype), h = copy_of(hx), c = copy_of(cx),
         workspace = make_tensor({composite::lstm_workspace(total, hidden, dtype)}, {}, kByte);
  if (y.numel() == 0) return {y, h, c, workspace};
  Tensor x = row_major(input), ih = row_major(w_ih), hh = row_major(w_hh), first = row_major(cx), bias;
  if (b_ih && b_ih->defined()) bias = ops::add(row_major(*b_ih), row_major(*b_hh));
  LstmCall call = lstm_call(x, ih, hh, first, workspace, batch_sizes, reverse);
  call.bias = bias.defined() ? bias.data_ptr() : nullptr;
  call.y = y.data_ptr();
  call.h = h.data_ptr();
  call.c = c.data_ptr();
  active_tables().recurrent->lstm(call);
  return {y, h, c, workspace};
}
inline composite::SixTensors lstm_layer_backward_cpu(const std::optional<Tensor>& grad_output,
                                                     const std::optional<Tensor>& grad_hy,
                                                     const std::optional<Tensor>& grad_cy, const Tensor& input,
                                                     const Tensor& cx, const Tensor& w_ih, const Tensor& w_hh,
                                                     const Tensor& workspace, IntArrayRef batch_sizes, bool reverse,
                                                     ArrayRef<bool> mask) {
  ScalarType dtype = input.dtype();
  check_lstm_dtype(dtype);
  composite::check_lstm_layer(input, {cx, cx}, {w_ih, w_hh, {}, {}, {}}, batch_sizes);
  std::int64_t total = input.sizes()[0], hidden = cx.sizes()[1];
  composite::check_lstm_workspace(workspace, total, hidden, dtype);
  auto state = [&](const std::optional<Tensor>& g) {
    if (composite::is_lstm_gradient(g, cx.sizes(), dtype)) return copy_of(*g);
    Tensor zero = make_tensor(cx.sizes(), {}, dtype);
    fill_elements(zero, Scalar(0));
    return zero;
  };
  std::int64_t rows[] = {total, hidden};
  Tensor y = composite::is_lstm_gradient(grad_output, IntArrayRef(rows, 2), dtype) ? row_major(*grad_output) : Tensor(),
         h = state(grad_hy), c = state(grad_cy), x = row_major(input), ih = row_major(w_ih), hh = row_major(w_hh),
         first = row_major(cx), gates = make_tensor({total, 4 * hidden}, {}, dtype);
  auto like = [&](bool wanted, IntArrayRef sizes) { return wanted ? make_tensor(sizes, {}, dtype) : Tensor(); };
  Tensor by_x = like(mask[0], input.sizes()), by_ih = like(mask[1], w_ih.sizes()), by_hh = like(mask[2], w_hh.sizes());
  auto data = [](const Tensor& t) { return t.defined() ? t.data_ptr() : nullptr; };
  if (hidden > 0)
    active_tables().recurrent->lstm_back(
        lstm_call(x, ih, hh, first, workspace, batch_sizes, reverse),
        {data(y), data(h), data(c), data(gates), data(by_x), data(by_ih), data(by_hh)});
  else if (mask[0])
    fill_elements(by_x, Scalar(0));
  std::int64_t dim[] = {0};
  return {by_x, h, c, by_ih, by_hh, mask[3] ? Tensor(ops::sum(gates, IntArrayRef(dim, 1))) : Tensor()};
}

}  // namespace tenon::cpu::detail

TENON_LIBRARY_FRAGMENT(tenon, m) {
  using namespace tenon;
  using namespace tenon::cpu;
  install_kernels_for<&KernelTables::copy, ops::_lstm_layer_base, ops::_lstm_layer_backward_base>();
  install_kernels_for<&KernelTables::recurrent, ops::_lstm_layer_base, ops::_lstm_layer_backward_base>();
}
TENON_LIBRARY_IMPL(tenon, CPU, m) {
  using namespace tenon;
  m.impl<ops::_lstm_layer_base, &cpu::detail::lstm_layer_cpu>();
  m.impl<ops::_lstm_layer_backward_base, &cpu::detail::lstm_layer_backward_cpu>();
}
