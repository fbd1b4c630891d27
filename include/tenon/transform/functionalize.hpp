// Functions of tensors run without a write: functionalize(f).
#pragma once
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/keys/local_keys.hpp>
#include <tenon/boxing/each_tensor.hpp>
#include <tenon/transform/functional_tensor.hpp>

namespace tenon::functionalization {

namespace detail {

/// One call of a functionalized function: its inputs, and what becomes of them.
class Session {
 public:
  explicit Session(Remove remove);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();
  void add(const Tensor& input);
  /// Wraps what was added, and sends this thread's calls to the functionalizing kernel.
  void begin();
  Tensor wrapped(const Tensor& input) const;
  /// Ends that, and writes to the inputs what the function wrote to them.
  void end();
  Tensor plain(const Tensor& result) const;
  /// At last: gives the inputs the geometry that the function gave them.
  void finish();

 private:
  struct Input {
    Tensor given, functional;
    Tensor base;  // the given tensor, or all of its memory
    bool copied;
  };
  const Input* find(const Tensor& given) const;
  std::vector<Input> inputs_;
  LocalKeysGuard keys_;
  Remove before_, remove_;
  bool nested_;  // in another functionalized function, which sees to everything
};

using tenon::detail::each_tensor;
using tenon::detail::holds_tensors;
using tenon::detail::list_of_values;
using tenon::detail::tuple_like;

/// The same structure with other tensors; a reference to tensors becomes a vector.
template <class T, class F>
auto map_tensors(const T& x, F& f) {
  if constexpr (std::is_same_v<T, Tensor>)
    return f(x);
  else if constexpr (!holds_tensors<T>())
    return x;
  else if constexpr (tuple_like<T>)
    return std::apply([&](const auto&... item) { return T{map_tensors(item, f)...}; }, x);
  else if constexpr (list_of_values<T>) {
    std::vector<std::remove_cvref_t<typename T::value_type>> out;
    for (const auto& item : x) out.push_back(map_tensors(item, f));
    return out;
  } else {
    return x ? T(map_tensors(*x, f)) : T();
  }
}

/// What the function is called with: tensors replaced, all else as the caller gave it.
template <class A, class F>
decltype(auto) map_argument(A&& x, F& f) {
  if constexpr (holds_tensors<std::remove_cvref_t<A>>())
    return map_tensors<std::remove_cvref_t<A>>(x, f);
  else
    return static_cast<A&&>(x);
}

}  // namespace detail

/// What functionalize() returns; calls are those of the function.
template <class F>
class Functionalized {
 public:
  Functionalized(F f, Remove remove) : f_(std::move(f)), remove_(remove) {}

  template <class... A>
  auto operator()(A&&... args) const {
    detail::Session session(remove_);
    auto add = [&](const Tensor& t) { session.add(t); };
    (detail::each_tensor(args, add), ...);
    session.begin();
    auto wrap = [&](const Tensor& t) { return session.wrapped(t); };
    std::tuple<decltype(detail::map_argument(static_cast<A&&>(args), wrap))...> wrapped{
        detail::map_argument(static_cast<A&&>(args), wrap)...};
    using R = decltype(std::apply(f_, wrapped));
    if constexpr (std::is_void_v<R>) {
      std::apply(f_, wrapped);
      session.end();
      session.finish();
    } else {
      std::remove_cvref_t<R> result = std::apply(f_, wrapped);
      session.end();
      auto unwrap = [&](const Tensor& t) { return session.plain(t); };
      auto plain = detail::map_tensors(result, unwrap);
      session.finish();
      return plain;
    }
  }

 private:
  mutable F f_;
  Remove remove_;
};

/// A callable like `f` under which no tensor is written: each in-place or out operator of `f` becomes its functional
/// form, and at the end copy_ brings to the arguments what `f` wrote to them. With Remove::MutationsAndViews each view
/// becomes its `_copy` operator, or a view and a clone where there is none, too.
/// Arguments and results: tensors, optionals, vectors, pairs and tuples of them are replaced; all else passes.
/// Aliasing: a result that `f` returns as a view of an argument is one, unless views are removed.
/// Gradients: those of `f`. Tensors that `f` gets in another way are read as they are; writing to one is refused if
/// what is written is functional.
/// Errors: those of the operators; NotImplementedError for a writing operator without a functional form.
/// Source: torch.func.functionalize of PyTorch 2.15.
template <class F>
Functionalized<std::decay_t<F>> functionalize(F&& f, Remove remove = Remove::Mutations) {
  return {static_cast<F&&>(f), remove};
}

}  // namespace tenon::functionalization
