// The in-place and out= schemas of a functional one, as text made at compile time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tenon/schema/view.hpp>

namespace tenon::schema {

/// Why a form cannot be derived.
enum class derivation : std::uint8_t {
  ok,
  first_argument_is_not_a_tensor,
  first_argument_is_already_written,
  result_is_not_a_tensor,
  more_than_one_result,
  result_names_an_argument,
};

/// The length of the derived text and whether there is one.
struct Derived {
  derivation why = derivation::ok;
  std::size_t size = 0;
};

/// A text of exactly `Size` characters that lives in a constant; a NUL follows.
template <std::size_t Size>
struct Text {
  char data[Size + 1]{};
  constexpr std::string_view view() const { return {data, Size}; }
};

namespace detail {

/// Appends to `out`, or only counts when it is null.
struct TextWriter {
  char* out = nullptr;
  std::size_t size = 0;
  constexpr void put(char c) {
    if (out != nullptr) out[size] = c;
    ++size;
  }
  constexpr void put(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) put(text.data()[i]);
  }
};

constexpr std::size_t end_of(const Argument& a) {
  return a.has_default() ? a.default_offset + a.default_length : a.name_offset + a.name_length;
}
/// The argument as written, from its type to the end of its default.
constexpr std::string_view arg_text(const SchemaView& schema, std::size_t i) {
  const char* text = schema.text.data();
  std::size_t begin = schema.head->name_offset + schema.operator_name().size();
  if (i > 0)
    begin = end_of(schema.args[i - 1]);
  else
    while (text[begin++] != '(') {}
  // Between two arguments stand only commas, blanks, comments and stars.
  for (bool comment = false;; ++begin) {
    char c = text[begin];
    comment = c == '#' || (comment && c != '\n');
    if (!comment && class_of(c) != blank && c != ',' && c != '*') break;
  }
  return {text + begin, end_of(schema.args[i]) - begin};
}

constexpr bool is_tensor(const SchemaView& schema, const Argument& a) { return schema.type(a).kind == Kind::Tensor; }
constexpr bool is_tensor_list(const SchemaView& schema, const Argument& a) {
  const TypeNode& node = schema.type(a);
  return node.kind == Kind::List && schema.node(node.child).kind == Kind::Tensor;
}

constexpr AliasSet used_aliases(const SchemaView& schema, std::int16_t root) {
  const TypeNode& node = schema.node(root);
  AliasSet used = node.before | node.after;
  for (std::int16_t child = node.child; child >= 0; child = schema.node(child).next)
    used |= used_aliases(schema, child);
  return used;
}
/// The names that the arguments from `first` on use.
constexpr AliasSet used_aliases(const SchemaView& schema, unsigned first, unsigned count) {
  AliasSet used = 0;
  for (unsigned i = first; i < count; ++i) used |= used_aliases(schema, schema.args[i].type);
  return used;
}
/// Moves `name` to the first alias name from there on that is free: 0..25 are letters, more are a26, a27, ...
constexpr int next_alias(AliasSet used, int name) {
  while (name < 26 && (used >> name & 1) != 0) ++name;
  return name;
}
constexpr void put_number(TextWriter& to, unsigned number) {
  if (number > 9) put_number(to, number / 10);
  to.put(static_cast<char>('0' + number % 10));
}
/// Whether an argument or a return already has the name `out<number>`.
constexpr bool has_numbered_out(const SchemaView& schema, unsigned number) {
  char name[16] = "out";
  TextWriter to{name, 3};
  put_number(to, number);
  return schema.find_argument({name, to.size}) >= 0 || schema.find_return({name, to.size}) >= 0;
}
constexpr void put_alias(TextWriter& to, int name) {
  to.put('(');
  to.put(static_cast<char>('a' + (name < 26 ? name : 0)));
  if (name >= 26) put_number(to, static_cast<unsigned>(name));
  to.put("!)");
}

/// dtype, layout, device and pin_memory together say how a result is made: the caller's result says it for out=.
constexpr bool has_tensor_options(const SchemaView& schema) {
  return schema.find_argument("dtype") >= 0 && schema.find_argument("layout") >= 0 &&
         schema.find_argument("device") >= 0 && schema.find_argument("pin_memory") >= 0;
}
constexpr bool is_tensor_option(std::string_view name) {
  return equal(name, "dtype") || equal(name, "layout") || equal(name, "device") || equal(name, "pin_memory");
}

}  // namespace detail

