// Bodies of matching: from the values of a call to an operator's arguments.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/boxing/bodies/future.hpp>
#include <tenon/boxing/match.hpp>
#include <tenon/schema/compare.hpp>
#include <tenon/schema/default_value.hpp>
#include <tenon/schema/print.hpp>

namespace tenon {
namespace detail {

/// A default of the schema as a value.
inline Value value_of_constant(const schema::Constant& c) {
  using schema::DefaultKind;
  schema::Kind kind = c.kind;
  switch (c.written) {
    case DefaultKind::None_: return {};
    case DefaultKind::Boolean: return Value(c.boolean());
    case DefaultKind::String: return kind == schema::Kind::Device ? Value(Device(c.string())) : Value(c.string());
    case DefaultKind::Float: return kind == schema::Kind::Complex ? Value(Complex<double>(c.real())) : Value(c.real());
    case DefaultKind::Imaginary: return Value(Complex<double>(0, c.real()));
    default:
      if (kind == schema::Kind::Float || kind == schema::Kind::SymFloat) return Value(c.real());
      if (kind == schema::Kind::Complex) return Value(Complex<double>(c.real()));
      return Value(c.integer());
  }
}

inline ValueKind element_kind_of(schema::Kind kind) {
  switch (schema::matching_kind(kind)) {
    case schema::Kind::Tensor: return ValueKind::Tensor;
    case schema::Kind::Int: return ValueKind::Int;
    case schema::Kind::Float: return ValueKind::Double;
    case schema::Kind::Bool: return ValueKind::Bool;
    default: return ValueKind::None;
  }
}

inline Value default_value_of(const schema::SchemaView& schema, const schema::Argument& a) {
  if (!schema::default_is_list(schema, a)) return value_of_constant(schema::default_constant(schema, a));
  std::vector<Value> items;
  for (std::size_t i = 0, n = schema::default_size(schema, a); i < n; ++i)
    items.push_back(value_of_constant(schema::default_item(schema, a, i)));
  return Value::list(std::move(items),
                     element_kind_of(schema.node(schema::detail::without_optional(schema, a).child).kind));
}

/// The number in a tensor without dimensions on the CPU, or nothing.
inline std::optional<Scalar> number_in(const Tensor& t) {
  if (!t.defined() || !t.is_cpu() || t.dim() != 0 || t.layout() != Layout::Strided || !t.impl().data() ||
      t.dtype() == ScalarType::QUInt8)
    return std::nullopt;
  return t.item();
}

/// Types that a value is matched against, with what type variables stand for so far.
class ValueMatcher {
 public:
  ValueMatcher(const schema::SchemaView& schema, Conversions conversions)
      : schema_(schema), convert_(conversions == Conversions::Implicit) {}

  /// Whether `v` is of the type, after a conversion if those are allowed. If not, `v` is what it was.
  bool match(std::int16_t type, Value& v) {
    Value given = v;
    if (convert(type, v)) return true;
    v = std::move(given);
    return false;
  }
  /// Why the last match failed, if a type variable is to blame.
  const std::string& reason() const { return reason_; }

