// How an operator meets symbolic tensors: by its kernel for them, else by its kernel for Meta.
#pragma once
#include <vector>

#include <tenon/base/body.hpp>
#include <tenon/boxing/each_tensor.hpp>
#include <tenon/schema/print.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::composite {

/// Says which operator and which argument asked for plain numbers.
[[noreturn]] TENON_COLD inline void report_symbolic(const OperatorHandle& op,
                                                    const std::vector<std::vector<Tensor>>& arguments,
                                                    const SymbolicShapeError& e) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (const Tensor& t : arguments[i])
      if (t.unsafe_impl() == e.tensor())
        throw SymbolicShapeError(
            concat(op.schema(), ": argument ", i + 1, " '", op.schema().arg_name(i), "': expected plain sizes, got ",
                   t.sym_sizes(), "; register a kernel for Meta that reads sym_sizes()"),
            nullptr);
  throw SymbolicShapeError(concat(op.schema(), ": an intermediate result is symbolic: ", e.what()), nullptr);
}

/// Serves every operator without a kernel of its own for symbolic tensors: runs its kernel for Meta.
inline void symbolic_fallback(const OperatorHandle& op, Stack& stack) {
  std::size_t n = op.schema().n_args();
  std::vector<std::vector<Tensor>> arguments(n);
  bool symbolic = false;
  for (std::size_t i = 0; i < n; ++i) {
    tenon::detail::each_tensor(stack[stack.size() - n + i], [&](const Tensor& t) {
      arguments[i].push_back(t);
      symbolic = symbolic || t.keys().has(kSymbolicKey);
    });
  }
  if (!symbolic)
    fail<NotImplementedError>(op.schema(), ": the key ", kSymbolicKey,
                              " stands for tensors with symbolic sizes, and no argument is one; a mode or a wrapper of "
                              "your own takes TESTING_ONLY_GenericWrapper, say");
  try {
    op.redispatch_boxed(DispatchKey::Meta, stack);
  } catch (const SymbolicShapeError& e) {
    if (!e.tensor()) throw;  // a part of this operator has said it
    report_symbolic(op, arguments, e);
  }
}

}  // namespace tenon::composite

TENON_SYMBOLIC_LIBRARY_IMPL(_, m) { m.fallback(&tenon::composite::symbolic_fallback); }