/// Writes the in-place schema of a functional one to `out` (null: only measures it):
/// `ns::f.o(Tensor self, ...) -> Tensor` gives `ns::f_.o(Tensor(a!) self, ...) -> Tensor(a!)`; `ns::__f__` gives
/// `ns::__if__`; a Tensor[] self is written element by element and nothing is returned.
constexpr Derived derive_inplace(const SchemaView& schema, char* out = nullptr, std::string_view overload = {}) {
  const Head& head = *schema.head;
  if (head.n_args == 0 ||
      !(detail::is_tensor(schema, schema.args[0]) || detail::is_tensor_list(schema, schema.args[0])))
    return {derivation::first_argument_is_not_a_tensor};
  if (schema.args[0].write) return {derivation::first_argument_is_already_written};
  bool list = !detail::is_tensor(schema, schema.args[0]);
  if (head.n_returns == 0 ||
      !(list ? detail::is_tensor_list(schema, schema.returns[0]) : detail::is_tensor(schema, schema.returns[0])))
    return {derivation::result_is_not_a_tensor};
  if (head.n_returns > 1) return {derivation::more_than_one_result};
  int written = detail::next_alias(detail::used_aliases(schema, 1, head.n_args), 0);
  detail::TextWriter to{out};
  std::string_view name = schema.name(), base = schema.base_name();
  bool dunder = base.size() > 4 && detail::equal(std::string_view(base.data(), 2), "__") &&
                detail::equal(std::string_view(base.data() + base.size() - 2, 2), "__");
  if (dunder) {
    to.put(std::string_view(name.data(), name.size() - base.size() + 2));
    to.put('i');
    to.put(std::string_view(base.data() + 2, base.size() - 2));
  } else {
    to.put(name);
    to.put('_');
  }
  if (overload.data() == nullptr) overload = schema.overload();
  if (!overload.empty()) {
    to.put('.');
    to.put(overload);
  }
  to.put('(');
  for (unsigned i = 0; i < head.n_args; ++i) {
    if (i != 0) to.put(", ");
    if (i == head.kwarg_start) to.put("*, ");
    std::string_view text = detail::arg_text(schema, i);
    if (i == 0) {
      to.put("Tensor");
      detail::put_alias(to, written);
      const TypeNode& tensor = schema.node(list ? schema.type(schema.args[0]).child : schema.args[0].type);
      std::size_t skip = 6;
      if (tensor.alias_length != 0) {
        skip =
            static_cast<std::size_t>(schema.text.data() + tensor.alias_offset + tensor.alias_length + 1 - text.data());
      } else if (tensor.has_alias) {
        while (text.data()[skip++] != '!') {}
      }
      text = {text.data() + skip, text.size() - skip};
    }
    to.put(text);
  }
  to.put(") -> ");
  if (list) {
    to.put("()");
  } else {
    to.put("Tensor");
    detail::put_alias(to, written);
  }
  return {derivation::ok, to.size};
}

