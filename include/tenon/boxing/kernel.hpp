// A kernel of any form: a function, a lambda, a boxed function, or the wish to be skipped.
#pragma once
#include <new>
#include <string>

#include <tenon/base/body.hpp>
#include <tenon/base/place.hpp>
#include <tenon/boxing/box.hpp>
#include <tenon/boxing/convert.hpp>

namespace tenon {

namespace detail {

/// Describes the C++ type `Sig`; one per type and program.
template <class Sig>
struct signature_info;
template <class R, class... A>
struct signature_info<R(A...)> {
  /// What a table slot calls when the kernel is boxed: `data` is a BoxedTarget.
  TENON_COLD static R unboxed_from_boxed(void* data, KeySet keys, A... args);
  static AnyFunction boxed_caller() { return reinterpret_cast<AnyFunction>(&unboxed_from_boxed); }
  static constexpr SignatureInfo value{&typeid(R(A...)),
                                       signature<R(A...)>::arg_codes,
                                       return_codes<R>::codes,
                                       sizeof...(A),
                                       return_codes<R>::count,
                                       signature<R(A...)>::symbolic,
                                       &boxed_caller,
                                       &typeid(typename signature<R(A...)>::plain),
                                       nullptr,
                                       adaptors<R(A...)>::box_each};
};
/// The description of a kernel of type `Actual` whose canonical type is `Sig`: it knows the words of every type.
template <class Sig, class Actual>
struct described_signature;
template <class Sig, class R, class... A>
struct described_signature<Sig, R(A...)> {
  TENON_COLD static std::string describe(int index) {
    std::string text;
    int i = 0;
    if (index >= 0)
      ((i++ == index ? void(text = words_of<A>::text()) : void()), ...);
    else
      returns<R>(text, -1 - index);
    return text;
  }
  template <class T>
  static void returns([[maybe_unused]] std::string& text, [[maybe_unused]] int index) {
    if constexpr (is_tuple_v<T>) {
      [&]<class... U>(std::type_identity<std::tuple<U...>>) {
        int i = 0;
        ((i++ == index ? void(text = words_of<U>::text()) : void()), ...);
      }(std::type_identity<T>{});
    } else if constexpr (!std::is_void_v<T>)
      text = words_of<T>::text();
  }
  static constexpr SignatureInfo make() {
    SignatureInfo info = signature_info<Sig>::value;
    info.describe = &describe;
    return info;
  }
  static constexpr SignatureInfo value = make();
};
template <class R>
inline constexpr bool result_words_v = std::is_void_v<R> || code_of<R>() != 0;
template <class... R>
inline constexpr bool result_words_v<std::tuple<R...>> = (result_words_v<R> && ... && true);
template <class R, class... A>
inline constexpr bool all_words_v = (code_of<A>() && ... && true) && result_words_v<R>;
template <class Sig, class R, class... A>
constexpr const SignatureInfo* description_of(std::type_identity<R(A...)>) {
  if constexpr (all_words_v<R, A...>)
    return &signature_info<Sig>::value;
  else
    return &described_signature<Sig, R(A...)>::value;
}

/// A boxed kernel together with the operator that it is called for.
struct BoxedTarget {
  BoxedFunction boxed;
  void* data;
  const OperatorHandle* op;
};
template <class R, class... A>
R signature_info<R(A...)>::unboxed_from_boxed(void* data, KeySet keys, A... args) {
  const auto& target = *static_cast<const BoxedTarget*>(data);
  return adaptors<R(A...)>::call_boxed(target.boxed, target.data, *target.op, keys, args...);
}

/// Reads the function type of a callable and drops a leading KeySet.
template <class F>
struct callable_of : callable_of<decltype(&F::operator())> {};
template <class R, class... A>
struct callable_of<R(A...)> {
  using type = typename without_names<R>::type(A...);
  static constexpr bool takes_keys = false;
};
template <class R, class... A>
struct callable_of<R(KeySet, A...)> {
  using type = typename without_names<R>::type(A...);
  static constexpr bool takes_keys = true;
};
template <class R, class... A>
struct callable_of<R(A...) noexcept> : callable_of<R(A...)> {};
template <class R, class... A>
struct callable_of<R (*)(A...)> : callable_of<R(A...)> {};
template <class R, class... A>
struct callable_of<R (*)(A...) noexcept> : callable_of<R(A...)> {};
template <class C, class R, class... A>
struct callable_of<R (C::*)(A...)> : callable_of<R(A...)> {};
template <class C, class R, class... A>
struct callable_of<R (C::*)(A...) const> : callable_of<R(A...)> {};
template <class C, class R, class... A>
struct callable_of<R (C::*)(A...) noexcept> : callable_of<R(A...)> {};
template <class C, class R, class... A>
struct callable_of<R (C::*)(A...) const noexcept> : callable_of<R(A...)> {};

template <class T>
inline constexpr bool is_signature_type_v =
    !(std::is_arithmetic_v<T> && !std::is_same_v<T, double> && !std::is_same_v<T, std::int64_t> &&
      !std::is_same_v<T, bool> && !std::is_same_v<T, std::int8_t>)&&!std::is_pointer_v<T>;
template <class T>
inline constexpr bool is_signature_type_v<std::vector<T>> = is_signature_type_v<T> && !std::is_same_v<T, bool>;
template <class T>
inline constexpr bool is_signature_type_v<std::optional<T>> = is_signature_type_v<T>;
/// A reference needs elements that lie in memory as the schema's canonical type has them.
template <class T>
inline constexpr bool is_signature_type_v<ArrayRef<T>> =
    is_signature_type_v<T>&& std::is_same_v<typename canonical_parameter<ArrayRef<T>>::type, ArrayRef<T>>;
template <class... T>
inline constexpr bool is_signature_type_v<std::tuple<T...>> = (is_signature_type_v<T> && ... && true);

/// A kernel's argument types must be ones that a schema can carry.
template <class T>
struct check_kernel_argument {
  static_assert(is_signature_type_v<std::remove_cvref_t<T>>,
                "tenon: a kernel argument or result has a type no operator schema can carry "
                "(take double for float, int64_t for other integers, string_view for const char*, ArrayRef<bool> for "
                "vector<bool>, ArrayRef<string_view> or vector<string> for ArrayRef<string>)");
};
template <class Sig>
inline constexpr bool kernel_types_ok_v = true;
template <class R, class... A>
inline constexpr bool kernel_types_ok_v<R(A...)> = (is_signature_type_v<std::remove_cvref_t<R>> && ... &&
                                                    is_signature_type_v<std::remove_cvref_t<A>>);
template <class T>
constexpr void explain_kernel_argument() {
  if constexpr (!is_signature_type_v<std::remove_cvref_t<T>>) (void)sizeof(check_kernel_argument<T>);
}
/// One error for each type that no schema can carry, and none after it.
template <class R, class... A>
constexpr void explain_kernel_types(std::type_identity<R(A...)>) {
  (explain_kernel_argument<R>(), ..., explain_kernel_argument<A>());
}

/// The function that a table slot points to: from the canonical type to the kernel's own.
template <class Sig, class Own, bool TakesKeys, auto F>
struct function_entry;
template <class R, class... A, class R2, class... B, bool TakesKeys, auto F>
struct function_entry<R(A...), R2(B...), TakesKeys, F> {
  static R call(void*, [[maybe_unused]] KeySet keys, A... args) {
    if constexpr (TakesKeys)
      return give_result<R, R2>([&]() -> R2 { return F(keys, give<B, A>(args)...); });
    else
      return give_result<R, R2>([&]() -> R2 { return F(give<B, A>(args)...); });
  }
};
template <class Sig, class Own, bool TakesKeys, class Functor>
struct functor_entry;
template <class R, class... A, class R2, class... B, bool TakesKeys, class Functor>
struct functor_entry<R(A...), R2(B...), TakesKeys, Functor> {
  static R call(void* data, [[maybe_unused]] KeySet keys, A... args) {
    auto& f = *static_cast<Functor*>(data);
    if constexpr (TakesKeys)
      return give_result<R, R2>([&]() -> R2 { return f(keys, give<B, A>(args)...); });
    else
      return give_result<R, R2>([&]() -> R2 { return f(give<B, A>(args)...); });
  }
};

/// A function in the form of a table slot, and what registration knows of its type. Constant data.
struct TypedEntry {
  AnyFunction entry;
  BoxedFunction boxed;             ///< the boxed face of its signature
  const SignatureInfo* signature;  ///< canonical
  const SignatureInfo* spelled;    ///< as the kernel spells it
};
template <class Sig, class Own>
TypedEntry typed_entry(AnyFunction entry) {
  return {entry, &adaptors<Sig>::boxed_from_unboxed, &signature_info<Sig>::value,
          description_of<Sig>(std::type_identity<Own>{})};
}
template <auto F>
inline const TypedEntry& entry_of_function() {
  using C = callable_of<decltype(F)>;
  using Sig = canonical_t<typename C::type>;
  static const TypedEntry entry{
      reinterpret_cast<AnyFunction>(&function_entry<Sig, typename C::type, C::takes_keys, F>::call),
      &adaptors<Sig>::boxed_from_unboxed, &signature_info<Sig>::value,
      description_of<Sig>(std::type_identity<typename C::type>{})};
  return entry;
}
/// Of a function that already has the form of a table slot, `R(void* data, KeySet, args...)`.
template <auto Entry>
struct slot_entry;
template <class R, class... A, R (*Entry)(void*, KeySet, A...)>
struct slot_entry<Entry> {
  static const TypedEntry& get() {
    static const TypedEntry entry{reinterpret_cast<AnyFunction>(Entry), &adaptors<R(A...)>::boxed_from_unboxed,
                                  &signature_info<R(A...)>::value, &signature_info<R(A...)>::value};
    return entry;
  }
};

template <auto F>
struct constant_of;
/// Compares types: under UBSan, g++ takes no comparison of a function's address for a constant.
template <auto F>
consteval bool is_null_function() {
  using T = std::remove_const_t<decltype(F)>;
  if constexpr (std::is_null_pointer_v<T>)
    return true;
  else if constexpr (std::is_pointer_v<T>)
    return std::is_same_v<constant_of<F>, constant_of<static_cast<T>(nullptr)>>;
  else
    return false;
}

}  // namespace detail

/// A function known at compile time, so that its kernel costs no second call: `TENON_FN(f)`.
template <auto F>
struct function_constant {
  static_assert(!detail::is_null_function<F>(), "tenon: a kernel function cannot be null");
};
#define TENON_FN(...) \
  ::tenon::function_constant<(__VA_ARGS__)> {}

/// Lets a key pass a call on to the next lower one; made by `fallthrough()`.
struct fallthrough_t {};
constexpr fallthrough_t fallthrough() { return {}; }

using BoxedKernelFunction = void(const OperatorHandle&, Stack&);
using BoxedKernelFunctionWithKeys = void(const OperatorHandle&, KeySet, Stack&);

/// What a registration owns. Shared, immutable once registered.
class Kernel {
 public:
  struct State : RefCounted {
    KernelRecord record;
    const SignatureInfo* type = nullptr;  ///< null for boxed kernels, which are not checked against a schema
    [[no_unique_address]] Place place;
    bool is_fallthrough = false;
    bool overrides = false;   ///< takes the place of another without a warning
    void* functor = nullptr;  ///< the functor itself, if it is a word without a destructor
  };

