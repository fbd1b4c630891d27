// Between typed arguments and boxed values: box, unbox, and the two adaptors that every signature has.
#pragma once
#include <tuple>
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/boxing/unbox.hpp>

namespace tenon {

class OperatorHandle;

/// A kernel in its boxed form: takes its arguments from the top of the stack and leaves its results there.
using BoxedFunction = void (*)(void* data, const OperatorHandle& op, KeySet keys, Stack& stack);

/// What a dispatch table holds for one kernel.
struct KernelRecord {
  AnyFunction unboxed = nullptr;      ///< of type signature<Sig>::function
  void* data = nullptr;               ///< its first argument
  AnyFunction unboxed_sym = nullptr;  ///< the form with symbolic integers
  BoxedFunction boxed = nullptr;
  void* boxed_data = nullptr;
};

namespace detail {

/// A typed argument or result as a boxed value.
template <class T>
Value box(const T& x) {
  if constexpr (std::is_constructible_v<Value, const T&> && !requires { typename T::value_type; })
    return Value(x);
  else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view> ||
                     std::is_same_v<T, Complex<double>>)
    return Value(x);
  else if constexpr (requires { x.has_value(); })
    return x ? box(*x) : Value();
  else {
    std::vector<Value> items;
    items.reserve(x.size());
    for (const auto& item : x) items.push_back(box(item));
    using E = std::remove_cvref_t<typename T::value_type>;
    constexpr ValueKind element = std::is_same_v<E, Tensor>                                      ? ValueKind::Tensor
                                  : std::is_same_v<E, std::int64_t> || std::is_same_v<E, SymInt> ? ValueKind::Int
                                  : std::is_same_v<E, double>                                    ? ValueKind::Double
                                  : std::is_same_v<E, bool>                                      ? ValueKind::Bool
                                                                                                 : ValueKind::None;
    return Value::list(std::move(items), element);
  }
}
inline Value box(Tensor&& t) { return Value(std::move(t)); }
inline Value box(const Tensor& t) { return Value(t); }

template <class R>
void push_result(Stack& stack, R&& result) {
  stack.push_back(box(std::forward<R>(result)));
}
template <class... R>
void push_result(Stack& stack, std::tuple<R...>&& results) {
  std::apply([&](auto&&... r) { (push_result(stack, std::forward<decltype(r)>(r)), ...); }, std::move(results));
}

template <class R>
R pop_result(Value& v) {
  if constexpr (std::is_same_v<R, Tensor>)
    return v.is_none() ? Tensor() : std::move(v.to_tensor());
  else if constexpr (std::is_same_v<R, std::string>)
    return std::string(v.to_string_view());
  else if constexpr (std::is_same_v<R, Value>)
    return std::move(v);
  else if constexpr (requires { typename R::value_type; } && !is_complex_v<R>) {
    using E = typename R::value_type;
    if constexpr (std::is_same_v<R, std::optional<E>>)
      return v.is_none() ? R() : R(pop_result<E>(v));
    else {
      R list;
      for (Value& item : v.to_list()) list.push_back(pop_result<E>(item));
      return list;
    }
  } else {
    auto held = unboxer<R>::hold(v);
    return R(unboxer<R>::get(held));
  }
}
template <class R>
struct result_values {
  using type = R;
};
template <class... R>
struct result_values<std::tuple<R...>> {
  using type = std::tuple<std::remove_cvref_t<R>...>;
};
template <class T>
struct result_tuple;
template <class... R>
struct result_tuple<std::tuple<R...>> {
  static std::tuple<R...> from(Stack& stack) {
    return [&]<std::size_t... At>(std::index_sequence<At...>) { return std::tuple<R...>{pop_result<R>(stack[At])...}; }
    (std::index_sequence_for<R...>{});
  }
};

[[noreturn, gnu::cold]] void wrong_result_count(std::size_t expected, std::size_t found);

[[noreturn, gnu::cold]] void symbolic_meets_plain(std::string_view op, const bool* plain);

/// Leaves a result where the arguments lay. Written tensors lie on the stack that is cut off.
void leave_tensor(Stack& stack, std::size_t base, Tensor&& result);
void leave_nothing(Stack& stack, std::size_t base);
template <class R>
TENON_COLD void leave_result(Stack& stack, std::size_t base, R&& result) {
  leave_nothing(stack, base);
  push_result(stack, std::forward<R>(result));
}
inline void leave_result(Stack& stack, std::size_t base, Tensor&& result) {
  leave_tensor(stack, base, std::move(result));
}

/// A boxed call with typed arguments, for code that is one for all signatures.
struct BoxedCall {
  BoxedFunction boxed;
  void* data;
  const OperatorHandle& op;
  KeySet keys;
  void (*const* box_into)(Stack&, const void* argument);  ///< per argument
  const void* const* arguments;
  std::size_t size;
};
template <class T>
TENON_COLD void box_into(Stack& stack, const void* argument) {
  stack.push_back(box(*static_cast<const T*>(argument)));
}
/// Boxes the arguments and runs the kernel; its results are left on the stack.
void run_boxed(const BoxedCall& call, Stack& stack);
void run_boxed_for_reference(const BoxedCall& call);
template <class R>
TENON_COLD R run_boxed_for(const BoxedCall& call) {
  constexpr std::size_t expected = [] {
    if constexpr (std::is_void_v<R>)
      return 0;
    else if constexpr (is_tuple_v<R>)
      return std::tuple_size_v<R>;
    else
      return 1;
  }();
  Stack stack;
  run_boxed(call, stack);
  if (stack.size() != expected) wrong_result_count(expected, stack.size());
  if constexpr (is_tuple_v<R>)
    return result_tuple<R>::from(stack);
  else if constexpr (!std::is_void_v<R>)
    return pop_result<R>(stack[0]);
}

template <class Sig>
struct adaptors;
template <class R, class... A>
struct adaptors<R(A...)> {
  /// Boxes argument i from where it lies.
  static constexpr void (*box_each[])(Stack&, const void*) = {&box_into<std::remove_cvref_t<A>>..., nullptr};

