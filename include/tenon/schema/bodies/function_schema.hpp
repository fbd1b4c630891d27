// Bodies of schemas that own their text.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/schema/error_text.hpp>
#include <tenon/schema/function_schema.hpp>

namespace tenon::schema {

TENON_BODY std::string to_string(const OperatorName& name) {
  return name.overload.empty() ? name.name : name.name + "." + name.overload;
}

namespace detail {

inline OperatorName name_from(std::string_view text, const Head& head) {
  SchemaView view{text, &head, nullptr, nullptr, nullptr};
  return {std::string(view.name()), std::string(view.overload())};
}

}  // namespace detail

TENON_BODY OperatorName parse_operator_name(std::string_view text) {
  Head head = parse_name(text);
  if (head.why == reason::text_after_schema && text[head.position] == '(')
    fail<SchemaError>("Tried to parse an operator name but function schema was given");
  if (!head.ok()) fail<SchemaError>(error_text(text, head));
  return detail::name_from(text, head);
}

TENON_BODY NameOrSchema parse_name_or_schema(std::string_view text, TypeVariables type_variables) {
  Head head = parse_name(text);
  if (head.ok()) return {detail::name_from(text, head), {}};
  if (head.why != reason::text_after_schema) fail<SchemaError>(error_text(text, head));
  auto schema = FunctionSchema::parse(text, type_variables);
  return {schema.operator_name(), schema};
}

TENON_BODY FunctionSchema FunctionSchema::parse(std::string_view text, TypeVariables type_variables) {
  auto data = make_intrusive<Data>();
  data->text = text;
  Counts bound = count(text);
  data->args.resize(bound.args);
  data->returns.resize(bound.returns);
  data->types.resize(bound.types);
  data->head =
      parse_into(data->text, {data->args.data(), data->returns.data(), data->types.data(), bound}, type_variables);
  if (data->head.why == reason::argument_list_expected)
    fail<SchemaError>("Tried to parse a function schema but only the operator name was given");
  if (!data->head.ok()) fail<SchemaError>(error_text(text, data->head));
  data->args.resize(data->head.n_args);
  data->returns.resize(data->head.n_returns);
  data->types.resize(data->head.n_types);
  return FunctionSchema(std::move(data));
}

TENON_BODY FunctionSchema FunctionSchema::copy(const SchemaView& other) {
  auto data = make_intrusive<Data>();
  data->text = other.text;
  data->head = *other.head;
  data->args.assign(other.args, other.args + other.head->n_args);
  data->returns.assign(other.returns, other.returns + other.head->n_returns);
  data->types.assign(other.types, other.types + other.head->n_types);
  return FunctionSchema(std::move(data));
}

TENON_BODY FunctionSchema FunctionSchema::with_namespace(std::string_view ns) const {
  if (view().head->namespace_length != 0) return *this;
  return parse(concat(ns, "::", view().text.substr(view().head->name_offset)));
}

TENON_BODY OperatorName FunctionSchema::operator_name() const {
  return {std::string(view().name()), std::string(view().overload())};
}

TENON_BODY FunctionSchema::FunctionSchema(intrusive_ptr<Data> data) : data_(std::move(data)) {
  data_->view = {data_->text, &data_->head, data_->args.data(), data_->returns.data(), data_->types.data()};
}

}  // namespace tenon::schema
