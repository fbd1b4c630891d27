// The CUDA backend of the elementwise rows: from the arguments of a call to the kernel of its formula.
#include <array>
#include <string_view>
#include <unordered_map>

#include <tenon/composite/options.hpp>
#include <tenon/pointwise/kernels.hpp>

#include "support.hpp"

namespace tenon::cuda {

// The tables of the device's units.
#define TENON_INTERNAL_TABLES(X) X(arithmetic) X(bessel) X(compare) X(math) X(polynomial) X(special)
#define X(NAME) FormulaTable formulas_##NAME();
TENON_INTERNAL_TABLES(X)
#undef X

namespace {

using tenon::detail::PointwiseArguments;
using tenon::detail::PointwiseRule;

/// The formulas of the component by name.
const NamedFormula* find_formula(const char* name) {
  static const auto* all = [] {
    auto* map = new std::unordered_map<std::string_view, const NamedFormula*>;
#define X(NAME)                                                                  \
  for (FormulaTable t = formulas_##NAME(); t.count > 0; --t.count, ++t.formulas) \
    map->emplace(t.formulas->name, t.formulas);
    TENON_INTERNAL_TABLES(X)
#undef X
    return map;
  }();
  if (auto found = all->find(name); found != all->end()) return found->second;
  return find_own_formula(name);
}
#undef TENON_INTERNAL_TABLES

/// The kernels for a dtype, or those of a wider one that the formula computes in for it.
const TypedFormula* kernel_for(const NamedFormula& formula, ScalarType compute) {
  for (ScalarType t = compute;;) {
    if (const TypedFormula* k = find_type(formula, t)) return k;
    if (has_arithmetic(t) && compute_type_of(t) != t) {
      t = compute_type_of(t);
      continue;
    }
    switch (t) {
      case kByte:
      case kChar: t = kShort; break;
      case kShort:
      case kUInt16: t = kInt; break;
      case kInt:
      case kUInt32: t = kLong; break;
      default: return nullptr;
    }
  }
}

/// Whether each value of `from` is one of `to`.
bool holds(ScalarType to, ScalarType from) {
  if (to == from || from == kBool) return true;
  if (is_integral_type(from, false) && is_integral_type(to, false))
    return item_size(from) < item_size(to) && (is_signed_type(to) || !is_signed_type(from));
  return item_size(from) == 1;
}
bool is_exact(const Scalar& s, ScalarType type) {
  double x = s.to_double();
  auto y = static_cast<float>(x);
  return x != x ||
         static_cast<double>(type == kHalf ? static_cast<float>(Half(y)) : static_cast<float>(BFloat16(y))) == x;
}
/// Whether a 16-bit call is computed from float because a single number behind it has digits that 16 bits lack, as
/// PyTorch does it.
bool keeps_digits(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute) {
  if (!is_reduced_floating_type(compute) || rule.formula->wide == WideNumber::No || rule.elements[0] < 0) return false;
  if (rule.formula->wide == WideNumber::RoundedQuotient && (a.n_tensors == 1 || a.tensors[1]->numel() == 1))
    return true;
  for (int i = 0; i < rule.number_operands; ++i)
    if (!is_exact(a.numbers[i], compute)) return true;
  return a.n_tensors == 2 && a.tensors[1]->numel() == 1 && !holds(compute, a.tensors[1]->dtype());
}

void run(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute, const Tensor& out) {
  if (out.numel() == 0) return;
  const NamedFormula* formula = find_formula(rule.formula->name);
  TENON_CHECK(formula, NotImplementedError, rule.name, "(): the formula '", rule.formula->name,
              "' has no kernel for CUDA; put its row into a .cu file that ends with TENON_CUDA_ROWS");
  bool wide = keeps_digits(rule, a, compute);
  const TypedFormula* kernel = kernel_for(*formula, wide ? kFloat : compute);
  if (!kernel) not_implemented_for(rule.name, compute);
  // Results of a wider type are the narrow type's before they are another's.
  if (ScalarType result = tenon::detail::result_dtype(rule, compute);
      out.dtype() != result && kernel->result != result) {
    Tensor narrow = make_tensor(out.sizes(), {}, result, out.device());
    run(rule, a, compute, narrow);
    return copy_elements(out, narrow);
  }
  Elementwise call;
  std::array<Tensor, kMostOperands> casts;
  const Tensor* tensors[kMostOperands] = {&out};
  call.at[0] = operand_of(out);
  call.operands = 1;
  for (unsigned i = 0; i < rule.n_elements; ++i) {
    int k = rule.elements[i], at = call.operands++;
    if (k < 0) {
      // A number is rounded to the dtype before anything else.
      call.at[at] = operand_of(a.numbers[~k], wide ? kFloat : compute);
      tensors[at] = nullptr;
      continue;
    }
    const Tensor* t = a.tensors[k];
    bool rounds = k >= rule.masks && kernel->type != compute && !holds(compute, t->dtype()) &&
                  !(wide && k == 1 && t->numel() == 1);
    if (rounds && t->is_cpu()) {
      call.at[at] = operand_of(t->item(), compute);
      tensors[at] = nullptr;
      continue;
    }
    if (rounds) {
      casts[static_cast<std::size_t>(at)] = row_major(*t, compute);
      t = &casts[static_cast<std::size_t>(at)];
    }
    call.at[at] = operand_of(*t);
    tensors[at] = t->is_cpu() ? nullptr : t;
  }
  walk_elements(call, out.sizes(), tensors);
  kernel->run(call, a.numbers + rule.first_number, runtime::current_stream());
  runtime::check_launch(rule.name);
}

Tensor functional(const PointwiseRule& rule, PointwiseArguments& a) {
  Outputs o(StructuredForm::Functional, false);
  ScalarType compute = tenon::detail::pointwise_meta(rule, o, a);
  DeviceGuard guard(o[0].device());
  run(rule, a, compute, o[0]);
  return o.take(0);
}
void given(const PointwiseRule& rule, PointwiseArguments& a, StructuredForm form, const Tensor& out) {
  Outputs o(form, false);
  o.give(0, out);
  for (unsigned i = 0; i < a.n_tensors; ++i)
    if (a.tensors[i]->is_same(out)) o.keep_shape(0);
  ScalarType compute = tenon::detail::pointwise_meta(rule, o, a);
  DeviceGuard guard(out.device());
  run(rule, a, compute, out);
}

}  // namespace
}  // namespace tenon::cuda

extern const tenon::pointwise::Backend tenon_cuda_pointwise = {&tenon::cuda::functional, &tenon::cuda::given};