  using fn = typename signature<R(A...)>::function;
  using plain_fn = typename signature<typename signature<R(A...)>::plain>::function;

  /// Calls a kernel record with typed arguments, whatever integers it takes; they stay as they are. `op` is for the
  /// message when a symbolic integer meets a kernel that has only a plain form.
  [[gnu::always_inline]] static R call_record(const KernelRecord& record, KeySet keys, std::string_view op,
                                              A&&... args) {
    return call_record_as<A...>(record, keys, op, static_cast<A&&>(args)...);
  }
  /// The same with arguments that nobody uses after it.
  [[gnu::always_inline]] static R call_record_last(const KernelRecord& record, KeySet keys, std::string_view op,
                                                   A&&... args) {
    return call_record_as<A&&...>(record, keys, op, static_cast<A&&>(args)...);
  }
  template <class... Given>
  [[gnu::always_inline]] static R call_record_as(const KernelRecord& record, KeySet keys, std::string_view op,
                                                 A&&... args) {
    if constexpr (signature<R(A...)>::symbolic) {
      if (record.unboxed && (true && ... && plain_or_other(args)))
        return reinterpret_cast<plain_fn>(record.unboxed)(record.data, keys, lower<A>(args)...);
      if (!record.unboxed_sym) [[unlikely]] {
        bool plain[] = {plain_or_other(args)...};
        symbolic_meets_plain(op, plain);
      }
      return reinterpret_cast<fn>(record.unboxed_sym)(record.data, keys, static_cast<Given>(args)...);
    } else {
      return reinterpret_cast<fn>(record.unboxed)(record.data, keys, static_cast<Given>(args)...);
    }
  }
  template <class T>
  static decltype(auto) lower(std::remove_reference_t<T>& x) {
    if constexpr (is_symbolic_type_v<T>)
      return to_plain(x);
    else
      return static_cast<T>(x);
  }
  template <class T>
  [[gnu::always_inline]] static bool plain_or_other(const T& x) {
    if constexpr (is_symbolic_type_v<T>)
      return all_plain(x);
    else
      return true;
  }

