// Functions of one's own in the graph: a forward and a backward pass, in C++ with any arguments.
#pragma once
#include <any>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include <tenon/autograd/detail/function_arguments.hpp>
#include <tenon/autograd/saved.hpp>
#include <tenon/autograd/transformed.hpp>
#include <tenon/boxing/signature.hpp>

namespace tenon::autograd {

namespace detail {
class FunctionNode;
struct PlainFunction;
}  // namespace detail

/// What the forward pass of a function leaves for its backward pass.
class AutogradContext {
 public:
  AutogradContext() = default;
  AutogradContext(const AutogradContext&) = delete;
  AutogradContext& operator=(const AutogradContext&) = delete;

  /// Keeps arguments and results; others too, though gradients of gradients do not flow through them. Once per call.
  void save_for_backward(std::vector<Tensor> tensors) { to_save_ = std::move(tensors); }
  /// The same for `jvp`, which otherwise finds what was saved for the backward pass.
  void save_for_forward(std::vector<Tensor> tensors) { for_forward_ = std::move(tensors); }
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
  friend struct detail::PlainFunction;
  std::vector<Tensor> to_save_, dirty_, non_differentiable_;
  std::optional<std::vector<Tensor>> for_forward_, restored_;  // restored: instead of what the node has
  std::vector<char> needs_;                                    // of each argument
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
  const Backward& backward() const { return backward_; }
  bool once() const { return once_; }
  void apply(Tensor* grads, Tensor* out) override { run(grads, out); }
  void release_saved() override { drop(); }
  void each_saved(void (*visit)(void*, const Tensor&), void* to) const override { visit_saved(visit, to); }
  std::string place_of(const SavedTensor& saved) const override { return find_place(saved); }

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
  std::string find_place(const SavedTensor& saved) const;
  std::vector<Tensor> gradients(TensorList grads);

  std::string name_;
  Backward backward_;
  std::vector<int> counts_;
  std::vector<SavedTensor> saved_;
  bool once_, records_ = false, released_ = false;
};

/// `ScaleBackward` of the class Scale.
std::string function_name(const std::type_info& type);
/// One gradient for each tensor argument of what a backward pass returned. Throws AutogradError for another number.
std::vector<Tensor> gradient_of_each(std::vector<Tensor> list, const std::vector<int>& counts, const std::string& name);

/// A function of one's own without its types, for tensors that stand for others within transforms.
struct PlainFunction {
  using Dims = std::vector<std::optional<std::int64_t>>;
  std::string name;
  bool once;
  std::vector<int> counts;  ///< as FunctionNode::begin() takes them
  std::function<std::vector<Tensor>(AutogradContext&, const std::vector<Tensor>& tensors)> forward;
  FunctionNode::Backward backward;
  FunctionNode::Backward jvp = {};  ///< may be empty, as the next
  std::function<std::pair<std::vector<Tensor>, Dims>(std::int64_t examples, const Dims& in_dims,
                                                     const std::vector<Tensor>& tensors)>
      vmap = {};

  /// Runs it where no tensor is of a transform.
  std::vector<Tensor> operator()(const std::vector<Tensor>& tensors) const;

  /// What a context holds between the passes.
  struct Kept {
    std::vector<Tensor>&to_save, &dirty, &non_differentiable;
    std::optional<std::vector<Tensor>>&for_forward, &restored;
    std::vector<char>& needs;
    bool& materialize;
  };
  static Kept kept(AutogradContext& c) {
    return {c.to_save_, c.dirty_, c.non_differentiable_, c.for_forward_, c.restored_, c.needs_, c.materialize_};
  }
};
/// How it runs within transforms, which set this before they make tensors.
using RunTransformed = std::vector<Tensor> (*)(const PlainFunction& f, const std::vector<Tensor>& tensors);
RunTransformed& run_transformed();

inline bool any_transformed(const std::vector<Tensor>& tensors) {
  for (const Tensor& t : tensors)
    if (is_transformed(t)) return true;
  return false;
}

/// `F`: a class with optional `jvp` and `vmap`, or void.
template <class F, class Forward, class... A>
auto call_transformed(const FunctionNode& node, std::vector<int> counts, const std::vector<Tensor>& tensors,
                      Forward& forward, A&&... args) {
  using R = std::invoke_result_t<Forward&, AutogradContext&, A...>;
  std::optional<R> result;
  PlainFunction plain{node.name(), node.once(), std::move(counts), {}, node.backward()};
  plain.forward = [&](AutogradContext& ctx, const std::vector<Tensor>& now) {
    auto own = replaced_arguments(now, args...);
    result.emplace(std::apply([&](auto&... x) { return forward(ctx, static_cast<A&&>(x)...); }, own));
    return copies_of_results(*result);
  };
  if constexpr (requires { &F::jvp; }) {
    static_assert(std::is_invocable_v<decltype(&F::jvp), AutogradContext&, TensorList>,
                  "tenon: a function's jvp cannot be called with (AutogradContext&, TensorList tangents)");
    if constexpr (std::is_invocable_v<decltype(&F::jvp), AutogradContext&, TensorList>)
      plain.jvp = [](AutogradContext& ctx, TensorList tangents) { return gradient_list(F::jvp(ctx, tangents)); };
  }
  if constexpr (requires { &F::vmap; }) {
    using Dims = PlainFunction::Dims;
    constexpr bool fits =
        std::is_invocable_r_v<std::pair<R, Dims>, decltype(&F::vmap), std::int64_t, const Dims&, A...>;
    static_assert(fits,
                  "tenon: a function's vmap cannot be called with (int64_t examples, in_dims, the arguments of "
                  "apply...), or does not return a std::pair of what forward does and the results' dims");
    if constexpr (fits)
      plain.vmap = [&](std::int64_t examples, const Dims& in_dims, const std::vector<Tensor>& now) {
        auto own = replaced_arguments(now, args...);
        std::pair<R, Dims> all =
            std::apply([&](auto&... x) { return F::vmap(examples, in_dims, static_cast<A&&>(x)...); }, own);
        result.emplace(std::move(all.first));
        return std::pair(copies_of_results(*result), std::move(all.second));
      };
  }
  std::vector<Tensor> outside = run_transformed()(plain, tensors);
  std::size_t next = 0;
  for (Tensor* t : results_in(*result)) *t = std::move(outside[next++]);
  return std::move(*result);
}

template <class F, class Forward, class... A>
auto call_function(intrusive_ptr<FunctionNode> node, Forward&& forward, A&&... args) {
  std::vector<Tensor> tensors;
  std::vector<int> counts;
  (tensors_in<std::remove_cvref_t<A>>::add(args, tensors, counts), ...);
  if (any_transformed(tensors)) [[unlikely]]
    return call_transformed<F>(*node, std::move(counts), tensors, forward, std::forward<A>(args)...);
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
/// them. With `static constexpr bool once_differentiable = true` it runs without recording, too.
///
/// Within transforms (vmap, grad, jvp, .. of tenon/func.hpp) the same passes run on tensors of the transform. Optional:
/// `static .. jvp(AutogradContext& ctx, TensorList tangents)` gives the results' tangents from those of the tensor
/// arguments; without it they come from the gradient of `backward`. `static std::pair<R, Dims> vmap(std::int64_t
/// examples, const Dims& in_dims, ...)`, with Dims a std::vector<std::optional<std::int64_t>>, computes all examples at
/// once from whole tensors: in_dims tells for each tensor where the examples are, if it has any, and so does what is
/// returned for each result. Errors: AutogradError
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
      return detail::call_function<F>(std::move(node), &F::forward, std::forward<A>(args)...);
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
    return detail::call_function<void>(
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
