// Values that only their maker understands: objects of another language, C++ objects of any type.
#pragma once
#include <typeinfo>

#include <tenon/boxing/value.hpp>

namespace tenon {

/// An object of Python's. The binding derives from it: its constructor takes a reference, its destructor gives it up.
class PyObjectHolder : public RefCounted {
 public:
  static constexpr ValueKind value_kind = ValueKind::PyObject;
  /// The `PyObject*`.
  virtual void* get() const = 0;
  /// The name of its type, `numpy.ndarray`.
  virtual std::string type_name() const = 0;
  virtual std::string str() const { return "<" + type_name() + " object>"; }
};

/// A C++ object of any type: `Value(make_blob(std::vector<int>{1, 2}))`,
/// `v.to_object<Blob>()->get<std::vector<int>>()`.
class Blob : public RefCounted {
 public:
  static constexpr ValueKind value_kind = ValueKind::Blob;
  virtual const std::type_info& type() const = 0;
  /// Null if the object is of another type.
  template <class T>
  T* get() const {
    return type() == typeid(T) ? static_cast<T*>(address()) : nullptr;
  }

 private:
  virtual void* address() const = 0;
};

namespace detail {
template <class T>
class BlobOf final : public Blob {
 public:
  explicit BlobOf(T object) : object_(std::move(object)) {}
  const std::type_info& type() const override { return typeid(T); }

 private:
  void* address() const override { return &object_; }
  mutable T object_;
};
}  // namespace detail

template <class T>
intrusive_ptr<Blob> make_blob(T object) {
  return make_intrusive<detail::BlobOf<T>>(std::move(object));
}

}  // namespace tenon
