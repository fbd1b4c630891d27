// Batching rules: how an operator runs for all examples of a batch at once.
#pragma once
#include <string>
#include <string_view>

#include <tenon/func/interpret.hpp>

namespace tenon::func {

/// One call of an operator within vmap.
struct BatchedCall {
  const OperatorHandle& op;
  const Level& level;
  Stack given;             ///< the arguments as the function sees them: one example's
  Stack physical;          ///< the same; tensors of the batch with all their examples, along the first dimension
  std::uint64_t dims = 0;  ///< which arguments name dimensions, by bits

  const schema::SchemaView& schema() const { return op.schema(); }
  std::int64_t size() const { return level.size; }
  /// Whether argument `i` is a tensor, or a list with one, of this batch.
  bool batched(std::size_t i) const;
  /// Whether argument `i` is the only one of the batch.
  bool only_batched(std::size_t i) const;
  /// The tensor at argument `i` with all examples; one that is not of the batch is repeated without a copy.
  Tensor expanded(std::size_t i) const;
  /// The end of a rule whose results are those of the operator with these arguments: always true.
  bool answer(Stack arguments, Stack& results) const;
};

/// Gives the results, every tensor with its examples along the first dimension; false if the rule does not fit the
/// call, which another then serves. What an operator writes need not be among the results.
using BatchingRule = bool (*)(BatchedCall& call, Stack& results);

namespace detail {
TENON_THREAD_WORD(bool, warns_of_loops, true);
/// Rules by full name (`aten::sum.dim_IntList`) or by name without overload; null if there is none.
BatchingRule find_rule(const SchemaView& s);
/// Returns true, for a variable to be initialised with.
bool add_rule(std::string_view name, BatchingRule rule);
}  // namespace detail

/// Whether operators without a rule warn that they run once for each example. On to begin with, for this thread.
void warn_of_loops(bool on);
/// The operators of the registry, sorted, for which vmap loops over the examples.
std::vector<std::string> operators_without_batching_rule();
/// The names of TENON_BATCHING_RULE that name no operator, sorted: misspelt, or of a library that is not there.
std::vector<std::string> batching_rules_without_operator();

}  // namespace tenon::func

/// Registers a batching rule for an operator: `TENON_BATCHING_RULE(my_op, "my::op", rule)`, in one unit of a program.
/// It serves every overload of that name, and its forms with `out`; `my::op_` wants a rule of its own. The operator
/// need not be there yet: func::batching_rules_without_operator() tells which names have none.
#define TENON_BATCHING_RULE(ID, NAME, RULE) \
  inline const bool tenon_batching_rule_##ID = ::tenon::func::detail::add_rule(NAME, RULE)
