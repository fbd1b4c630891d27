// What an error tells of the call that it came out of: the operator with shapes, dtypes and numbers.
#pragma once
#include <tenon/base/error.hpp>
#include <tenon/boxing/box.hpp>

namespace tenon::detail {

/// Adds the line `in aten::add.Tensor(self: float32 [2, 3], other: float32 [2, 4], alpha: 1)` to an error. `box_into`
/// boxes the arguments that pointers lead to. Never throws.
[[gnu::cold]] void add_call_context(Error& error, std::string_view op, void (*const* box_into)(Stack&, const void*),
                                    const void* const* arguments, std::size_t n) noexcept;

/// The same for arguments of a signature: `call_context<R(A...)>::add(error, name, args...)`.
template <class Sig>
struct call_context;
template <class R, class... A>
struct call_context<R(A...)> {
  [[gnu::cold, gnu::noinline]] static void add(Error& error, std::string_view op,
                                               const std::remove_reference_t<A>&... args) noexcept {
    const void* const arguments[] = {__builtin_addressof(args)..., nullptr};
    add_call_context(error, op, adaptors<R(A...)>::box_each, arguments, sizeof...(A));
  }
};

}  // namespace tenon::detail
