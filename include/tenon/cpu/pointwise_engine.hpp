// The CPU's engine of the rows: from the arguments of a call to an inner loop.
#pragma once
#include <tenon/base/checked_element.hpp>
#include <tenon/cpu/detail/gathered_operand.hpp>
#include <tenon/cpu/detail/one_by_one.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/formula_loops.hpp>
#include <tenon/cpu/tensor_operand.hpp>
#include <tenon/pointwise/kernels.hpp>

#ifdef TENON_ROWS_PER_SET
#define TENON_INTERNAL_SET(MEMBER, TYPE, SET) \
  extern "C" const tenon::cpu::TYPE* tenon_rows_##SET(const tenon::Executor*);
TENON_CPU_SETS(TENON_INTERNAL_SET, rows, PointwiseKernels)
#undef TENON_INTERNAL_SET
#endif

namespace tenon::cpu {

#ifdef TENON_ROWS_PER_SET
namespace detail {
/// The rows of this unit for the set in use; the tool that compiles it joins them to it.
[[maybe_unused]] static const PointwiseKernels* tenon_rows() {
#define TENON_INTERNAL_SET(MEMBER, TYPE, SET) \
  case Capability::SET: return tenon_rows_##SET(forwarding_executor());
  switch (chosen_capability()) {
    TENON_CPU_SETS(TENON_INTERNAL_SET, rows, PointwiseKernels)
    default: return nullptr;
  }
#undef TENON_INTERNAL_SET
}
}  // namespace detail
#endif

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

/// The loop of a type that has none of its own: uint64 may have int64's.
[[gnu::cold, gnu::noinline]] inline const Loop& other_loop(const PointwiseRule& rule, ScalarType compute) {
  const auto* table = static_cast<const LoopTable*>(rule.formula->loops);
  if (table && compute == kUInt64 && rule.formula->serves_unsigned != ServesUnsigned::No)
    if (const Loop* loop = table->find(kLong)) return *loop;
  if (!is_selected(compute)) tenon::detail::dtype_left_out(compute);
  not_implemented_for(rule.name, compute);
}

[[gnu::always_inline]] inline const Loop& loop_of_rule(const PointwiseRule& rule, ScalarType compute) {
  const auto* table = static_cast<const LoopTable*>(rule.formula->loops);
  const Loop* loop = table ? table->find(compute) : nullptr;
  if (!loop) [[unlikely]]
    return other_loop(rule, compute);
  return *loop;
}

/// Whether each value of `from` is one of `to`.
inline bool holds(ScalarType to, ScalarType from) {
  if (to == from || from == kBool) return true;
  if (is_integral_type(from, false) && is_integral_type(to, false))
    return item_size(from) < item_size(to) && (is_signed_type(to) || !is_signed_type(from));
  return item_size(from) == 1;
}
/// Whether 16-bit floats meet a single number behind them at the precision that they compute in.
inline bool takes_wide_numbers(const PointwiseRule& rule) {
  return rule.formula->wide != WideNumber::No && rule.elements[0] >= 0;
}
/// Whether an operand would lose digits in a loop of the 16-bit type itself, or the quotient by a single number would.
inline bool has_wide_number(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute) {
  if (rule.formula->wide == WideNumber::RoundedQuotient && (a.n_tensors == 1 || a.tensors[1]->numel() == 1))
    return true;
  for (int i = 0; i < rule.number_operands; ++i)
    if (!is_exact(a.numbers[i], compute)) return true;
  return a.n_tensors == 2 && a.tensors[1]->numel() == 1 && !holds(compute, a.tensors[1]->dtype());
}

void run_pointwise(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute, const Tensor& out);

inline constexpr std::uint64_t kHighestBit = std::uint64_t{1} << 63;
/// Words of 64 bits with the highest turned, which takes the order of uint64 to that of int64, and back.
inline Tensor turned(const Tensor& t, ScalarType from, ScalarType to) {
  Tensor dense = row_major(t, from), out = make_tensor(t.sizes(), {}, to);
  auto x = static_cast<const std::uint64_t*>(dense.data_ptr());
  auto y = static_cast<std::uint64_t*>(out.data_ptr());
  for (std::int64_t i = 0, n = out.numel(); i < n; ++i) y[i] = x[i] ^ kHighestBit;
  return out;
}
[[gnu::cold, gnu::noinline]] inline void run_turned(const PointwiseRule& rule, const PointwiseArguments& a,
                                                    const Tensor& out) {
  Tensor words[PointwiseRule::kMostElements];
  const Tensor* tensors[PointwiseRule::kMostElements];
  Scalar numbers[PointwiseRule::kMostElements];
  PointwiseArguments b = a;
  b.tensors = tensors;
  b.numbers = numbers;
  for (unsigned i = 0; i < a.n_tensors; ++i) {
    words[i] = turned(*a.tensors[i], kUInt64, kLong);
    tensors[i] = &words[i];
  }
  for (unsigned i = 0; i < a.n_numbers; ++i) {
    std::uint64_t word = 0;
    if (a.is_given(i)) store_number(a.numbers[i], kUInt64, &word);
    numbers[i] = static_cast<std::int64_t>(word ^ kHighestBit);
  }
  if (rule.promote == Promote::Compare) return run_pointwise(rule, b, kLong, out);
  Tensor result = make_tensor(out.sizes(), {}, kLong);
  run_pointwise(rule, b, kLong, result);
  copy_elements(out, turned(result, kLong, kUInt64));
}

/// Fills `out` from the arguments of a call whose shapes and types the meta function has judged.
inline void run_pointwise(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute,
                          const Tensor& out) {
  const Loop* found = &loop_of_rule(rule, compute);
  if (compute == kUInt64 && rule.formula->serves_unsigned == ServesUnsigned::Turned) [[unlikely]]
    return run_turned(rule, a, out);
  bool wide_numbers = is_reduced_floating_type(compute) && takes_wide_numbers(rule);
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
  for (unsigned i = 0; i < rule.n_elements; ++i) {
    int k = rule.elements[i];
    if (k >= 0) {
      const Tensor* t = a.tensors[k];
      // So do operands of wider types: they are rounded or wrapped as the type itself does.
      if (k >= rule.masks && loop.input[o.inputs] != compute && !holds(compute, t->dtype()) &&
          !(wide_numbers && k == 1 && t->numel() == 1)) [[unlikely]] {
        casts[o.inputs] = row_major(*t, compute);
        t = &casts[o.inputs];
      }
      o.add_input(operand_of(*t, sizes));
    } else {
      ScalarType type = wide_numbers ? loop.input[o.inputs] : compute;
      store_number(a.numbers[~k], type, number[~k]);
      o.add_input(Operand::splat(number[~k], type));
    }
  }
  PointwiseNumbers closure{a.numbers + rule.first_number, rule.n_numbers};
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
  [[gnu::always_inline]] bool prepare(const PointwiseRule& rule, const PointwiseArguments& a, StructuredForm form) {
    if (a.n_tensors > 2 || rule.masks || rule.number_operands) return false;
    first = a.tensors[0]->unsafe_impl();
    if (!first) return false;
    ScalarType type = first->dtype();
    ins[0] = first->data();
    if (a.n_tensors == 2) {
      const TensorImpl* second = a.tensors[1]->unsafe_impl();
      if (!second || second->dtype() != type) return false;
      ins[1] = second->data();
      if (!same_here(second->sizes(), first->sizes()) || !second->is_contiguous() || !first->is_contiguous()) {
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
    return find_loop(rule, a, form, type);
  }
  /// The same for two operands, one of them dense in the order of the result and the other in any order, or repeated:
  /// its elements come into `memory`, of kGatheredBytes.
  bool prepare_gathered(const PointwiseRule& rule, const PointwiseArguments& a, StructuredForm form, void* memory) {
    if (a.n_tensors != 2 || rule.masks || rule.number_operands) return false;
    const TensorImpl* operand[] = {a.tensors[0]->unsafe_impl(), a.tensors[1]->unsafe_impl()};
    if (!operand[0] || !operand[1] || operand[0]->dtype() != operand[1]->dtype()) return false;
    for (int k : {0, 1}) {
      first = operand[k];
      IntArrayRef sizes = first->sizes();
      if (!first->is_contiguous() || sizes.empty() || sizes.size() > TensorImpl::kInPlace ||
          first->numel() > kGatheredElements)
        continue;
      // With no size below 2 the strides alone tell the order of the result.
      bool told = true;
      for (std::int64_t size : sizes) told = told && size > 1;
      if (!told) continue;
      const TensorImpl& other = *operand[1 - k];
      RepeatedStrides by(other, sizes);
      // The order of the first operand wins, if it has one.
      if (!by.fits || (k == 1 && by.moving > 1)) continue;
      if (!find_loop(rule, a, form, first->dtype()) || !gather_elements(memory, other, sizes, by)) return false;
      ins[k] = first->data();
      ins[1 - k] = memory;
      steps[0] = steps[1] = 1;
      return true;
    }
    return false;
  }
  [[gnu::always_inline]] bool find_loop(const PointwiseRule& rule, const PointwiseArguments& a, StructuredForm form,
                                        ScalarType type) {
    result = type;
    if (rule.promote != Promote::Same) {
      if (tenon::detail::computes_as_float(rule, type)) return false;
      result = result_dtype(rule, type);
    }
    if (rule.formula->wide == WideNumber::RoundedQuotient && is_reduced_floating_type(type))
      return false;  // a single divisor is another loop's
    if (first->numel() >= kParallelElements) return false;
    if (rule.check) rule.check(rule, a, type, form);
    loop = &loop_of_rule(rule, type);
    return loop->input[0] == type && loop->output[0] == result && loop->inputs == static_cast<int>(a.n_tensors);
  }
  [[gnu::always_inline]] void run(const PointwiseRule& rule, const PointwiseArguments& a, void* out) const {
    PointwiseNumbers closure{a.numbers + rule.first_number, rule.n_numbers};
    loop->row(&closure, &out, ins, steps, first->numel());
  }
  /// Whether both have the same elements in the same places.
  [[gnu::noinline]] static bool lies_on(const TensorImpl& a, const TensorImpl& b) {
    return a.data() == b.data() && a.strides() == b.strides() && a.sizes() == b.sizes();
  }
  /// Whether `out` can be written at once: right type and shape, dense, and no part of an operand.
  [[gnu::always_inline]] bool fits(const PointwiseArguments& a, const Tensor& out) const {
    const TensorImpl* t = out.unsafe_impl();
    if (!t || t->dtype() != result || !t->is_contiguous() || !t->device().is_cpu() ||
        (t != first && t->sizes() != first->sizes()))
      return false;
    for (unsigned i = 0; i < a.n_tensors; ++i)
      if (const TensorImpl* in = a.tensors[i]->unsafe_impl();
          in != t && in->storage() == t->storage() && (steps[i] == 0 || !lies_on(*in, *t)))
        return false;
    return true;
  }
};

[[gnu::always_inline]] inline Tensor run_direct(const DirectCall& direct, const PointwiseRule& rule,
                                                const PointwiseArguments& a) {
  IntArrayRef sizes = direct.first->sizes();
  TensorImpl* kept = tenon::detail::make_kept_tensor(sizes, direct.result);
  Tensor out = kept ? Tensor(intrusive_ptr<TensorImpl>::adopt(kept))
                    : tenon::detail::make_any_tensor(sizes, {}, direct.result, kCPU);
  direct.run(rule, a, out->data());
  return out;
}
[[gnu::noinline]] inline Tensor functional_over_strides(const PointwiseRule& rule, PointwiseArguments& a) {
  alignas(64) unsigned char gathered[kGatheredBytes];
  if (DirectCall direct; direct.prepare_gathered(rule, a, StructuredForm::Functional, gathered))
    return run_direct(direct, rule, a);
  Outputs o(StructuredForm::Functional, false);
  ScalarType compute = pointwise_meta(rule, o, a);
  run_pointwise(rule, a, compute, o[0]);
  return o.take(0);
}
inline Tensor pointwise_functional(const PointwiseRule& rule, PointwiseArguments& a) {
  if (DirectCall direct; direct.prepare(rule, a, StructuredForm::Functional)) [[likely]]
    return run_direct(direct, rule, a);
  return functional_over_strides(rule, a);
}
[[gnu::noinline]] inline void given_over_strides(const PointwiseRule& rule, PointwiseArguments& a, StructuredForm form,
                                                 const Tensor& out) {
  alignas(64) unsigned char gathered[kGatheredBytes];
  if (DirectCall direct; direct.prepare_gathered(rule, a, form, gathered) && direct.fits(a, out))
    return direct.run(rule, a, out->data());
  Outputs o(form, false);
  o.give(0, out);
  for (unsigned i = 0; i < a.n_tensors; ++i)
    if (a.tensors[i]->is_same(out)) o.keep_shape(0);
  run_pointwise(rule, a, pointwise_meta(rule, o, a), out);
}
inline void pointwise_given(const PointwiseRule& rule, PointwiseArguments& a, StructuredForm form, const Tensor& out) {
  if (DirectCall direct; direct.prepare(rule, a, form) && direct.fits(a, out)) [[likely]]
    return direct.run(rule, a, out->data());
  given_over_strides(rule, a, form, out);
}

/// Puts the engine in force, with the loops of the instruction set that the program runs.
struct PointwiseEngine {
  PointwiseEngine() noexcept {
    install_kernels<&KernelTables::pointwise>();
    install_kernels<&KernelTables::copy>();
    pointwise::cpu_backend = {&pointwise_functional, &pointwise_given};
  }
};
inline const PointwiseEngine pointwise_engine;

#if defined(TENON_ROWS_PER_SET)
/// The loops of a formula of this unit, which is compiled once per instruction set beside this, for the set that was
/// chosen at start-up. Each such unit has tables, and a function, of its own.
[[maybe_unused]] static const LoopTable* compiled_loops(std::string_view name) {
  static const PointwiseKernels* kernels = tenon_rows();
  for (int i = 0; i < kernels->count; ++i)
    if (name == kernels->formulas[i].name) return &kernels->formulas[i].loops;
  return nullptr;
}
#elif defined(TENON_KERNELS_COMPILED)
/// The loops of a formula of the library, for the set that was chosen at start-up. Not those of the tables in use: a
/// unit of the program that has rows of its own may have filled these with its own set.
inline const LoopTable* compiled_loops(std::string_view name) {
  static const PointwiseKernels* kernels = compiled_group<PointwiseKernels>::of(chosen_capability());
  for (int i = 0; i < kernels->count; ++i)
    if (name == kernels->formulas[i].name) return &kernels->formulas[i].loops;
  return nullptr;
}
#endif

}  // namespace detail

#ifndef TENON_KERNELS_COMPILED
template <class Arch>
struct kernel_group<PointwiseKernels, Arch> {
  // The rows of such a program hand over their own loops.
  static constexpr PointwiseKernels value{nullptr, 0, &detail::run_loop<Arch>};
};
#endif

}  // namespace tenon::cpu

namespace tenon::pointwise::detail {

/// A formula's loops: those of the compiled library, or of the unit that includes this for its instruction set. A
/// function of its own in each object, which tells `tenon-kernels` that the formula is used.
template <class Formula>
  requires(Formula::elements > 0)
struct engine<Formula> {
  [[gnu::noinline]] static const void* loops() {
#ifdef TENON_KERNELS_COMPILED
    if constexpr (cpu::detail::has_loops_per_set<Formula>) return cpu::detail::compiled_loops(Formula::name());
#endif
    return &cpu::detail::formula_loops<Formula, cpu::default_arch>::table;
  }
};

}  // namespace tenon::pointwise::detail
