// A value that some worker owns and others refer to.
#pragma once
#include <tenon/boxing/convert.hpp>

namespace tenon {

/// What a remote reference is to operators; a layer that talks to other workers derives its own.
class RRefInterface : public RefCounted {
 public:
  static constexpr ValueKind value_kind = ValueKind::RRef;
  /// The worker that holds the value: its number and its name.
  virtual std::int64_t owner() const = 0;
  virtual std::string owner_name() const = 0;
  /// Whether this process is the owner.
  virtual bool is_owner() const = 0;
  /// Whether the owner knows of this reference.
  virtual bool confirmed_by_owner() const = 0;
  /// The schema words of the value's type.
  virtual std::string element_type() const = 0;
  /// The value, fetched if another worker owns it. Throws what went wrong there.
  virtual Value to_here() = 0;
};

/// One whose owner is this process.
class LocalRRef final : public RRefInterface {
 public:
  LocalRRef(Value value, std::string element_type, std::int64_t worker = 0, std::string worker_name = "local")
      : value_(std::move(value)),
        element_type_(std::move(element_type)),
        worker_(worker),
        worker_name_(std::move(worker_name)) {}
  std::int64_t owner() const override { return worker_; }
  std::string owner_name() const override { return worker_name_; }
  bool is_owner() const override { return true; }
  bool confirmed_by_owner() const override { return true; }
  std::string element_type() const override { return element_type_; }
  Value to_here() override { return value_; }

 private:
  Value value_;
  std::string element_type_;
  std::int64_t worker_;
  std::string worker_name_;
};

namespace detail {
/// The value of that kind, `RRef(int)` say, as one of elements of the words `asked`. Throws TypeError if it is not.
void check_element(const Value& v, ValueKind kind, std::string_view asked);
}  // namespace detail

/// A reference to a T, in schemas `RRef(T)`; `RRef<>` is one to a value of any type. Copies share the reference.
template <class T>
class RRef {
 public:
  static std::string schema_words() { return "RRef(" + detail::words_of<T>::text() + ")"; }
  /// Throws TypeError if the value is no such reference.
  static RRef from_value(const Value& v) {
    detail::check_element(v, ValueKind::RRef, detail::words_of<T>::text());
    return RRef(v.to_object<RRefInterface>());
  }
  /// A value that this process owns.
  static RRef local(const T& value) {
    return RRef(make_intrusive<LocalRRef>(detail::to_value(value), detail::words_of<T>::text()));
  }
  explicit RRef(intrusive_ptr<RRefInterface> reference) : reference_(std::move(reference)) {}
  operator Value() const { return Value(reference_); }

  RRefInterface* operator->() const { return reference_.get(); }
  T to_here() const {
    Value v = reference_->to_here();
    return detail::from_value<T>(v);
  }

 private:
  intrusive_ptr<RRefInterface> reference_;
};

}  // namespace tenon
