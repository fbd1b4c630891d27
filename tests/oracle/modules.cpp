// Replays recorded layers from construction to gradients: modules FILE [--verbose] [--here]
#include "modules/erased_module.hpp"
#include "lines.hpp"

namespace oracle {

Made make_module(const std::string& name, const Options& options) {
  static const Makers makers = [] {
    Makers m;
    add_basic_layers(m);
    add_sequence_layers(m);
    add_spatial_layers(m);
    add_losses(m);
    return m;
  }();
  auto found = makers.find(name);
  if (found == makers.end()) mismatch("there is no layer ", name);
  return found->second(options);
}

}  // namespace oracle

using namespace oracle;

namespace {

/// A line of printed.jsonl: no tensors belong to it.
void check_printed(const json& line) {
  static const SafetensorsFile none = SafetensorsFile::from_bytes(std::string("\2\0\0\0\0\0\0\0{}", 10));
  const std::string printed =
      make_module(line.at("module").get<std::string>(), Options(line.at("options"), none))->printed();
  if (printed != line.at("printed")) mismatch("expected ", line.at("printed").get<std::string>(), "\ngot ", printed);
}

class Line {
 public:
  Line(const json& line, const std::string& path) : line_(line), file_(opened_beside(path)) {}

  void check() {
    if (line_.contains("raises")) {
      bool raised = false;
      try {
        construct();
        module_->train(line_.value("train", false));
        call();
      } catch (const Error&) { raised = true; }
      if (!raised) mismatch("expected an error: ", line_.at("raises").get<std::string>());
      return;
    }
    construct();
    check_start();
    ScalarType dtype = dtype_of(line_);
    module_->to(dtype);
    if (!judged_device.is_cpu()) module_->to(judged_device);
    module_->load(recorded("state"));
    module_->train(line_.at("train").get<bool>());
    nn::NamedTensors before = copies(module_->state());
    Results out = call();
    check_outputs(out);
    check_state(before);
    check_gradients(out);
  }

 private:
  void construct() {
    if (line_.contains("init_seed")) manual_seed(line_.at("init_seed").get<std::uint64_t>());
    static const json no_options = json::object();
    const json& options = line_.contains("options") ? line_.at("options") : no_options;
    module_ = make_module(line_.at("module").get<std::string>(), Options(options, file_));
  }
  double loosen() const { return line_.value("loosen", 1.0); }
  void same(const std::string& what, const Tensor& got, const json& expected) {
    if (expected.is_null()) {
      if (got.defined()) mismatch(what, ": expected none");
      return;
    }
    if (!got.defined()) mismatch(what, ": expected a tensor, got none");
    Tolerance t = tolerance_of(dtype_of(expected));
    t.relative *= loosen();
    t.absolute *= loosen();
    compare(what, ops::detach(got), expected, file_, t);
  }
  nn::NamedTensors recorded(const char* name) {
    nn::NamedTensors out;
    for (const auto& [key, v] : line_.at(name).items()) out.emplace_back(key, make(v, file_));
    return out;
  }
  static nn::NamedTensors copies(const nn::NamedTensors& of) {
    nn::NamedTensors out;
    for (const auto& [name, t] : of) out.emplace_back(name, ops::clone(ops::detach(t)));
    return out;
  }
  void check_start() {
    nn::NamedTensors state = module_->state();
    std::vector<std::string> names, expected = line_.at("state_names_in_order").get<std::vector<std::string>>();
    for (const auto& [name, t] : state) names.push_back(name);
    if (names != expected) mismatch("expected the state ", json(expected).dump(), ", got ", json(names).dump());
    for (const auto& [name, t] : state) same("initial " + name, t, line_.at("initial").at(name));
  }
  /// A tensor of the record; one whose gradient is recorded is a leaf.
  Tensor input(const json& v, std::size_t& next) {
    Tensor t = make(v, file_);
    const json& grads = line_.contains("input_grads") ? line_.at("input_grads") : json();
    bool leaf = grads.is_array() && next < grads.size() && !grads.at(next).is_null();
    ++next;
    if (leaf) t.set_requires_grad(true);
    leaves_.push_back(t);
    return t;
  }
  Results call() {
    if (line_.contains("forward_seed")) manual_seed(line_.at("forward_seed").get<std::uint64_t>());
    Inputs in;
    std::size_t next = 0;
    for (const json& v : line_.at("inputs")) {
      std::vector<Tensor> group;
      if (v.is_array())
        for (const json& item : v) group.push_back(input(item, next));
      else if (!v.is_null())
        group.push_back(input(v, next));
      else
        leaves_.emplace_back(), ++next;
      in.positional.push_back(std::move(group));
    }
    in.plain = json::object();
    if (line_.contains("kwargs"))
      for (const auto& [name, v] : line_.at("kwargs").items()) {
        if (is_tensor(v)) {
          in.tensors[name] = make(v, file_);
        } else {
          in.plain[name] = v;
        }
      }
    bool inplace = line_.contains("options") && line_.at("options").value("inplace", false);
    Tensor written;
    if (inplace) written = in.positional.at(0).at(0) = ops::clone(in[0]);
    if (line_.contains("packed")) {
      const json& p = line_.at("packed");
      bool batch_first = line_.at("options").value("batch_first", false);
      in.packed = nn::pack_padded_sequence(in[0], ints(p.at("lengths")), batch_first, p.value("enforce_sorted", true));
    }
    Results out = module_->call(in);
    if (inplace && !out.at(0).is_same(written)) mismatch("expected the tensor that was written in place");
    return out;
  }
  void check_outputs(const Results& out) {
    const json& expected = line_.at("output");
    if (out.size() != expected.size()) mismatch("expected ", expected.size(), " outputs, got ", out.size());
    for (std::size_t i = 0; i < out.size(); ++i) same(concat("output ", i), out[i], expected.at(i));
  }
  void check_state(const nn::NamedTensors& before) {
    nn::NamedTensors after = module_->state();
    static const json none = json::object();
    const json& changed = line_.contains("state_after") ? line_.at("state_after") : none;
    for (std::size_t i = 0; i < after.size(); ++i) {
      const auto& [name, t] = after[i];
      if (changed.contains(name))
        same("state after: " + name, t, changed.at(name));
      else if (!ops::all(ops::eq(t, before[i].second)).item<bool>())
        mismatch("state after: ", name, " changed");
    }
  }
  void check_gradients(const Results& out) {
    const json& cotangents = line_.at("cotangents");
    std::vector<Tensor> roots, gradients;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (i < cotangents.size() && !cotangents.at(i).is_null()) {
        roots.push_back(out[i]);
        gradients.push_back(make(cotangents.at(i), file_));
      }
    if (!roots.empty()) autograd::backward(roots, gradients);
    const json& grads = line_.at("grads");
    for (const auto& [name, p] : module_->named_parameters())
      if (grads.contains(name)) same("gradient of " + name, p.grad(), grads.at(name));
    const json& inputs = line_.at("input_grads");
    for (std::size_t i = 0; i < leaves_.size() && i < inputs.size(); ++i)
      if (!inputs.at(i).is_null()) same(concat("gradient of input ", i), leaves_[i].grad(), inputs.at(i));
  }

  const json& line_;
  const SafetensorsFile& file_;
  Made module_;
  std::vector<Tensor> leaves_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_lines("modules", argc, argv, [](const json& line, const std::string& path) {
    if (line.contains("printed"))
      check_printed(line);
    else
      Line(line, path).check();
  });
}
