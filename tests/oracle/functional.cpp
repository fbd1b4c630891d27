// Replays recorded calls of torch.nn.functional: functional FILE [--verbose] [--here]
#include <tenon/nn/functional/sampling.hpp>

#include "lines.hpp"

using namespace oracle;
namespace fn = nn::functional;

namespace {

/// A list, or one number as often as it is needed.
template <class T, class Read>
std::vector<T> list(const json& v, std::int64_t count, Read read) {
  if (!v.is_array()) return std::vector<T>(static_cast<std::size_t>(count), read(v));
  std::vector<T> out;
  for (const json& item : v) out.push_back(read(item));
  return out;
}

/// The tensors among the values of a call, from the file.
class FileTensors : public TensorSource {
 public:
  explicit FileTensors(const SafetensorsFile& file) : file_(file) {}
  bool is(const json& v) const override { return is_tensor(v); }
  Tensor get(const json& v) override { return make(v, file_); }

 private:
  const SafetensorsFile& file_;
};

class Line {
 public:
  Line(const json& line, const std::string& path) : line_(line), file_(opened_beside(path)) {}
  void check() {
    bool graded = line_.contains("input_grads");
    for (std::size_t i = 0; i < line_.at("inputs").size(); ++i) {
      inputs_.push_back(make(line_.at("inputs")[i], file_));
      if (graded && !line_.at("input_grads")[i].is_null()) inputs_[i].set_requires_grad(true);
    }
    if (line_.contains("raises")) {
      bool raised = false;
      try {
        call();
      } catch (const Error&) { raised = true; }
      if (!raised) mismatch("expected an error: ", line_.at("raises").get<std::string>());
      return;
    }
    Tensor out = call();
    compare("result", out.detach(), line_.at("output"), file_);
    if (!graded) return;
    std::vector<Tensor> leaves;
    std::vector<const json*> expected;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (!line_.at("input_grads")[i].is_null()) {
        leaves.push_back(inputs_[i]);
        expected.push_back(&line_.at("input_grads")[i]);
      }
    if (leaves.empty()) return;
    Tensor cotangent = make(line_.at("cotangent"), file_);
    std::vector<Tensor> got = autograd::grad(TensorList(out), leaves, TensorList(cotangent), std::nullopt, false, true);
    for (std::size_t i = 0; i < leaves.size(); ++i) compare(concat("gradient ", i), got[i], *expected[i], file_);
  }

 private:
  /// The option of a name, or null where it takes its default.
  const json* option(const char* name) const {
    const json& options = line_.at("options");
    return options.contains(name) && !options.at(name).is_null() ? &options.at(name) : nullptr;
  }
  template <class T>
  T option_or(const char* name, T other) const {
    const json* v = option(name);
    return v ? v->get<T>() : other;
  }
  std::optional<bool> truth(const char* name) const {
    const json* v = option(name);
    return v ? std::optional<bool>(v->get<bool>()) : std::nullopt;
  }
  std::optional<double> real(const char* name) const {
    const json* v = option(name);
    return v ? std::optional<double>(number(*v)) : std::nullopt;
  }
  Tensor call() {
    auto name = line_.at("call").get<std::string>();
    if (name == "interpolate") return interpolate();
    if (name == "grid_sample") {
      auto mode = option_or<std::string>("mode", "bilinear"), padding = option_or<std::string>("padding_mode", "zeros");
      return fn::grid_sample(inputs_.at(0), inputs_.at(1), {mode, padding, truth("align_corners")});
    }
    if (name == "affine_grid") return fn::affine_grid(inputs_.at(0), ints(*option("size")), truth("align_corners"));
    if (name == "normalize")
      return fn::normalize(inputs_.at(0), real("p").value_or(2), option_or<std::int64_t>("dim", 1),
                           real("eps").value_or(1e-12));
    if (name == "one_hot") return fn::one_hot(inputs_.at(0), option_or<std::int64_t>("num_classes", -1));
    if (name == "scaled_dot_product_attention") return attention();
    if (name == "pad") return pad();
    mismatch("the case names an unknown call ", name);
  }
  Tensor interpolate() {
    auto mode = option_or<std::string>("mode", "nearest");
    fn::InterpolateOptions o;
    std::int64_t dims = inputs_.at(0).dim() - 2;
    if (const json* v = option("size"))
      o.size = list<std::int64_t>(*v, dims, [](const json& x) { return x.get<std::int64_t>(); });
    if (const json* v = option("scale_factor")) o.scale_factor = list<double>(*v, dims, number);
    o.mode = mode;
    o.align_corners = truth("align_corners");
    o.recompute_scale_factor = truth("recompute_scale_factor");
    o.antialias = option_or("antialias", false);
    return fn::interpolate(inputs_.at(0), o);
  }
  Tensor attention() {
    fn::AttentionOptions o;
    if (inputs_.size() > 3) o.attn_mask = inputs_[3];
    if (const json* v = option("attn_mask")) o.attn_mask = make(*v, file_);
    o.is_causal = option_or("is_causal", false);
    o.scale = real("scale");
    o.enable_gqa = option_or("enable_gqa", false);
    return fn::scaled_dot_product_attention(inputs_.at(0), inputs_.at(1), inputs_.at(2), o);
  }
  /// By the operator's name: its schema says how the options become arguments.
  Tensor pad() {
    OperatorHandle op = find("aten::pad");
    FileTensors tensors(file_);
    json named = line_.at("options");
    Stack stack = arguments(op.schema(), json::array({line_.at("inputs")[0]}), named, tensors);
    stack[0] = inputs_.at(0);
    op.call_boxed(stack);
    return stack.back().to_tensor();
  }

  const json& line_;
  const SafetensorsFile& file_;
  std::vector<Tensor> inputs_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_lines("functional", argc, argv,
                   [](const json& line, const std::string& path) { Line(line, path).check(); });
}
