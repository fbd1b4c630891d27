// What composites of linear algebra share: statuses that become errors, and out forms with several results.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/base/linalg_error.hpp>
#include <tenon/base/promote_types.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/composite/restride.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/solve.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

/// Throws LinAlgError if a status is not 0; does nothing for tensors without elements.
inline void check_infos(const Tensor& info, std::string_view name, bool is_matrix) {
  ops::_linalg_check_errors(info, name, "is_matrix"_a = is_matrix);
}
inline Tensor adjoint(const Tensor& t) {
  Tensor turned = ops::transpose(t, -2, -1);
  return t.is_complex() ? Tensor(ops::conj_physical(turned)) : turned;
}

/// Ends an out form: PyTorch's linear algebra converts its results where no digits of their kind are lost. If `laid`,
/// what is resized lies as the result does, since PyTorch's factorizations fill `out` themselves.
inline void give_result(const Tensor& result, Tensor& out, bool laid = false) {
  check_can_cast(result.dtype(), out.dtype());
  TENON_CHECK(out.device().type == result.device().type, ValueError, "Expected out tensor to have device ",
              result.device(), ", but got ", out.device(), " instead");
  laid = laid && out.sym_sizes() != result.sym_sizes();
  resize_out(out, result.sym_sizes());
  if (laid && (result.is_symbolic() || out.is_symbolic())) {
    out->set_sym_geometry(result.sym_sizes(), result.sym_strides(), out.sym_storage_offset(), result.is_contiguous());
  } else if (laid) {
    lay_out(out, result.sizes(), result.strides());
  }
  ops::copy_(out, result);
}
/// What the dtype of an out tensor may be, by result, out tensor and arguments: any that takes the result's elements.
struct castable_dtype {
  template <class... A>
  static void check(const Tensor&, const Tensor&, const A&...) {}
};
/// The result's.
struct same_dtype {
  template <class... A>
  static void check(const Tensor& result, const Tensor& out, const A&...) {
    check_out_dtype(result, out);
  }
};
/// The kernel for the out form `Out` of an operator of signature `Sig`; its data is the operator's slot.
template <class Sig, class Out, bool Laid, class Dtype>
struct results_by_copy;
template <class... A, class Out, bool Laid, class Dtype>
struct results_by_copy<Tensor(A...), Out, Laid, Dtype> {
  static Tensor& call(void* functional, KeySet, A... args, Tensor& out) {
    auto& slot = *static_cast<tenon::detail::OperatorSlot*>(functional);
    AutoDispatchBelowADInplaceOrView guard;
    Tensor result = tenon::detail::call_path<Tensor(A...)>::call(slot, args...);
    Dtype::check(result, out, args...);
    give_result(result, out, Laid);
    return out;
  }
};
template <class... R, class... A, class... G, class... All, bool Laid, class Dtype>
struct results_by_copy<std::tuple<R...>(A...), std::tuple<G...>(All...), Laid, Dtype> {
  static std::tuple<G...> call(void* functional, KeySet, A... args, G... out) {
    auto& slot = *static_cast<tenon::detail::OperatorSlot*>(functional);
    AutoDispatchBelowADInplaceOrView guard;
    auto results = tenon::detail::call_path<std::tuple<R...>(A...)>::call(slot, static_cast<A>(args)...);
    auto given = std::tie(out...);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (Dtype::check(std::get<I>(results), std::get<I>(given)), ...);
      (give_result(std::get<I>(results), std::get<I>(given), Laid), ...);
    }
    (std::make_index_sequence<sizeof...(R)>{});
    return {out...};
  }
};
/// Whether a TENON_DERIVATIVE says what an operator's forms need for gradients.
enum class Derivative { OfParts, Declared };
/// Defines an operator that is made of others, with an out form that copies the results.
template <bool Laid = true, class Dtype = castable_dtype, class Op>
TENON_COLD void define_with_out(Library& m, Op, Derivative derivative = Derivative::OfParts,
                                const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  m.def<Op{}>(CallSite::now(file, line));
  if constexpr (Op::has_out) {
    m.def<typename Op::out{}>(CallSite::now(file, line));
    if constexpr (tenon::detail::is_operator_selected_v<typename Op::out>)
      m.impl_slot<typename Op::out,
                  &results_by_copy<signature_of_t<Op>, signature_of_t<typename Op::out>, Laid, Dtype>::call>(
          DispatchKey::CompositeExplicitAutograd, &tenon::detail::slot_of<Op>, Place{file, line});
    if (derivative == Derivative::OfParts) autograd::register_not_differentiable(m, typename Op::out{}, file, line);
  }
}

}  // namespace tenon::composite
