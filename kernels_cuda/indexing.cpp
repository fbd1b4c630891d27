// Registers reading and writing by lists of index tensors and by masks on CUDA.
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/indexing.hpp>
#include <tenon/tensor/overlap.hpp>

#include "index_calls.hpp"
#include "out_form.hpp"
#include "support.hpp"

namespace tenon::cuda {
namespace {

/// Indices of the host's memory are brought to the device.
std::vector<std::optional<Tensor>> brought(const Tensor& self, IndexList indices) {
  std::vector<std::optional<Tensor>> out;
  for (const auto& t : indices) {
    if (is_index_given(t) && t->is_cpu() && !self.is_cpu())
      out.emplace_back(Tensor(ops::to(*t, self.device(), t->dtype())));
    else
      out.push_back(t);
  }
  return out;
}
/// The offsets in `self`, in elements, that the indices lead to for each place of their common shape.
Tensor chosen_offsets(const Tensor& self, const Selection<std::int64_t>& s) {
  Tensor out = make_tensor(s.shape, {}, kLong, self.device());
  if (out.numel() == 0) return out;
  fill_elements(out, operand_of(Scalar(0), kLong));
  DimVector to = steps_of(out, s.shape);
  for (std::int64_t d = 0; d < self.dim(); ++d) {
    const Tensor& index = s.indices[static_cast<std::size_t>(d)];
    if (!index.defined()) continue;
    Fault fault(self.device());
    DimVector from = steps_of(index, s.shape);
    OffsetsCall c{walk_over(s.shape, {&to, &from}),
                  static_cast<char*>(out.data_ptr()),
                  static_cast<const char*>(index.data_ptr()),
                  index.dtype(),
                  self.strides()[d],
                  self.sizes()[d],
                  fault.data()};
    add_offsets(c, runtime::current_stream());
    runtime::check_launch("index");
    std::int64_t bad = fault.told();
    if (bad == 0) continue;
    alignas(8) char element[8];
    runtime::copy_to_host(element, c.index + Offsets<2>(c.walk, bad - 1).at[1], item_size(c.index_dtype));
    fail<IndexError>("index ", load_as<std::int64_t>(element, c.index_dtype), " is out of bounds for dimension ", d,
                     " with size ", c.size);
  }
  return out;
}
/// Moves elements between `self` and `other`, which broadcasts to the selection.
void run_selection(const Tensor& self, const Selection<std::int64_t>& s, const Tensor& other, bool writes, bool adds) {
  Tensor offsets = chosen_offsets(self, s);
  std::size_t b = s.before.size(), m = s.shape.size();
  DimVector mine(s.sizes.size(), 0), places(s.sizes.size(), 0), theirs = steps_of(other, s.sizes);
  auto item = static_cast<std::int64_t>(self.element_size());
  for (std::size_t i = 0; i < b; ++i) mine[i] = self.strides()[s.before[i]] * item;
  for (std::size_t i = 0; i < s.after.size(); ++i) mine[b + m + i] = self.strides()[s.after[i]] * item;
  for (std::size_t i = 0; i < m; ++i)
    places[b + i] = offsets.strides()[i] * static_cast<std::int64_t>(sizeof(std::int64_t));
  const Tensor &to = writes ? self : other, &from = writes ? other : self;
  IndexCall c{};
  c.out = static_cast<char*>(to.data_ptr());
  c.in = static_cast<const char*>(from.data_ptr());
  c.index = static_cast<const char*>(offsets.data_ptr());
  c.dtype = self.dtype(), c.index_dtype = kLong, c.writes = writes;
  c.step = item, c.size = INT64_MAX;
  c.walk = walk_over(s.sizes, {writes ? &mine : &theirs, writes ? &theirs : &mine, &places});
  if (c.walk.count != 0) start_index(c, adds);
}
Tensor index(const Tensor& self, IndexList indices) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  auto given = brought(self, indices);
  auto s = select_by<std::int64_t>(self, given);
  Tensor out = make_tensor(s.sizes, selection_strides(self, s), self.dtype(), self.device());
  run_selection(self, s, out, false, false);
  return out;
}
Tensor& index_put_(Tensor& self, IndexList indices, const Tensor& values, bool accumulate) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  tenon::detail::check_index_count(self, indices.size());
  check_no_overlap(self, values);
  auto given = brought(self, indices);
  auto s = select_by<std::int64_t>(self, given);
  check_put_values(self, values, s);
  TENON_CHECK(values.device() == self.device() || values.dim() == 0, ValueError, "expected values on ", self.device(),
              ", got ", values.device());
  Tensor from = values.device() == self.device() ? values : Tensor(ops::to(values, self.device(), values.dtype()));
  ScalarType wide = adding_type(self.dtype());
  if (!accumulate || wide == self.dtype()) {
    run_selection(self, s, from, true, accumulate);
  } else {
    Tensor sums = row_major(self, wide);
    run_selection(sums, s, row_major(from, wide), true, true);
    copy_elements(self, sums);
  }
  return self;
}
Tensor& index_put_impl_(Tensor& self, IndexList indices, const Tensor& values, bool accumulate, bool) {
  return index_put_(self, indices, values, accumulate);
}

