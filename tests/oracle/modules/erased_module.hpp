// Modules that are made from a record's options, behind one face.
#pragma once
#include <functional>
#include <map>
#include <memory>

#include <tenon/nn.hpp>

#include "../replay.hpp"

namespace oracle {

/// Reads options by PyTorch's names; what is left out takes its default.
class Options {
 public:
  Options(const json& o, const SafetensorsFile& file) : o_(o), file_(file) {}
  bool has(const char* name) const { return o_.contains(name) && !o_.at(name).is_null(); }
  const json& at(const char* name) const {
    if (!o_.contains(name)) mismatch("the record has no option ", name);
    return o_.at(name);
  }
  std::int64_t count(const char* name) const { return at(name).get<std::int64_t>(); }
  std::int64_t count(const char* name, std::int64_t other) const { return has(name) ? count(name) : other; }
  double real(const char* name, double other) const { return has(name) ? number(at(name)) : other; }
  bool flag(const char* name, bool other) const { return has(name) ? at(name).get<bool>() : other; }
  std::string text(const char* name, const char* other) const {
    return has(name) ? at(name).get<std::string>() : std::string(other);
  }
  std::vector<std::int64_t> list(const char* name) const {
    const json& v = at(name);
    if (!v.is_array()) return {v.get<std::int64_t>()};
    std::vector<std::int64_t> out;
    for (const json& item : v) out.push_back(item.is_null() ? -1 : item.get<std::int64_t>());
    return out;
  }
  template <std::size_t N>
  nn::Sizes<N> sizes(const char* name) const {
    return nn::Sizes<N>(IntArrayRef(list(name)));
  }
  template <std::size_t N>
  nn::Sizes<N> sizes(const char* name, std::int64_t other) const {
    return has(name) ? sizes<N>(name) : nn::Sizes<N>(other);
  }
  template <std::size_t N>
  nn::OptionalSizes<N> optional_sizes(const char* name) const {
    return has(name) ? nn::OptionalSizes<N>(sizes<N>(name)) : nn::OptionalSizes<N>();
  }
  std::optional<std::int64_t> optional_count(const char* name) const {
    return has(name) ? std::optional(count(name)) : std::nullopt;
  }
  /// A number that may be null where it is given: `fallback` where it is left out.
  std::optional<double> optional_real(const char* name, std::optional<double> fallback = std::nullopt) const {
    if (!o_.contains(name)) return fallback;
    return o_.at(name).is_null() ? std::nullopt : std::optional(number(o_.at(name)));
  }
  Tensor tensor(const char* name) const { return has(name) ? make(at(name), file_) : Tensor(); }
  std::optional<Tensor> optional_tensor(const char* name) const {
    return has(name) ? std::optional(make(at(name), file_)) : std::nullopt;
  }
  nn::Reduction reduction() const {
    auto word = text("reduction", "mean");
    TENON_CHECK(word == "none" || word == "mean" || word == "sum" || word == "batchmean", ValueError, word,
                " is not a valid value for reduction");
    return word == "none"        ? nn::Reduction::None
           : word == "sum"       ? nn::Reduction::Sum
           : word == "batchmean" ? nn::Reduction::BatchMean
                                 : nn::Reduction::Mean;
  }
  Options sub(const json& o) const { return Options(o, file_); }

 private:
  const json& o_;
  const SafetensorsFile& file_;
};

/// What a call is given: tensors, pairs of them flattened in `groups`, and keywords.
struct Inputs {
  std::vector<std::vector<Tensor>> positional;
  std::map<std::string, Tensor> tensors;
  json plain;
  std::optional<nn::PackedSequence> packed;

  const Tensor& operator[](std::size_t i) const {
    if (i >= positional.size() || positional[i].size() != 1) mismatch("the record has no input ", i);
    return positional[i][0];
  }
  Tensor tensor_or_none(std::size_t i) const {
    return i < positional.size() && !positional[i].empty() ? positional[i][0] : Tensor();
  }
  Tensor keyword(const char* name) const {
    auto found = tensors.find(name);
    return found == tensors.end() ? Tensor() : found->second;
  }
  bool flag(const char* name, bool other) const {
    return plain.contains(name) && plain.at(name).is_boolean() ? plain.at(name).get<bool>() : other;
  }
};

using Results = std::vector<Tensor>;

class ErasedModule {
 public:
  virtual ~ErasedModule() = default;
  virtual Results call(const Inputs& in) = 0;
  virtual nn::NamedTensors state() const = 0;
  virtual nn::NamedTensors named_parameters() const = 0;
  virtual void to(ScalarType dtype) = 0;
  virtual void to(Device device) = 0;
  virtual void load(const nn::NamedTensors& tensors) = 0;
  virtual void train(bool on) = 0;
  virtual std::string printed() const = 0;
};
template <class M, class Call>
class Erased : public ErasedModule {
 public:
  Erased(M module, Call call) : module_(std::move(module)), call_(call) {}
  Results call(const Inputs& in) override { return call_(module_, in); }
  nn::NamedTensors state() const override { return nn::state(module_); }
  nn::NamedTensors named_parameters() const override { return nn::named_parameters(module_); }
  void to(ScalarType dtype) override { nn::to(module_, dtype); }
  void to(Device device) override { nn::to(module_, device); }
  void load(const nn::NamedTensors& tensors) override { nn::load_state(module_, tensors); }
  void train(bool on) override { nn::train(module_, on); }
  std::string printed() const override { return nn::to_string(module_); }

 private:
  M module_;
  Call call_;
};

using Made = std::unique_ptr<ErasedModule>;
template <class M, class Call>
Made erased(M module, Call call) {
  return std::make_unique<Erased<M, Call>>(std::move(module), call);
}
/// A layer of one tensor to one.
template <class M>
Made layer(M module) {
  return erased(std::move(module), [](M& m, const Inputs& in) { return Results{m(in[0])}; });
}
/// A layer of two tensors, or a loss of an input and a target.
template <class M>
Made layer_of_two(M module) {
  return erased(std::move(module), [](M& m, const Inputs& in) { return Results{m(in[0], in[1])}; });
}
template <class M>
Made layer_of_three(M module) {
  return erased(std::move(module), [](M& m, const Inputs& in) { return Results{m(in[0], in[1], in[2])}; });
}

using Maker = std::function<Made(const Options&)>;
using Makers = std::map<std::string, Maker>;

// A unit each, so that none compiles for long.
void add_basic_layers(Makers& makers);
void add_sequence_layers(Makers& makers);
void add_spatial_layers(Makers& makers);
void add_losses(Makers& makers);

/// The layer of a `{"module", "options"}`.
Made make_module(const std::string& name, const Options& options);

}  // namespace oracle
