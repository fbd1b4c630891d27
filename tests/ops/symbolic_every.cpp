// Every operator that takes a tensor, called with symbolic ones.
#include <map>

#include "every.hpp"
#include "symbolic.hpp"

using namespace test;

namespace {

/// Operators that take no symbolic Meta tensor, and why.
const std::map<std::string, std::string, std::less<>> exceptions = {
    {"aten::item", "reads its element, which Meta has not"},
    {"aten::_choose_qparams_per_tensor", "reads its elements, which Meta has not"},
    {"aten::choose_qparams_optimized", "reads its elements, which Meta has not"},
    {"aten::_to_cpu", "copies its elements, which Meta has not"},
    {"aten::_backward", "its tensor requires grad"},
    {"aten::set_data", "its tensors are both symbolic, or neither is"},
    {"aten::from_file.out", "its file is there"},
    {"aten::retain_grad", "its tensor requires grad"},
};

enum class Outcome { Works, Refuses, Fails };

Outcome attempt(const OperatorHandle& op, const every::Shapes& shapes, std::string& why) {
  every::Source from{shapes, [](std::string_view, const SymDimVector& sizes, ScalarType dtype) {
                       return ops::empty(sizes, "dtype"_a = dtype, "device"_a = kMeta);
                     }};
  Stack stack = every::arguments_for(op, from);
  try {
    op.call_boxed(stack);
    return Outcome::Works;
  } catch (const std::exception& e) {
    why = e.what();
    // Their results have shapes that no sizes decide; they say so.
    if (why.find("depends on data") != std::string::npos) return Outcome::Works;
    // Their ends are read as numbers, which Meta has not.
    bool spaced = op.name().starts_with("aten::linspace") || op.name().starts_with("aten::logspace");
    if (spaced && why.find("expected a tensor with data") != std::string::npos) return Outcome::Works;
    for (const char* words : {"expected plain", "is symbolic", "got one of sizes"})
      if (why.find(words) != std::string::npos) return Outcome::Refuses;
    return Outcome::Fails;
  }
}

}  // namespace

TEST_CASE("every operator that takes a tensor takes a symbolic one", "[ops][symbolic]") {
  std::string refuse, other, unexpected;
  for (const OperatorHandle& op : every::operators()) {  // an optimiser's step has no kernel for Meta tensors
    Trace t;
    bool works = false, refuses = false;
    std::string why, reason;
    for (const every::Shapes& shapes : every::all_shapes(t.n)) {
      Outcome o = attempt(op, shapes, why);
      works = works || o == Outcome::Works;
      refuses = refuses || o == Outcome::Refuses;
      if (o == Outcome::Refuses || reason.empty()) reason = why;
    }
    if (exceptions.contains(op.name()))
      unexpected += works ? concat(op.name(), "\n") : "";
    else if (refuses)
      refuse += concat(op.name(), ": ", reason, "\n");
    else if (!works)
      other += concat(op.name(), ": ", reason, "\n");
  }
  INFO(other);
  CHECK(refuse == "");
  CHECK(other == "");
  CHECK(unexpected == "");  // no exception any more
}
