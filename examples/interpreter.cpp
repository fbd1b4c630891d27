// An interpreter of lines that call operators by their names. One function calls them all, boxed: the library's and the
// program's own, with gradients where values require them, and for shapes alone where they are on Meta.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>

#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

class Interpreter {
 public:
  /// Finds each operator once, overloads under their common name.
  Interpreter() {
    for (const OperatorHandle& op : Registry::get().operators())
      if (op.has_schema()) operators_[std::string(op.schema().name())].push_back(op);
  }
  Value& operator[](const std::string& name) { return values_[name]; }
  void run(std::string_view program) {
    for (; !program.empty(); program.remove_prefix(std::min(program.find('\n'), program.size() - 1) + 1)) {
      rest_ = program.substr(0, program.find('\n'));
      if (std::string first = word(); !first.empty()) line(std::move(first));
    }
  }

 private:
  /// `largest, place = aten::max(y, 1, keepdim=True)`.
  void line(std::string first) {
    std::vector<std::string> results{std::move(first)};
    while (take(',')) results.push_back(word());
    expect('=');
    std::string op = word();
    std::vector<Value> positional;
    std::vector<NamedValue> keywords;
    expect('(');
    while (!take(')')) {
      TENON_CHECK(!rest_.empty(), ValueError, "expected ')' after the arguments of ", op);
      if (std::string w = word(); !w.empty() && take('='))
        keywords.push_back({w, value(word())});
      else
        positional.push_back(value(w));
      take(',');
    }
    Stack stack = call(op, positional, keywords);
    TENON_CHECK(stack.size() == results.size(), ValueError, op, " has ", stack.size(), " results, not ",
                results.size());
    for (std::size_t i = 0; i < results.size(); ++i) values_[results[i]] = stack[i];
  }
  Stack call(const std::string& name, const std::vector<Value>& positional, const std::vector<NamedValue>& keywords) {
    auto found = operators_.find(name);
    TENON_CHECK(found != operators_.end(), ValueError, "no operator is named '", name, "'");
    std::vector<schema::SchemaView> schemas;
    for (const OperatorHandle& op : found->second) schemas.push_back(op.schema());
    auto [which, stack] = match_overloads(schemas, positional, keywords);
    found->second[which].call_boxed(stack);
    return std::move(stack);
  }
  Value value(const std::string& w) {
    if (w.empty()) {
      expect('[');
      std::vector<Value> items;
      for (; !take(']'); take(',')) items.push_back(value(word()));
      return Value::list(std::move(items));
    }
    if (w == "None") return {};
    if (w == "True" || w == "False") return Value(w == "True");
    if (w[0] == '-' || (w[0] >= '0' && w[0] <= '9'))
      return w.find_first_of(".e") == w.npos ? Value(std::int64_t{std::stoll(w)}) : Value(std::stod(w));
    auto found = values_.find(w);
    TENON_CHECK(found != values_.end(), ValueError, "no value is named '", w, "'");
    return found->second;
  }
  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  std::string word() {
    skip_spaces();
    std::string w(rest_.substr(0, rest_.find_first_of(" ,=()[]")));
    rest_.remove_prefix(w.size());
    return w;
  }
  bool take(char c) {
    skip_spaces();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) { TENON_CHECK(take(c), ValueError, "expected '", c, "' before '", rest_, "'"); }

  std::map<std::string, std::vector<OperatorHandle>> operators_;
  std::map<std::string, Value> values_;
  std::string_view rest_;
};

}  // namespace

TENON_LIBRARY(example, m) {
  m.def("scaled(Tensor x, float by=2.0) -> Tensor", [](const Tensor& x, double by) { return x * by; });
}

int main() {
  const char* text = R"(
    y = aten::mul(x, w)
    y = example::scaled(y, by=0.5)
    largest, place = aten::max(y, 1)
    loss = aten::sum(largest)
    wide = aten::cat([y, y], dim=-1)
  )";
  Interpreter program;
  Tensor w = tensor({1.0, 2.0, 3.0}).requires_grad_();
  program["w"] = Value(w);
  program["x"] = Value(tensor({{3.0, 1.0, 0.0}, {0.0, 1.0, 2.0}}));
  program.run(text);
  std::cout << program["place"].to_tensor() << "\n" << program["loss"].to_tensor() << "\n";
  program["loss"].to_tensor().backward();
  std::cout << w.grad() << "\n";

  program["w"] = Value(ops::empty({3}, "device"_a = kMeta));
  program["x"] = Value(ops::empty({2, 3}, "device"_a = kMeta));
  program.run(text);
  std::cout << size_text(program["wide"].to_tensor().sizes()) << "\n";

  for (const char* wrong : {"y = aten::mull(x, w)", "y = aten::mul(x, v)", "y = aten::max(x, 1)", "y = aten::mul(x"})
    try {
      program.run(wrong);
    } catch (const Error& e) { std::cout << e.summary() << "\n"; }
}

// Prints:
// tensor([0, 2])
// tensor(4.5000, grad_fn=<SumBackward0>)
// tensor([1.5000, 0.0000, 1.0000])
// torch.Size([2, 6])
// no operator is named 'aten::mull'
// no value is named 'v'
// aten::max has 2 results, not 1
// expected ')' after the arguments of aten::mul
