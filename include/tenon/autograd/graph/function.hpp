// Functions of one's own in the graph: a forward and a backward pass, in C++ with any arguments.
#pragma once
#include <any>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include <tenon/autograd/saved.hpp>
#include <tenon/boxing/signature.hpp>

namespace tenon::autograd {

namespace detail {
class FunctionNode;
}

/// What the forward pass of a function leaves for its backward pass.
class AutogradContext {
 public:
  AutogradContext() = default;
  AutogradContext(const AutogradContext&) = delete;
  AutogradContext& operator=(const AutogradContext&) = delete;

  /// Keeps arguments and results; others too, though gradients of gradients do not flow through them. Once per call.
  void save_for_backward(std::vector<Tensor> tensors) { to_save_ = std::move(tensors); }
  /// Declares that the forward pass wrote to arguments; it must return them.
  void mark_dirty(std::vector<Tensor> tensors) { dirty_ = std::move(tensors); }
  /// Declares that results need no gradient.
  void mark_non_differentiable(std::vector<Tensor> tensors) { non_differentiable_ = std::move(tensors); }
  /// Whether undefined gradients come to the backward pass as zeros; so they do unless this is called.
  void set_materialize_grads(bool on) { materialize_ = on; }
  /// Whether the backward pass must give a gradient of the argument with that place in `forward`, counted without the
  /// context.
  bool needs_input_grad(std::size_t argument) const { return argument < needs_.size() && needs_[argument]; }

  /// What was saved. Throws AutogradError if it was written to since, or freed by an earlier run.
  std::vector<Tensor> saved_tensors() const;

  /// Anything else to keep.
  std::map<std::string, std::any, std::less<>> saved_data;
  template <class T>
  const T& get(std::string_view name) const {
    auto at = saved_data.find(name);
    const T* value = at == saved_data.end() ? nullptr : std::any_cast<T>(&at->second);
    if (!value) fail<TypeError>("AutogradContext::get(): nothing of the asked type was kept as '", name, "'");
    return *value;
  }

 private:
  friend class detail::FunctionNode;
  std::vector<Tensor> to_save_, dirty_, non_differentiable_;
  std::vector<char> needs_;  // of each argument
  bool materialize_ = true;
  detail::FunctionNode* node_ = nullptr;
};

namespace detail {

/// The node of a call: its context, and its backward pass without types.
class FunctionNode final : public VectorNode {
 public:
  using Backward = std::function<std::vector<Tensor>(AutogradContext&, TensorList)>;
  FunctionNode(std::string name, Backward backward, bool once)
      : name_(std::move(name)), backward_(std::move(backward)), once_(once) {
    runs_without_gradients_ = true;
    context.node_ = this;
  }
  std::string name() const override { return name_; }
  void apply(Tensor* grads, Tensor* out) override { run(grads, out); }
  void release_saved() override { drop(); }
  void each_saved(void (*visit)(void*, const Tensor&), void* to) const override { visit_saved(visit, to); }

  /// Edges of the arguments. `counts`: how many tensors each has, or -1 for one that is no tensor.
  void begin(const std::vector<Tensor>& tensors, std::vector<int> counts);
  /// Gives the results their place in the graph; a null pointer stands for a result that is no tensor.
  void finish(const std::vector<Tensor>& arguments, const std::vector<Tensor*>& results);
  std::vector<Tensor> saved() const;
  bool records() const { return records_; }
  AutogradContext context;

 private:
  void run(Tensor* grads, Tensor* out);
  void drop();
  void visit_saved(void (*visit)(void*, const Tensor&), void* to) const;
  std::vector<Tensor> gradients(TensorList grads);

