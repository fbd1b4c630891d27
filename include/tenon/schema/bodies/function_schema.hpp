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

TENON_COLD_BODY FunctionSchema FunctionSchema::parse(std::string_view text, TypeVariables type_variables) {
  // Almost every schema fits into this room on the stack; only then its exact size is known, and allocated.
  constexpr Counts room{56, 0, 80};
  alignas(TypeNode) unsigned char memory[room.types * sizeof(TypeNode) + room.args * sizeof(Argument)];
  auto* types = reinterpret_cast<TypeNode*>(memory);
  auto* args = reinterpret_cast<Argument*>(memory + room.types * sizeof(TypeNode));
  Head head = parse_into(text, {args, nullptr, types, room}, type_variables);
  if (!head.ok()) [[unlikely]]
    return parse_large(text, head, type_variables);
  return FunctionSchema(SchemaView{text, &head, args, args + head.n_args, types});
}

TENON_COLD_BODY FunctionSchema FunctionSchema::parse_large(std::string_view text, Head head,
                                                           TypeVariables type_variables) {
  std::vector<TypeNode> types;
  std::vector<Argument> args;
  if (head.why == reason::text_too_long) {
    Counts room = count(text);
    types.resize(room.types);
    args.resize(room.args += room.returns);
    head = parse_into(text, {args.data(), nullptr, types.data(), room}, type_variables);
  }
  if (head.why == reason::argument_list_expected)
    fail<SchemaError>("Tried to parse a function schema but only the operator name was given");
  if (!head.ok()) fail<SchemaError>(error_text(text, head));
  return FunctionSchema(SchemaView{text, &head, args.data(), args.data() + head.n_args, types.data()});
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

TENON_COLD_BODY FunctionSchema::FunctionSchema(const SchemaView& parts) {
  static_assert(sizeof(Data) % alignof(TypeNode) == 0 && sizeof(TypeNode) % alignof(Argument) == 0,
                "each part of the block is aligned where the one before ends");
  static_assert(std::is_trivially_copyable_v<TypeNode> && std::is_trivially_copyable_v<Argument>);
  const Head& head = *parts.head;
  std::size_t types_at = sizeof(Data), args_at = types_at + head.n_types * sizeof(TypeNode),
              text_at = args_at + (std::size_t{head.n_args} + head.n_returns) * sizeof(Argument);
  auto* memory = static_cast<char*>(::operator new(text_at + parts.text.size()));
  auto* data = new (memory) Data;
  data_ = intrusive_ptr<Data>::adopt(data);
  auto* types = reinterpret_cast<TypeNode*>(memory + types_at);
  auto* args = reinterpret_cast<Argument*>(memory + args_at);
  auto copy = [](auto* to, const auto* from, std::size_t n) {
    if (n != 0) std::memcpy(to, from, n * sizeof *from);
  };
  copy(types, parts.types, head.n_types);
  bool together = parts.returns == parts.args + head.n_args;
  copy(args, parts.args, head.n_args + (together ? std::size_t{head.n_returns} : 0));
  if (!together) copy(args + head.n_args, parts.returns, head.n_returns);
  copy(memory + text_at, parts.text.data(), parts.text.size());
  data->head = head;
  data->view = {{memory + text_at, parts.text.size()}, &data->head, args, args + head.n_args, types};
}

}  // namespace tenon::schema
