// Registration: blocks of definitions and kernels, by name or by declared operator.
#pragma once
#include <initializer_list>
#include <optional>

#include <tenon/base/body.hpp>
#include <tenon/base/preprocessor.hpp>
#include <tenon/dispatch/registration_stack.hpp>
#include <tenon/library/on_device.hpp>
#include <tenon/library/operator.hpp>
#include <tenon/library/selection.hpp>

namespace tenon {

namespace detail {

template <class Op>
consteval bool is_operator_selected() {
  constexpr std::string_view list = selection_text(TENON_SELECTED_OPERATORS);
  if constexpr (list.empty())
    return true;
  else {
    constexpr bool is_form = requires { typename Op::functional; };
    constexpr std::string_view base = [] {
      if constexpr (requires { typename Op::functional; })
        return name_in(Op::functional::text());
      else
        return name_in(Op::text());
    }();
    if constexpr (!index_contains(selection_index.space, name_hash(namespace_in(base))))
      return true;
    else if constexpr (is_form && !index_contains(selection_index.form_of, name_hash(base.substr(0, base.find('.')))))
      return false;  // spares deriving the schemas of forms that nobody selects
    else {
      constexpr std::string_view name = name_in(Op::text());
      return index_contains(selection_index.name, name_hash(name)) && selection_contains(list, name);
    }
  }
}
/// Whether an object is a function over operators, as `ops::add` is, and not one of them, as `ops::add_Tensor` is.
template <class O>
inline constexpr bool is_overload_set = requires {
  typename O::operators;
};
/// Whether the program's selection keeps a declared operator.
template <class Op>
inline constexpr bool is_operator_selected_v = is_operator_selected<Op>();
/// The same for an operator or one of its forms.
template <class Op>
consteval bool is_any_form_selected() {
  bool any = is_operator_selected_v<Op>;
  if constexpr (requires { requires Op::has_inplace; }) any = any || is_operator_selected_v<typename Op::inplace>;
  if constexpr (requires { requires Op::has_out; }) any = any || is_operator_selected_v<typename Op::out>;
  return any;
}

/// The kernel's function must have the operator's signature, or the same with plain integers for symbolic ones.
template <class Op, class Sig, class Kernel>
struct kernel_check;
template <class Op, class R, class... A, class R2, class... B>
struct kernel_check<Op, R(A...), R2(B...)> {
  static constexpr bool exact = std::is_same_v<R(A...), R2(B...)>;
  static constexpr bool lowered = std::is_same_v<typename signature<R(A...)>::plain, R2(B...)>;
  static constexpr bool run() {
    if constexpr (exact || lowered)
      return true;
    else if constexpr (sizeof...(A) != sizeof...(B))
      return sizeof(kernel_does_not_match_schema<Op, number_of_arguments, expected<count_is<sizeof...(A)>>,
                                                 found<count_is<sizeof...(B)>>>) != 0;
    else if constexpr (sizeof...(A) > 0)
      return wrong_argument(std::index_sequence_for<A...>{});
    else
      return wrong_return();
  }

 private:
  static constexpr bool wrong_return() {
    return sizeof(kernel_does_not_match_schema<Op, return_type, expected<R>, found<R2>>) != 0;
  }
  template <std::size_t... Is>
  static constexpr bool wrong_argument(std::index_sequence<Is...>) {
    constexpr bool same[] = {(std::is_same_v<A, B> || std::is_same_v<plain_t<A>, B>)...};
    constexpr std::size_t at = [&] {
      std::size_t i = 0;
      while (i < sizeof...(A) && same[i]) ++i;
      return i;
    }();
    if constexpr (at == sizeof...(A))
      return wrong_return();
    else {
      using want = typename decltype(leaf_type<at>(
          std::declval<pack<std::index_sequence<Is...>, std::type_identity<A>...>&>()))::type::type;
      using have = typename decltype(leaf_type<at>(
          std::declval<pack<std::index_sequence<Is...>, std::type_identity<B>...>&>()))::type::type;
      return sizeof(
                 kernel_does_not_match_schema<Op, argument<static_cast<int>(at) + 1>, expected<want>, found<have>>) !=
             0;
    }
  }
};
template <class Op, class R2, class... B>
struct kernel_check<Op, anything(...), R2(B...)> {
  static constexpr bool run() { return true; }
};

}  // namespace detail

/// The key of a registration: a dispatch key, or the device type or device that stands for one.
class RegistrationKey {
 public:
  RegistrationKey(DispatchKey key) : key_(key) {}
  RegistrationKey(DeviceType device) : key_(dispatch_key_of(device)) {}
  RegistrationKey(Device device) : RegistrationKey(device.type) {}
  operator DispatchKey() const { return key_; }