  /// From a run-time function pointer, a lambda or a functor. Throws ValueError for a null pointer.
  template <class F>
    requires(!std::is_base_of_v<Kernel, std::remove_cvref_t<F>>)
  Kernel(F&& f) {
    using D = std::decay_t<F>;
    if constexpr (std::is_same_v<D, fallthrough_t>) {
      state_ = make_intrusive<State>();
      state_->is_fallthrough = true;
      state_->record.boxed = [](void*, const OperatorHandle&, KeySet, Stack&) {
        fail<InternalError>(
            "fallthrough_kernel was executed but it should have been short-circuited by the dispatcher.");
      };
    } else if constexpr (std::is_same_v<D, BoxedKernelFunction*> ||
                         std::is_invocable_r_v<void, D&, const OperatorHandle&, Stack&> ||
                         std::is_same_v<D, BoxedKernelFunctionWithKeys*> ||
                         std::is_invocable_r_v<void, D&, const OperatorHandle&, KeySet, Stack&>) {
      if constexpr (std::is_pointer_v<D>) TENON_CHECK(f != nullptr, ValueError, "Kernel function cannot be nullptr");
      void* functor = own<D>(std::forward<F>(f));
      state_->record.boxed_data = functor;
      state_->record.boxed = [](void* data, const OperatorHandle& op, [[maybe_unused]] KeySet keys, Stack& stack) {
        if constexpr (std::is_invocable_r_v<void, D&, const OperatorHandle&, KeySet, Stack&>)
          (*static_cast<D*>(data))(op, keys, stack);
        else
          (*static_cast<D*>(data))(op, stack);
      };
    } else {
      using C = detail::callable_of<D>;
      if constexpr (std::is_pointer_v<D>) TENON_CHECK(f != nullptr, ValueError, "Kernel function cannot be nullptr");
      void* functor = own<D>(std::forward<F>(f));
      state_->record.data = functor;
      detail::explain_kernel_types(std::type_identity<typename C::type>{});
      if constexpr (detail::kernel_types_ok_v<typename C::type>) own_typed<typename C::type, C::takes_keys, D>();
    }
  }
  template <auto F>
  Kernel(function_constant<F>) {
    using C = detail::callable_of<decltype(F)>;
    detail::explain_kernel_types(std::type_identity<typename C::type>{});
    if constexpr (detail::kernel_types_ok_v<typename C::type>) *this = Kernel(detail::entry_of_function<F>());
  }
  /// From an entry that has the form of a table slot; `data` must outlive the kernel.
  explicit Kernel(const detail::TypedEntry& entry, const void* data = nullptr);
  /// From an entry that already has the form of a table slot; `data` must outlive the kernel.
  template <class R, class... A>
  static Kernel from_entry(R (*entry)(void*, KeySet, A...), const void* data) {
    return Kernel(detail::typed_entry<R(A...), R(A...)>(reinterpret_cast<AnyFunction>(entry)), data);
  }

