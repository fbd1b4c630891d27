// An object of a user's own class that operators only pass on.
#pragma once
#include <tenon/boxing/signature.hpp>

namespace tenon {

/// Holds an object of any class; only schema type `Capsule` (and `Any`) takes it. Who knows the class gets it back.
class Capsule final : public RefCounted {
 public:
  static constexpr ValueKind value_kind = ValueKind::Capsule;
  static std::string schema_words() { return "Capsule"; }

  explicit Capsule(intrusive_ptr<RefCounted> object) : object_(std::move(object)) {}
  /// Throws TypeError if the object is of another class.
  template <class T>
  intrusive_ptr<T> get() const {
    auto* object = dynamic_cast<T*>(object_.get());
    if (!object) wrong_class(typeid(T));
    return intrusive_ptr<T>::share(object);
  }
  /// The name of the object's class, as the compiler spells it.
  std::string class_name() const;

 private:
  [[noreturn, gnu::cold]] void wrong_class(const std::type_info& asked) const;

  intrusive_ptr<RefCounted> object_;
};

}  // namespace tenon
