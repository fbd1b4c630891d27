// An operator for several examples at once beside one after the other.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include <tenon/func/vmap.hpp>

#include "support.hpp"

namespace test {

inline constexpr std::int64_t kExamples = 3;

/// Runs an operator by name for three examples, the first dimension of the tensors at the places of `batched`, and for
/// one after the other; neither results nor what is written may differ, and the operator runs once.
inline void agrees(const std::string& name, const Stack& args, const std::vector<std::size_t>& batched) {
  INFO(name);
  OperatorHandle op = Registry::get().find_schema(name);
  REQUIRE(op);
  auto of_batch = [&](std::size_t i) { return std::find(batched.begin(), batched.end(), i) != batched.end(); };
  std::vector<std::vector<Tensor>> loop;
  for (std::int64_t n = 0; n < kExamples; ++n) {
    Stack call;
    std::vector<Tensor> found;
    for (std::size_t i = 0; i < args.size(); ++i)
      call.push_back(of_batch(i) ? Value(args[i].to_tensor().select(0, n).clone()) : args[i]);
    Stack given = call;
    op.call_boxed(call);
    for (const Value& v : call) found.push_back(v.to_tensor());
    for (std::size_t i = 0; i < given.size(); ++i)
      if (op.schema().arg(i).write) found.push_back(given[i].to_tensor());
    loop.push_back(std::move(found));
  }
  Warnings warnings;
  func::LevelGuard guard(func::LevelKind::Batch, kExamples, func::Randomness::Different);
  Stack call;
  for (std::size_t i = 0; i < args.size(); ++i)
    call.push_back(of_batch(i) ? Value(func::make_batched(args[i].to_tensor().clone(), guard.level())) : args[i]);
  Stack given = call;
  op.call_boxed(call);
  std::vector<Tensor> all;
  for (const Value& v : call) all.push_back(func::detail::batch_of(v.to_tensor(), guard.level()));
  for (std::size_t i = 0; i < given.size(); ++i)
    if (op.schema().arg(i).write) all.push_back(func::detail::batch_of(given[i].to_tensor(), guard.level()));
  CHECK(warnings.texts == std::vector<std::string>());
  REQUIRE(all.size() == loop[0].size());
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t n = 0; n < kExamples; ++n) {
      const Tensor& expected = loop[n][k];
      CHECK(all[k].dtype() == expected.dtype());
      Tensor got = ops::to(all[k].select(0, static_cast<std::int64_t>(n)), kDouble),
             wanted = ops::to(expected, kDouble);
      CHECK(ops::equal(ops::isnan(got), ops::isnan(wanted)));
      check_close(ops::nan_to_num(got), ops::nan_to_num(wanted));
    }
}
inline Value ints(std::vector<std::int64_t> list) {
  std::vector<Value> values;
  for (std::int64_t n : list) values.emplace_back(n);
  return Value::list(std::move(values), ValueKind::Int);
}
inline Value truth(bool b) { return Value(b); }

}  // namespace test
