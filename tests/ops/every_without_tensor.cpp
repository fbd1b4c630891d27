// Every operator without a tensor among its arguments (factories, windows, questions about dtypes) called with sizes,
// numbers and options at the edge: an answer that fits what was asked for, or a typed error, never a crash. The walk
// runs in child processes (forked.hpp).
#include <cmath>
#include <limits>

#include "every_forked.hpp"

using namespace test;

namespace {

using schema::Kind;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Value ints(std::vector<std::int64_t> list) {
  std::vector<Value> items;
  for (std::int64_t x : list) items.emplace_back(x);
  return Value::list(std::move(items), ValueKind::Int);
}
/// What an argument is given by those that mean well, then at the edge. Numbers are small, or so large that no memory
/// is promised for them: a size between would be paid for.
std::vector<Value> values_for(std::string_view name, Kind kind) {
  switch (kind) {
    case Kind::Int:
    case Kind::SymInt: {
      std::vector<Value> all{std::int64_t{3}};
      for (std::int64_t x :
           {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, kMost, kMost - 1, -kMost - 1, std::int64_t{1} << 62})
        all.emplace_back(x);
      return all;
    }
    case Kind::List: {
      // Strides of what is empty_strided, and an order of what is empty_permuted.
      std::vector<Value> all{name == "stride" ? ints({3, 1}) : name == "physical_layout" ? ints({1, 0}) : ints({2, 3})};
      for (std::vector<std::int64_t> list : {std::vector<std::int64_t>{},
                                             {0},
                                             {3},
                                             {0, 3},
                                             {3, 0},
                                             {0, 0},
                                             {1, 1},
                                             {-1},
                                             {2, -1},
                                             {0, -1},
                                             {kMost},
                                             {kMost, kMost},
                                             {kMost, 0},
                                             {0, kMost, kMost},
                                             {std::int64_t{1} << 62, 4}})
        all.push_back(ints(std::move(list)));
      all.push_back(ints(std::vector<std::int64_t>(70, 1)));
      if (name == "size") all.push_back(ints({std::int64_t{1} << 32, std::int64_t{1} << 32}));
      return all;
    }
    case Kind::Float:
    case Kind::SymFloat:
    case Kind::Scalar: {
      std::vector<Value> all{2.0};
      constexpr double infinity = std::numeric_limits<double>::infinity();
      for (double x : {0.0, -1.0, 1e-300, 1e308, -1e308, infinity, -infinity, std::nan("")}) all.emplace_back(x);
      if (kind == Kind::Scalar)
        for (const Scalar& x :
             {Scalar(kMost), Scalar(-kMost - 1), Scalar(3), Scalar(true), Scalar(Complex<double>(1, 2))})
          all.emplace_back(x);
      return all;
    }
    case Kind::Bool: return {false, true};
    case Kind::Str: return {"", "no/such/file", "/"};
    case Kind::ScalarType: {
      std::vector<Value> all;
      for (ScalarType t : {kFloat, kBool, kByte, kChar, kShort, kInt, kLong, kHalf, kBFloat16, kDouble, kComplexFloat,
                           kComplexDouble, kUInt16, kUInt32, kUInt64, kFloat8_e4m3fn})
        all.emplace_back(t);
      return all;
    }
    case Kind::Layout: return {Value(Layout::Strided), Value(Layout::Sparse)};
    case Kind::MemoryFormat:
      return {Value(MemoryFormat::Contiguous), Value(MemoryFormat::ChannelsLast), Value(MemoryFormat::ChannelsLast3d),
              Value(MemoryFormat::Preserve)};
    case Kind::Device: return {Value(kCPU), Value(kMeta), Value(Device(DeviceType::CUDA, 99))};
    default: return {Value()};
  }
}

/// Operators that the walk cannot pass, and why.
const every::Exceptions exceptions{};

class Walk {
 public:
  explicit Walk(const OperatorHandle& op) : op_(op) {
    const auto& s = op.schema();
    for (std::size_t i = 0; i < s.n_args(); ++i) {
      const schema::TypeNode* node = &s.type(s.arg(i));
      const bool optional = node->kind == Kind::Optional;
      if (optional) node = &s.node(node->child);
      std::vector<Value> all = values_for(s.arg_name(i), node->kind);
      if (optional) all.insert(all.begin(), Value());
      values_.push_back(std::move(all));
    }
  }
  std::string problems() {
    Stack usual;
    for (const auto& all : values_) usual.push_back(all.front());
    call(usual);
    // One argument at the edge, then two.
    for (std::size_t i = 0; i < values_.size(); ++i)
      for (const Value& one : values_[i]) {
        Stack stack = usual;
        stack[i] = one;
        call(stack);
        for (std::size_t k = i + 1; k < values_.size(); ++k)
          for (const Value& other : values_[k]) {
            stack[k] = other;
            call(stack);
            stack[k] = usual[k];
          }
      }
    return text_;
  }

 private:
  std::string described(const Stack& stack) const {
    std::string text;
    for (std::size_t i = 0; i < stack.size(); ++i)
      text += concat(i ? ", " : "", op_.schema().arg_name(i), "=", stack[i]);
    return text;
  }
  std::optional<Stack> answer(Stack stack) {
    std::string given = described(stack);
    manual_seed(5);
    try {
      op_.call_boxed(stack);
      return stack;
    } catch (const InternalError& e) { add(concat(given, ": InternalError: ", e.what())); } catch (const Error&) {
    } catch (const std::exception& e) { add(concat(given, ": no error of the library: ", e.what())); }
    return std::nullopt;
  }
  /// The call, and beside it that for tensors without data: where there is an answer, both have its shape and dtype.
  void call(const Stack& stack) {
    std::optional<Stack> got = answer(stack);
    std::optional<std::size_t> device, size;
    for (std::size_t i = 0; i < stack.size(); ++i) {
      if (op_.schema().arg_name(i) == "device") device = i;
      if (op_.schema().arg_name(i) == "size") size = i;
    }
    if (!got) return;
    for (const Tensor& t : every::tensors_of(*got)) {
      for (std::int64_t n : t.sizes())
        if (n < 0) add(concat(described(stack), ": a result of shape ", t.sizes()));
      if (size && stack[*size].is_list() &&
          ints(std::vector<std::int64_t>(t.sizes().begin(), t.sizes().end())) != stack[*size])
        add(concat(described(stack), ": a result of shape ", t.sizes()));
      if (!device || !t.is_cpu() || op_.name() == "aten::from_file") continue;  // a file has no Meta form
      Stack without = stack;
      without[*device] = Value(kMeta);
      std::optional<Stack> meta = answer(without);
      if (!meta) {
        add(concat(described(stack), ": refused for Meta alone"));
        continue;
      }
      const Tensor m = every::tensors_of(*meta).front();
      if (m.sizes() != t.sizes() || m.strides() != t.strides() || m.dtype() != t.dtype())
        add(concat(described(stack), ": of Meta a result of shape ", m.sizes(), " ", m.dtype(), " where the CPU has ",
                   t.sizes(), " ", t.dtype()));
    }
  }
  void add(const std::string& text) {
    if (++n_ <= 4) text_ += concat(op_.name(), ": ", text, "\n");
  }

  OperatorHandle op_;
  std::vector<std::vector<Value>> values_;
  std::string text_;
  int n_ = 0;
};

}  // namespace

TEST_CASE("every operator without a tensor answers or refuses whatever it is called with", "[ops][every]") {
  std::vector<OperatorHandle> all = every::operators_without_tensor();
  CHECK(all.size() > 50);
  every::check_forked([](const OperatorHandle& op) { return Walk(op).problems(); }, exceptions, all);
}