  /// The boxed face of a typed kernel; `data` is its KernelRecord.
  TENON_COLD static void boxed_from_unboxed(void* data, const OperatorHandle&, KeySet keys, Stack& stack) {
    const auto& record = *static_cast<const KernelRecord*>(data);
    std::size_t base = stack.size() - sizeof...(A);
    [&]<std::size_t... At>(std::index_sequence<At...>) {
      auto run = [&](auto&&... held) -> R {
        return call_record(record, keys, {}, unboxer<std::remove_cvref_t<A>>::get(held)...);
      };
      [[maybe_unused]] Value* top = stack.data() + base;
      if constexpr (std::is_void_v<R>) {
        run(hold_argument<A>(top[At])...);
        leave_nothing(stack, base);
      } else if constexpr (std::is_reference_v<R>) {
        leave_tensor(stack, base, Tensor(run(hold_argument<A>(top[At])...)));
      } else {
        typename result_values<R>::type result = run(hold_argument<A>(top[At])...);
        leave_result(stack, base, std::move(result));
      }
    }
    (std::index_sequence_for<A...>{});
  }

  /// Boxes the arguments, runs a boxed kernel and takes its results. In-place and out operators return the caller's own
  /// tensor.
  TENON_COLD static R call_boxed(BoxedFunction boxed, void* data, const OperatorHandle& op, KeySet keys,
                                 std::remove_reference_t<A>&... args) {
    const void* const arguments[] = {&args..., nullptr};
    BoxedCall call{boxed, data, op, keys, box_each, arguments, sizeof...(A)};
    if constexpr (std::is_same_v<R, Tensor&>) {
      static_assert(kWritten != 0, "tenon: an operator that returns a Tensor reference must have a Tensor& parameter");
      run_boxed_for_reference(call);
      Tensor* written[] = {written_tensor<A>(args)...};
      // In place: the first argument; out: the last that is written.
      return *written[written[0] ? 0 : nth_written(kWritten - 1)];
    } else if constexpr (std::is_same_v<R, const Tensor&>) {
      run_boxed_for_reference(call);
      const Tensor* given[] = {any_tensor(args)...};
      return *given[0];
    } else if constexpr (references_in<R>::value != 0) {
      return with_references(call, static_cast<R*>(nullptr), written_tensor<A>(args)...);
    } else
      return run_boxed_for<R>(call);
  }

 private:
  template <class T>
  static Tensor* written_tensor(std::remove_reference_t<T>& x) {
    if constexpr (std::is_same_v<T, Tensor&>)
      return &x;
    else
      return nullptr;
  }
  template <class T>
  static const Tensor* any_tensor(const T& x) {
    if constexpr (std::is_same_v<T, Tensor>)
      return &x;
    else
      return nullptr;
  }
  static constexpr std::size_t kWritten = (std::size_t{0} + ... + std::is_same_v<A, Tensor&>);
  /// The position of the written argument number `n`.
  static constexpr std::size_t nth_written(std::size_t n) {
    constexpr bool written[] = {std::is_same_v<A, Tensor&>..., false};
    std::size_t i = 0;
    while (!written[i] || n-- != 0) ++i;
    return i;
  }
  template <class T>
  struct references_in {
    static constexpr std::size_t value = 0;
  };
  template <class... T>
  struct references_in<std::tuple<T...>> {
    static constexpr std::size_t value = (std::size_t{0} + ... + std::is_same_v<T, Tensor&>);
  };
  /// A tuple whose references are the last written arguments, in order, and whose other members the kernel left.
  template <class... T, class... Written>
  static std::tuple<T...> with_references(const BoxedCall& call, std::tuple<T...>*, Written... each) {
    constexpr std::size_t n = references_in<std::tuple<T...>>::value;
    static_assert(
        kWritten >= n,
        "tenon: an operator that returns a tuple with Tensor references must have as many Tensor& parameters");
    Stack stack;
    run_boxed(call, stack);
    if (n != sizeof...(T) && stack.size() != sizeof...(T)) wrong_result_count(sizeof...(T), stack.size());
    Tensor* written[] = {each..., nullptr};
    std::size_t reference = kWritten - n, at = 0;
    auto next = [&]<class U>(std::type_identity<U>) -> U {
      std::size_t position = at++;
      if constexpr (std::is_same_v<U, Tensor&>)
        return *written[nth_written(reference++)];
      else
        return pop_result<U>(stack[position]);
    };
    return std::tuple<T...>{next(std::type_identity<T>{})...};
  }
};

}  // namespace detail
}  // namespace tenon
