// A library that Python loads: takes a column of Arrow into a tensor and hands the tensor out again.
#include <string>

#include <tenon/io/arrow.hpp>

using namespace tenon;

namespace {
std::string problem;  // NOLINT: the caller has one thread
}  // namespace

extern "C" {
[[gnu::visibility("default")]] const char* peer_problem() { return problem.c_str(); }
/// Returns how many values are missing, or -1. The structures pass from `in` to `out`.
[[gnu::visibility("default")]] std::int64_t peer_arrow(ArrowSchema* in_schema, ArrowArray* in, ArrowSchema* out_schema,
                                                       ArrowArray* out, bool masked) {
  try {
    if (!masked) {
      to_arrow(from_arrow(in_schema, in), out_schema, out, "plain");
      return 0;
    }
    ArrowColumn column = column_from_arrow(in_schema, in);
    to_arrow(column.values, out_schema, out, column.name);
    std::int64_t missing = 0;
    if (column.valid.defined())
      for (std::int64_t i = 0; i < column.valid.numel(); ++i) missing += !column.valid.data_ptr<bool>()[i];
    return missing;
  } catch (const Error& e) {
    problem = e.what();
    if (in_schema->release) in_schema->release(in_schema);
    if (in->release) in->release(in);
    return -1;
  }
}
}