namespace detail {

/// `ns::f.X_out(`, of the stated overload if there is one.
constexpr void put_out_name(TextWriter& to, const SchemaView& schema, std::string_view overload) {
  to.put(schema.name());
  to.put('.');
  if (overload.data() != nullptr) {
    to.put(overload);
  } else {
    overload = schema.overload();
    if (!overload.empty() && !equal(overload, "Tensor")) {
      to.put(overload);
      to.put('_');
    }
    to.put("out");
  }
  to.put('(');
}
/// The arguments, less tensor options, and one for each result. Returns whether every name is free.
constexpr bool put_out_arguments(TextWriter& to, const SchemaView& schema, AliasSet used) {
  bool first = true, starred = false, drop = has_tensor_options(schema);
  auto next = [&](bool kwarg_only) {
    if (!first) to.put(", ");
    first = false;
    if (kwarg_only && !starred) to.put("*, ");
    starred = starred || kwarg_only;
  };
  for (unsigned i = 0; i < schema.head->n_args; ++i) {
    if (drop && is_tensor_option(schema.arg_name(i))) continue;
    next(schema.args[i].kwarg_only);
    to.put(arg_text(schema, i));
  }
  int written = -1;
  for (unsigned i = 0; i < schema.head->n_returns; ++i) {
    next(true);
    to.put("Tensor");
    put_alias(to, written = next_alias(used, written + 1));
    if (is_tensor_list(schema, schema.returns[i])) to.put("[]");
    to.put(' ');
    std::string_view name = schema.head->n_returns == 1 ? "out" : schema.return_name(i);
    if (name.empty() ? has_numbered_out(schema, i) : schema.find_argument(name) >= 0) return false;
    to.put(name.empty() ? "out" : name);
    if (name.empty()) put_number(to, i);
  }
  return true;
}
/// The results are the written arguments.
constexpr void put_out_returns(TextWriter& to, const SchemaView& schema, AliasSet used) {
  unsigned n = schema.head->n_returns;
  if (n > 1) to.put('(');
  int written = -1;
  for (unsigned i = 0; i < n; ++i) {
    if (i != 0) to.put(", ");
    to.put("Tensor");
    put_alias(to, written = next_alias(used, written + 1));
    if (n > 1 && !schema.return_name(i).empty()) {
      to.put(' ');
      to.put(schema.return_name(i));
    }
  }
  if (n > 1) to.put(')');
}

}  // namespace detail

/// Writes the out= schema of a functional one to `out` (null: only measures it). Each Tensor or Tensor[] result becomes
/// a written keyword-only argument: `out` for one, else the returns' names or `out0`, `out1`, ... The overload `Tensor`
/// or none becomes `out`, `X` becomes `X_out`, and a stated one is taken as it is. Tensor options are dropped.
constexpr Derived derive_out(const SchemaView& schema, char* out = nullptr, std::string_view overload = {}) {
  const Head& head = *schema.head;
  bool any_list = false;
  if (head.n_returns == 0) return {derivation::result_is_not_a_tensor};
  for (unsigned i = 0; i < head.n_returns; ++i) {
    bool list = detail::is_tensor_list(schema, schema.returns[i]);
    if (!list && !detail::is_tensor(schema, schema.returns[i])) return {derivation::result_is_not_a_tensor};
    any_list = any_list || list;
  }
  AliasSet used = detail::used_aliases(schema, 0, head.n_args);
  detail::TextWriter to{out};
  detail::put_out_name(to, schema, overload);
  if (!detail::put_out_arguments(to, schema, used)) return {derivation::result_names_an_argument};
  to.put(") -> ");
  if (any_list)
    to.put("()");
  else
    detail::put_out_returns(to, schema, used);
  return {derivation::ok, to.size};
}

/// The in-place text as a constant of the measured size: `inplace_text<derive_inplace(view).size>(view)`.
template <std::size_t Size>
constexpr Text<Size> inplace_text(const SchemaView& schema, std::string_view overload = {}) {
  Text<Size> text;
  derive_inplace(schema, text.data, overload);
  return text;
}
/// The out= text as a constant of the measured size.
template <std::size_t Size>
constexpr Text<Size> out_text(const SchemaView& schema, std::string_view overload = {}) {
  Text<Size> text;
  derive_out(schema, text.data, overload);
  return text;
}

}  // namespace tenon::schema
