// A walk over every operator in child processes (forked.hpp), so that an operator that crashes is one that fails.
#pragma once
#include <csignal>
#include <map>
#include <string>
#include <vector>

#include <tenon/cpu/parallel.hpp>

#include "../oracle/forked.hpp"
#include "every.hpp"

namespace test::every {

/// Names of operators that a walk cannot pass, each with the reason.
using Exceptions = std::map<std::string, std::string>;
/// Those of one walk, and the operators that write running statistics, which their schemas do not say, as PyTorch's.
inline Exceptions with_untold_writes(Exceptions exceptions) {
  for (const char* name : {"batch_norm", "native_batch_norm", "native_batch_norm.out", "_batch_norm_impl_index",
                           "batch_norm_update_stats", "batch_norm_update_stats.out"})
    exceptions.emplace(concat("aten::", name), "writes the running statistics, which its schema does not say");
  return exceptions;
}

/// Demands that `problems_of(op)` is empty for every operator but those of `exceptions`, for which it must not be.
template <class F>
void check_forked(F problems_of, const Exceptions& exceptions, const std::vector<OperatorHandle>& all = operators()) {
  int before = get_num_threads();
  set_num_threads(1);  // children have no pool
  oracle::Suite suite;
  suite.open = [&] {
    set_cpu_fill(CpuFill::Zero);
    std::signal(SIGSEGV, SIG_DFL);  // the test framework would tell of it a second time
    return all.size();
  };
  suite.id = [&](std::size_t i) { return std::string(all[i].name()); };
  suite.run = [&](std::size_t i) {
    WarningGuard quiet([](const std::string&, void*) {}, nullptr);
    // What is thrown between the calls must not end this process: it would go on as the test itself.
    try {
      return problems_of(all[i]);
    } catch (const std::exception& e) { return concat("thrown outside of a call: ", e.what()); }
  };
  std::string problems, unexpected;
  std::vector<oracle::Outcome> outcomes = oracle::run_all(suite);
  set_num_threads(before);
  for (const oracle::Outcome& o : outcomes) {
    if (!o.passed && !exceptions.contains(o.id)) problems += concat(o.id, ": ", o.failure, "\n");
    if (o.passed && exceptions.contains(o.id)) unexpected += concat(o.id, "\n");
  }
  CHECK(outcomes.size() == all.size());
  CHECK(problems == "");
  CHECK(unexpected == "");  // no exception any more
}

}  // namespace test::every
