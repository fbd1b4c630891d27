// Every operator called with what programs give it by mistake or at the edge: the right answer or a typed error, never
// a crash. The walk runs in child processes (forked.hpp), so that an operator that crashes is one that fails.
#include <map>

#include <tenon/cpu/parallel.hpp>
#include <tenon/transform/schema_check.hpp>

#include "every_forked.hpp"

using namespace test;

namespace {

/// How the tensors of a call differ from row-major ones of the shapes asked for.
struct Variant {
  const char* name;
  Tensor (*change)(const Tensor&);  // the same elements, held otherwise
};
Tensor filled(Tensor to, const Tensor& from) {
  to.copy_(from);
  return to;
}
/// The elements of `t` in memory of these strides.
Tensor with_strides(const Tensor& t, const DimVector& strides, std::int64_t offset, std::int64_t memory) {
  Tensor base = ops::zeros({memory}, "dtype"_a = t.dtype());
  return filled(base.as_strided(t.sizes(), strides, offset), t);
}
Tensor gapped(const Tensor& t) {
  DimVector strides(t.strides());
  for (auto& s : strides) s *= 2;
  return with_strides(t, strides, 3, 2 * t.numel() + 4);
}
Tensor column_major(const Tensor& t) {
  DimVector strides(t.sizes().size(), 1);
  for (std::size_t d = 1; d < strides.size(); ++d) strides[d] = strides[d - 1] * t.sizes()[d - 1];
  return with_strides(t, strides, 0, t.numel());
}
/// Dimensions of size 1 have strides that no memory has room for.
Tensor huge_strides(const Tensor& t) {
  DimVector strides(t.strides());
  for (std::size_t d = 0; d < strides.size(); ++d)
    if (t.sizes()[d] == 1) strides[d] = std::int64_t{1} << 60;
  return with_strides(t, strides, 1, t.numel() + 1);
}
/// The first element of each line of the last dimension, all along it.
Tensor repeated(const Tensor& t) { return t.dim() && t.numel() ? t.narrow(-1, 0, 1).expand(t.sizes()) : t; }

/// Whether an operator gives or takes memory of which its schema, PyTorch's, says nothing: a dense tensor is its own
/// dense form, and a tensor takes over another's memory.
bool memory_untold(std::string_view name) {
  return name.starts_with("aten::to_dense") || name.starts_with("aten::set_.") || name == "aten::set_data";
}

enum class Ending { Result, Refused, Wrong };
struct Run {
  Ending ending;
  std::string text;
  std::vector<Tensor> tensors;  // results, then arguments
};
Run run(const OperatorHandle& op, Stack stack) {
  manual_seed(5);
  std::vector<Tensor> given = every::tensors_of(stack);
  try {
    op.call_boxed(stack);
  } catch (const InternalError& e) {
    return {Ending::Wrong, concat("InternalError: ", e.what()), {}};
  } catch (const Error& e) { return {Ending::Refused, std::string(e.summary()), {}}; } catch (const std::exception& e) {
    return {Ending::Wrong, concat("no error of the library: ", e.what()), {}};
  }
  Run out{Ending::Result, {}, every::tensors_of(stack)};
  out.tensors.insert(out.tensors.end(), given.begin(), given.end());
  return out;
}
/// Whether an operator's answer depends on how an argument lies in memory, as it should: it shows the memory, fills it
/// in its order with random numbers, or comes from factors of the matrix or of its transpose.
bool follows_memory(std::string_view name) {
  for (const char* word : {"as_strided", "_reshape_alias", "rand", "normal", "uniform", "bernoulli", "exponential",
                           "geometric", "cauchy", "dropout", "multinomial", "slice_inverse", "_linalg_det", "logdet"})
    if (name.find(word) != std::string_view::npos) return true;
  return false;
}
/// Whether an operator leaves it to its caller that the memory holds the geometry, as PyTorch's does.
bool trusts_its_caller(std::string_view name) { return name.starts_with("aten::_reshape_alias"); }
/// Sanitizers take a hundred times the time: fewer shapes then.
constexpr bool brief = TENON_NO_FREE_LISTS != 0;

/// Operators that do other than their schemas say, as PyTorch's do, and why.
const every::Exceptions exceptions = every::with_untold_writes({
    {"aten::tensor_split.tensor_indices_or_sections", "reads its indices, which Meta has not"},
    {"aten::rnn_tanh.data", "reads the sizes of its batches, which Meta has not"},
    {"aten::rnn_relu.data", "as rnn_tanh.data"},
    {"aten::lstm.data", "as rnn_tanh.data"},
    {"aten::gru.data", "as rnn_tanh.data"},
    {"aten::type_as", "a tensor of the dtype already is returned itself"},
    {"aten::_cast_Float", "as type_as"},
    {"aten::_cast_Long", "as type_as"},
    {"aten::dequantize.self", "as type_as"},
    {"aten::dequantize.self_out", "as type_as"},
    {"aten::_to_cpu", "tensors of the CPU are returned themselves"},
    {"aten::lift", "returns its tensor itself"},
    {"aten::lift.out", "as lift"},
    {"aten::data", "shows the memory of its tensor, which its schema does not say"},
    {"aten::_pack_padded_sequence", "reads the lengths, which Meta has not"},
    {"aten::_reshape_from_tensor", "reads the shape, which Meta has not"},
    {"aten::unflatten_dense_tensors", "shows parts of the tensor, which its schema does not say"},
    {"aten::one_hot", "without a number of classes the shape depends on the elements, which Meta has not"},
});

class Walk {
 public:
  explicit Walk(const OperatorHandle& op) : op_(op) {}
  std::string problems() {
    for (std::int64_t n : {3, 1})
      for (const every::Shapes& shapes : every::all_shapes(n))
        for (bool defaults : {true, false}) {
          if (brief && (n == 1 || !defaults)) continue;
          Stack plain = arguments(shapes, defaults);
          Run usual = run(op_, copied(plain));
          note("row-major", shapes, usual);
          if (usual.ending != Ending::Result || trusts_its_caller(op_.name())) continue;
          held_otherwise(shapes, plain);
          each_argument_wrong(shapes, plain);
        }
    for (const every::Shapes& shapes : at_the_edge())
      for (bool defaults : {true, false}) {
        Stack stack = arguments(shapes, defaults);
        note("at the edge", shapes, run(op_, stack));
      }
    return text_;
  }

