// From the arguments of a pointwise operator's call to its inner loop, and the kernels of its three forms.
#pragma once
#include <tenon/base/checked_element.hpp>
#include <tenon/cpu/detail/one_by_one.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/pointwise_loops.hpp>
#include <tenon/cpu/tensor_operand.hpp>
#include <tenon/library/library.hpp>
#include <tenon/structured/pointwise.hpp>

namespace tenon::cpu {

/// A number in memory as an element of `type`.
inline void store_number(const Scalar& s, ScalarType type, void* to) {
  if (type == kFloat)
    *static_cast<float*>(to) = s.to<float>();
  else
    visit_element_type(type, [&]<class T>(type_tag<T>) { *static_cast<T*>(to) = s.to<T>(); });
}

namespace detail {

using tenon::detail::PointwiseArguments;
using tenon::detail::PointwiseRule;

/// What the kernels of a registration know; constant data.
struct PointwiseRecord {
  const PointwiseRule* rule;
  bool meta_only;  ///< for tensors without data
};

[[noreturn, gnu::cold, gnu::noinline]] inline void no_loop(const PointwiseRule& rule, ScalarType compute) {
  if (!is_selected(compute)) tenon::detail::dtype_left_out(compute);
  not_implemented_for(rule.name, compute);
}

/// Refuses the loop's numbers that its type cannot hold, in PyTorch's words; 16-bit floats compute as float.
inline void check_numbers(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute, StructuredForm) {
  for (unsigned i = rule.number_operands; i < a.n_numbers; ++i) {
    const Scalar& number = a.numbers[i];
    if (compute == kDouble)
      (void)checked_element<double>(number);
    else if (is_floating_type(compute))
      (void)checked_element<float>(number);
    else if (!is_complex_type(compute))
      visit_scalar_type(compute, [&]<class T>(type_tag<T>) { (void)checked_element<T>(number); });
  }
}

inline const Loop& loop_of_rule(const PointwiseRule& rule, ScalarType compute) {
  const LoopTable& table = rule.loops ? *rule.loops : active_tables().pointwise->loops[rule.op];
  const Loop* loop = table.find(compute);
  if (!loop) [[unlikely]]
    no_loop(rule, compute);
  return *loop;
}

/// Whether each value of `from` is one of `to`.
inline bool holds(ScalarType to, ScalarType from) {
  if (to == from || from == kBool) return true;
  if (is_integral_type(from, false) && is_integral_type(to, false))
    return item_size(from) < item_size(to) && (is_signed_type(to) || !is_signed_type(from));
  return item_size(from) == 1;
}
/// Whether PyTorch rounds 16-bit quotients before it cuts them to integers.
inline bool rounds_quotients(const PointwiseRule& rule) {
  auto op = static_cast<PointwiseOp>(rule.op);
  return !rule.loops && (op == PointwiseOp::div_trunc || op == PointwiseOp::div_floor);
}
/// The arithmetic in which 16-bit floats meet a single number behind them at the precision that they compute in: in
/// PyTorch products and quotients, but not sums.
inline bool takes_wide_numbers(const PointwiseRule& rule, const PointwiseArguments& a) {
  auto op = static_cast<PointwiseOp>(rule.op);
  return !rule.loops && a.order[0] >= 0 && (op == PointwiseOp::mul || op == PointwiseOp::div || rounds_quotients(rule));
}
/// Whether an operand would lose digits in a loop of the 16-bit type itself, or the quotient by a single number would.
inline bool has_wide_number(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute) {
  if (rounds_quotients(rule) && (a.n_tensors == 1 || a.tensors[1]->numel() == 1)) return true;
  for (int i = 0; i < rule.number_operands; ++i)
    if (!is_exact(a.numbers[i], compute)) return true;
  return a.n_tensors == 2 && a.tensors[1]->numel() == 1 && !holds(compute, a.tensors[1]->dtype());
}

/// Fills `out` from the arguments of a call whose shapes and types the meta function has judged.
inline void run_pointwise(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute,
                          const Tensor& out) {
  const Loop* found = &loop_of_rule(rule, compute);
  bool wide_numbers = is_reduced_floating_type(compute) && takes_wide_numbers(rule, a);
  if (wide_numbers && found->input[0] == compute && has_wide_number(rule, a, compute)) [[unlikely]]
    found = &loop_of_rule(rule, kFloat);
  const Loop& loop = *found;
  // A loop borrowed from a wider type gives wider results: another type's tensor gets them narrowed.
  if (ScalarType result = result_dtype(rule, compute); out.dtype() != result && loop.output[0] != result) [[unlikely]] {
    Tensor narrow = make_tensor(out.sizes(), {}, result);
    run_pointwise(rule, a, compute, narrow);
    return copy_elements(out, narrow);
  }
  IntArrayRef sizes = out.sizes();
  Operands o(sizes.data(), static_cast<int>(sizes.size()), out.numel(), compute);
  o.add_output(operand_of(out, sizes));
  alignas(16) unsigned char number[2][16];
  Tensor casts[3];
  for (unsigned i = 0; i < a.n_operands && o.inputs < loop.inputs; ++i) {
    int k = a.order[i];
    if (k >= 0) {
      const Tensor* t = a.tensors[k];
      // So do operands of wider types: they are rounded or wrapped as the type itself does.
      if (k >= rule.masks && loop.input[o.inputs] != compute && !holds(compute, t->dtype()) &&
          !(wide_numbers && k == 1 && t->numel() == 1)) [[unlikely]] {
        casts[o.inputs] = row_major(*t, compute);
        t = &casts[o.inputs];
      }
      o.add_input(operand_of(*t, sizes));
    } else if (~k < rule.number_operands) {
      ScalarType type = wide_numbers ? loop.input[o.inputs] : compute;
      store_number(a.numbers[~k], type, number[~k]);
      o.add_input(Operand::splat(number[~k], type));
    }
  }
  PointwiseNumbers closure{a.numbers + rule.number_operands, a.n_numbers - rule.number_operands};
  auto run = active_tables().pointwise->run;
  if (o.count > 1 && order_matters(out, a.tensors, a.n_tensors)) [[unlikely]]
    return one_by_one(o, out, a.tensors, a.n_tensors, [&](const Operands& one) { run(loop, &closure, one); });
  run(loop, &closure, o);
}

/// A call whose operands are of the loop's types and dense and of one shape, or one of them a single element repeated:
/// no iteration is needed.
struct DirectCall {
  const Loop* loop;
  ScalarType result;
  const TensorImpl* first;  // has the shape of the result
  const void* ins[2];
  std::int64_t steps[2] = {1, 1};

