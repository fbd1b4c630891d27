// Bodies of futures and awaits.
#pragma once
#include <condition_variable>
#include <mutex>

#include <tenon/base/body.hpp>
#include <tenon/base/rethrow.hpp>
#include <tenon/boxing/await.hpp>
#include <tenon/boxing/match.hpp>
#include <tenon/boxing/rref.hpp>
#include <tenon/schema/compatible.hpp>
#include <tenon/schema/function_schema.hpp>

namespace tenon {
namespace detail {

struct FutureObject final : RefCounted {
  static constexpr ValueKind value_kind = ValueKind::Future;
  explicit FutureObject(std::string_view e) : element(e) {}
  const std::string element;
  std::mutex mutex;
  std::condition_variable changed;
  // Below: under the mutex until `done`, constant afterwards.
  bool done = false;
  Value value;
  std::exception_ptr error;
  std::vector<intrusive_ptr<FutureCallback>> callbacks;
};

struct AwaitObject final : RefCounted {
  static constexpr ValueKind value_kind = ValueKind::Await;
  AwaitObject(intrusive_ptr<AwaitFunction> f, std::string_view element) : function(std::move(f)), future(element) {}
  intrusive_ptr<AwaitFunction> function;  // of who set `runner`
  Future<> future;
  Atomic<const void*> runner{nullptr};  // an address of the thread that runs the function or did
};

TENON_COLD_BODY schema::FunctionSchema schema_of_type(std::string_view words) {
  return schema::FunctionSchema::parse(concat("f(", words, " x) -> ()"), schema::TypeVariables::Refuse);
}

TENON_COLD_BODY std::string_view checked_type(std::string_view words) {
  (void)schema_of_type(words);
  return words;
}

/// Of the element of a future, await or remote reference; those of the last need memory.
TENON_COLD_BODY std::string_view element_words(const Value& v, std::string& memory) {
  switch (v.kind()) {
    case ValueKind::Future: return v.to_object<FutureObject>()->element;
    case ValueKind::Await: return v.to_object<AwaitObject>()->future.element_type();
    default: return memory = v.to_object<RRefInterface>()->element_type();
  }
}

TENON_COLD_BODY void check_element(const Value& v, ValueKind kind, std::string_view asked) {
  if (v.kind() != kind) wrong_kind(to_string(kind).data(), v);
  if (asked == "Any") return;
  std::string memory;
  std::string_view found = element_words(v, memory);
  if (found == asked) return;
  schema::FunctionSchema a = schema_of_type(found), b = schema_of_type(asked);
  TENON_CHECK(schema::detail::is_subtype(schema::detail::root(a, a->arg(0)), schema::detail::root(b, b->arg(0))),
              TypeError, "Expected ", kind, "(", asked, ") but got ", kind, "(", found, ")");
}

TENON_COLD_BODY UntypedFuture::UntypedFuture(std::string_view element_type)
    : object_(make_intrusive<FutureObject>(element_type)) {}
TENON_COLD_BODY UntypedFuture::UntypedFuture(const Value& v, std::string_view element_type) {
  check_element(v, ValueKind::Future, element_type);
  object_ = v.to_object<FutureObject>();
}
TENON_COLD_BODY FutureObject& UntypedFuture::object() const { return static_cast<FutureObject&>(*object_); }
TENON_COLD_BODY UntypedFuture::operator Value() const { return Value(intrusive_ptr<FutureObject>::share(&object())); }
TENON_COLD_BODY const std::string& UntypedFuture::element_type() const { return object().element; }

TENON_COLD_BODY bool UntypedFuture::completed() const {
  std::lock_guard lock(object().mutex);
  return object().done;
}
TENON_COLD_BODY bool UntypedFuture::has_value() const {
  std::lock_guard lock(object().mutex);
  return object().done && !object().error;
}
TENON_COLD_BODY std::exception_ptr UntypedFuture::error() const {
  std::lock_guard lock(object().mutex);
  return object().error;
}
TENON_COLD_BODY bool UntypedFuture::has_error() const { return error() != nullptr; }
TENON_COLD_BODY void UntypedFuture::wait() const {
  FutureObject& o = object();
  std::unique_lock lock(o.mutex);
  o.changed.wait(lock, [&] { return o.done; });
}
TENON_COLD_BODY Value UntypedFuture::result() const {
  FutureObject& o = object();
  std::unique_lock lock(o.mutex);
  TENON_CHECK(o.done, ValueError, "Future(", o.element,
              ")::value(): expected a completed future, got a pending one; call wait() first");
  lock.unlock();
  if (o.error) rethrow_copy(o.error);
  return o.value;
}

inline void finish(FutureObject& o, const UntypedFuture& self, Value value, std::exception_ptr error) {
  std::vector<intrusive_ptr<FutureCallback>> callbacks;
  {
    std::lock_guard lock(o.mutex);
    TENON_CHECK(!o.done, ValueError, "Future(", o.element, ")::", error ? "set_error" : "mark_completed",
                "(): expected a pending future, got one that has ", o.error ? "an error" : "a value",
                "; a future is completed once");
    o.value = std::move(value);
    o.error = std::move(error);
    o.done = true;
    callbacks.swap(o.callbacks);
  }
  o.changed.notify_all();
  std::exception_ptr first;
  for (auto& callback : callbacks) {
    try {
      callback->run(self);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
    callback.reset();
  }
  if (first) std::rethrow_exception(first);
}
TENON_COLD_BODY void UntypedFuture::complete(Value value, bool checked) const {
  FutureObject& o = object();
  if (!checked && o.element != "Any" && !is_of_type(value, o.element))
    fail<TypeError>("Future(", o.element, ")::mark_completed(): expected a value of type '", o.element, "', got type '",
                    type_words(value), "': ", value);
  finish(o, *this, std::move(value), nullptr);
}
TENON_COLD_BODY void UntypedFuture::set_error(std::exception_ptr error) const {
  TENON_CHECK(error, ValueError, "Future(", element_type(), ")::set_error(): expected an exception, got null");
  finish(object(), *this, {}, std::move(error));
}
TENON_COLD_BODY void UntypedFuture::call_when_completed(intrusive_ptr<FutureCallback> callback) const {
  FutureObject& o = object();
  {
    std::lock_guard lock(o.mutex);
    if (!o.done) {
      o.callbacks.push_back(std::move(callback));
      return;
    }
  }
  callback->run(*this);
}

TENON_COLD_BODY UntypedAwait::UntypedAwait(std::string_view element_type, intrusive_ptr<AwaitFunction> function)
    : object_(make_intrusive<AwaitObject>(std::move(function), element_type)) {}
TENON_COLD_BODY UntypedAwait::UntypedAwait(const Value& v, std::string_view element_type) {
  check_element(v, ValueKind::Await, element_type);
  object_ = v.to_object<AwaitObject>();
}
TENON_COLD_BODY AwaitObject& UntypedAwait::object() const { return static_cast<AwaitObject&>(*object_); }
TENON_COLD_BODY UntypedAwait::operator Value() const { return Value(intrusive_ptr<AwaitObject>::share(&object())); }
TENON_COLD_BODY const std::string& UntypedAwait::element_type() const { return object().future.element_type(); }
TENON_COLD_BODY bool UntypedAwait::completed() const { return object().future.completed(); }
TENON_COLD_BODY Value UntypedAwait::result() const {
  static thread_local char here;
  AwaitObject& o = object();
  const void* runner = nullptr;
  if (o.runner.compare_exchange_strong(runner, &here)) {
    try {
      o.future.mark_completed(o.function->run());
    } catch (...) { o.future.set_error(std::current_exception()); }
    o.function.reset();
  } else if (runner == &here && !o.future.completed())
    fail<ValueError>("Await(", element_type(), ")::wait(): the function waits for its own result");
  return o.future.get();
}

}  // namespace detail

TENON_COLD_BODY Future<> Value::to_future() const { return Future<>::from_value(*this); }
TENON_COLD_BODY Await<> Value::to_await() const { return Await<>::from_value(*this); }

}  // namespace tenon
