// Replays recorded streams of random numbers: random FILE [--device NAME] [--verbose] [--here]
#include "device_random.hpp"
#include "lines.hpp"

using namespace oracle;

namespace {

/// Tensors of a file, by key.
class Recorded : public TensorSource {
 public:
  explicit Recorded(const SafetensorsFile& file) : file_(file) {}
  bool is(const json& v) const override { return v.is_object() && v.contains("t"); }
  Tensor get(const json& v) override { return make(v, file_); }

 private:
  const SafetensorsFile& file_;
};

class Recording {
 public:
  Recording(const json& line, const std::string& path) : line_(line), file_(opened_beside(path)), source_(file_) {
    auto seed = line.at("seed").get<std::uint64_t>();
    manual_seed(seed);
    if (line.at("generator").get<std::string>() == "explicit") {
      if (!judged_device.is_cpu()) throw Skipped("a generator of one's own draws on the CPU alone");
      given_ = Generator(seed);
    }
  }
  void check() {
    std::size_t i = 0;
    for (const json& call : line_.at("calls")) {
      what_ = concat("call ", i++, ", ", call.at("call").get<std::string>());
      if (call.contains("raises"))
        check_raises(call);
      else
        check_call(call);
    }
  }

 private:
  Generator generator() const { return given_.value_or(default_generator()); }
  void check_raises(const json& call) {
    Tensor before = state();
    bool raised = false;
    try {
      run(call);
    } catch (const Error&) { raised = true; }
    if (!raised) mismatch(what_, ": expected an error: ", call.at("raises").get<std::string>());
    if (!ops::eq(before, state()).all().item<bool>()) mismatch(what_, ": drew before its error");
  }
  void check_call(const json& call) {
    auto name = call.at("call").get<std::string>();
    if (name == "get_state") {
      states_[call.at("as").get<std::string>()] = state();
    } else if (name == "set_state") {
      set_state(states_.at(call.at("from").get<std::string>()));
    } else if (name == "manual_seed") {
      seed(call.at("args").at(0).get<std::uint64_t>());
    } else if (name == "initial_seed") {
      if (initial_seed() != call.at("out").get<std::uint64_t>()) mismatch(what_, ": got ", initial_seed());
    } else if (judged_device.is_cpu()) {
      compare(what_, run(call), call.at("out"), file_);
    } else {
      check_on_device(call);
    }
  }
  /// The numbers are the device's own; from a state that was restored they come again.
  void check_on_device(const json& call) {
    Tensor before = state(), host = default_generator().get_state(), got = run(call);
    std::vector<double> given;
    if (const json& args = call.value("args", json::array()); !args.empty() && source_.is(args[0]))
      given = numbers_of(source_.get(args[0]));
    DeviceNumbers(what_, call, got, before).check(source_, given);
    Tensor behind = state();
    set_state(before);
    default_generator().set_state(host);
    if (!ops::equal(on_host(ops::contiguous(got)), on_host(ops::contiguous(run(call)))))
      mismatch(what_, ": other numbers from the same state");
    if (!ops::equal(behind, state())) mismatch(what_, ": another state behind the same numbers");
  }
  // The generator that is judged: the CPU's, or the default one of the device.
  Tensor state() const {
    return judged_device.is_cpu() ? generator().get_state() : cuda::get_rng_state(judged_device.index);
  }
  void set_state(const Tensor& state) const {
    if (judged_device.is_cpu())
      generator().set_state(state);
    else
      cuda::set_rng_state(state, judged_device.index);
  }
  void seed(std::uint64_t seed) const {
    if (judged_device.is_cpu())
      generator().manual_seed(seed);
    else
      manual_seed(seed);
  }
  std::uint64_t initial_seed() const {
    if (judged_device.is_cpu()) return generator().initial_seed();
    std::uint64_t seed;
    std::memcpy(&seed, state().data_ptr(), sizeof seed);
    return seed;
  }
  Tensor run(const json& call) {
    auto name = call.at("call").get<std::string>();
    const json args = call.value("args", json::array()), kwargs = call.value("kwargs", json::object());
    if (!call.contains("target")) return run_operator(name, args, kwargs);
    const json& v = call.at("target");
    auto sizes = ints(v.at("size"));
    Tensor target = on_judged_device(
        make_tensor(sizes, v.contains("stride") ? ints(v.at("stride")) : std::vector<std::int64_t>(), dtype_of(v)));
    if (name.starts_with("init."))
      initialise(name.substr(5), target, kwargs);
    else
      run_operator(name, args, kwargs, target);
    return target.contiguous();
  }

