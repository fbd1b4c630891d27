// Counts of integers: the forms, and tensors without data, for every back end.
#pragma once
#include <optional>

#include <tenon/composite/histogram.hpp>
#include <tenon/composite/out_by_copy.hpp>

namespace tenon::composite {

[[noreturn]] inline Tensor bincount_meta(const Tensor&, const std::optional<Tensor>&, SymInt) {
  fail<NotImplementedError>("bincount(): the shape of the result depends on data, which Meta tensors have not");
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, ops::bincount_base);
  implement_out_by_copy<ops::bincount_base_op>(m, CallSite::now());
}
TENON_LIBRARY_IMPL(aten, Meta, m) { m.impl<ops::bincount_base, &bincount_meta>(); }

}  // namespace tenon::composite
