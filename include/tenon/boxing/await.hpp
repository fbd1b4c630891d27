// A result that is computed when it is first asked for.
#pragma once
#include <tenon/boxing/future.hpp>

namespace tenon {
namespace detail {

struct AwaitObject;

struct AwaitFunction : RefCounted {
  virtual Value run() = 0;
};

class UntypedAwait {
 public:
  /// The schema words of the result's type.
  const std::string& element_type() const;
  /// Whether the function has run.
  bool completed() const;
  operator Value() const;

 protected:
  UntypedAwait(std::string_view element_type, intrusive_ptr<AwaitFunction> function);
  UntypedAwait(const Value& v, std::string_view element_type);
  Value result() const;

 private:
  AwaitObject& object() const;
  intrusive_ptr<RefCounted> object_;
};

}  // namespace detail

/// A T that a function gives when it is first waited for, in schemas `Await(T)`. Copies share it.
template <class T>
class Await : public detail::UntypedAwait {
 public:
  static std::string schema_words() { return "Await(" + detail::words_of<T>::text() + ")"; }
  /// Throws TypeError if the value is no such await.
  static Await from_value(const Value& v) { return Await(v, detail::words_of<T>::text()); }

  template <class F>
    requires std::is_invocable_r_v<T, F&>
  explicit Await(F f) : UntypedAwait(detail::words_of<T>::text(), make_intrusive<Function<F>>(std::move(f))) {}
  /// One whose type is known by its schema words alone. Throws SchemaError if they are no type.
  template <class F>
    requires(std::is_same_v<T, Value>&& std::is_invocable_r_v<T, F&>)
  Await(F f, std::string_view element_type)
      : UntypedAwait(detail::checked_type(element_type), make_intrusive<Function<F>>(std::move(f))) {}

  /// Runs the function once, in the thread that is first; others wait for it. Its exception is thrown to each. Throws
  /// ValueError if the function waits for itself.
  T wait() const {
    Value v = result();
    return detail::from_value<T>(v);
  }

 private:
  Await(const Value& v, std::string_view element_type) : UntypedAwait(v, element_type) {}
  template <class F>
  struct Function final : detail::AwaitFunction {
    explicit Function(F f) : function(std::move(f)) {}
    Value run() override { return detail::to_value(static_cast<T>(function())); }
    F function;
  };
};

}  // namespace tenon