 private:
  DispatchKey key_;
};

/// A block of registrations, undone together when the object ends. Move-only.
class Library {
 public:
  enum class Kind : std::uint8_t { Def, Impl, Fragment };
  /// Throws RegistrationError, for a second DEF block of a namespace for example.
  Library(Kind kind, std::string ns, std::optional<DispatchKey> key = std::nullopt, const char* file = __builtin_FILE(),
          int line = __builtin_LINE());
  Library(Library&&) noexcept;
  Library& operator=(Library&&) noexcept;

  /// Defines an operator by its schema; the block's namespace is added if the text has none.
  Library& def(std::string_view schema, std::vector<std::string> tags = {}, const char* file = __builtin_FILE(),
               int line = __builtin_LINE()) &;
  /// The same: a single tag in braces would be a kernel as well as a list.
  Library& def(std::string_view schema, std::initializer_list<std::string> tags, const char* file = __builtin_FILE(),
               int line = __builtin_LINE()) & {
    return def(schema, std::vector<std::string>(tags), file, line);
  }
  /// Defines an operator by a schema, or by a name whose schema is inferred from the function, with its kernel.
  Library& def(std::string_view name_or_schema, Kernel kernel, std::vector<std::string> tags = {},
               const char* file = __builtin_FILE(), int line = __builtin_LINE()) &;
  /// Adds a kernel at the block's key; without one it serves every backend and, through its parts, autograd.
  Library& impl(std::string_view name, Kernel kernel, const char* file = __builtin_FILE(),
                int line = __builtin_LINE()) &;
  Library& impl(std::string_view name, RegistrationKey key, Kernel kernel, const char* file = __builtin_FILE(),
                int line = __builtin_LINE()) &;
  /// What TENON_SELECTIVE left out.
  Library& def(detail::left_out, const std::vector<std::string>& = {}) & { return *this; }
  template <class F>
  Library& def(detail::left_out, F&&, const std::vector<std::string>& = {}) & {
    return *this;
  }
  template <class... A>
  Library& impl(detail::left_out, A&&...) & {
    return *this;
  }
  /// Serves every operator that has no kernel of its own at the block's key.
  Library& fallback(Kernel kernel, const char* file = __builtin_FILE(), int line = __builtin_LINE()) &;
  /// Says which module holds the fake kernels of the operators defined from here on.
  Library& set_fake_kernel_module(std::string module) & {
    fake_module_ = std::move(module);
    return *this;
  }

  /// Defines a declared operator: `m.def<ops::add_Tensor>()`.
  template <auto Op>
  [[gnu::cold]] Library& def(CallSite here = CallSite::now()) & {
    return def_of<std::remove_const_t<decltype(Op)>>(nullptr, here);
  }
  template <auto Op>
  [[gnu::cold]] Library& def(const std::vector<std::string>& tags, CallSite here = CallSite::now()) & {
    return def_of<std::remove_const_t<decltype(Op)>>(&tags, here);
  }
  /// Adds a kernel to a declared operator; its type is checked by the compiler: `m.impl<ops::add_Tensor, &add>()`.
  template <auto Op, auto F>
  [[gnu::cold]] Library& impl(CallSite here = CallSite::now()) & {
    return impl_of<std::remove_const_t<decltype(Op)>, F>(nullptr, here);
  }
  template <auto Op, auto F>
  [[gnu::cold]] Library& impl(const RegistrationKey& key, CallSite here = CallSite::now()) & {
    return impl_of<std::remove_const_t<decltype(Op)>, F>(&key, here);
  }
  /// A kernel of any other form for a declared operator: `m.impl<ops::relu>(fallthrough())`.
  template <auto Op>
  TENON_COLD Library& impl(Kernel kernel, const char* file = __builtin_FILE(), int line = __builtin_LINE()) & {
    return impl<Op>(block_key(), std::move(kernel), file, line);
  }
  template <auto Op>
  TENON_COLD Library& impl(RegistrationKey key, Kernel kernel, const char* file = __builtin_FILE(),
                           int line = __builtin_LINE()) & {
    using O = std::remove_const_t<decltype(Op)>;
    if constexpr (detail::is_overload_set<O>)
      (void)sizeof(name_one_operator_of_this_overload_set<typename O::operators>);
    else if constexpr (detail::is_operator_selected_v<O>)
      impl_full(detail::slot_of<O>.name, key, std::move(kernel), Place{file, line});
    return *this;
  }

