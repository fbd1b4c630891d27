// Structured operators: one meta function and one kernel per back end give the functional, in-place and out forms.
#pragma once
#include <array>

#include <tenon/library/library.hpp>
#include <tenon/structured/adaptors.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon {

/// Defines an operator and its forms.
template <class Op>
TENON_COLD void define_forms(Library& m, Op, std::vector<std::string> tags = {}, const char* file = __builtin_FILE(),
                             int line = __builtin_LINE()) {
  m.def<Op{}>(tags, CallSite::now(file, line));
  if constexpr (Op::has_inplace) m.def<typename Op::inplace{}>(tags, CallSite::now(file, line));
  if constexpr (Op::has_out) m.def<typename Op::out{}>(tags, CallSite::now(file, line));
}

/// Registers the forms of a structured operator for one key from a record that lives as long as the program.
template <class Op>
TENON_COLD void register_structured(Library& m, DispatchKey key, const detail::StructuredRecord& record,
                                    const Place& place) {
  using Sig = signature_of_t<Op>;
  m.impl_slot<Op, &detail::structured_entries<Sig>::functional>(key, &record, place);
  if constexpr (Op::has_inplace)
    m.impl_slot<typename Op::inplace, &detail::structured_inplace<Sig>::call>(key, &record, place);
  if constexpr (Op::has_out)
    m.impl_slot<typename Op::out, &detail::structured_out<Sig, signature_of_t<typename Op::out>>::call>(key, &record,
                                                                                                        place);
}

namespace detail {

/// The full names of the forms that the program keeps.
template <class O>
inline constexpr std::array<std::string_view, 3> form_names = [] {
  std::array<std::string_view, 3> out{name_in(O::text())};
  if constexpr (O::has_inplace)
    if constexpr (is_operator_selected_v<typename O::inplace>) out[1] = name_in(O::inplace::text());
  if constexpr (O::has_out)
    if constexpr (is_operator_selected_v<typename O::out>) out[2] = name_in(O::out::text());
  return out;
}();

}  // namespace detail

/// `implement_structured<ops::mm, &mm_meta, &mm_cpu>(m, DispatchKey::CPU)`; a null kernel registers the meta function
/// alone.
template <auto Op, auto Meta, auto Impl>
TENON_COLD void implement_structured(Library& m, DispatchKey key, const char* file = __builtin_FILE(),
                                     int line = __builtin_LINE()) {
  using O = std::remove_const_t<decltype(Op)>;
  if constexpr (!detail::is_well_formed_v<O>) {
    return;  // its definition says what is wrong
  } else if constexpr (!detail::meta_check<O, decltype(Meta)>::ok) {
    detail::meta_check<O, decltype(Meta)>::report();
  } else if constexpr (detail::wrong_kernel<O, decltype(Impl)>()) {
    detail::impl_check<O, decltype(Impl)>::report();
  } else if constexpr (detail::is_any_form_selected<O>()) {
    using Sig = signature_of_t<O>;
    static const detail::StructuredRecord record{
        detail::without_type(&detail::meta_adaptor<Sig, Meta>::call),
        [] {
          if constexpr (std::is_same_v<decltype(Impl), std::nullptr_t>)
            return static_cast<AnyFunction>(nullptr);
          else
            return detail::without_type(&detail::impl_adaptor<Sig, Impl>::call);
        }(),
        nullptr, detail::form_names<O>.data()};
    register_structured<O>(m, key, record, Place{file, line});
  }
}

namespace detail {

/// All that TENON_STRUCTURED_OF registers: the forms, and the meta function as the kernel of Meta tensors and of
/// symbolic ones.
template <class Op, auto Plain, auto Symbolic>
TENON_COLD void add_structured(Library& m, meta_pair<Plain, Symbolic>, const char* file, int line) {
  using mistake = decltype(structured_mistake<Op>());
  if constexpr (!mistake::ok) {
    mistake::template report<Op>();
  } else {
    define_forms(m, Op{}, {}, file, line);
    using Sig = signature_of_t<Op>;
    constexpr bool two = !std::is_same_v<decltype(Symbolic), std::nullptr_t>;
    // Plain Meta tensors may come with symbolic arguments.
    if constexpr (two && !meta_adaptor<Sig, Plain>::takes_symbols)
      implement_structured<Op{}, Symbolic, nullptr>(m, DispatchKey::Meta, file, line);
    else
      implement_structured<Op{}, Plain, nullptr>(m, DispatchKey::Meta, file, line);
    if constexpr (two && is_selected(TENON_SELECTED_KEYS, kSymbolicKey))
      implement_structured<Op{}, Symbolic, nullptr>(m, kSymbolicKey, file, line);
  }
}
template <class Op>
void add_structured(Library&, meta_mistake, const char*, int) {}

template <class Op, auto Impl, auto Plain, auto Symbolic>
TENON_COLD void add_structured_kernel(Library& m, DispatchKey key, meta_pair<Plain, Symbolic>, const char* file,
                                      int line) {
  if constexpr (meta_check<Op, decltype(Plain)>::ok) implement_structured<Op{}, Plain, Impl>(m, key, file, line);
}
template <class Op, auto Impl>
void add_structured_kernel(Library&, DispatchKey, meta_mistake, const char*, int) {}
/// All that TENON_STRUCTURED_KERNEL registers.
template <class Op, auto Impl>
TENON_COLD void add_structured_kernel(Library& m, DispatchKey key, const char* file, int line) {
  // Of a mistake in schema or meta function the definition tells.
  if constexpr (!decltype(structured_mistake<Op>())::ok)
    return;
  else if constexpr (requires { tenon_meta_of(Op{}); })
    add_structured_kernel<Op, Impl>(m, key, tenon_meta_of(Op{}), file, line);
  else
    static_assert(declaration_compiles<operator_has_no_meta_function<Op>>,
                  "tenon: TENON_STRUCTURED_KERNEL without TENON_STRUCTURED_OF");
}

}  // namespace detail
}  // namespace tenon

