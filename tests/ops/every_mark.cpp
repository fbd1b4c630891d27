// Every operator on tensors that show their memory negated or conjugated, and on zeros without memory: the elements
// that it gives and writes are those for tensors that hold what is shown.
#include <map>

#include <tenon/schema/annotation.hpp>

#include "every_forked.hpp"

using namespace test;

namespace {

struct Mark {
  const char* name;
  ScalarType dtype;
  Tensor (*marked)(const Tensor&);  // the same elements as `plain` gives
  Tensor (*plain)(const Tensor&);
  bool writable = true;
};
Tensor copied(const Tensor& t) { return t.clone(); }
Tensor zeros_in_memory(const Tensor& t) { return ops::zeros(t.sizes(), "dtype"_a = t.dtype()); }
Tensor zeros_without(const Tensor& t) { return ops::_efficientzerotensor(t.sizes(), "dtype"_a = t.dtype()); }
Tensor shown_by(Tensor view, const Tensor& elements) {
  view.copy_(elements);
  return view.detach();  // no view to autograd
}
Tensor negated(const Tensor& t) {
  if (t.dtype() == kBool) return t.clone();
  return shown_by(ops::_neg_view(ops::empty_strided(t.sizes(), t.strides(), "dtype"_a = t.dtype())), t);
}
Tensor conjugated(const Tensor& t) {
  if (!t.is_complex()) return t.clone();
  return shown_by(ops::_conj(ops::empty_strided(t.sizes(), t.strides(), "dtype"_a = t.dtype())), t);
}
Tensor both(const Tensor& t) { return t.is_complex() ? ops::_neg_view(conjugated(-t)).detach() : negated(t); }
constexpr Mark marks[] = {{"negated", kFloat, &negated, &copied},
                          {"negated", kLong, &negated, &copied},
                          {"conjugated", kComplexFloat, &conjugated, &copied},
                          {"negated and conjugated", kComplexFloat, &both, &copied},
                          {"zeros without memory", kFloat, &zeros_without, &zeros_in_memory, false},
                          {"zeros without memory", kComplexFloat, &zeros_without, &zeros_in_memory, false}};

/// Sanitizers take a hundred times the time: half of the marks and of the arguments then.
constexpr bool brief = TENON_NO_FREE_LISTS != 0;

/// What operators do otherwise with views of other elements, and why.
const every::Exceptions exceptions = every::with_untold_writes({
    {"aten::view.dtype", "refuses them, as PyTorch's does"},
    {"aten::view_as_real", "refuses conjugates, as PyTorch's does"},
    {"aten::instance_norm",
     "writes to copies of its statistics, as PyTorch's does: zeros without memory are not written"},
    {"aten::_weight_norm", "zeros without memory times what is no number are zeros, as PyTorch's are"},
    {"aten::_weight_norm_differentiable_backward", "as _weight_norm"},
    {"aten::gradient.tensorarray", "as _weight_norm"},
    {"aten::gradient.tensorarrayint", "as _weight_norm"},
});

class Walk {
 public:
  explicit Walk(const OperatorHandle& op) : op_(op) {}
  std::string problems() {
    for (const Mark& mark : marks)
      for (every::Shapes shapes : every::all_shapes(3)) {
        if (shapes.dtype != kFloat || (brief && (mark.dtype == kLong || mark.marked == &conjugated))) continue;
        shapes.dtype = mark.dtype;
        for (bool defaults : {true, false})
          if (defaults || !brief) compare(mark, shapes, arguments(shapes, defaults));
      }
    return text_;
  }

 private:
  Stack arguments(const every::Shapes& shapes, bool defaults) const {
    std::int64_t seed = 0;
    every::Source from{shapes,
                       [&](std::string_view, const SymDimVector& sizes, ScalarType dtype) {
                         DimVector plain = every::plain(sizes);
                         if (dtype == kLong && shapes.dtype != kLong) return every::places(plain, 3);
                         if (!is_complex_type(dtype))
                           return every::scattered(plain, dtype, dtype == kLong ? 1 : 0.2, dtype == kLong ? 3 : 0.9,
                                                   seed++);
                         Tensor re = every::scattered(plain, to_real_type(dtype), 0.2, 0.9, seed++);
                         return Tensor(ops::complex(re, every::scattered(plain, re.dtype(), 0.2, 0.9, seed++)));
                       },
                       kCPU, defaults};
    return every::arguments_for(op_, from);
  }
  /// `written`: what becomes of tensors that the operator writes.
  template <class F>
  Stack changed(const Stack& stack, F of, F written) const {
    Stack out;
    const schema::SchemaView& s = op_.schema();
    for (const Value& v : stack) {
      bool writes = schema::annotation(s, s.arg(out.size())).write;
      out.push_back(v);
      if (v.is_list()) out.back() = Value::list(v.to_list(), v.element_kind());
      tenon::detail::each_tensor(out.back(), [&](Tensor& t) { t = writes ? written(t) : of(t); });
    }
    return out;
  }
  /// Results, then arguments, as memory; nothing if the call is refused.
  std::vector<Tensor> run(Stack stack, std::string& refusal) const {
    manual_seed(5);
    std::vector<Tensor> given = every::tensors_of(stack);
    try {
      op_.call_boxed(stack);
    } catch (const Error& e) {
      refusal = std::string(e.summary());
      return {};
    }
    std::vector<Tensor> out = every::tensors_of(stack);
    out.insert(out.end(), given.begin(), given.end());
    for (Tensor& t : out)
      if (t.defined()) t = tenon::detail::in_memory(t);
    return out;
  }
  void compare(const Mark& mark, const every::Shapes& shapes, const Stack& plain) {
    std::string refusal;
    std::vector<Tensor> usual = run(changed(plain, mark.plain, mark.plain), refusal);
    if (!refusal.empty()) return;
    std::vector<Tensor> other = run(changed(plain, mark.marked, mark.writable ? mark.marked : mark.plain), refusal);
    std::string where = concat(op_.name(), ": ", mark.name, ", ", shapes.self, " ", shapes.dtype, ": ");
    if (!refusal.empty()) return add(where + refusal);
    auto parts = [](const Tensor& t) { return t.defined() && t.is_complex() ? Tensor(ops::view_as_real(t)) : t; };
    for (std::size_t k = 0; k < usual.size(); ++k)
      if (!every::same_elements(parts(usual[k]), parts(other[k])))
        return add(concat(where, "tensor ", k, " is ", other[k], " instead of ", usual[k]));
  }
  void add(const std::string& text) {
    if (++n_ <= 3) text_ += text + "\n";
  }

  OperatorHandle op_;
  std::string text_;
  int n_ = 0;
};

}  // namespace

TEST_CASE("every operator reads and writes views of conjugated and negated elements", "[ops][every]") {
  every::check_forked([](const OperatorHandle& op) { return Walk(op).problems(); }, exceptions);
}