  /// Undoes everything that the block registered, newest first.
  void reset();
  ~Library() { reset(); }

  /// What the structured and autograd layers register through: full names and ready keys. A `lasting`
  /// schema lives as long as the library, another is copied.
  void define(const schema::SchemaView& schema, bool lasting, const SignatureInfo* declared, const OperatorFacts& facts,
              Place&& place, bool inferred = false);
  void impl_full(std::string_view full_name, DispatchKey key, Kernel kernel, Place place);
  /// A function that already has the form of a table slot, `R(void* data, KeySet, args...)`; `data` lives as long as
  /// it.
  template <class Op, auto Entry>
  void impl_slot(DispatchKey key, const void* data, const Place& place) {
    if constexpr (detail::is_operator_selected_v<Op>)
      impl_entry(detail::slot_of<Op>.name, key, detail::slot_entry<Entry>::get(), data, place);
  }
  void impl_fallthrough(std::string_view full_name, DispatchKey key, const Place& place);

 private:
  void impl_entry(std::string_view full_name, DispatchKey key, const detail::TypedEntry& entry, const void* data,
                  const Place& place);
  DispatchKey block_key() const { return key_.value_or(DispatchKey::CompositeImplicitAutograd); }
  std::string_view kind_name() const;
  template <class O>
  [[gnu::always_inline]] Library& def_of([[maybe_unused]] const std::vector<std::string>* tags,
                                         [[maybe_unused]] CallSite here) {
    if constexpr (detail::is_overload_set<O>)
      return (void)sizeof(name_one_operator_of_this_overload_set<typename O::operators>), *this;
    else if constexpr (!detail::is_operator_selected_v<O>)
      return *this;
    else if constexpr (detail::is_well_formed_v<O>)
      return define_declared(detail::view_v<O>, detail::signature_info<signature_of_t<O>>::value, detail::facts_v<O>,
                             tags, here);
    else
      return (void)sizeof(detail::schema_error_t<O>), *this;
  }
  template <class O, auto F>
  [[gnu::always_inline]] Library& impl_of([[maybe_unused]] const RegistrationKey* key, [[maybe_unused]] CallSite here) {
    using C = detail::callable_of<decltype(F)>;
    if constexpr (detail::is_overload_set<O>)
      return (void)sizeof(name_one_operator_of_this_overload_set<typename O::operators>), *this;
    else if constexpr (!detail::is_operator_selected_v<O>)
      return *this;
    else if constexpr (!detail::is_well_formed_v<O>)
      return (void)sizeof(detail::schema_error_t<O>), *this;
    else {
      (void)detail::kernel_check<O, signature_of_t<O>, typename C::type>::run();
      detail::explain_kernel_types(std::type_identity<typename C::type>{});
      if constexpr (detail::kernel_types_ok_v<typename C::type>) {
        static constexpr std::string_view name = detail::name_in(O::text());
        return impl_declared(name, key, detail::entry_of_function<F>(), here);
      } else
        return *this;
    }
  }
  Library& define_declared(const schema::SchemaView& schema, const SignatureInfo& declared, const OperatorFacts& facts,
                           const std::vector<std::string>* tags, CallSite here);
  Library& impl_declared(const std::string_view& full_name, const RegistrationKey* key, const detail::TypedEntry& entry,
                         CallSite here);
  std::string context() const;

