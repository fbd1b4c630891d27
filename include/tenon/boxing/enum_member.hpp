// A member of an enumeration that has names.
#pragma once
#include <tenon/boxing/value.hpp>

namespace tenon {

/// Two are equal if class, name and value are. Schema type `AnyEnumType` takes it.
class EnumMember final : public RefCounted {
 public:
  static constexpr ValueKind value_kind = ValueKind::Enum;
  static std::string schema_words() { return "AnyEnumType"; }

  /// `class_name` may be qualified: `my.Color`.
  EnumMember(std::string class_name, std::string name, Value value)
      : class_name_(std::move(class_name)), name_(std::move(name)), value_(std::move(value)) {}
  const std::string& class_name() const { return class_name_; }
  const std::string& name() const { return name_; }
  const Value& value() const { return value_; }

 private:
  std::string class_name_, name_;
  Value value_;
};

}  // namespace tenon
