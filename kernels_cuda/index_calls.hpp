// Calls of the kernels that read and write along an index.
#pragma once
#include "fault.hpp"
#include "support.hpp"

namespace tenon::cuda {

/// Starts the kernel of a call. Complex numbers are added by their parts.
inline void start_index(IndexCall c, bool adds) {
  if (!adds) {
    move_by_indices(c, runtime::current_stream());
  } else {
    ScalarType part = to_real_type(c.dtype);
    bool complex = part != c.dtype;
    c.dtype = part;
    for (int k = 0; k <= static_cast<int>(complex); ++k) {
      if (!add_by_indices(c, runtime::current_stream())) not_implemented_for("scatter_add_cuda", c.dtype);
      c.out += item_size(part);
      c.in += item_size(part);
    }
  }
  runtime::check_launch("index");
}
/// Runs a call over `sizes`; `indexed` is the tensor that the index leads into, of `size` places along `dim`. Throws
/// IndexError with `message`, or PyTorch's words where there is none. Waits for the device.
inline void run_index(IndexCall& c, IntArrayRef sizes, const DimVector& out, const DimVector& in,
                      const DimVector& index, std::int64_t dim, const Tensor& indexed, bool adds, const char* message) {
  c.walk = walk_over(sizes, {&out, &in, &index});
  c.step = steps_1d(indexed)[dim];
  c.size = sizes_1d(indexed)[dim];
  Fault fault(indexed.device());
  c.fault = fault.data();
  if (c.walk.count == 0) return;
  start_index(c, adds);
  std::int64_t bad = fault.told();
  if (bad == 0) return;
  TENON_CHECK(!message, IndexError, message);
  alignas(8) char element[8];
  runtime::copy_to_host(element, c.index + Offsets<3>(c.walk, bad - 1).at[2], item_size(c.index_dtype));
  fail<IndexError>("index ", load_as<std::int64_t>(element, c.index_dtype), " is out of bounds for dimension ", dim,
                   " with size ", c.size);
}
inline IndexCall call_for(const Tensor& out, const Tensor& in, const Tensor& index, bool writes) {
  IndexCall c{};
  c.out = static_cast<char*>(out.data_ptr());
  c.in = in.defined() ? static_cast<const char*>(in.data_ptr()) : nullptr;
  c.index = static_cast<const char*>(index.data_ptr());
  c.dtype = out.dtype(), c.index_dtype = index.dtype();
  c.writes = writes;
  c.joined = 1;
  return c;
}
/// The steps of an index of one dimension, or none, along `dim` of a shape.
inline DimVector steps_along(const Tensor& index, std::size_t dims, std::int64_t dim) {
  DimVector steps(dims, 0);
  if (index.numel() > 1) steps[dim] = index.strides()[0] * static_cast<std::int64_t>(index.element_size());
  return steps;
}
inline DimVector without(DimVector steps, std::int64_t dim) {
  steps[dim] = 0;
  return steps;
}

/// A dtype that atomic additions take and that holds all sums of another.
inline ScalarType adding_type(ScalarType t) {
  return is_reduced_floating_type(t) ? kFloat : is_integral_type(t, true) && t != kInt ? kLong : t;
}

}  // namespace tenon::cuda