 private:
  bool convert(std::int16_t type, Value& v) {
    using schema::Kind;
    const schema::TypeNode& node = schema_.node(type);
    auto numeric = [&](auto... kinds) { return ((v.kind() == kinds) || ...); };
    switch (node.kind) {
      case Kind::Optional: return v.is_none() || convert(node.child, v);
      case Kind::List: return match_list(node, v);
      case Kind::Tuple: return match_tuple(node, v);
      case Kind::Dict: return match_dict(node, v);
      case Kind::Union: return match_union(node, v);
      case Kind::Future: return match_element(node, v, ValueKind::Future);
      case Kind::Await: return match_element(node, v, ValueKind::Await);
      case Kind::RRef: return match_element(node, v, ValueKind::RRef);
      case Kind::TypeVar: return match_variable(schema_.part(node.text_offset, node.text_length), type_words(v));
      default: break;
    }
    if (convert_ && v.is_tensor() && node.kind != Kind::Tensor && node.kind != Kind::Any)
      if (auto number = number_in(v.to_tensor())) v = Value(*number);
    switch (schema::matching_kind(node.kind)) {
      case Kind::Any: return true;
      case Kind::None_: return v.is_none();
      case Kind::Tensor: return v.is_tensor();
      case Kind::Int:
        if (convert_ && numeric(ValueKind::Bool)) v = Value(std::int64_t{v.to_bool()});
        return numeric(ValueKind::Int, ValueKind::SymInt, ValueKind::UInt);
      case Kind::Float:
        if (convert_ && numeric(ValueKind::Int, ValueKind::UInt, ValueKind::Bool))
          v = Value(v.to_scalar().to<double>());
        return numeric(ValueKind::Double, ValueKind::SymFloat);
      case Kind::Bool: return numeric(ValueKind::Bool, ValueKind::SymBool);
      case Kind::Complex:
        if (convert_ && numeric(ValueKind::Int, ValueKind::UInt, ValueKind::Double, ValueKind::Bool))
          v = Value(v.to_scalar().to<Complex<double>>());
        return numeric(ValueKind::ComplexDouble);
      case Kind::Scalar:
        return numeric(ValueKind::Int, ValueKind::UInt, ValueKind::Double, ValueKind::ComplexDouble, ValueKind::Bool,
                       ValueKind::SymInt, ValueKind::SymFloat, ValueKind::SymBool);
      case Kind::Str: return numeric(ValueKind::String);
      case Kind::Device:
        if (convert_ && numeric(ValueKind::String)) v = Value(Device(v.to_string_view()));
        return numeric(ValueKind::Device);
      case Kind::Generator: return numeric(ValueKind::Generator);
      case Kind::Storage: return numeric(ValueKind::Storage);
      case Kind::Stream: return numeric(ValueKind::Stream);
      case Kind::QScheme: return numeric(ValueKind::Int);
      case Kind::Capsule: return numeric(ValueKind::Capsule);
      case Kind::Quantizer:
      case Kind::ConstQuantizerPtr: return numeric(ValueKind::Quantizer);
      case Kind::AnyEnumType: return numeric(ValueKind::Enum);
      case Kind::Class:
      case Kind::AnyClassType: return numeric(ValueKind::Object);
      default: return false;
    }
  }
  /// What is of one of the types stays as it is, in whatever place that type stands.
  bool match_union(const schema::TypeNode& node, Value& v) {
    const bool allowed = convert_;
    const std::size_t bound = variables_.size();
    const std::string reason = reason_;
    bool found = false;
    for (bool convert : {false, true}) {
      if (found || (convert && !allowed)) break;
      convert_ = convert;
      for (std::int16_t child = node.child; child >= 0 && !found; child = schema_.node(child).next) {
        found = match(child, v);
        if (!found) variables_.resize(bound);
      }
    }
    convert_ = allowed;
    if (found) reason_ = reason;
    return found;
  }
  /// Element i of a list or tuple, which is the caller's and stays as it is: `converted` is its copy from the first
  /// element on that is another after a conversion.
  bool match_item(std::int16_t type, const std::vector<Value>& items, std::size_t i, std::vector<Value>& converted) {
    Value item = items[i];
    if (!convert(type, item)) return false;
    if (converted.empty() && !item.is(items[i])) converted = items;
    if (!converted.empty()) converted[i] = std::move(item);
    return true;
  }
  bool match_list(const schema::TypeNode& node, Value& v) {
    if (convert_ && v.kind() == ValueKind::Tuple) v = Value::list(v.to_tuple());
    if (convert_ && node.size > 0 && v.is_number())
      v = Value::list(std::vector<Value>(static_cast<std::size_t>(node.size), v));
    if (!v.is_list()) return false;
    auto& items = v.to_list();
    // The peer never looks at the length that the schema states.
    // One number or several where the schema says `int[1]`, as reductions do.
    if (node.size > 1 && items.size() != static_cast<std::size_t>(node.size) && items.size() != 1) return false;
    std::vector<Value> converted;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!match_item(node.child, items, i, converted)) return false;
    if (node.size > 1 && items.size() == 1)
      v = Value::list(
          std::vector<Value>(static_cast<std::size_t>(node.size), converted.empty() ? items[0] : converted[0]));
    else if (!converted.empty())
      v = Value::list(std::move(converted));
    return true;
  }
  bool match_tuple(const schema::TypeNode& node, Value& v) {
    if (v.kind() != ValueKind::Tuple) return false;
    std::size_t i = 0;
    auto& items = v.to_tuple();
    std::vector<Value> converted;
    for (std::int16_t child = node.child; child >= 0; child = schema_.node(child).next, ++i)
      if (i >= items.size() || !match_item(child, items, i, converted)) return false;
    if (i != items.size()) return false;
    if (!converted.empty()) v = Value::tuple(std::move(converted));
    return true;
  }
  bool match_dict(const schema::TypeNode& node, Value& v) {
    if (v.kind() != ValueKind::Dict) return false;
    std::int16_t value_type = schema_.node(node.child).next;
    auto converted = v.to_dict();
    bool same = true;
    for (std::size_t i = 0; i < converted.size(); ++i) {
      auto& [key, value] = converted[i];
      if (!convert(node.child, key) || !convert(value_type, value)) return false;
      const auto& given = v.to_dict()[i];
      same = same && key.is(given.first) && value.is(given.second);
    }
    if (!same) v = Value::dict(std::move(converted));
    return true;
  }
  /// What the value will give counts as the type that it states, for there may be no element to look at.
  bool match_element(const schema::TypeNode& node, const Value& v, ValueKind kind) {
    if (v.kind() != kind) return false;
    std::string memory;
    schema::FunctionSchema given = schema_of_type(element_words(v, memory));
    return match_type(node.child, schema::detail::root(given, given->arg(0)));
  }
  bool match_type(std::int16_t type, schema::detail::TypeRef given) {
    using schema::Kind;
    const schema::TypeNode& node = schema_.node(type);
    Kind kind = given.node().kind;
    if (node.kind == Kind::TypeVar) {
      std::string words;
      schema::detail::append_type(words, *given.schema, given.index, false);
      return match_variable(schema_.part(node.text_offset, node.text_length), std::move(words));
    }
    if (node.kind == Kind::Optional && kind != Kind::Optional)
      return kind == Kind::None_ || match_type(node.child, given);
    if (node.kind != kind || kind == Kind::Union || node.child < 0)
      return schema::detail::is_subtype(given, {&schema_, type});
    std::int16_t child = node.child;
    for (given = given.child(); child >= 0 && given; child = schema_.node(child).next, given = given.next())
      if (!match_type(child, given)) return false;
    return child < 0 && !given;
  }
  bool match_variable(std::string_view name, std::string words) {
    for (const auto& [known, type] : variables_)
      if (known == name) {
        if (type == words) return true;
        reason_ = concat("Type variable '", name, "' previously matched to type ", type, " is matched to type ", words);
        return false;
      }
    variables_.emplace_back(name, std::move(words));
    return true;
  }

