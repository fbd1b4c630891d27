// The cells of a step of an LSTM and their gradients as kernels: a lane for each unit of each row.
#pragma once
#include <cmath>
#include <cstdint>

#include <tenon/base/scalar_type.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

/// Rows of `hidden` units side by side, of float or double; gates have four times as many: in, forget, cell, out.
struct LstmStepCall {
  ScalarType dtype;
  std::int64_t rows, hidden;
  void* gates;          ///< forward: sums, which become the gates
  void *h, *c;          ///< the states, before and then behind; backward: their gradients
  void *y, *cells;      ///< forward: written for this step; backward: the gradient of y, which may be null, and cells
  const void* earlier;  ///< backward: the cells before, of the first `earlier_rows` rows; of the others those of
  const void* first;    ///< the first state
  std::int64_t earlier_rows;
  void* slopes;  ///< backward: gradients of the sums
};
/// False for another dtype.
bool lstm_step(const LstmStepCall& call, void* stream);
bool lstm_step_back(const LstmStepCall& call, void* stream);

template <class T>
struct lstm_cells {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const LstmStepCall& c) const {
    each_of_grid(lane, c.rows * c.hidden, [&](std::int64_t k) {
      T* gate = static_cast<T*>(c.gates) + k / c.hidden * 4 * c.hidden + k % c.hidden;
      const T in = sigmoid(gate[0]), forget = sigmoid(gate[c.hidden]), fresh = std::tanh(gate[2 * c.hidden]),
              out = sigmoid(gate[3 * c.hidden]);
      gate[0] = in, gate[c.hidden] = forget, gate[2 * c.hidden] = fresh, gate[3 * c.hidden] = out;
      const T cell = forget * static_cast<const T*>(c.c)[k] + in * fresh, h = out * std::tanh(cell);
      static_cast<T*>(c.c)[k] = static_cast<T*>(c.cells)[k] = cell;
      static_cast<T*>(c.h)[k] = static_cast<T*>(c.y)[k] = h;
    });
  }

 private:
  TENON_HOST_DEVICE static T sigmoid(T x) { return T(1) / (T(1) + std::exp(-x)); }
};
/// What a state's gradient takes from the gates is added by a product, behind this.
template <class T>
struct lstm_cells_back {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const LstmStepCall& c) const {
    each_of_grid(lane, c.rows * c.hidden, [&](std::int64_t k) {
      const std::int64_t row = k / c.hidden, at = row * 4 * c.hidden + k % c.hidden;
      const T* gate = static_cast<const T*>(c.gates) + at;
      const T in = gate[0], forget = gate[c.hidden], fresh = gate[2 * c.hidden], out = gate[3 * c.hidden];
      const T* before = static_cast<const T*>(row < c.earlier_rows ? c.earlier : c.first);
      const T reached = std::tanh(static_cast<const T*>(c.cells)[k]);
      T by_h = static_cast<const T*>(c.h)[k];
      if (c.y) by_h += static_cast<const T*>(c.y)[k];
      T& by_c = static_cast<T*>(c.c)[k];
      const T cell = by_c + by_h * out * (T(1) - reached * reached);
      T* slope = static_cast<T*>(c.slopes) + at;
      slope[0] = cell * fresh * in * (T(1) - in);
      slope[c.hidden] = cell * before[k] * forget * (T(1) - forget);
      slope[2 * c.hidden] = cell * in * (T(1) - fresh * fresh);
      slope[3 * c.hidden] = by_h * reached * out * (T(1) - out);
      by_c = cell * forget;
    });
  }
};

}  // namespace tenon::cuda