  Kind kind_;
  std::string ns_, fake_module_;
  std::optional<DispatchKey> key_;
  Place place_;
  RegistrationStack registrations_;
};

/// A block of kernels for a back end that may have several devices: those of declared operators run behind the
/// operator's device check and device guard.
template <DispatchKey Key>
class DeviceLibrary : public Library {
 public:
  explicit DeviceLibrary(Library&& own) : Library(std::move(own)) {}
  using Library::impl;
  template <auto Op, auto F>
  [[gnu::cold]] DeviceLibrary& impl(CallSite here = CallSite::now()) & {
    using O = std::remove_const_t<decltype(Op)>;
    if constexpr (detail::is_overload_set<O>)
      return static_cast<DeviceLibrary&>(Library::impl<Op, F>(here));
    else
      return static_cast<DeviceLibrary&>(Library::impl<Op, detail::kernel_for<O, F, Key>()>(here));
  }
};

namespace detail {

template <DispatchKey Key>
using library_at = std::conditional_t<has_devices(Key), DeviceLibrary<Key>, Library>;
/// The block of a key as StaticLibrary calls it.
template <DispatchKey Key, void (*Block)(library_at<Key>&)>
consteval auto block_at() -> void (*)(Library&) {
  if constexpr (has_devices(Key))
    return [](Library& m) {
      DeviceLibrary<Key> here(std::move(m));
      Block(here);
      m = std::move(here);
    };
  else
    return Block;
}

/// Runs a block while the program starts or a plugin is loaded. No exception leaves it: a block that fails is undone as
/// a whole, and the error is kept for the first use of its namespace and for check_registrations().
class StaticLibrary {
 public:
  StaticLibrary(Library::Kind kind, const char* ns, std::optional<DispatchKey> key, void (*block)(Library&),
                const char* file, int line) noexcept;
  StaticLibrary(const StaticLibrary&) = delete;
  StaticLibrary& operator=(const StaticLibrary&) = delete;

 private:
  std::optional<Library> library_;
};
template <bool Selected>
using static_library_t = std::conditional_t<Selected, StaticLibrary, LeftOutLibrary>;
/// The block of one declared operator and its forms.
template <class Op>
using operator_library_t = static_library_t<is_any_form_selected<Op>()>;

}  // namespace detail
}  // namespace tenon

#define TENON_INTERNAL_LIBRARY(TYPE, KIND, NS, KEY, M, ID)                                                         \
  [[gnu::cold]] static void TENON_INTERNAL_JOIN(tenon_library_block_, ID)(::tenon::Library&);                      \
  [[maybe_unused]] static const TYPE TENON_INTERNAL_JOIN(tenon_library_, ID)(                                      \
      ::tenon::Library::Kind::KIND, #NS, KEY, &TENON_INTERNAL_JOIN(tenon_library_block_, ID), __FILE__, __LINE__); \
  static void TENON_INTERNAL_JOIN(tenon_library_block_, ID)([[maybe_unused]] ::tenon::Library & M)
#define TENON_INTERNAL_LIBRARY_AT(TYPE, NS, KEY, M, ID)                                                        \
  [[gnu::cold]] static void TENON_INTERNAL_JOIN(tenon_library_block_, ID)(::tenon::detail::library_at<KEY>&);  \
  [[maybe_unused]] static const TYPE TENON_INTERNAL_JOIN(tenon_library_, ID)(                                  \
      ::tenon::Library::Kind::Impl, #NS, KEY,                                                                  \
      (::tenon::detail::block_at<KEY, &TENON_INTERNAL_JOIN(tenon_library_block_, ID)>()), __FILE__, __LINE__); \
  static void TENON_INTERNAL_JOIN(tenon_library_block_, ID)([[maybe_unused]] ::tenon::detail::library_at<KEY> & M)

/// The one block that owns a namespace: definitions and kernels. Followed by the block's body, in a .cpp.
#define TENON_LIBRARY(NS, M) \
  TENON_INTERNAL_LIBRARY(::tenon::detail::StaticLibrary, Def, NS, ::std::nullopt, M, __COUNTER__)
/// A further block of a namespace, as many as you like.
#define TENON_LIBRARY_FRAGMENT(NS, M) \
  TENON_INTERNAL_LIBRARY(::tenon::detail::StaticLibrary, Fragment, NS, ::std::nullopt, M, __COUNTER__)
/// Kernels for one dispatch key. Namespace `_` takes fallbacks for the key. Nothing if the program's selection leaves
/// the key out. At the key of a back end that may have several devices, `m.impl<op, &f>()` adds the operator's device
/// check and device guard.
#define TENON_LIBRARY_IMPL(NS, KEY, M)                                                                             \
  TENON_INTERNAL_LIBRARY_AT(                                                                                       \
      ::tenon::detail::static_library_t<::tenon::is_selected(TENON_SELECTED_KEYS, ::tenon::DispatchKey::KEY)>, NS, \
      ::tenon::DispatchKey::KEY, M, __COUNTER__)
