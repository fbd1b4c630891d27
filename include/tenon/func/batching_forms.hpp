// Batching rules of forms that write results where the caller says, of random numbers, look-ups and attention.
#pragma once
#include <tenon/func/batching.hpp>

namespace tenon::func::detail {

void add_form_rules();
/// The rule of an operator whose results are given as arguments: what the form without them gives is copied there. Null
/// if there is no such form, or vmap loops over it.
BatchingRule rule_of_out_form(const SchemaView& s);
/// Random numbers of a size, for all examples at once, where no argument is a tensor.
bool drawn_rule(BatchedCall& call, Stack& results);
/// Whether an argument is a tensor or a list of them.
bool takes_tensors(const SchemaView& s);

}  // namespace tenon::func::detail
