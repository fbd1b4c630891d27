// Functions that are called before and after a module.
#pragma once
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/nn/container.hpp>
#include <tenon/nn/module.hpp>

namespace tenon::nn {

/// Called with the inputs before a module is; what it writes to them the module gets.
using ForwardPreHook = std::function<void(std::vector<Tensor>& inputs)>;
/// Called after a module with its inputs and outputs; what it writes to the outputs the caller gets.
using ForwardHook = std::function<void(const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs)>;

/// The hooks of a module, in the order in which they were added; copies have hooks of their own.
class ForwardHooks {
 public:
  /// Returns a number that removes the hook again.
  std::int64_t add(ForwardPreHook hook) {
    before_.emplace_back(++last_, std::move(hook));
    return last_;
  }
  std::int64_t add(ForwardHook hook) {
    after_.emplace_back(++last_, std::move(hook));
    return last_;
  }
  /// Whether there was such a hook.
  bool remove(std::int64_t number) {
    auto is = [&](const auto& hook) { return hook.first == number; };
    return std::erase_if(before_, is) + std::erase_if(after_, is) > 0;
  }
  bool empty() const { return before_.empty() && after_.empty(); }
  void before(std::vector<Tensor>& inputs) const {
    for (const auto& [number, hook] : before_) hook(inputs);
  }
  void after(const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs) const {
    for (const auto& [number, hook] : after_) hook(inputs, outputs);
  }

 private:
  std::vector<std::pair<std::int64_t, ForwardPreHook>> before_;
  std::vector<std::pair<std::int64_t, ForwardHook>> after_;
  std::int64_t last_ = 0;
};

namespace detail {

/// Tensors of a result, which may be a tuple, in a row.
template <class R>
inline constexpr bool has_results = std::is_convertible_v<R, Tensor>;
template <class... R>
inline constexpr bool has_results<std::tuple<R...>> = (has_results<R> && ...);
template <class A, class B>
inline constexpr bool has_results<std::pair<A, B>> = has_results<A>&& has_results<B>;
template <class R>
  requires requires { typename R::unnamed; }
inline constexpr bool has_results<R> = has_results<typename R::unnamed>;
template <class R>
void append_results(std::vector<Tensor>& to, const R& result) {
  if constexpr (std::is_convertible_v<R, Tensor>)
    to.push_back(result);
  else
    std::apply([&](const auto&... part) { (append_results(to, part), ...); }, result);
}
/// And back.
template <class R>
void take_results(R& result, const std::vector<Tensor>& from, std::size_t& next) {
  if constexpr (std::is_convertible_v<R, Tensor>)
    result = from.at(next++);
  else
    std::apply([&](auto&... part) { (take_results(part, from, next), ...); }, result);
}

}  // namespace detail

/// A module with hooks, in the place of the module: `Hooked<Linear> head = Linear{64, 10};`. It is called as the module
/// is, and names of parameters stay what they are; `*head` and `head->weight` are the module's own.
template <class M>
class Hooked {
 public:
  using element_type = M;
  Hooked(M module) : module_(std::move(module)) {}
  M* get() { return &module_; }
  const M* get() const { return &module_; }
  M& operator*() { return module_; }
  const M& operator*() const { return module_; }
  M* operator->() { return &module_; }
  const M* operator->() const { return &module_; }
  explicit operator bool() const { return true; }

  /// The same as for the module, with the hooks around it. Errors: what a hook throws.
  template <class... X>
  auto operator()(const X&... x) const {
    if constexpr ((std::is_convertible_v<const X&, Tensor> && ...)) {
      using R = std::remove_cvref_t<decltype(detail::run(module_, x...))>;
      static_assert(detail::has_results<R>, "tenon: a module with hooks returns something else than tensors");
      if (hooks_.empty()) return R(detail::run(module_, x...));
      std::vector<Tensor> inputs{Tensor(x)...}, outputs;
      hooks_.before(inputs);
      R result = [&]<std::size_t... I>(std::index_sequence<I...>)->R { return detail::run(module_, inputs.at(I)...); }
      (std::index_sequence_for<X...>());
      detail::append_results(outputs, result);
      hooks_.after(inputs, outputs);
      std::size_t next = 0;
      detail::take_results(result, outputs, next);
      return result;
    } else {
      static_assert(sizeof(M) == 0, "tenon: a module with hooks is called with tensors alone");
    }
  }
  std::int64_t register_forward_pre_hook(ForwardPreHook hook) { return hooks_.add(std::move(hook)); }
  std::int64_t register_forward_hook(ForwardHook hook) { return hooks_.add(std::move(hook)); }
  bool remove_hook(std::int64_t number) { return hooks_.remove(number); }

 private:
  M module_;
  ForwardHooks hooks_;
};

}  // namespace tenon::nn
