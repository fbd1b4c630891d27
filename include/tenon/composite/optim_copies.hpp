// The optimisers' steps that leave what they are given as it is, by those that write.
#pragma once
#include <tuple>
#include <utility>

#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/ops/optim_copies.hpp>

namespace tenon::composite {

inline std::vector<Tensor> cloned(TensorList list) {
  std::vector<Tensor> out;
  out.reserve(list.size());
  for (const Tensor& t : list) out.push_back(ops::clone(t));
  return out;
}

/// The operator of signature `Sig` that returns as many lists as it is given first: `InPlace` on copies of these.
template <auto InPlace, class Sig>
struct step_on_copies;
template <auto InPlace, class... R, class... A>
struct step_on_copies<InPlace, std::tuple<R...>(A...)> {
  static std::tuple<R...> call(A... args) {
    auto given = std::forward_as_tuple(args...);
    std::tuple<R...> lists;
    [&]<std::size_t... I>(std::index_sequence<I...>) { ((std::get<I>(lists) = cloned(std::get<I>(given))), ...); }
    (std::index_sequence_for<R...>{});
    auto pick = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) -> decltype(auto) {
      if constexpr (I < sizeof...(R))
        return TensorList(std::get<I>(lists));
      else
        return (std::get<I>(given));
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) { InPlace(pick(std::integral_constant<std::size_t, I>{})...); }
    (std::index_sequence_for<A...>{});
    return lists;
  }
};
/// Its out form, which writes the parameters after the step alone.
template <auto Functional, class Sig>
struct step_into;
template <auto Functional, class... A>
struct step_into<Functional, void(A...)> {
  static void call(A... args) {
    AutoDispatchBelowADInplaceOrView guard;
    auto given = std::forward_as_tuple(args...);
    constexpr std::size_t last = sizeof...(A) - 1;
    auto results = [&]<std::size_t... I>(std::index_sequence<I...>) { return Functional(std::get<I>(given)...); }
    (std::make_index_sequence<last>{});
    const auto& after = std::get<0>(results);
    TensorList out = std::get<last>(given);
    TENON_CHECK(out.size() == after.size(), ValueError, "argument 'out': expected ", after.size(), " tensors, got ",
                out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      Tensor to = out[i];
      copy_to_out(after[i], to);
    }
  }
};

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  auto define = [&]<class Op, class Out, class InPlace>(Op, Out, InPlace) {
    m.def<Op{}>().template impl<Op{}, &step_on_copies<InPlace{}, signature_of_t<Op>>::call>(all);
    m.def<Out{}>().template impl<Out{}, &step_into<Op{}, signature_of_t<Out>>::call>(all);
  };
#define X(NAME)                                                 \
  define(ops::NAME##_base, ops::NAME##_out, ops::NAME##_base_); \
  define(ops::NAME##_tensor_lr, ops::NAME##_tensor_lr_out, ops::NAME##_tensor_lr_);
  X(_fused_sgd) X(_fused_adagrad) X(_fused_adam) X(_fused_adamw)
#undef X
}

}  // namespace tenon::composite
