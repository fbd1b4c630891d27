// One direction of one layer of an LSTM over a whole sequence, of every instruction set as one group of pointers.
#pragma once
#include <tenon/cpu/gemm.hpp>
#include <tenon/cpu/kernel_tables.hpp>

namespace tenon::cpu {

/// A layer of float or double; all matrices are row-major. The rows of `x`, `y` and the workspace are those of the
/// steps one behind another, `rows[t]` of step t, which are the first of the batch. Gates stand in the order of
/// PyTorch: input, forget, cell, output.
struct LstmCall {
  ScalarType dtype;
  bool reverse = false;  ///< the last step first
  std::int64_t steps = 0, batch = 0, total = 0, inputs = 0, hidden = 0;
  const std::int64_t* rows = nullptr;
  const void* x = nullptr;        ///< total x inputs
  const void* w_ih = nullptr;     ///< 4 hidden x inputs
  const void* w_hh = nullptr;     ///< 4 hidden x hidden
  const void* bias = nullptr;     ///< 4 hidden, the sum of both; may be null
  const void* first_c = nullptr;  ///< batch x hidden
  void* y = nullptr;              ///< total x hidden
  void* h = nullptr;              ///< batch x hidden: the state before, then the state behind
  void* c = nullptr;
  /// total x 4 hidden: what the gates let through; total x hidden: the cells; the same: the state before each step.
  void *gates = nullptr, *cells = nullptr, *before = nullptr;
};

/// What passes back through a layer whose call has been run; a null result is not wanted.
struct LstmGradients {
  const void* y = nullptr;  ///< may be null
  void* h = nullptr;        ///< of the state behind, then of the state before
  void* c = nullptr;
  void* gates = nullptr;  ///< total x 4 hidden: of the sums that the gates take
  void *x = nullptr, *w_ih = nullptr, *w_hh = nullptr;
};

/// A layer and its gradients; float or double.
struct RecurrentKernels {
  void (*lstm)(const LstmCall& call);
  void (*lstm_back)(const LstmCall& call, const LstmGradients& gradients);
};

}  // namespace tenon::cpu

#include <tenon/cpu/detail/lstm_impl.hpp>

namespace tenon::cpu {

namespace detail {

template <class Arch>
void lstm_entry(const LstmCall& call) {
  call.dtype == kDouble ? Lstm<double, Arch>(call).run() : Lstm<float, Arch>(call).run();
}
template <class Arch>
void lstm_back_entry(const LstmCall& call, const LstmGradients& gradients) {
  call.dtype == kDouble ? Lstm<double, Arch>(call).run_back(gradients) : Lstm<float, Arch>(call).run_back(gradients);
}

}  // namespace detail

template <class Arch>
struct kernel_group<RecurrentKernels, Arch> {
  static constexpr RecurrentKernels value{&detail::lstm_entry<Arch>, &detail::lstm_back_entry<Arch>};
};

}  // namespace tenon::cpu
