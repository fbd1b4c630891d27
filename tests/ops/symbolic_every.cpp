// Every operator that takes a tensor, called with symbolic ones.
#include "symbolic.hpp"

using namespace test;

namespace {

/// The shapes of the tensors of one attempt, and the dtype of those that hold no indices.
struct Shapes {
  SymDimVector self, index, small;
  ScalarType dtype = kFloat;
};

template <class... Name>
bool is_one_of(std::string_view name, Name... names) {
  return ((name == names) || ...);
}
Value tensor_for(std::string_view name, const Shapes& s) {
  bool indices = is_one_of(name, "index", "indices", "target"), mask = is_one_of(name, "mask", "condition"),
       number = is_one_of(name, "value", "total_weight"), small = is_one_of(name, "grad_output", "src", "vec", "vec2");
  SymDimVector sizes = indices ? s.index : number ? SymDimVector() : small ? s.small : s.self;
  if (name == "grad_in") sizes.push_back(1);
  if (name == "mat") sizes = {s.small.back(), s.small.back()};
  return ops::empty(sizes, "dtype"_a = indices ? kLong : mask ? kBool : s.dtype, "device"_a = kMeta);
}
/// What the names of the library's arguments ask for.
Value value_for(const schema::SchemaView& s, std::size_t i, const Shapes& shapes) {
  using schema::Kind;
  std::string_view name = s.arg_name(i);
  const schema::TypeNode* node = &s.type(s.arg(i));
  if (node->kind == Kind::Optional) {
    node = &s.node(node->child);
    if (node->kind != Kind::Device && !is_one_of(name, "min", "max")) return Value();
  }
  switch (node->kind) {
    case Kind::Tensor: return tensor_for(name, shapes);
    case Kind::Device: return kMeta;
    case Kind::ScalarType: return shapes.dtype;
    case Kind::MemoryFormat: return std::int64_t{0};
    case Kind::Str: return name == "reduce" ? "add" : "none";
    case Kind::Bool: return false;
    case Kind::Scalar: return shapes.dtype == kFloat ? Value(1.0) : Value(std::int64_t{1});
    case Kind::Float: return 1.0;
    case Kind::Int:
    case Kind::SymInt:
      return std::int64_t{is_one_of(name, "dim1", "k", "num_classes", "chunks", "to", "high", "end", "step", "length",
                                    "size", "split_size")};
    case Kind::List: {
      Kind element = s.node(node->child).kind;
      if (element == Kind::Tensor) {
        std::vector<Value> tensors(s.name() == "aten::split_with_sizes_copy" ? 1 : 2, Value());
        for (Value& t : tensors) t = tensor_for(name, shapes);
        return Value::list(std::move(tensors), ValueKind::Tensor);
      }
      std::vector<Value> items;
      bool sizes = name.find("size") != std::string_view::npos || name == "shape";
      if (sizes || name == "stride" || (name == "dims" && s.name() == "aten::permute"))
        for (std::size_t d = 0; d < shapes.self.size(); ++d)
          items.push_back(sizes            ? Value(shapes.self[d])
                          : name == "dims" ? Value(static_cast<std::int64_t>(d))
                                           : Value(std::int64_t{1}));
      else
        items.emplace_back(std::int64_t{0});
      return Value::list(std::move(items), ValueKind::Int);
    }
    default: return Value();
  }
}

enum class Outcome { Works, Refuses, Fails };

Outcome attempt(const OperatorHandle& op, const Shapes& shapes, std::string& why) {
  Stack stack;
  for (std::size_t i = 0; i < op.schema().n_args(); ++i) stack.push_back(value_for(op.schema(), i, shapes));
  try {
    op.call_boxed(stack);
    return Outcome::Works;
  } catch (const std::exception& e) {
    why = e.what();
    for (const char* words : {"expected plain", "is symbolic", "got one of sizes"})
      if (why.find(words) != std::string::npos) return Outcome::Refuses;
    return Outcome::Fails;
  }
}

}  // namespace

TEST_CASE("every operator that takes a tensor takes a symbolic one", "[ops][symbolic]") {
  std::string refuse, other;
  for (const OperatorHandle& op : Registry::get().operators()) {
    const auto& s = op.schema();
    if (!(s.name().starts_with("aten::") || s.name().starts_with("tenon::"))) continue;
    bool takes_tensor = false;
    for (std::size_t i = 0; i < s.n_args(); ++i) {
      const schema::TypeNode& node = s.type(s.arg(i));
      const schema::TypeNode& item = node.kind == schema::Kind::List ? s.node(node.child) : node;
      takes_tensor = takes_tensor || item.kind == schema::Kind::Tensor;
    }
    // An optimiser's step has no kernel for Meta tensors.
    if (!takes_tensor || s.name().find("_fused_") != std::string_view::npos) continue;
    Trace t;
    const SymInt& n = t.n;
    Shapes all[] = {{{n, n}, {n, n}, {n, n}},       {{n, n}, {n}, {n}},       {{n}, {n}, {n}},
                    {{2, n, n}, {2, n}, {2, n, n}}, {{n, 1}, {n, 1}, {n, 1}}, {{n, n}, {n, n}, {n, n}, kLong},
                    {{n, n}, {n, n}, {n, n}, kBool}};
    bool works = false, refuses = false;
    std::string why, reason;
    for (const Shapes& shapes : all) {
      Outcome o = attempt(op, shapes, why);
      works = works || o == Outcome::Works;
      refuses = refuses || o == Outcome::Refuses;
      if (o == Outcome::Refuses || reason.empty()) reason = why;
    }
    if (refuses)
      refuse += concat(op.name(), ": ", reason, "\n");
    else if (!works)
      other += concat(op.name(), ": ", reason, "\n");
  }
  INFO(other);
  CHECK(refuse == "");
  CHECK(other == "");
}
