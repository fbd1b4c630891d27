// Where tensors lie in their memory, and operators that view it run as copies.
#pragma once
#include <utility>

#include <tenon/boxing/each_tensor.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/schema/alias.hpp>
#include <tenon/transform/functional_tensor.hpp>

namespace tenon::functionalization::detail {

inline Geometry geometry_of(const Tensor& t) { return GeometryRef(t).copy(); }
inline bool lies_at(const Tensor& t, const Geometry& g) {
  return t.sizes() == IntArrayRef(g.sizes) && t.strides() == IntArrayRef(g.strides) && t.storage_offset() == g.offset;
}
inline bool same_geometry(const Geometry& a, const Geometry& b) {
  return a.sizes == b.sizes && a.strides == b.strides && a.offset == b.offset;
}
/// Whether an operator's view speaks of memory, not of the elements of the tensor that it views.
inline bool takes_strides(const schema::SchemaView& s) { return s.find_argument("stride") >= 0; }
/// All of a tensor's memory as one row.
inline Tensor memory_of(const Tensor& t) {
  auto n = static_cast<std::int64_t>(t->storage()->nbytes() / t.element_size());
  return ops::as_strided(t, IntArrayRef(n), IntArrayRef(1), 0);
}
/// Whether a tensor is all of its memory, each element once.
inline bool is_whole_memory(const Tensor& t) {
  return t.storage_offset() == 0 && t.nbytes() == t->storage()->nbytes() && t.is_non_overlapping_and_dense();
}
/// The name of the operator that makes a copy of a view: `split_copy.Tensor` for `split.Tensor`.
inline OperatorHandle copying(const OperatorHandle& view) {
  const schema::SchemaView& s = view.schema();
  OperatorHandle found =
      Registry::get().find_schema(concat(s.name(), "_copy", s.overload().empty() ? "" : ".", s.overload()));
  return found && found.schema().n_args() == s.n_args() && !schema::has_alias_info(found.schema()) ? found
                                                                                                   : OperatorHandle();
}
/// Runs a view, or its copying form, on plain tensors; `run_view` runs the view itself.
template <class F>
void run_view(const OperatorHandle& op, bool copies, Stack& stack, F&& run_view) {
  if (!copies) return run_view();
  if (OperatorHandle copy = copying(op)) return copy.call_boxed(stack);
  run_view();
  for (Value& v : stack)
    tenon::detail::each_tensor(v, [](Tensor& t) { t = ops::clone(t, "memory_format"_a = MemoryFormat::Contiguous); });
}

}  // namespace tenon::functionalization::detail
