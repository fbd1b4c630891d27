// Every in-place and out form gives what the functional form of the same arguments gives, in the tensor that it is
// given.
#include <map>

#include "every.hpp"

using namespace test;

namespace {

std::string_view base_name(const OperatorHandle& op) {
  std::string_view name = op.name();
  return name.substr(0, name.find('.'));
}
/// Of a list, that of its elements as well.
std::pair<schema::Kind, schema::Kind> kind_of(const schema::SchemaView& s, std::size_t i) {
  const schema::TypeNode* node = &s.type(s.arg(i));
  if (node->kind == schema::Kind::Optional) node = &s.node(node->child);
  return {node->kind, node->kind == schema::Kind::List ? s.node(node->child).kind : schema::Kind::None_};
}
/// The arguments of `form` by name from those of the functional call; nothing if it has others.
std::optional<Stack> arguments_of(const OperatorHandle& form, const OperatorHandle& functional, const Stack& given) {
  const auto &f = form.schema(), &s = functional.schema();
  std::size_t taken = 0;
  Stack out;
  for (std::size_t i = 0; i < f.n_args(); ++i) {
    if (f.arg(i).write && f.arg(i).kwarg_only) {
      out.emplace_back();
      continue;
    }
    std::int64_t at = s.find_argument(f.arg_name(i));
    if (at < 0 || kind_of(f, i) != kind_of(s, static_cast<std::size_t>(at))) return std::nullopt;
    out.push_back(given[static_cast<std::size_t>(at)]);
    ++taken;
  }
  if (taken != s.n_args()) return std::nullopt;
  return out;
}
Value copied(const Value& v) {
  if (v.is_tensor() && v.to_tensor().defined()) return v.to_tensor().clone();
  if (!v.is_list()) return v;
  std::vector<Value> items;
  for (const Value& item : v.to_list()) items.push_back(copied(item));
  return Value::list(std::move(items), v.element_kind());
}
std::vector<Tensor> call(const OperatorHandle& op, Stack stack) {
  manual_seed(5);
  op.call_boxed(stack);
  return every::tensors_of(stack);
}

class Forms {
 public:
  std::string problems;
  int in_place = 0, out = 0;

  void compare(const OperatorHandle& functional, const std::vector<OperatorHandle>& forms, const Stack& arguments) {
    std::vector<Tensor> expected;
    try {
      Stack copies;
      for (const Value& v : arguments) copies.push_back(copied(v));
      expected = call(functional, copies);
    } catch (const Error&) { return; }
    for (const Tensor& t : expected)
      if (!t.defined()) return;
    for (const OperatorHandle& form : forms) {
      // Of one dimension these leave `out` as it was, as PyTorch's do and recorded cases say.
      if (form.name().starts_with("aten::fft_ihfft2.") || form.name().starts_with("aten::fft_ihfftn.")) continue;
      // Draw in the order in which `out` lies in memory.
      if (form.name() == "aten::bernoulli.out" || form.name().starts_with("aten::normal.")) continue;
      auto stack = arguments_of(form, functional, arguments);
      if (!stack) continue;
      for (Value& v : *stack) v = copied(v);
      try {
        if (every::writes_of(form.schema()) == every::Writes::Self)
          check_in_place(form, *stack, expected);
        else
          check_out(form, *stack, expected);
      } catch (const std::exception& e) { problems += concat(form.name(), ": ", e.what(), "\n"); }
    }
  }

 private:
  void check_in_place(const OperatorHandle& form, const Stack& stack, const std::vector<Tensor>& expected) {
    std::vector<Tensor> self;
    every::collect(stack[0], self);
    // What does not fit is refused.
    if (expected.size() != self.size()) return;
    for (std::size_t i = 0; i < self.size(); ++i)
      if (expected[i].sizes() != self[i].sizes() || expected[i].dtype() != self[i].dtype()) return;
    ++in_place;
    std::vector<Tensor> got = call(form, stack);
    // Of lists nothing is returned.
    if (stack[0].is_tensor() ? got.size() != 1 || !got[0].is_same(self[0]) : !got.empty())
      problems += concat(form.name(), ": returns another tensor\n");
    for (std::size_t i = 0; i < self.size(); ++i)
      if (!every::same_elements(self[i], expected[i])) problems += concat(form.name(), ": other elements\n");
  }
  void check_out(const OperatorHandle& form, const Stack& stack, const std::vector<Tensor>& expected) {
    // Empty, and of the right shape but column-major, within a larger tensor.
    for (bool empty : {true, false}) {
      Stack given = stack;
      std::vector<Tensor> outs;
      std::size_t k = 0;
      for (std::size_t i = 0; i < given.size(); ++i)
        if (form.schema().arg(i).write) {
          if (k == expected.size() || form.schema().type(form.schema().arg(i)).kind != schema::Kind::Tensor) return;
          const Tensor& e = expected[k++];
          DimVector sizes(e.sizes()), strides(sizes.size(), 2);
          for (std::size_t d = 1; d < sizes.size(); ++d) strides[d] = strides[d - 1] * sizes[d - 1];
          Tensor t = empty ? ops::empty({0}, "dtype"_a = e.dtype())
                           : ops::zeros({2 * e.numel() + 3}, "dtype"_a = e.dtype()).as_strided(sizes, strides, 1);
          outs.push_back(t);
          given[i] = t;
        }
      if (k != expected.size()) return;
      ++out;
      std::vector<Tensor> got = call(form, given);
      for (std::size_t i = 0; i < outs.size(); ++i) {
        if (i >= got.size() || !got[i].is_same(outs[i])) problems += concat(form.name(), ": returns another tensor\n");
        if (!every::same_elements(outs[i], expected[i]))
          problems += concat(form.name(), ": other elements ", empty ? "in a new tensor\n" : "in a strided tensor\n");
      }
    }
  }
};

}  // namespace

TEST_CASE("in-place and out forms give what the functional form gives", "[ops][every]") {
  WarningGuard quiet([](const std::string&, void*) {}, nullptr);
  set_cpu_fill(CpuFill::Zero);
  std::map<std::string_view, std::vector<OperatorHandle>> forms;
  std::vector<OperatorHandle> all = every::operators();
  for (const OperatorHandle& op : all)
    if (every::writes_of(op.schema()) != every::Writes::Nothing) {
      std::string_view name = base_name(op);
      if (name.ends_with('_') && every::writes_of(op.schema()) == every::Writes::Self) name.remove_suffix(1);
      forms[name].push_back(op);
    }
  Forms walk;
  for (const OperatorHandle& op : all) {
    if (every::writes_of(op.schema()) != every::Writes::Nothing || !forms.contains(base_name(op))) continue;
    for (const every::Shapes& shapes : every::all_shapes(3))
      for (bool defaults : {true, false}) {
        std::int64_t seed = 0;
        every::Source from{shapes,
                           [&](std::string_view, const SymDimVector& sizes, ScalarType dtype) {
                             DimVector plain = every::plain(sizes);
                             if (dtype == kLong && shapes.dtype != kLong) return every::places(plain, 3);
                             return every::scattered(plain, dtype, dtype == kLong ? 1 : 0.2, dtype == kLong ? 3 : 0.9,
                                                     seed++);
                           },
                           kCPU, defaults};
        walk.compare(op, forms[base_name(op)], every::arguments_for(op, from));
      }
  }
  set_cpu_fill(CpuFill::None);
  CHECK(walk.problems == "");
  CHECK(walk.in_place > 300);
  CHECK(walk.out > 1000);
}