  /// Whether an operand is one element for all of `shape`, which has the strides that a new tensor gets.
  static bool repeats(const TensorImpl& t, const TensorImpl& shape) {
    std::int64_t step = 1;
    for (std::size_t d = shape.sizes().size(); d-- > 0; step *= shape.sizes()[d])
      if (shape.strides()[d] != step) return false;
    if (step == 0) return false;  // an empty tensor's strides depend on what it meets
    if (t.dim() == 0) return true;
    for (std::int64_t stride : t.strides())
      if (stride != 0) return false;
    return t.sizes() == shape.sizes();
  }
  /// False if the call is not of this kind.
  [[gnu::always_inline]] bool prepare(const PointwiseRecord& r, const PointwiseRule& rule, const PointwiseArguments& a,
                                      StructuredForm form) {
    if (r.meta_only || a.n_tensors > 2 || rule.masks || rule.number_operands) return false;
    first = a.tensors[0]->unsafe_impl();
    if (!first) return false;
    ScalarType type = first->dtype(), compute = type;
    ins[0] = first->data();
    if (a.n_tensors == 2) {
      const TensorImpl* second = a.tensors[1]->unsafe_impl();
      if (!second || second->dtype() != type) return false;
      ins[1] = second->data();
      if (second->sizes() != first->sizes() || !second->is_contiguous() || !first->is_contiguous()) {
        if (first->is_contiguous() && repeats(*second, *first)) {
          steps[1] = 0;
        } else if (second->is_contiguous() && repeats(*first, *second)) {
          steps[0] = 0;
          first = second;
        } else {
          return false;
        }
      }
    } else if (!first->is_contiguous()) {
      return false;
    }
    if (rule.promote == Promote::IntToFloat && is_integral_type(type, true)) return false;
    if (is_reduced_floating_type(type) && rounds_quotients(rule)) return false;  // a single divisor is another loop's
    if (first->numel() >= kParallelElements) return false;
    if (rule.check) rule.check(rule, a, compute, form);
    loop = &loop_of_rule(rule, compute);
    result = result_dtype(rule, compute);
    return loop->input[0] == type && loop->output[0] == result && loop->inputs == static_cast<int>(a.n_tensors);
  }
  [[gnu::always_inline]] void run(const PointwiseArguments& a, void* out) const {
    PointwiseNumbers closure{a.numbers, a.n_numbers};
    loop->function(&closure, &out, ins, steps, first->numel());
  }
  /// Whether `out` can be written at once: right type and shape, dense, and no part of an operand.
  [[gnu::always_inline]] bool fits(const PointwiseArguments& a, const Tensor& out) const {
    const TensorImpl* t = out.unsafe_impl();
    if (!t || t->dtype() != result || !t->is_contiguous() || !t->device().is_cpu() || t->sizes() != first->sizes())
      return false;
    for (unsigned i = 0; i < a.n_tensors; ++i)
      if (const TensorImpl* in = a.tensors[i]->unsafe_impl();
          in != t && in->storage() == t->storage() &&
          (in->data() != t->data() || steps[i] == 0 || in->strides() != t->strides()))
        return false;
    return true;
  }
};

inline Tensor pointwise_functional(const PointwiseRecord& r, PointwiseArguments a) {
  const PointwiseRule* rule = r.rule;
  if (rule->select) rule = &rule->select(*rule, a);
  if (DirectCall direct; direct.prepare(r, *rule, a, StructuredForm::Functional)) [[likely]] {
    IntArrayRef sizes = direct.first->sizes();
    TensorImpl* kept = tenon::detail::make_kept_tensor(sizes, direct.result);
    Tensor out = kept ? Tensor(intrusive_ptr<TensorImpl>::adopt(kept))
                      : tenon::detail::make_any_tensor(sizes, {}, direct.result, kCPU);
    direct.run(a, out->data());
    return out;
  }
  Outputs o(StructuredForm::Functional, r.meta_only);
  if (r.meta_only) [[unlikely]]
    pointwise_meta_only(*rule, o, a);
  else
    run_pointwise(*rule, a, pointwise_meta(*rule, o, a), o[0]);
  return o.take(0);
}
inline void pointwise_given(const PointwiseRecord& r, PointwiseArguments a, StructuredForm form, const Tensor& out) {
  const PointwiseRule* rule = r.rule;
  if (rule->select) rule = &rule->select(*rule, a);
  if (DirectCall direct; direct.prepare(r, *rule, a, form) && direct.fits(a, out)) [[likely]]
    return direct.run(a, out->data());
  Outputs o(form, r.meta_only);
  o.give(0, out);
  for (unsigned i = 0; i < a.n_tensors; ++i)
    if (a.tensors[i]->is_same(out)) o.keep_shape(0);
  if (r.meta_only) [[unlikely]]
    pointwise_meta_only(*rule, o, a);
  else
    run_pointwise(*rule, a, pointwise_meta(*rule, o, a), out);
}

/// The kernels of a signature's forms; the operator arrives as data.
template <class Sig>
struct pointwise_entries;
template <class... A>
struct pointwise_entries<Tensor(A...)> {
  using arguments = tenon::detail::pointwise_arguments<A...>;
  static const PointwiseRecord& record(void* data) { return *static_cast<const PointwiseRecord*>(data); }
  static Tensor functional(void* data, KeySet, A... args) {
    arguments sorted(args...);
    return pointwise_functional(record(data), sorted.view());
  }
  static Tensor& out(void* data, KeySet, A... args, Tensor& out) {
    arguments sorted(args...);
    pointwise_given(record(data), sorted.view(), StructuredForm::Out, out);
    return out;
  }
};
template <class Sig>
struct pointwise_inplace;
template <class... B>
struct pointwise_inplace<Tensor(const Tensor&, B...)> {
  static Tensor& call(void* data, KeySet, Tensor& self, B... rest) {
    tenon::detail::pointwise_arguments<const Tensor&, B...> sorted(self, rest...);
    pointwise_given(*static_cast<const PointwiseRecord*>(data), sorted.view(), StructuredForm::InPlace, self);
    return self;
  }
};

/// A function, since the address of a user's own loops is known not to be null, which compilers remark on.
constexpr bool has_library_loops(const PointwiseRule& rule) { return rule.loops == nullptr; }
constexpr bool names_its_choices(const PointwiseRule& rule) { return rule.select == nullptr || rule.more.count != 0; }

/// Brings the loops of a rule, and of those that it may choose, into a group that starts empty.
template <const PointwiseRule& Rule>
void keep_loops() {
  static_assert(names_its_choices(Rule), "a rule with `select` names the loops that it may choose in `more`");
  if constexpr (pointwise_is_selective && has_library_loops(Rule)) {
    auto keep = []<std::uint16_t Op>() {
      kernel_group<PointwiseKernels, default_arch>::value.loops[Op] =
          pointwise_loops<default_arch, static_cast<PointwiseOp>(Op)>::table();
    };
    // A rule that only chooses has no loops of its own.
    if constexpr (Rule.more.count == 0 || Rule.op != 0) keep.template operator()<Rule.op>();
    [&]<std::size_t... I>(std::index_sequence<I...>) { (keep.template operator()<Rule.more.op[I]>(), ...); }
    (std::make_index_sequence<Rule.more.count>{});
  }
}

template <const PointwiseRule& Rule, bool MetaOnly>
inline constexpr PointwiseRecord pointwise_record{&Rule, MetaOnly};

/// The kernels of an operator's forms at one key, from a record that lives as long as the program.
template <class Op>
TENON_COLD void implement_pointwise(Library& m, DispatchKey key, const PointwiseRecord& record,
                                    const PointwiseRecord& in_place, const Place& place) {
  using Sig = signature_of_t<Op>;
  m.impl_slot<Op, &pointwise_entries<Sig>::functional>(key, &record, place);
  if constexpr (requires { requires Op::has_inplace; })
    m.impl_slot<typename Op::inplace, &pointwise_inplace<Sig>::call>(key, &in_place, place);
  if constexpr (requires { requires Op::has_out; })
    m.impl_slot<typename Op::out, &pointwise_entries<Sig>::out>(key, &record, place);
}

}  // namespace detail

/// Defines a pointwise operator with its forms and registers them for CPU and Meta tensors. The loops of the in-place
/// form's rule are among those of the other forms'.
template <auto Op, const tenon::detail::PointwiseRule& Rule, const tenon::detail::PointwiseRule& InPlaceRule = Rule>
TENON_COLD void add_pointwise(Library& m, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  using O = std::remove_const_t<decltype(Op)>;
  if constexpr (requires { O::has_out; })
    define_forms(m, Op, {}, file, line);
  else
    m.def<Op>(CallSite::now(file, line));
  if constexpr (tenon::detail::is_any_form_selected<O>()) {
    Place place{file, line};
    detail::keep_loops<Rule>();
    detail::implement_pointwise<O>(m, DispatchKey::CPU, detail::pointwise_record<Rule, false>,
                                   detail::pointwise_record<InPlaceRule, false>, place);
    detail::implement_pointwise<O>(m, DispatchKey::Meta, detail::pointwise_record<Rule, true>,
                                   detail::pointwise_record<InPlaceRule, true>, place);
  }
}
/// An in-place operator that aten declares apart from the functional one.
template <auto InPlace, auto Op, const tenon::detail::PointwiseRule& Rule>
TENON_COLD void add_pointwise_inplace(Library& m, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  using O = std::remove_const_t<decltype(InPlace)>;
  if constexpr (tenon::detail::is_operator_selected_v<O>) {
    using entry = detail::pointwise_inplace<signature_t<Op>>;
    detail::keep_loops<Rule>();
    m.def<InPlace>(CallSite::now(file, line));
    Place place{file, line};
    m.impl_slot<O, &entry::call>(DispatchKey::CPU, &detail::pointwise_record<Rule, false>, place);
    m.impl_slot<O, &entry::call>(DispatchKey::Meta, &detail::pointwise_record<Rule, true>, place);
  }
}

}  // namespace tenon::cpu
