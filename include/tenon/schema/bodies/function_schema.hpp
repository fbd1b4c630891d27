// Bodies of schemas that own their text.
#pragma once
#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

#include <tenon/base/body.hpp>
#include <tenon/schema/error_text.hpp>
#include <tenon/schema/function_schema.hpp>

namespace tenon::schema {

TENON_COLD_BODY std::string to_string(const OperatorName& name) {
  return name.overload.empty() ? name.name : name.name + "." + name.overload;
}

namespace detail {

inline OperatorName name_from(std::string_view text, const Head& head) {
  SchemaView view{text, &head, nullptr, nullptr, nullptr};
  return {std::string(view.name()), std::string(view.overload())};
}

}  // namespace detail

TENON_COLD_BODY OperatorName parse_operator_name(std::string_view text) {
  Head head = parse_name(text);
  if (head.why == reason::text_after_schema && text[head.position] == '(')
    fail<SchemaError>("Tried to parse an operator name but function schema was given");
  if (!head.ok()) fail<SchemaError>(error_text(text, head));
  return detail::name_from(text, head);
}

TENON_COLD_BODY NameOrSchema parse_name_or_schema(std::string_view text, TypeVariables type_variables) {
  Head head = parse_name(text);
  if (head.ok()) return {detail::name_from(text, head), {}};
  if (head.why != reason::text_after_schema) fail<SchemaError>(error_text(text, head));
  auto schema = FunctionSchema::parse(text, type_variables);
  return {schema.operator_name(), schema};
}

TENON_COLD_BODY ParsedSchema::ParsedSchema(std::string_view text, TypeVariables type_variables) {
  auto* types = reinterpret_cast<TypeNode*>(memory_);
  auto* args = reinterpret_cast<Argument*>(memory_ + kRoom.types * sizeof(TypeNode));
  head_ = parse_into(text, {args, nullptr, types, kRoom}, type_variables);
  view_ = {text, &head_, args, args + head_.n_args, types};
  if (!head_.ok()) [[unlikely]]
    parse_large(type_variables);
}

TENON_COLD_BODY void ParsedSchema::parse_large(TypeVariables type_variables) {
  if (head_.why == reason::text_too_long) {
    Counts room = count(view_.text);
    room.args += room.returns;
    large_.resize(room.types * sizeof(TypeNode) + room.args * sizeof(Argument));
    auto* types = reinterpret_cast<TypeNode*>(large_.data());
    auto* args = reinterpret_cast<Argument*>(large_.data() + room.types * sizeof(TypeNode));
    head_ = parse_into(view_.text, {args, nullptr, types, room}, type_variables);
    view_ = {view_.text, &head_, args, args + head_.n_args, types};
  }
  if (head_.why == reason::argument_list_expected)
    fail<SchemaError>("Tried to parse a function schema but only the operator name was given");
  if (!head_.ok()) fail<SchemaError>(error_text(view_.text, head_));
}

TENON_COLD_BODY FunctionSchema FunctionSchema::parse(std::string_view text, TypeVariables type_variables) {
  return FunctionSchema(ParsedSchema(text, type_variables).view());
}

TENON_COLD_BODY FunctionSchema FunctionSchema::parse_in(std::string_view ns, std::string_view text,
                                                        TypeVariables type_variables) {
  char memory[512];
  std::string more;
  std::size_t size = ns.size() + 2 + text.size();
  char* joined = memory;
  if (size > sizeof memory) {
    more.resize(size);
    joined = more.data();
  }
  char* to = std::copy(ns.begin(), ns.end(), joined);
  *to++ = ':';
  *to++ = ':';
  std::copy(text.begin(), text.end(), to);
  return parse({joined, size}, type_variables);
}

TENON_COLD_BODY FunctionSchema FunctionSchema::copy(const SchemaView& other) { return FunctionSchema(other); }

TENON_COLD_BODY FunctionSchema FunctionSchema::with_namespace(std::string_view ns) const {
  if (view().head->namespace_length != 0) return *this;
  return parse_in(ns, view().text.substr(view().head->name_offset));
}

TENON_COLD_BODY OperatorName FunctionSchema::operator_name() const {
  return {std::string(view().name()), std::string(view().overload())};
}

namespace detail {
// The head of a placed schema: types, arguments, returns and text follow.
struct Placed {
  Head head;
  SchemaView view;
};
static_assert(sizeof(Placed) % alignof(TypeNode) == 0 && sizeof(TypeNode) % alignof(Argument) == 0,
              "each part of the block is aligned where the one before ends");
static_assert(std::is_trivially_copyable_v<TypeNode> && std::is_trivially_copyable_v<Argument>);
}  // namespace detail

TENON_COLD_BODY std::size_t placed_size(const SchemaView& schema) {
  const Head& head = *schema.head;
  return sizeof(detail::Placed) + head.n_types * sizeof(TypeNode) +
         (std::size_t{head.n_args} + head.n_returns) * sizeof(Argument) + schema.text.size();
}

TENON_COLD_BODY const SchemaView& place(const SchemaView& schema, void* memory) {
  const Head& head = *schema.head;
  auto* placed = new (memory) detail::Placed;
  auto* types = reinterpret_cast<TypeNode*>(placed + 1);
  auto* args = reinterpret_cast<Argument*>(types + head.n_types);
  auto* text = reinterpret_cast<char*>(args + head.n_args + head.n_returns);
  auto copy = [](auto* to, const auto* from, std::size_t n) {
    if (n != 0) std::memcpy(to, from, n * sizeof *from);
  };
  copy(types, schema.types, head.n_types);
  bool together = schema.returns == schema.args + head.n_args;
  copy(args, schema.args, head.n_args + (together ? std::size_t{head.n_returns} : 0));
  if (!together) copy(args + head.n_args, schema.returns, head.n_returns);
  copy(text, schema.text.data(), schema.text.size());
  placed->head = head;
  placed->view = {{text, schema.text.size()}, &placed->head, args, args + head.n_args, types};
  return placed->view;
}

TENON_COLD_BODY void* placed_at(const SchemaView& placed) { return const_cast<Head*>(placed.head); }

TENON_COLD_BODY FunctionSchema::FunctionSchema(const SchemaView& parts) {
  auto* data = new (::operator new(sizeof(Data) + placed_size(parts))) Data;
  data_ = intrusive_ptr<Data>::adopt(data);
  data->view = &place(parts, data + 1);
}

}  // namespace tenon::schema