 private:
  static std::vector<every::Shapes> at_the_edge() {
    std::vector<every::Shapes> out{{{0}, {0}, {0}},
                                   {{0, 3}, {0, 3}, {0, 3}},
                                   {{3, 0}, {3, 0}, {3, 0}},
                                   {{3, 3}, {0}, {0}},
                                   {{}, {}, {}},
                                   {{3}, {}, {}},
                                   {{}, {3}, {3}},
                                   {{2, 0, 3}, {2, 0}, {2}},
                                   {{1, 1, 1, 1, 1, 1, 1}, {1}, {1}},
                                   {{3, 3}, {3, 3}, {2, 5}},
                                   {{3, 3}, {4, 1}, {3, 3}}};
    std::size_t n = out.size();
    if (brief) return out;
    for (ScalarType dtype : {kLong, kBool, kComplexFloat, kHalf})
      for (std::size_t i = 0; i < n; ++i) {
        out.push_back(out[i]);
        out.back().dtype = dtype;
      }
    return out;
  }
  Stack arguments(const every::Shapes& shapes, bool defaults) const {
    std::int64_t seed = 0;
    every::Source from{shapes,
                       [&](std::string_view, const SymDimVector& sizes, ScalarType dtype) {
                         DimVector plain = every::plain(sizes);
                         if (dtype == kLong && shapes.dtype != kLong)
                           return every::places(
                               plain, shapes.self.empty() ? 1 : std::max<std::int64_t>(1, shapes.self[0].guard_int()));
                         return every::scattered(plain, dtype, dtype == kLong ? 1 : 0.2, dtype == kLong ? 3 : 0.9,
                                                 seed++);
                       },
                       kCPU, defaults};
    return every::arguments_for(op_, from);
  }
  /// The call's arguments, each tensor changed.
  Stack changed(const Stack& stack, const std::function<Tensor(const Tensor&, std::size_t)>& f) const {
    Stack out;
    for (std::size_t i = 0; i < stack.size(); ++i) {
      if (stack[i].is_tensor()) {
        out.push_back(stack[i].to_tensor().defined() ? Value(f(stack[i].to_tensor(), i)) : stack[i]);
      } else if (stack[i].is_list() && !every::tensors_of({stack[i]}).empty()) {
        std::vector<Value> items;
        for (const Tensor& t : every::tensors_of({stack[i]})) items.emplace_back(f(t, i));
        out.push_back(Value::list(std::move(items), ValueKind::Tensor));
      } else {
        out.push_back(stack[i]);
      }
    }
    return out;
  }
  Stack copied(const Stack& stack) const {
    return changed(stack, [](const Tensor& t, std::size_t) { return t.clone(); });
  }
  bool writes(std::size_t i) const { return op_.schema().arg(i).write; }

