// Replays recorded products of many indices: einsum FILE [--verbose] [--here]
#include "lines.hpp"

using namespace oracle;

namespace {

/// What Python's tensordot makes of a number of dimensions, or of two lists.
std::pair<DimVector, DimVector> dims_of(const json& v, const Tensor& a, const Tensor& b) {
  if (v.is_array()) return {DimVector(IntArrayRef(ints(v.at(0)))), DimVector(IntArrayRef(ints(v.at(1))))};
  auto n = v.get<std::int64_t>();
  TENON_CHECK(n >= 0, ValueError, "tensordot expects dims >= 0, but got dims=", n);
  TENON_CHECK(n <= a.dim() && n <= b.dim(), ValueError, "tensordot expects dims < ndim_a or ndim_b, but got dims=", n);
  DimVector first, second;
  for (std::int64_t d = 0; d < n; ++d) {
    first.push_back(d - n);
    second.push_back(d);
  }
  return {first, second};
}
Tensor run(const json& line, const std::vector<Tensor>& inputs) {
  auto call = line.at("call").get<std::string>();
  if (call == "einsum") return ops::einsum(line.at("equation").get<std::string>(), inputs);
  if (call != "tensordot") mismatch("the case names an unknown call ", call);
  auto [first, second] = dims_of(line.at("dims"), inputs.at(0), inputs.at(1));
  return ops::tensordot(inputs[0], inputs[1], IntArrayRef(first), IntArrayRef(second));
}
void check(const json& line, const std::string& path) {
  const SafetensorsFile& file = opened_beside(path);
  auto read = [&](bool leaves) {
    std::vector<Tensor> out;
    for (std::size_t i = 0; i < line.at("inputs").size(); ++i) {
      out.push_back(make(line.at("inputs")[i], file));
      if (leaves && !line.at("input_grads")[i].is_null()) out.back().set_requires_grad(true);
    }
    return out;
  };
  std::vector<Tensor> inputs = read(false);
  if (line.contains("raises")) {
    bool raised = false;
    try {
      run(line, inputs);
    } catch (const Error&) { raised = true; }
    if (!raised) mismatch("expected an error: ", line.at("raises").get<std::string>());
    return;
  }
  compare("output", run(line, inputs), line.at("output"), file);
  if (!line.contains("input_grads")) return;
  inputs = read(true);
  std::vector<Tensor> leaves;
  for (const Tensor& t : inputs)
    if (t.requires_grad()) leaves.push_back(t);
  Tensor cotangent = make(line.at("cotangent"), file);
  std::vector<Tensor> got =
      autograd::grad(TensorList(run(line, inputs)), leaves, TensorList(cotangent), std::nullopt, false, true);
  std::size_t at = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].requires_grad()) compare(concat("gradient ", i), got[at++], line.at("input_grads")[i], file);
}

}  // namespace

int main(int argc, char** argv) { return run_lines("einsum", argc, argv, check); }