  const schema::SchemaView& schema_;
  bool convert_;
  std::vector<std::pair<std::string_view, std::string>> variables_;
  std::string reason_;
};

}  // namespace detail

TENON_COLD_BODY bool is_of_type(const Value& v, std::string_view type) {
  schema::FunctionSchema schema = detail::schema_of_type(type);
  Value copy = v;
  return detail::ValueMatcher(schema, Conversions::None).match(schema->arg(0).type, copy);
}

TENON_COLD_BODY Stack match_arguments(const schema::SchemaView& schema, std::vector<Value> positional,
                                      std::vector<NamedValue> keywords, Conversions conversions,
                                      schema::KeywordOnly keyword_only) {
  std::size_t n = schema.n_args(), n_positional = positional.size();
  Value rest;
  if (schema.head->is_vararg && n_positional > n) {
    rest = Value::tuple(std::vector<Value>(positional.begin() + static_cast<std::ptrdiff_t>(n), positional.end()));
    positional.resize(n);
    n_positional = n;
  }
  std::vector<std::string_view> names;
  for (const auto& k : keywords) names.push_back(k.name);
  std::vector<std::int16_t> source(n + 1);
  auto bound = schema::bind(schema, n_positional, names.data(), names.size(), source.data(), keyword_only);
  if (!bound.ok())
    fail<ValueError>(
        schema::bind_message(schema, bound, n_positional, names.data(), names.size(), schema::to_string(schema)));
  Stack stack;
  stack.reserve(n + 1);
  detail::ValueMatcher matcher(schema, conversions);
  for (std::size_t i = 0; i < n; ++i) {
    const schema::Argument& a = schema.arg(i);
    if (source[i] == schema::from_default) {
      stack.push_back(detail::default_value_of(schema, a));
      continue;
    }
    auto from = static_cast<std::size_t>(source[i]);
    Value v = from < n_positional ? std::move(positional[from]) : std::move(keywords[from - n_positional].value);
    if (!matcher.match(a.type, v))
      fail<TypeError>(schema.name(), "() Expected a value of type '", schema::type_text(schema, a), "' for argument '",
                      schema.name_of(a), "' but instead found type '", type_words(v), "'.\nPosition: ", i,
                      "\nValue: ", v, "\nDeclaration: ", schema::to_string(schema),
                      matcher.reason().empty() ? "" : "\n", matcher.reason());
    stack.push_back(std::move(v));
  }
  if (!rest.is_none()) stack.push_back(std::move(rest));
  return stack;
}

TENON_COLD_BODY std::pair<std::size_t, Stack> match_overloads(const std::vector<schema::SchemaView>& schemas,
                                                              const std::vector<Value>& positional,
                                                              const std::vector<NamedValue>& keywords) {
  std::string reasons;
  for (Conversions how : {Conversions::None, Conversions::Implicit})
    for (std::size_t i = 0; i < schemas.size(); ++i) try {
        return {i, match_arguments(schemas[i], positional, keywords, how)};
      } catch (const Error& e) {
        if (how == Conversions::Implicit) (reasons += "\n\n") += e.what();
      }
  fail<TypeError>("Arguments for call are not valid.\nThe following variants are available:", reasons);
}

}  // namespace tenon