  void held_otherwise(const every::Shapes& shapes, const Stack& plain) {
    static const Variant variants[] = {
        {"with gaps", &gapped}, {"column-major", &column_major}, {"huge strides", &huge_strides}};
    for (const Variant& v : variants) {
      if (follows_memory(op_.name())) break;
      Run usual = run(op_, copied(plain));
      Run other = run(op_, changed(plain, [&](const Tensor& t, std::size_t) { return v.change(t); }));
      compare(v.name, shapes, usual, other);
    }
    // Elements that repeat: read as their copies are; written, refused or all right.
    auto repeat = [&](const Tensor& t, std::size_t i) { return writes(i) ? t.clone() : repeated(t.clone()); };
    Run usual = run(op_, changed(plain, [&](const Tensor& t, std::size_t i) { return repeat(t, i).clone(); }));
    if (usual.ending == Ending::Result && !follows_memory(op_.name()))
      compare("repeated", shapes, usual, run(op_, changed(plain, repeat)));
    note("written and repeated", shapes, run(op_, changed(plain, [&](const Tensor& t, std::size_t i) {
                                               return writes(i) ? repeated(t.clone()) : t.clone();
                                             })));
    // One tensor for all arguments of its shape.
    Tensor first;
    note("the same tensor everywhere", shapes,
         run(op_, changed(plain, [&](const Tensor& t, std::size_t) {
               if (!first.defined()) first = t.clone();
               return first.sizes() == t.sizes() && first.dtype() == t.dtype() ? first : t.clone();
             })));
    if (memory_untold(op_.name())) return;
    SchemaCheckGuard guard;
    try {
      Stack stack = copied(plain);
      manual_seed(5);
      op_.call_boxed(stack);
    } catch (const SchemaError& e) {
      add(concat("schema check, ", describe(shapes), ": ", e.what()));
    } catch (const Error&) {}
  }
  void each_argument_wrong(const every::Shapes& shapes, const Stack& plain) {
    for (std::size_t i = 0; i < plain.size(); ++i) {
      if (every::tensors_of({plain[i]}).empty()) continue;
      auto replaced = [&](const std::function<Tensor(const Tensor&)>& f) {
        return run(op_, changed(plain, [&](const Tensor& t, std::size_t k) { return k == i ? f(t) : t.clone(); }));
      };
      std::string_view name = op_.schema().arg_name(i);
      for (ScalarType dtype : {kBool, kByte, kInt, kLong, kHalf, kBFloat16, kFloat, kDouble, kComplexFloat})
        note(concat(name, " of ", dtype), shapes, replaced([&](const Tensor& t) {
               return t.is_complex() && dtype != kComplexFloat ? t.clone() : t.to(dtype).clone();
             }));
      note(concat(name, " on meta"), shapes, replaced([](const Tensor& t) { return t.to("device"_a = kMeta); }));
      note(concat(name, " undefined"), shapes, replaced([](const Tensor&) { return Tensor(); }));
      note(concat(name, " of more dimensions"), shapes,
           replaced([](const Tensor& t) { return t.unsqueeze(0).unsqueeze(0).unsqueeze(0); }));
      note(concat(name, " without elements"), shapes,
           replaced([](const Tensor& t) { return ops::empty({0}, "dtype"_a = t.dtype()); }));
    }
  }

  static std::string describe(const every::Shapes& s) { return concat(s.self, s.index, s.small, " ", s.dtype); }
  void add(const std::string& text) {
    if (++n_ <= 4) text_ += concat(op_.name(), ": ", text, "\n");
  }
  void note(const std::string& what, const every::Shapes& shapes, const Run& r) {
    if (r.ending == Ending::Wrong) add(concat(what, ", ", describe(shapes), ": ", r.text));
  }
  void compare(const char* what, const every::Shapes& shapes, const Run& usual, const Run& other) {
    note(what, shapes, other);
    if (other.ending != Ending::Result || usual.tensors.size() != other.tensors.size()) return;
    for (std::size_t k = 0; k < usual.tensors.size(); ++k)
      if (!every::same_elements(usual.tensors[k], other.tensors[k]))
        return add(concat(what, ", ", describe(shapes), ": another result than for row-major tensors"));
  }

  OperatorHandle op_;
  std::string text_;
  int n_ = 0;
};

}  // namespace

TEST_CASE("every operator answers or refuses whatever it is called with", "[ops][every]") {
  every::check_forked([](const OperatorHandle& op) { return Walk(op).problems(); }, exceptions);
}
