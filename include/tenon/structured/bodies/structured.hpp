// Copying proxies of results back.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/dispatch/call.hpp>
#include <tenon/schema/print.hpp>
#include <tenon/structured/bodies/outputs.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::detail {

inline constinit OperatorSlot copy_slot{"aten::copy_"};

TENON_COLD_BODY void symbolic_meets_structured(const StructuredRecord& record, const Outputs& out, bool meta,
                                               unsigned argument, const std::string& got) {
  OperatorHandle op = Registry::get().find_schema(record.names[static_cast<int>(out.form())]);
  fail<TypeError>(op.schema(), ": argument ", argument + 1, " '", op.schema().arg_name(argument),
                  "': expected plain integers, got ", got, "; let the ", meta ? "meta function" : "kernel",
                  " take SymInt, or call guard_int() on the value");
}

TENON_COLD_BODY void result_was_not_set(const StructuredRecord& record, const Outputs& out) {
  OperatorHandle op = Registry::get().find_schema(record.names[static_cast<int>(out.form())]);
  unsigned i = 0;
  while (out.set() >> i & 1) ++i;
  fail<SchemaError>(op.schema(), ": the meta function did not set result ", i,
                    "; call set_output_strided or set_output_raw_strided for each result");
}

TENON_BODY void copy_back(Outputs& outputs, unsigned count) {
  AutoDispatchBelowADInplaceOrView guard;
  for (unsigned i = 0; i < count; ++i) {
    if (!outputs.proxy(i).defined()) continue;
    Tensor out = outputs.maybe_get_output(i);
    if (IntArrayRef sizes = outputs.proxy(i).sizes(); out.sizes() != sizes)
      resize_output(out, sizes, outputs.proxy(i).strides());
    call_path<Tensor&(Tensor&, const Tensor&, bool)>::call(copy_slot, out, outputs.proxy(i), false);
  }
}

}  // namespace tenon::detail
