// Bodies of boxing.
#pragma once
#include <cxxabi.h>

#include <cstdlib>

#include <tenon/base/body.hpp>
#include <tenon/boxing/bodies/value.hpp>
#include <tenon/boxing/kernel.hpp>

namespace tenon {
namespace detail {

TENON_COLD_BODY std::string cpp_type_name(const std::type_info& type) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? text : type.name();
  std::free(text);
  return name;
}

TENON_COLD_BODY void wrong_result_count(std::size_t expected, std::size_t found) {
  fail<InternalError>("Boxed kernel was expected to return ", expected, " values on the stack, but instead pushed ",
                      found, " values.");
}

TENON_COLD_BODY void symbolic_meets_plain(std::string_view op, const bool* plain) {
  int i = 0;
  while (plain[i]) ++i;
  fail<TypeError>(
      op, op.empty() ? "" : ": ", "argument ", i + 1,
      " is symbolic, and the kernel takes plain integers; register a kernel that takes SymInt, or call guard_int() on the value");
}

TENON_COLD_BODY Tensor* unbox_tensor(Value& v) {
  static Tensor undefined;  // never written
  return v.is_none() ? &undefined : &v.to_tensor();
}
TENON_COLD_BODY Tensor* unbox_written_tensor(Value& v) { return &v.to_tensor(); }
TENON_COLD_BODY std::int64_t unbox_int(const Value& v) { return v.to_int(); }
TENON_COLD_BODY std::int64_t unbox_small(const Value& v, const SmallInteger& type) {
  std::int64_t n = v.to_int();
  if (n >= type.first && n <= type.last) return n;
  std::string expected = concat(type.name, ", from ", type.first, " to ", type.last);
  throw UnreadableError<ValueError>(concat("Expected ", expected, ", but got ", n), v, expected, "");
}
TENON_COLD_BODY ScalarType unbox_scalar_type(const Value& v) {
  std::int64_t n = v.to_int();
  auto type = static_cast<ScalarType>(n);
  if (static_cast<std::int64_t>(type) == n && (type == ScalarType::Undefined || to_string(type) != "undefined"))
    return type;
  throw UnreadableError<ValueError>(concat("Expected the code of a ScalarType, but got ", n), v,
                                    "the code of a ScalarType", "");
}
TENON_COLD_BODY SymInt unbox_sym_int(const Value& v) { return v.to_sym_int(); }
TENON_COLD_BODY double unbox_double(const Value& v) {
  return v.is_int() ? static_cast<double>(v.to_int()) : v.to_double();
}
TENON_COLD_BODY bool unbox_bool(const Value& v) { return v.to_bool(); }
TENON_COLD_BODY Device unbox_device(const Value& v) { return v.to_device(); }
TENON_COLD_BODY Generator unbox_generator(const Value& v) { return v.to_generator(); }

TENON_COLD_BODY void leave_nothing(Stack& stack, std::size_t base) {
  while (stack.size() > base) stack.pop_back();
}
TENON_COLD_BODY void leave_tensor(Stack& stack, std::size_t base, Tensor&& result) {
  leave_nothing(stack, base);
  stack.emplace_back(std::move(result));
}

TENON_COLD_BODY void run_boxed(const BoxedCall& call, Stack& stack) {
  stack.reserve(call.size > 4 ? call.size : 4);
  for (std::size_t i = 0; i < call.size; ++i) call.box_into[i](stack, call.arguments[i]);
  call.boxed(call.data, call.op, call.keys, stack);
}
TENON_COLD_BODY void run_boxed_for_reference(const BoxedCall& call) {
  Stack stack;
  run_boxed(call, stack);
}

}  // namespace detail

TENON_COLD_BODY void Kernel::set_entry(const detail::TypedEntry& entry) {
  auto& r = state_->record;
  (entry.signature->symbolic ? r.unboxed_sym : r.unboxed) = entry.entry;
  r.boxed = entry.boxed;
  r.boxed_data = &r;
  state_->type = entry.spelled;
}
TENON_COLD_BODY Kernel::Kernel(const detail::TypedEntry& entry, const void* data) : state_(make_intrusive<State>()) {
  set_entry(entry);
  state_->record.data = const_cast<void*>(data);
}

}  // namespace tenon