#define TENON_INTERNAL_SCHEMA_FORMS(NAME, SCHEMA, ...)                \
  struct NAME##_op : ::tenon::operator_with_schema_forms<NAME##_op> { \
    static constexpr ::std::string_view text() { return SCHEMA; }     \
    __VA_ARGS__                                                       \
  };                                                                  \
  inline constexpr NAME##_op NAME{};                                  \
  inline constexpr ::tenon::inplace_op<NAME##_op> NAME##_{};          \
  inline constexpr ::tenon::out_op<NAME##_op> NAME##_out {}

#define TENON_INTERNAL_OPERATOR_BLOCK(TYPE, NAME, OP, ...)                                   \
  inline const TYPE NAME(                                                                    \
      ::tenon::Library::Kind::Fragment, ::tenon::detail::namespace_of<OP>(), ::std::nullopt, \
      [](::tenon::Library& m) { __VA_ARGS__; }, __FILE__, __LINE__)

/// Makes a declared operator a structured one: defines it with its forms, and registers the meta function as the kernel
/// of Meta tensors. The meta function is `void(Outputs&, args...)`, or a type with
/// `template <class Int> void operator()(Outputs&, args...) const`, which serves plain and symbolic sizes. Its results
/// are one to six tensors. In the operator's namespace.
#define TENON_STRUCTURED_OF(OP, ...)                                                             \
  constexpr auto tenon_meta_of(::std::remove_const_t<decltype(OP)>) {                            \
    return ::tenon::detail::meta_of<__VA_ARGS__>();                                              \
  }                                                                                              \
  TENON_INTERNAL_OPERATOR_BLOCK(                                                                 \
      ::tenon::detail::operator_library_t<::std::remove_const_t<decltype(OP)>>, OP##_definition, \
      ::std::remove_const_t<decltype(OP)>,                                                       \
      ::tenon::detail::add_structured<::std::remove_const_t<decltype(OP)>>(m, tenon_meta_of(OP), __FILE__, __LINE__))
/// Registers the kernel `void(args..., const Tensor& out...)` of a structured operator for one back end. OP is a name
/// without namespace: `using` brings in that of another.
#define TENON_STRUCTURED_KERNEL(OP, KEY, ...)                                                                          \
  TENON_INTERNAL_OPERATOR_BLOCK(                                                                                       \
      ::tenon::detail::operator_library_t<::std::remove_const_t<decltype(OP)>>, OP##_##KEY##_kernel,                   \
      ::std::remove_const_t<decltype(OP)>,                                                                             \
      ::tenon::detail::add_structured_kernel<::std::remove_const_t<decltype(OP)>,                                      \
                                             ::tenon::detail::kernel_for<::std::remove_const_t<decltype(OP)>,          \
                                                                         (__VA_ARGS__), ::tenon::DispatchKey::KEY>()>( \
          m, ::tenon::DispatchKey::KEY, __FILE__, __LINE__))
// The schema, or (schema, options...).
#define TENON_INTERNAL_STRUCTURED_0(NAME, SCHEMA) TENON_INTERNAL_SCHEMA_FORMS(NAME, SCHEMA)
#define TENON_INTERNAL_STRUCTURED_1(NAME, SPEC) TENON_INTERNAL_STRUCTURED_SPREAD(NAME, TENON_INTERNAL_UNPACK SPEC)
#define TENON_INTERNAL_STRUCTURED_SPREAD(NAME, ...) TENON_INTERNAL_STRUCTURED_OPTIONS(NAME, __VA_ARGS__)
#define TENON_INTERNAL_STRUCTURED_OPTIONS(NAME, SCHEMA, ...) \
  TENON_INTERNAL_SCHEMA_FORMS(                               \
      NAME, SCHEMA, static constexpr ::tenon::operator_options options() { return {__VA_ARGS__}; })

/// Declares an operator and makes it a structured one. SCHEMA may be `("my::f(...) -> Tensor", Tag::pointwise)`, with
/// options behind it as in TENON_OPERATORS. There is an out form NAME_out, and an in-place form NAME_ where the schema
/// begins with a Tensor and returns one. In a .cpp, or in a header through TENON_OPERATORS and TENON_STRUCTURED_OF. An
/// operator without tensors has a kernel for CompositeExplicitAutograd, not for CPU.
#define TENON_STRUCTURED(NAME, SCHEMA, ...)                                                      \
  TENON_INTERNAL_JOIN(TENON_INTERNAL_STRUCTURED_, TENON_INTERNAL_IS_LIST(SCHEMA))(NAME, SCHEMA); \
  TENON_STRUCTURED_OF(NAME, __VA_ARGS__)
