// A schema that owns its text and descriptors.
#pragma once
#include <new>
#include <string>

#include <tenon/base/intrusive_ptr.hpp>
#include <tenon/schema/parse.hpp>

namespace tenon::schema {

/// `ns::base` and the overload, which may be empty.
struct OperatorName {
  std::string name;
  std::string overload;
  friend bool operator==(const OperatorName&, const OperatorName&) = default;
};
std::string to_string(const OperatorName& name);

/// How many bytes a copy of a schema takes, its text and descriptors included.
std::size_t placed_size(const SchemaView& schema);
/// Copies a schema into so many bytes at a multiple of 8; the view lies there too.
const SchemaView& place(const SchemaView& schema, void* memory);
/// Where `place` put the schema of that view.
void* placed_at(const SchemaView& placed);

/// An immutable schema made at run time. A handle of one pointer: copies share it, views stay valid while one lives.
class FunctionSchema {
 public:
  FunctionSchema() = default;

  /// Parses one declaration. Throws SchemaError with the place of the mistake.
  static FunctionSchema parse(std::string_view text, TypeVariables type_variables = TypeVariables::Allow);
  /// Parses `ns::text`.
  static FunctionSchema parse_in(std::string_view ns, std::string_view text,
                                 TypeVariables type_variables = TypeVariables::Allow);

  /// Copies a schema that somebody else owns; nothing is parsed again.
  static FunctionSchema copy(const SchemaView& other);

  /// The same schema in namespace `ns` if its name has none; otherwise itself.
  FunctionSchema with_namespace(std::string_view ns) const;

  explicit operator bool() const { return static_cast<bool>(data_); }
  const SchemaView& view() const { return *data_->view; }
  operator const SchemaView&() const { return *data_->view; }
  const SchemaView* operator->() const { return data_->view; }
  OperatorName operator_name() const;

 private:
  // The head of one block of memory: the placed schema follows.
  struct Data final : RefCounted {
    const SchemaView* view = nullptr;
    void destroy() noexcept override {
      this->~Data();
      ::operator delete(this);
    }
  };
  explicit FunctionSchema(const SchemaView& parts);
  intrusive_ptr<Data> data_;
};

/// A schema parsed into memory of its own, to be copied elsewhere. The text must outlive it.
class ParsedSchema {
 public:
  /// Throws SchemaError with the place of the mistake.
  explicit ParsedSchema(std::string_view text, TypeVariables type_variables = TypeVariables::Allow);
  ParsedSchema(const ParsedSchema&) = delete;
  ParsedSchema& operator=(const ParsedSchema&) = delete;
  const SchemaView& view() const { return view_; }

 private:
  void parse_large(TypeVariables type_variables);
  // Almost every schema fits.
  static constexpr Counts kRoom{56, 0, 80};
  Head head_;
  SchemaView view_;
  std::string large_;  // the memory of one that does not
  alignas(TypeNode) unsigned char memory_[kRoom.types * sizeof(TypeNode) + kRoom.args * sizeof(Argument)];
};

/// Parses `[ns::]base[.overload]`. Throws SchemaError, also if a whole schema is given.
OperatorName parse_operator_name(std::string_view text);

/// What a text holds: a schema, or a name and an empty schema.
struct NameOrSchema {
  OperatorName name;
  FunctionSchema schema;
};
/// Parses a name or a whole declaration. Throws SchemaError.
NameOrSchema parse_name_or_schema(std::string_view text, TypeVariables type_variables = TypeVariables::Allow);

}  // namespace tenon::schema