  /// Words that say where the kernel is from, in place of file and line.
  Kernel&& debug(std::string text) && {
    state_->place = Place(std::move(text));
    return std::move(*this);
  }
  /// Says that the kernel is meant to take another's place, so that nobody warns.
  Kernel&& override_existing() && {
    state_->overrides = true;
    return std::move(*this);
  }
  /// Infers no schema from the function, so that its type is not held against the operator's: who registers it answers
  /// for that. Defining an operator by such a kernel's name alone is refused.
  Kernel&& no_schema_inference() && {
    state_->type = nullptr;
    return std::move(*this);
  }
  const intrusive_ptr<State>& state() const& { return state_; }
  intrusive_ptr<State> state() && { return std::move(state_); }

 private:
  template <class D>
  struct WithFunctor final : State {
    D value;
    template <class F>
    explicit WithFunctor(F&& f) : value(std::forward<F>(f)) {}
  };
  /// Makes a state that keeps the functor; returns where it is.
  template <class D, class F>
  void* own(F&& functor) {
    if constexpr (sizeof(D) <= sizeof(void*) && alignof(D) <= alignof(void*) && std::is_trivially_destructible_v<D>) {
      state_ = make_intrusive<State>();
      return ::new (static_cast<void*>(&state_->functor)) D(std::forward<F>(functor));
    } else {
      auto state = make_intrusive<WithFunctor<D>>(std::forward<F>(functor));
      void* at = &state->value;
      state_ = std::move(state);
      return at;
    }
  }
  template <class Own, bool TakesKeys, class D>
  void own_typed() {
    using Sig = canonical_t<Own>;
    set_entry(detail::typed_entry<Sig, Own>(
        reinterpret_cast<AnyFunction>(&detail::functor_entry<Sig, Own, TakesKeys, D>::call)));
  }
  void set_entry(const detail::TypedEntry& entry);

  intrusive_ptr<State> state_;
};

}  // namespace tenon
