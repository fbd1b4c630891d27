// Derivatives of user-defined elementwise operators: one function computes the gradients of all tensors in one pass.
#pragma once
#include <tenon/autograd/derivative.hpp>

namespace tenon::autograd {

/// Fills `results[k]` with grad times the derivative by input k. `inputs` are the operator's tensors, `numbers` its
/// numbers.
using PointwiseBackward = void (*)(const void* data, const Tensor& grad, const Tensor* inputs, unsigned n_inputs,
                                   const Scalar* numbers, unsigned n_numbers, Tensor* results);
/// Whether that function runs where these tensors are, which are not the CPU's.
using PointwiseServes = bool (*)(const void* data, const Tensor& grad, const Tensor* inputs, unsigned n_inputs);

namespace detail {

/// The table of such an operator with what its nodes call.
struct PointwiseTable : DerivativeTable {
  static constexpr unsigned kMost = 8;
  PointwiseBackward backward = nullptr, recorded = nullptr;
  PointwiseServes serves = nullptr;
  const void* data = nullptr;
  unsigned (*numbers)(DerivativeNode&, Scalar*) = nullptr;
};

void apply_pointwise(DerivativeNode& node, const Tensor* grads, Tensor* out);

template <class Sig>
struct pointwise_numbers;
template <class R, class... A>
struct pointwise_numbers<R(A...)> {
  static unsigned read(DerivativeNode& node, Scalar* to) {
    unsigned n = 0;
    std::size_t i = 0;
    auto one = [&]<class T>(std::type_identity<T>) {
      if constexpr (!is_tensor_v<T>)
        to[n++] =
            Scalar(*reinterpret_cast<owned_t<T>*>(static_cast<char*>(node.plain()) + plain_layout<A...>::offset(i)));
      ++i;
    };
    (one(std::type_identity<A>{}), ...);
    return n;
  }
};

}  // namespace detail

/// Registers `backward` as the derivative of a declared pointwise operator and its forms, and `recorded`, which calls
/// operators alone, for gradients that are to have derivatives themselves and for devices that `serves` denies. `data`
/// lives as long as the program.
template <class Op>
void register_pointwise_derivative(Library& m, Op, PointwiseBackward backward, PointwiseBackward recorded,
                                   const void* data, const char* file, int line, PointwiseServes serves = nullptr) {
  static const detail::PointwiseTable table = [&] {
    detail::PointwiseTable t;
    static_cast<DerivativeTable&>(t) = detail::derivative_of<Op>::table;
    t.apply = &detail::apply_pointwise;
    std::uint32_t all = (std::uint32_t{1} << tenon::detail::parsed_v<Op>.head.n_args) - 1;
    t.clauses[0] = {t.tensor_args, t.tensor_args, 0, 0, all & ~t.tensor_args};
    t.n_clauses = 1;
    t.targets = t.tensor_args;
    t.backward = backward;
    t.recorded = recorded;
    t.serves = serves;
    t.data = data;
    t.numbers = &detail::pointwise_numbers<signature_of_t<Op>>::read;
    return t;
  }();
  Place place{file, line};
  register_autograd_kernel<Op>(m, table, place);
  if constexpr (Op::has_inplace) register_autograd_kernel<typename Op::inplace>(m, table, place);
  if constexpr (Op::has_out) register_inplace_or_view<typename Op::out>(m, place);
}

}  // namespace tenon::autograd
