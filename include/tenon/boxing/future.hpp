// A result that arrives later: set once, from any thread; read, waited for and continued by others.
#pragma once
#include <exception>

#include <tenon/boxing/convert.hpp>

namespace tenon {
namespace detail {

struct FutureObject;
class UntypedFuture;

/// The same words. Throws SchemaError if they are no type.
std::string_view checked_type(std::string_view words);

/// What runs when a future is completed.
struct FutureCallback : RefCounted {
  virtual void run(const UntypedFuture& future) = 0;
};

/// What futures of all types share. Every function may be called from several threads at once.
class UntypedFuture {
 public:
  /// The schema words of what it will hold.
  const std::string& element_type() const;
  /// Whether it has a value or an error.
  bool completed() const;
  bool has_value() const;
  bool has_error() const;
  /// The error, or null; the same object for all who ask.
  std::exception_ptr error() const;
  /// Returns when it is completed.
  void wait() const;
  /// Completes it, runs what waits for that in this thread, and throws the first exception that comes out of it. Throws
  /// ValueError if it is completed already.
  void set_error(std::exception_ptr error) const;
  operator Value() const;
  friend bool operator==(const UntypedFuture& a, const UntypedFuture& b) { return a.object_ == b.object_; }

 protected:
  explicit UntypedFuture(std::string_view element_type);
  UntypedFuture(const Value& v, std::string_view element_type);
  /// `checked`: the value is known to be of the element type.
  void complete(Value value, bool checked) const;
  Value result() const;
  void call_when_completed(intrusive_ptr<FutureCallback> callback) const;

 private:
  FutureObject& object() const;
  intrusive_ptr<RefCounted> object_;
};

/// What a future of an R holds: schemas have one integer and one real type.
template <class R>
using element_t = std::conditional_t<!std::is_arithmetic_v<R> || std::is_same_v<R, bool>, R,
                                     std::conditional_t<std::is_integral_v<R>, std::int64_t, double>>;

}  // namespace detail

/// A T that arrives later, in schemas `Future(T)`; `Future<>` is one of a value of any type. Copies share the result.
template <class T>
class Future : public detail::UntypedFuture {
  static_assert(std::is_same_v<T, detail::element_t<T>>,
                "tenon: a future holds a type that no operator schema can carry (take double for float, int64_t for "
                "other integers)");

 public:
  static std::string schema_words() { return "Future(" + detail::words_of<T>::text() + ")"; }
  /// Throws TypeError if the value is no such future.
  static Future from_value(const Value& v) { return Future(v, detail::words_of<T>::text()); }

  Future() : UntypedFuture(detail::words_of<T>::text()) {}
  /// One whose type is known by its schema words alone: `Future<>("Tensor[]")`. Throws SchemaError if they are no type.
  template <class Words>
    requires(std::is_same_v<T, Value>&& std::is_convertible_v<Words, std::string_view>)
  explicit Future(const Words& element_type) : UntypedFuture(detail::checked_type(element_type)) {}

  /// As `set_error`, with a value. Throws TypeError for one of another type than the future's.
  void mark_completed(const T& value) const { complete(detail::to_value(value), !std::is_same_v<T, Value>); }
  /// The value; throws the error, or ValueError if there is neither yet. Each call throws a copy of its own of one of
  /// the library's errors.
  T value() const {
    Value v = result();
    return detail::from_value<T>(v);
  }
  /// Waits for the value; throws the error.
  T get() const {
    wait();
    return value();
  }

  /// Calls `f(future)` when this one is completed, in the thread that completes it, or now if it is.
  template <class F>
  void add_callback(F f) const {
    call_when_completed(make_intrusive<Callback<F>>(std::move(f)));
  }
  /// The result of `f(future)`, called as by `add_callback`; an exception of it is the result's error. A result that is
  /// a future itself is waited for.
  template <class F>
  auto then(F f) const {
    using R = std::invoke_result_t<F&, const Future&>;
    if constexpr (std::is_void_v<R>) {
      return then([f = std::move(f)](const Future& self) mutable {
        f(self);
        return Value();
      });
    } else if constexpr (std::is_base_of_v<UntypedFuture, R>) {
      R next;
      add_callback([next, f = std::move(f)](const Future& self) mutable {
        if (auto inner = attempt(next, [&] { return f(self); }))
          inner->add_callback([next](const R& done) {
            if (auto error = done.error())
              next.set_error(error);
            else
              next.mark_completed(done.value());
          });
      });
      return next;
    } else {
      using Element = detail::element_t<R>;
      Future<Element> next;
      add_callback([next, f = std::move(f)](const Future& self) mutable {
        if (auto value = attempt(next, [&] { return static_cast<Element>(f(self)); })) next.mark_completed(*value);
      });
      return next;
    }
  }

 private:
  Future(const Value& v, std::string_view element_type) : UntypedFuture(v, element_type) {}
  explicit Future(const UntypedFuture& same) : UntypedFuture(same) {}
  template <class F>
  struct Callback final : detail::FutureCallback {
    explicit Callback(F f) : function(std::move(f)) {}
    void run(const UntypedFuture& future) override { function(Future(future)); }
    F function;
  };
  /// What the function returns, or nothing after its exception became the error of `next`.
  template <class F>
  static auto attempt(const UntypedFuture& next, F f) -> std::optional<decltype(f())> {
    try {
      return f();
    } catch (...) {
      next.set_error(std::current_exception());
      return std::nullopt;
    }
  }
};

}  // namespace tenon
