// What is computed from an operator's declaration: the parsed schema, the C++ signature, the call site's slot.
#pragma once
#include <array>

#include <tenon/dispatch/facts.hpp>
#include <tenon/dispatch/joiner.hpp>
#include <tenon/library/diagnostics.hpp>
#include <tenon/schema/default_value.hpp>
#include <tenon/schema/parse.hpp>

namespace tenon {

namespace detail {

template <class Op>
inline constexpr schema::Counts counts_v = schema::count(Op::text());
/// Parsed when first needed, so that a declaration that nobody uses costs nothing.
template <class Op>
inline constexpr auto parsed_v = schema::parse<counts_v<Op>.args, counts_v<Op>.returns, counts_v<Op>.types>(Op::text());
template <class Op>
constexpr schema::SchemaView view_of() {
  return parsed_v<Op>.view(Op::text());
}

/// The same, at one place for as long as the program or plugin.
template <class Op>
inline constexpr schema::SchemaView view_v = view_of<Op>();

/// Whether the declaration can be used. It stands for an operator of the whole program, so it has a namespace, too.
template <class Op>
inline constexpr bool is_well_formed_v = parsed_v<Op>.head.ok() && parsed_v<Op>.head.namespace_length != 0;
template <class Op>
struct wrong_text {
  static constexpr const schema::Head& head = parsed_v<Op>.head;
  static constexpr schema::reason why = head.ok() ? schema::reason::namespace_expected : head.why;
  static constexpr std::size_t begin = head.ok() ? head.name_offset : head.position;
  static constexpr std::string_view view() {
    return Op::text().substr(begin, (head.ok() ? head.name_offset + head.name_length : head.end) - begin);
  }
};
/// What is wrong with a declaration that is not well-formed; a form that is not there has nothing.
template <class Op, bool Absent>
struct declaration_error {
  using wrong = wrong_text<Op>;
  using type =
      operator_schema_error<Op, wrong::why, at_column<static_cast<int>(wrong::begin) + 1>, spell_t<near_text, wrong>>;
};
template <class Op>
using schema_error_t = typename declaration_error<Op, Op::text().data() == nullptr>::type;

template <class Op, class = std::make_index_sequence<parsed_v<Op>.head.n_args>,
          class = std::make_index_sequence<parsed_v<Op>.head.n_returns>>
struct signature_of;
template <class Op, std::size_t... At, std::size_t... J>
struct signature_of<Op, std::index_sequence<At...>, std::index_sequence<J...>> {
  using result = typename returned_all<parsed_v<Op>.returns[J].cpp_code...>::type;
  using type = result(typename parameter<parsed_v<Op>.args[At].cpp_code>::type...);
};
template <class Op, bool = is_well_formed_v<Op>>
struct checked_signature {
  using type = typename signature_of<Op>::type;
};
template <class Op>
struct checked_signature<Op, false> {
  enum : std::size_t { error = sizeof(schema_error_t<Op>) };
  using type = anything(...);
};

/// The full name, `aten::add.Tensor`, without parsing the rest.
constexpr std::string_view name_in(std::string_view text) {
  std::size_t begin = 0, end = 0;
  while (begin < text.size() && text[begin] == ' ') ++begin;
  for (end = begin; end < text.size() && text[end] != '(' && text[end] != ' ';) ++end;
  return {text.data() + begin, end - begin};
}

/// The namespace of a declared operator as a NUL-terminated constant.
template <class Op>
const char* namespace_of() {
  static constexpr std::string_view name = name_in(Op::text()).substr(0, name_in(Op::text()).find(':'));
  static constexpr auto storage = [] {
    std::array<char, name.size() + 1> text{};
    for (std::size_t i = 0; i < name.size(); ++i) text[i] = name[i];
    return text;
  }();
  return storage.data();
}

}  // namespace detail

/// The C++ function type of an operator, by its tag type.
template <class Op>
using signature_of_t = typename detail::checked_signature<Op>::type;
/// The same by the declared object: `signature_t<ops::add_Tensor>`.
template <auto Op>
using signature_t = signature_of_t<std::remove_const_t<decltype(Op)>>;

namespace detail {
template <class Op>
inline constexpr OperatorFacts facts_v = Op::facts();
/// The call site of an operator: reached as a static object of its tag type, never by a look-up.
template <class Op>
inline constinit OperatorSlot slot_of{name_in(Op::text())};
}  // namespace detail

/// The registry's entry of a declared operator, whether or not it is defined yet.
template <class Op>
OperatorHandle handle_of(Op) {
  return Registry::get().tables().join(detail::slot_of<Op>).handle();
}

}  // namespace tenon
