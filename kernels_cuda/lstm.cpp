// Registers layers of LSTMs on CUDA: a product for the inputs of all steps, then a product and a kernel for each step.
#include <tuple>
#include <vector>

#include <tenon/composite/lstm_shapes.hpp>
#include <tenon/cuda/lstm.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/recurrent.hpp>
#include <tenon/ops/view.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

using MaybeTensor = std::optional<Tensor>;

void check_dtype(ScalarType dtype) {
  if (dtype != kFloat && dtype != kDouble) not_implemented_for("_lstm_layer_cuda", dtype);
}
Tensor copy_of(const Tensor& t) {
  Tensor fresh = make_tensor(t.sizes(), {}, t.dtype(), t.device());
  copy_elements(fresh, t);
  return fresh;
}
Tensor rows_of(const Tensor& t, std::int64_t first, std::int64_t count) { return ops::narrow(t, 0, first, count); }
/// The rows of a step among those of all.
struct Step {
  std::int64_t first, rows;
};
/// In the order in which they are computed.
std::vector<Step> steps_of_batches(IntArrayRef batch_sizes, bool reverse) {
  std::vector<Step> steps;
  std::int64_t first = 0;
  for (std::int64_t rows : batch_sizes) {
    steps.push_back({first, rows});
    first += rows;
  }
  if (reverse) std::reverse(steps.begin(), steps.end());
  return steps;
}
/// What the gradients need: the gates, the cells and the states before, of each row.
struct Workspace {
  Tensor bytes, gates, cells, before;
  Workspace(const Tensor& flat, std::int64_t total, std::int64_t hidden) : bytes(ops::view(flat, kByte)) {
    auto part = [&](std::int64_t from, std::int64_t width) {
      std::int64_t sizes[] = {total, width}, strides[] = {width, 1};
      return make_alias(flat, sizes, strides, flat.storage_offset() + from * total * hidden);
    };
    gates = part(0, 4 * hidden), cells = part(4, hidden), before = part(5, hidden);
  }
};

composite::FourTensors lstm_layer(const Tensor& input, const Tensor& hx, const Tensor& cx, const Tensor& w_ih,
                                  const Tensor& w_hh, const MaybeTensor& b_ih, const MaybeTensor& b_hh,
                                  IntArrayRef batch_sizes, bool reverse) {
  composite::check_lstm_layer(input, {hx, cx}, {w_ih, w_hh, b_ih.value_or(Tensor()), b_hh.value_or(Tensor()), {}},
                              batch_sizes);
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(input.device());
  const ScalarType dtype = input.dtype();
  check_dtype(dtype);
  const std::int64_t total = input.sizes()[0], hidden = hx.sizes()[1], all = 6 * total * hidden,
                     shape[] = {total, hidden};
  Tensor y = make_tensor(shape, {}, dtype, input.device()), h = copy_of(hx), c = copy_of(cx);
  Workspace w(make_tensor({&all, 1}, {}, dtype, input.device()), total, hidden);
  if (y.numel() == 0) return {y, h, c, w.bytes};
  MaybeTensor bias;
  if (b_ih && b_ih->defined()) bias = ops::add(*b_ih, *b_hh);
  copy_elements(w.gates, ops::linear(input, w_ih, bias));
  const Tensor across = ops::t(w_hh);
  for (auto [first, rows] : steps_of_batches(batch_sizes, reverse)) {
    Tensor state = rows_of(h, 0, rows), sums = rows_of(w.gates, first, rows);
    copy_elements(rows_of(w.before, first, rows), state);
    ops::addmm_(sums, state, across);
    LstmStepCall step{};
    step.dtype = dtype, step.rows = rows, step.hidden = hidden;
    step.gates = sums.data_ptr(), step.h = h.data_ptr(), step.c = c.data_ptr();
    step.y = rows_of(y, first, rows).data_ptr(), step.cells = rows_of(w.cells, first, rows).data_ptr();
    lstm_step(step, runtime::current_stream());
    runtime::check_launch("_lstm_layer");
  }
  return {y, h, c, w.bytes};
}

composite::SixTensors lstm_layer_backward(const MaybeTensor& grad_output, const MaybeTensor& grad_hy,
                                          const MaybeTensor& grad_cy, const Tensor& input, const Tensor& cx,
                                          const Tensor& w_ih, const Tensor& w_hh, const Tensor& workspace,
                                          IntArrayRef batch_sizes, bool reverse, ArrayRef<bool> mask) {
  const ScalarType dtype = input.dtype();
  check_dtype(dtype);
  composite::check_lstm_layer(input, {cx, cx}, {w_ih, w_hh, {}, {}, {}}, batch_sizes);
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(input.device());
  const std::int64_t total = input.sizes()[0], hidden = cx.sizes()[1], gates[] = {total, 4 * hidden},
                     rows_shape[] = {total, hidden};
  composite::check_lstm_workspace(workspace, total, hidden, dtype);
  auto state = [&](const MaybeTensor& g) {
    if (composite::is_lstm_gradient(g, cx.sizes(), dtype)) return copy_of(*g);
    Tensor zero = make_tensor(cx.sizes(), {}, dtype, cx.device());
    fill_elements(zero, operand_of(Scalar(0), dtype));
    return zero;
  };
  Tensor y = composite::is_lstm_gradient(grad_output, rows_shape, dtype) ? row_major(*grad_output) : Tensor(),
         h = state(grad_hy), c = state(grad_cy), initial = row_major(cx),
         slopes = make_tensor(gates, {}, dtype, input.device());
  const Workspace w(ops::view(workspace, dtype), total, hidden);
  const std::vector<Step> steps = steps_of_batches(batch_sizes, reverse);
  for (std::size_t i = hidden > 0 ? steps.size() : 0; i-- > 0;) {
    const auto [first, rows] = steps[i];
    Tensor mine = rows_of(slopes, first, rows);
    LstmStepCall step{};
    step.dtype = dtype, step.rows = rows, step.hidden = hidden;
    step.gates = rows_of(w.gates, first, rows).data_ptr(), step.cells = rows_of(w.cells, first, rows).data_ptr();
    step.h = h.data_ptr(), step.c = c.data_ptr(), step.slopes = mine.data_ptr(), step.first = initial.data_ptr();
    if (y.defined()) step.y = rows_of(y, first, rows).data_ptr();
    if (i > 0) {
      step.earlier_rows = steps[i - 1].rows;
      step.earlier = rows_of(w.cells, steps[i - 1].first, steps[i - 1].rows).data_ptr();
    }
    lstm_step_back(step, runtime::current_stream());
    runtime::check_launch("_lstm_layer_backward");
    copy_elements(rows_of(h, 0, rows), ops::mm(mine, w_hh));
  }
  Tensor turned = ops::t(slopes);
  std::int64_t dim[] = {0};
  return {mask[0] ? Tensor(ops::mm(slopes, w_ih)) : Tensor(),
          h,
          c,
          mask[1] ? Tensor(ops::mm(turned, input)) : Tensor(),
          mask[2] ? Tensor(ops::mm(turned, w.before)) : Tensor(),
          mask[3] ? Tensor(ops::sum(slopes, IntArrayRef(dim, 1))) : Tensor()};
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(tenon, CUDA, m) {
  m.impl<tenon::ops::_lstm_layer_base, &tenon::cuda::lstm_layer>();
  m.impl<tenon::ops::_lstm_layer_backward_base, &tenon::cuda::lstm_layer_backward>();
}
