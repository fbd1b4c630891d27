// Tangents: how the results of an operator change along a direction.
#pragma once
#include <string_view>

#include <tenon/func/interpret.hpp>

namespace tenon::func {

/// One call of an operator on tensors with tangents.
struct TangentCall {
  const OperatorHandle& op;
  const Level& level;
  Stack primals;   ///< the arguments
  Stack tangents;  ///< the tangents in the places of tensors; undefined where a tensor has none, and none elsewhere

  const schema::SchemaView& schema() const { return op.schema(); }
  bool has_tangent(std::size_t i) const;
};

/// Gives the results and their tangents, undefined where there is none; false if the rule does not fit the call.
using TangentRule = bool (*)(TangentCall& call, Stack& results, Stack& tangents);

namespace detail {
TangentRule find_tangent_rule(const SchemaView& s);
bool add_tangent_rule(std::string_view name, TangentRule rule);
}  // namespace detail

}  // namespace tenon::func

/// Registers how tangents go through an operator: `TENON_TANGENT(my_op, "my::op", rule)`, in one unit of a program.
/// Operators that have a derivative need none.
#define TENON_TANGENT(ID, NAME, RULE) \
  inline const bool tenon_tangent_##ID = ::tenon::func::detail::add_tangent_rule(NAME, RULE)
