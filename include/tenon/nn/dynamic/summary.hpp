// What a model does with an input: the results, parameters and multiply-adds of its layers, as a table.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenon/autograd/mode.hpp>
#include <tenon/dispatch/observer.hpp>
#include <tenon/nn/calling.hpp>
#include <tenon/nn/dynamic/any_module.hpp>
#include <tenon/nn/module.hpp>
#include <tenon/nn/print.hpp>

namespace tenon::nn {

/// One module of a model.
struct LayerSummary {
  std::string name;  ///< its path, empty for the model
  std::string type;  ///< as it is printed
  int depth = 0;
  /// Of the first tensor that its last call returned; nothing for one that was not seen to be called: modules of your
  /// own say so with nn::Calling, those in a Sequential are seen without.
  std::optional<std::vector<std::int64_t>> output;
  std::int64_t calls = 0;
  std::int64_t parameters = 0;  ///< elements of its own parameters, without those of the modules in it
  /// Of its calls, without those of the modules in it. What a module's operators multiply while no other is called
  /// counts as that of the innermost one that is seen to be called.
  std::int64_t multiply_adds = 0;
};

/// What summary() saw of a model: its modules and their sums.
struct ModelSummary {
  std::vector<LayerSummary> layers;  ///< the model first, each module before those in it
  std::int64_t parameters = 0;       ///< elements, those of shared tensors once
  std::int64_t trainable = 0;        ///< of these, those that collect gradients
  std::int64_t multiply_adds = 0;

  std::string text() const;
  /// The tree of modules in the language DOT of Graphviz: a box for each, with its type, shape and parameters.
  std::string dot() const;
};
std::ostream& operator<<(std::ostream& out, const ModelSummary& summary);

namespace detail {

/// Collects the rows of a summary: modules as they are walked, then their calls, and what operators multiply.
class Summarizer final : public CallObserver, public CallWatch {
 public:
  explicit Summarizer(ModelSummary& summary);

  // Walking.
  template <class T>
  void operator()(const std::string& name, T& x) {
    using M = std::remove_const_t<T>;
    if constexpr (std::is_base_of_v<Tensor, M>)
      add_tensor(x, std::is_same_v<M, Parameter>);
    else if constexpr (std::is_same_v<M, ErasedModule>)
      add_module(name, x.name(), x.as_called());
    else if constexpr (has_row<M>)
      add_module(name, layer_name<M>(), {&x, &typeid(M)});
  }
  template <class T>
  void leave(const std::string&, T&) {
    if constexpr (has_row<std::remove_const_t<T>>) open_.pop_back();
  }

  /// Watches what this thread does for a scope.
  class Scope {
   public:
    explicit Scope(Summarizer& s) : outer_(std::exchange(call_watch, &s)), guard_(s, true) {}
    Scope(const Scope&) = delete;
    ~Scope() { call_watch = outer_; }

   private:
    CallWatch* outer_;
    CallObserverGuard guard_;
  };

  bool observes(const OperatorHandle& op) const override;
  void begin(const ObservedCall& call) override;
  void end(const ObservedCall&) noexcept override { --inside_; }

 private:
  /// Options that are structs are no modules.
  template <class M>
  static constexpr bool has_row = std::is_same_v<M, ErasedModule> || is_module<M>() || computes<M>;
  void add_tensor(const Tensor& t, bool is_parameter);
  void add_module(const std::string& name, std::string type, const CalledLayer& layer);
  std::size_t find(const CalledLayer& layer) const;

  ModelSummary& summary_;
  std::vector<CalledLayer> layers_;  // of the rows
  std::vector<Tensor> seen_;
  std::vector<std::size_t> open_, called_;  // rows: those walked now, those called now
  int inside_ = 0;
};

/// The field `training` of every module, back at the end of a scope.
template <class Net>
class EvalScope {
 public:
  explicit EvalScope(Net& model) : model_(model) {
    each([&](auto& training) { before_.push_back(static_cast<bool>(training)); });
    eval(model);
  }
  EvalScope(const EvalScope&) = delete;
  ~EvalScope() {
    std::size_t i = 0;
    each([&](auto& training) { training = static_cast<bool>(before_[i++]); });
  }

 private:
  template <class F>
  void each(F f) {
    for_each_module(model_, [&](const std::string&, auto& m) {
      if constexpr (requires { m.training = true; }) f(m.training);
    });
  }
  Net& model_;
  std::vector<bool> before_;
};

}  // namespace detail

/// Calls a model once with inputs, in evaluation mode and without gradients, and tells what each of its modules did:
/// `std::cout << nn::summary(model, ops::rand({1, 3, 32, 32}));`. Multiply-adds are those of products of matrices,
/// convolutions and recurrent layers, as the operators did them. Training modes are as before afterwards.
/// Errors: those of the call.
template <class Net, class... X>
ModelSummary summary(Net& model, const X&... inputs) {
  ModelSummary out;
  detail::Summarizer summarizer(out);
  detail::descend(model, {}, summarizer);
  detail::EvalScope<Net> eval(model);
  NoGradGuard no_grad;
  detail::Summarizer::Scope watch(summarizer);
  static_cast<void>(detail::run(model, inputs...));
  return out;
}

}  // namespace tenon::nn
