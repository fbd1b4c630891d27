// The kernels of elementwise operators for any signature and back end: the operator and the back end arrive as data.
#pragma once
#include <tenon/dispatch/call_context.hpp>
#include <tenon/library/operators.hpp>
#include <tenon/library/library.hpp>
#include <tenon/pointwise/formula.hpp>
#include <tenon/structured/pointwise.hpp>

namespace tenon::pointwise {

using tenon::detail::PointwiseArguments;
using tenon::detail::PointwiseRow;
using tenon::detail::PointwiseRule;

/// What a back end adds to the rows: a formula run over prepared arguments.
struct Backend {
  Tensor (*functional)(const PointwiseRule& rule, PointwiseArguments& a);
  void (*given)(const PointwiseRule& rule, PointwiseArguments& a, StructuredForm form, const Tensor& out);
};
namespace detail {
[[gnu::cold]] inline Tensor meta_functional(const PointwiseRule& rule, PointwiseArguments& a) {
  Outputs o(StructuredForm::Functional, true);
  tenon::detail::pointwise_meta_only(rule, o, a);
  return o.take(0);
}
[[gnu::cold]] inline void meta_given(const PointwiseRule& rule, PointwiseArguments& a, StructuredForm form,
                                     const Tensor& out) {
  Outputs o(form, true);
  o.give(0, out);
  for (unsigned i = 0; i < a.n_tensors; ++i)
    if (a.tensors[i]->is_same(out)) o.keep_shape(0);
  tenon::detail::pointwise_meta_only(rule, o, a);
}
[[noreturn, gnu::cold]] inline Tensor unlinked_functional(const PointwiseRule& rule, PointwiseArguments&) {
  fail<NotImplementedError>(rule.name,
                            "(): the rows of this program have no CPU kernels; link tenon_kernels_cpu or "
                            "include <tenon/cpu/pointwise_engine.hpp> before the rows");
}
[[noreturn, gnu::cold]] inline void unlinked_given(const PointwiseRule& rule, PointwiseArguments& a, StructuredForm,
                                                   const Tensor&) {
  (void)unlinked_functional(rule, a);
}
}  // namespace detail
/// For tensors without data.
inline constexpr Backend meta_backend{&detail::meta_functional, &detail::meta_given};
/// The CPU's, put here by its engine while the program starts; before, every call says what to link or include.
inline constinit Backend cpu_backend{&detail::unlinked_functional, &detail::unlinked_given};

}  // namespace tenon::pointwise

/// The backend of the CUDA component; without one the symbol has no address.
extern "C" [[gnu::weak]] const tenon::pointwise::Backend tenon_cuda_pointwise;

namespace tenon::pointwise {

namespace detail {

/// What the kernels of a registration know; constant data.
struct Record {
  const PointwiseRow* row;
  const Backend* backend;
  std::string_view name;  ///< of the functional form
};

template <class Sig>
struct entries;
template <class... A>
struct entries<Tensor(A...)> {
  static Tensor functional(void* data, KeySet, A... args) {
    const auto& r = *static_cast<const Record*>(data);
    try {
      tenon::detail::pointwise_arguments<A...> sorted(args...);
      PointwiseArguments a = sorted.view();
      return r.backend->functional(r.row->choose(a), a);
    } catch (Error& e) {
      tenon::detail::call_context<Tensor(A...)>::add(e, r.name, args...);
      throw;
    }
  }
  static Tensor& out(void* data, KeySet, A... args, Tensor& out) {
    const auto& r = *static_cast<const Record*>(data);
    tenon::detail::pointwise_arguments<A...> sorted(args...);
    PointwiseArguments a = sorted.view();
    r.backend->given(r.row->choose(a), a, StructuredForm::Out, out);
    return out;
  }
};
template <class Sig>
struct inplace_entry;
template <class... B>
struct inplace_entry<Tensor(const Tensor&, B...)> {
  static Tensor& call(void* data, KeySet, Tensor& self, B... rest) {
    const auto& r = *static_cast<const Record*>(data);
    tenon::detail::pointwise_arguments<const Tensor&, B...> sorted(self, rest...);
    PointwiseArguments a = sorted.view();
    r.backend->given(r.row->choose(a), a, StructuredForm::InPlace, self);
    return self;
  }
};

/// The kernels of an operator's forms at one key, from records that live as long as the program.
template <class Op>
TENON_COLD void implement(Library& m, DispatchKey key, const Record& record, const Record& in_place,
                          const Place& place) {
  using Sig = signature_of_t<Op>;
  m.impl_slot<Op, &entries<Sig>::functional>(key, &record, place);
  if constexpr (requires { requires Op::has_inplace; })
    m.impl_slot<typename Op::inplace, &inplace_entry<Sig>::call>(key, &in_place, place);
  if constexpr (requires { requires Op::has_out; })
    m.impl_slot<typename Op::out, &entries<Sig>::out>(key, &record, place);
}

/// How an engine takes notice of a formula that a registered operator uses; specialised by the engine.
template <class Formula>
struct engine {};

/// What a formula is at run time.
template <class Formula>
constexpr WideNumber wide_number() {
  using element = element_types<typename Formula::types>;
  return element::rounds_quotients ? WideNumber::RoundedQuotient
         : element::wide_numbers   ? WideNumber::Operand
                                   : WideNumber::No;
}
template <class Formula>
constexpr ServesUnsigned serves_unsigned() {
  using element = element_types<typename Formula::types>;
  return element::modular ? ServesUnsigned::AsIs : element::ordered ? ServesUnsigned::Turned : ServesUnsigned::No;
}
template <class Formula>
inline constinit const tenon::detail::PointwiseFormula formula_of{Formula::name(), wide_number<Formula>(),
                                                                  serves_unsigned<Formula>()};

template <class Formula>
void bind_formula() {
  if constexpr (requires { engine<Formula>::loops(); })
    if (!formula_of<Formula>.loops) formula_of<Formula>.loops = engine<Formula>::loops();
}

}  // namespace detail

/// Defines a pointwise operator with its forms and registers them for CPU and Meta tensors, and for CUDA where the
/// program links that component.
template <class Op, class Data, class InPlace>
TENON_COLD void define_pointwise(Library& m, const Place& place) {
  using namespace detail;
  if constexpr (requires { Op::has_out; })
    define_forms(m, Op{}, {}, place.file(), place.line());
  else
    m.def<Op{}>(CallSite::now(place.file(), place.line()));
  static constexpr std::string_view name = tenon::detail::name_in(Op::text());
  static constexpr Record cpu{&Data::row, &cpu_backend, name}, cpu_in_place{&InPlace::row, &cpu_backend, name},
      meta{&Data::row, &meta_backend, name}, meta_in_place{&InPlace::row, &meta_backend, name},
      cuda{&Data::row, &tenon_cuda_pointwise, name}, cuda_in_place{&InPlace::row, &tenon_cuda_pointwise, name};
  implement<Op>(m, DispatchKey::CPU, cpu, cpu_in_place, place);
  implement<Op>(m, DispatchKey::Meta, meta, meta_in_place, place);
  if (cuda.backend) implement<Op>(m, DispatchKey::CUDA, cuda, cuda_in_place, place);
}

}  // namespace tenon::pointwise