/// Which elements are not zero, as a line, and how many there are up to each.
struct Chosen {
  Tensor chosen, running;
  explicit Chosen(const Tensor& self) : chosen(line_of(row_major(self, kBool))) {
    TENON_CHECK(self.dim() <= kMostDims, NotImplementedError, "a CUDA kernel walks at most ", kMostDims, " dimensions");
    if (self.numel() > 0) running = ops::cumsum(chosen, 0, "dtype"_a = kLong);
  }
  void write(const Tensor& self, const Tensor& out) const {
    PlacesCall c{};
    c.count = self.numel(), c.row = out.strides()[0], c.column = out.strides()[1],
    c.dims = static_cast<int>(self.dim());
    for (int d = 0; d < c.dims; ++d) c.size[d] = self.sizes()[d];
    c.chosen = static_cast<const bool*>(chosen.data_ptr());
    c.running = static_cast<const std::int64_t*>(running.data_ptr());
    c.out = static_cast<std::int64_t*>(out.data_ptr());
    write_places(c, runtime::current_stream());
    runtime::check_launch("nonzero");
  }
};
/// The places column by column, as the CPU has them.
Tensor nonzero(const Tensor& self) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  Chosen all(self);
  std::int64_t n = self.numel(), found = 0;
  if (n > 0)
    runtime::copy_to_host(&found, static_cast<const std::int64_t*>(all.running.data_ptr()) + (n - 1), sizeof found);
  std::int64_t sizes[] = {found, self.dim()}, places[] = {1, found > 0 ? found : 1};
  bool plain = found <= 1 || self.dim() <= 1;
  Tensor out = make_tensor(sizes, plain ? IntArrayRef() : IntArrayRef(places), kLong, self.device());
  if (out.numel() != 0) all.write(self, out);
  return out;
}
/// The first `size` of them, row by row; nothing waits.
Tensor nonzero_static(const Tensor& self, std::int64_t size, std::int64_t fill_value) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  Tensor out = like_on(self.device(), ops::nonzero_static(without_data(self), "size"_a = size));
  fill_elements(out, operand_of(Scalar(fill_value), kLong));
  if (out.numel() == 0 || self.numel() == 0) return out;
  Chosen all(self);
  all.chosen = ops::logical_and(all.chosen, ops::le(all.running, size));
  all.write(self, out);
  return out;
}
Tensor masked_select(const Tensor& self, const Tensor& mask) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  check_masked_select(self, mask, nullptr);
  DimVector sizes = broadcast_shapes(self.sizes(), mask.sizes());
  std::int64_t all = -1;
  Tensor from = ops::reshape(ops::expand(self, sizes), IntArrayRef(&all, 1)),
         chosen = ops::reshape(ops::expand(mask, sizes), IntArrayRef(&all, 1));
  return ops::index_select(from, 0, ops::select(nonzero(chosen), 1, 0));
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  using namespace tenon;
  m.impl<ops::index_Tensor, &cuda::index>()
      .impl<ops::index_put_base_, &cuda::index_put_>()
      .impl<ops::_index_put_impl_base_, &cuda::index_put_impl_>()
      .impl<ops::nonzero_base, &cuda::nonzero>()
      .impl<ops::nonzero_static_base, &cuda::nonzero_static>()
      .impl<ops::masked_select_base, &cuda::masked_select>();
  cuda::implement_out_by_copy<ops::index_Tensor, ops::nonzero_base, ops::nonzero_static_base, ops::masked_select_base>(
      m, CallSite::now());
}
