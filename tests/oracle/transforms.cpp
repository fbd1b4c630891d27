// Replays recorded function transforms and engine programs: transforms FILE.jsonl [--verbose] [--here]
#include "engine.hpp"
#include "function_transforms.hpp"
#include "lines.hpp"

using namespace oracle;

namespace {

/// Tensors of one call, in the order in which the line names them.
class CallTensors : public TensorSource {
 public:
  explicit CallTensors(const SafetensorsFile& file) : file_(file) {}
  bool is(const json& v) const override { return is_tensor(v); }
  Tensor get(const json& v) override {
    Tensor t = make(v, file_);
    if (is_differentiable_type(t.dtype())) {
      t.set_requires_grad(true);
      differentiable.push_back(t);
    }
    return t;
  }
  std::vector<Tensor> differentiable;

 private:
  const SafetensorsFile& file_;
};

/// The elements of `from` with the given numbers.
std::vector<Tensor> chosen(const std::vector<Tensor>& from, const json& numbers, const char* what) {
  std::vector<Tensor> list;
  for (const json& n : numbers) {
    auto i = n.get<std::size_t>();
    if (i >= from.size() || !from[i].defined()) mismatch(what, " ", i, " is missing");
    list.push_back(from[i]);
  }
  return list;
}

void check_double_backward(const json& c, const std::string& path) {
  const SafetensorsFile& file = opened_beside(path);
  OperatorHandle op = find(c.at("op").get<std::string>());
  CallTensors tensors(file);
  Stack stack = arguments(op.schema(), c.at("args"), c.at("kwargs"), tensors);
  op.call_boxed(stack);
  std::vector<Tensor> flat, cotangents, cotangents2;
  for (const Value& v : stack) collect(v, flat);
  for (const json& v : c.at("cotangents")) cotangents.push_back(make(v, file).set_requires_grad(true));
  for (const json& v : c.at("cotangents2")) cotangents2.push_back(make(v, file));
  const std::vector<Tensor>& inputs = tensors.differentiable;
  std::vector<Tensor> first = autograd::grad(chosen(flat, c.at("of"), "result"), inputs, cotangents, true, true, true);
  std::vector<Tensor> all = inputs;
  all.insert(all.end(), cotangents.begin(), cotangents.end());
  std::vector<Tensor> roots, weights;
  std::size_t k = 0;
  for (const Tensor& g : chosen(first, c.at("of2"), "first gradient")) {
    // A gradient that depends on nothing adds none.
    if (g.requires_grad()) {
      roots.push_back(g);
      weights.push_back(cotangents2.at(k));
    }
    ++k;
  }
  std::vector<Tensor> got(all.size());
  if (!roots.empty()) got = autograd::grad(roots, all, weights, std::nullopt, false, true);
  auto compare_all = [&](const char* what, std::size_t offset, const json& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Tensor& t = got.at(offset + i);
      std::string name = concat(what, " ", i);
      if (expected[i].is_null()) {
        if (t.defined() && t.numel() != 0 && ops::count_nonzero(t.detach()).item<std::int64_t>() != 0)
          mismatch(name, ": expected none, got one");
      } else if (!t.defined()) {
        compare(name, ops::zeros_like(all[offset + i].detach()), expected[i], file);
      } else {
        compare(name, t, expected[i], file);
      }
    }
  };
  if (c.at("inputs").size() != inputs.size())
    mismatch("the case has ", c.at("inputs").size(), " gradients for ", inputs.size(), " tensors");
  compare_all("second gradient of input", 0, c.at("inputs"));
  compare_all("gradient of cotangent", inputs.size(), c.at("grad_cotangents"));
}

void check_line(const json& line, const std::string& path) {
  if (line.contains("leaves"))
    EngineProgram(line).check();
  else if (line.contains("cotangents2"))
    check_double_backward(line, path);
  else if (line.contains("levels"))
    check_vmap(line, path);
  else if (line.contains("tangents"))
    check_jvp(line, path);
  else
    check_composition(line);
}

}  // namespace

int main(int argc, char** argv) { return run_lines("transforms", argc, argv, check_line); }