  std::string name_;
  Backward backward_;
  std::vector<int> counts_;
  std::vector<SavedTensor> saved_;
  bool once_, records_ = false, released_ = false;
};

/// `ScaleBackward` of the class Scale.
std::string function_name(const std::type_info& type);

template <class T>
struct tensors_in {
  static constexpr bool any = false;
  static void add(const T&, std::vector<Tensor>&, std::vector<int>& counts) { counts.push_back(-1); }
};
template <>
struct tensors_in<Tensor> {
  static constexpr bool any = true;
  static void add(const Tensor& t, std::vector<Tensor>& to, std::vector<int>& counts) {
    to.push_back(t);
    counts.push_back(1);
  }
};
template <>
struct tensors_in<std::optional<Tensor>> {
  static constexpr bool any = true;
  static void add(const std::optional<Tensor>& t, std::vector<Tensor>& to, std::vector<int>& counts) {
    to.push_back(t ? *t : Tensor());
    counts.push_back(1);
  }
};
template <class T>
  requires(std::is_convertible_v<const T&, TensorList> && !std::is_same_v<T, Tensor>)
struct tensors_in<T> {
  static constexpr bool any = true;
  static void add(const T& list, std::vector<Tensor>& to, std::vector<int>& counts) {
    TensorList tensors = list;
    to.insert(to.end(), tensors.begin(), tensors.end());
    counts.push_back(static_cast<int>(tensors.size()));
  }
};

/// The tensors of what a forward pass returns.
template <class R>
constexpr bool is_function_result = std::is_same_v<R, Tensor> || std::is_same_v<R, std::vector<Tensor>>;
template <std::size_t N>
constexpr bool is_function_result<std::array<Tensor, N>> = true;
template <class... R>
constexpr bool is_function_result<std::tuple<R...>> = (std::is_same_v<R, Tensor> || ...);
template <class R>
std::vector<Tensor*> results_in(R& result) {
  std::vector<Tensor*> list;
  if constexpr (std::is_same_v<R, Tensor>) {
    list.push_back(&result);
  } else if constexpr (requires { std::tuple_size<R>::value; }) {
    std::apply(
        [&](auto&... x) {
          auto one = [&]<class X>(X& value) {
            if constexpr (std::is_same_v<X, Tensor>) list.push_back(&value);
          };
          (one(x), ...);
        },
        result);
  } else {
    for (Tensor& t : result) list.push_back(&t);
  }
  return list;
}
template <class R>
std::vector<Tensor> gradient_list(R result) {
  if constexpr (std::is_same_v<R, std::vector<Tensor>>)
    return result;
  else if constexpr (std::is_convertible_v<R, Tensor>)
    return {Tensor(std::move(result))};
  else
    return std::apply([](auto&&... x) { return std::vector<Tensor>{Tensor(std::move(x))...}; }, std::move(result));
}
template <class R>
constexpr bool is_gradient_list = std::is_convertible_v<R, Tensor> || std::is_same_v<R, std::vector<Tensor>>;
template <std::size_t N>
constexpr bool is_gradient_list<std::array<Tensor, N>> = true;
template <class... R>
constexpr bool is_gradient_list<std::tuple<R...>> = (std::is_convertible_v<R, Tensor> && ...);

template <class Forward, class... A>
auto call_function(intrusive_ptr<FunctionNode> node, Forward&& forward, A&&... args) {
  std::vector<Tensor> tensors;
  std::vector<int> counts;
  (tensors_in<std::remove_cvref_t<A>>::add(args, tensors, counts), ...);
  node->begin(tensors, std::move(counts));
  auto result = [&] {
    AutoGradMode no_grad(false);
    return forward(node->context, std::forward<A>(args)...);
  }();
  node->finish(tensors, results_in(result));
  return result;
}

template <class F>
constexpr bool differentiates_once = false;
template <class F>
  requires requires { F::once_differentiable; }
constexpr bool differentiates_once<F> = F::once_differentiable;

}  // namespace detail

/// Base of a function with a backward pass of its own:
///
///     struct Scale : autograd::Function<Scale> {
///       static Tensor forward(AutogradContext& ctx, const Tensor& x, double by);
///       static Tensor backward(AutogradContext& ctx, TensorList grads);
///     };
///     Tensor y = Scale::apply(x, 3.0);
///
/// `forward` takes tensors, optional tensors, lists of tensors and anything else, and returns a Tensor, a
/// std::vector<Tensor>, a std::array of tensors or a std::tuple in which some are tensors; it runs without recording.
/// `backward` gets the gradients of the returned tensors and returns one gradient for each tensor argument, or one for
/// each argument, undefined for what is no tensor or needs none: a Tensor, a std::vector, std::array or std::tuple of
/// them. With `static constexpr bool once_differentiable = true` it runs without recording, too. Errors: AutogradError
/// if `backward` returns another number of gradients, if what was marked dirty is not returned, or if a leaf that
/// requires grad was written to.
template <class F>
struct Function {
  template <class... A>
  static auto apply(A&&... args) {
    static_assert(
        requires { &F::forward; },
        "tenon: a function of one's own lacks `static R forward(AutogradContext& ctx, ...)`, or has several");
    static_assert(std::is_invocable_v<decltype(&F::forward), AutogradContext&, A...>,
                  "tenon: a function's forward cannot be called with (AutogradContext&, the arguments of apply...)");
    static_assert(std::is_invocable_v<decltype(&F::backward), AutogradContext&, TensorList>,
                  "tenon: a function of one's own lacks `static R backward(AutogradContext& ctx, TensorList grads)`");
    if constexpr (std::is_invocable_v<decltype(&F::forward), AutogradContext&, A...> &&
                  std::is_invocable_v<decltype(&F::backward), AutogradContext&, TensorList>) {
      using Result = std::invoke_result_t<decltype(&F::forward), AutogradContext&, A...>;
      using Grads = std::invoke_result_t<decltype(&F::backward), AutogradContext&, TensorList>;
      static_assert(detail::is_function_result<typename tenon::detail::without_names<Result>::type>,
                    "tenon: a function's forward returns something without tensors: expected a Tensor, a "
                    "std::vector<Tensor>, a std::array of them or a std::tuple with some");
      static_assert(detail::is_gradient_list<typename tenon::detail::without_names<Grads>::type>,
                    "tenon: a function's backward returns something else than gradients: expected a Tensor, a "
                    "std::vector<Tensor>, or a std::array or std::tuple of them");
      static_assert((detail::tensors_in<std::remove_cvref_t<A>>::any || ...),
                    "tenon: a function of one's own has no tensor argument, so nothing to differentiate by");
      auto node = make_intrusive<detail::FunctionNode>(
          detail::function_name(typeid(F)),
          [](AutogradContext& ctx, TensorList grads) { return detail::gradient_list(F::backward(ctx, grads)); },
          detail::differentiates_once<F>);
      return detail::call_function(std::move(node), &F::forward, std::forward<A>(args)...);
    }
  }
};

/// One expression with a gradient of its own: `forward(x...)` is the value, and `backward(grad, x...)` or
/// `backward(grad, result, x...)` gives a gradient for each x: a Tensor, or a std::vector, std::array or std::tuple.
/// All x are tensors, and are saved.
template <class Forward, class Backward, class... X>
Tensor custom_gradient(Forward forward, Backward backward, const X&... x) {
  static_assert(sizeof...(X) > 0 && (std::is_same_v<X, Tensor> && ...),
                "tenon: custom_gradient(forward, backward, x...) takes tensors only; capture what is none");
  static_assert(std::is_invocable_r_v<Tensor, Forward&, const X&...>,
                "tenon: custom_gradient(): forward(x...) does not give a Tensor");
  constexpr bool plain = std::is_invocable_v<Backward&, const Tensor&, const X&...>,
                 with_result = std::is_invocable_v<Backward&, const Tensor&, const Tensor&, const X&...>;
  static_assert(
      plain || with_result,
      "tenon: custom_gradient(): backward can be called neither with (grad, x...) nor with (grad, result, x...)");
  if constexpr (plain || with_result) {
    auto node = make_intrusive<detail::FunctionNode>(
        "CustomGradientBackward",
        [backward](AutogradContext& ctx, TensorList grads) {
          std::vector<Tensor> saved = ctx.saved_tensors();
          return [&]<std::size_t... I>(std::index_sequence<I...>) {
            if constexpr (plain)
              return detail::gradient_list(backward(grads[0], saved[I + 1]...));
            else
              return detail::gradient_list(backward(grads[0], saved[0], saved[I + 1]...));
          }
          (std::index_sequence_for<X...>{});
        },
        false);
    return detail::call_function(
        std::move(node),
        [&](AutogradContext& ctx, const X&... tensors) {
          Tensor result = forward(tensors...);
          ctx.save_for_backward({with_result && !plain ? result : Tensor(), tensors...});
          return result;
        },
        x...);
  }
}

}  // namespace tenon::autograd