  /// Calls the overload that the arguments are for, with the generator if one is given.
  Tensor run_operator(const std::string& name, const json& args, const json& kwargs, const Tensor& target = {}) {
    std::string overload = overload_of(name, args);
    OperatorHandle op = find(concat("aten::", name, overload.empty() ? "" : ".", overload));
    json all = args;
    if (target.defined()) all.insert(all.begin(), nullptr);
    Stack stack = arguments(op.schema(), all, kwargs);
    if (target.defined()) stack[0] = target;
    op.call_boxed(stack);
    return stack.at(0).to_tensor();
  }
  std::string overload_of(const std::string& name, const json& args) const {
    auto tensor = [&](std::size_t i) { return i < args.size() && source_.is(args[i]); };
    if (name == "bernoulli_") return tensor(0) ? "Tensor" : "float";
    if (name == "bernoulli") return args.size() == 2 ? "p" : "";
    if (name == "random_") return args.size() == 2 ? "from" : args.size() == 1 ? "to" : "";
    if (name == "normal")
      return tensor(0) ? tensor(1) ? "Tensor_Tensor" : "Tensor_float" : tensor(1) ? "float_Tensor" : "float_float";
    if (name == "randint") return given_ ? "low_generator" : "low";
    if (name == "randint_like") {
      if (given_) return args.size() == 3 ? "low_generator_dtype" : "generator";
      return args.size() == 3 ? "low_dtype" : "";
    }
    if (given_ && (name.starts_with("rand"))) return "generator";
    return "";
  }
  Stack arguments(const schema::SchemaView& schema, const json& args, const json& kwargs) {
    json named = kwargs;
    int at = schema.find_argument("generator");
    // Has no default in the overloads that exist for it.
    if (at >= 0) named["generator"] = nullptr;
    if (!judged_device.is_cpu() && schema.find_argument("device") >= 0 && !is_like(schema))
      named["device"] = concat(judged_device);
    Stack stack = oracle::arguments(schema, args, named, source_);
    if (at >= 0 && given_) stack[static_cast<std::size_t>(at)] = Value(*given_);
    return stack;
  }

  /// Whether a result is where an argument is.
  static bool is_like(const schema::SchemaView& schema) { return schema.find_argument("self") >= 0; }

  void initialise(const std::string& name, const Tensor& t, const json& k) {
    auto real = [&](const char* key, double other) { return k.contains(key) ? number(k.at(key)) : other; };
    auto text = [&](const char* key, const char* other) { return k.value(key, std::string(other)); };
    namespace init = nn::init;
    if (name == "uniform_")
      init::uniform_(t, real("a", 0), real("b", 1), given_);
    else if (name == "normal_")
      init::normal_(t, real("mean", 0), real("std", 1), given_);
    else if (name == "trunc_normal_")
      init::trunc_normal_(t, real("mean", 0), real("std", 1), real("a", -2), real("b", 2), given_);
    else if (name == "xavier_uniform_")
      init::xavier_uniform_(t, real("gain", 1), given_);
    else if (name == "xavier_normal_")
      init::xavier_normal_(t, real("gain", 1), given_);
    else if (name == "kaiming_uniform_")
      init::kaiming_uniform_(t, real("a", 0), text("mode", "fan_in"), text("nonlinearity", "leaky_relu"), given_);
    else if (name == "kaiming_normal_")
      init::kaiming_normal_(t, real("a", 0), text("mode", "fan_in"), text("nonlinearity", "leaky_relu"), given_);
    else if (name == "orthogonal_")
      init::orthogonal_(t, real("gain", 1), given_);
    else if (name == "sparse_")
      init::sparse_(t, real("sparsity", 0), real("std", 0.01), given_);
    else
      mismatch(what_, ": no such initialisation");
  }

  const json& line_;
  const SafetensorsFile& file_;
  Recorded source_;
  std::optional<Generator> given_;
  std::map<std::string, Tensor> states_;
  std::string what_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_lines("random", argc, argv,
                   [](const json& line, const std::string& path) { Recording(line, path).check(); });
}
