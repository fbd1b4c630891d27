// Registers reductions of segments on CUDA.
#include <limits>

#include <tenon/composite/reduce_into.hpp>
#include <tenon/cuda/segments.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

using MaybeTensor = std::optional<Tensor>;

Segment segment_by(std::string_view reduce) {
  using composite::ReduceBy;
  switch (composite::reduce_segments_by(reduce)) {
    case ReduceBy::Sum: return Segment::Sum;
    case ReduceBy::Mean: return Segment::Mean;
    case ReduceBy::Prod: return Segment::Product;
    case ReduceBy::Largest: return Segment::Largest;
    default: return Segment::Smallest;
  }
}
/// Where segments begin and end, and a call over them. Waits for the device, to tell bounds that are none.
struct Segments {
  Tensor bounds;
  SegmentsCall call{};
  Segments(const Tensor& data, std::string_view reduce, const MaybeTensor& lengths, const MaybeTensor& offsets,
           std::int64_t axis, bool checked) {
    const bool by_length = lengths && lengths->defined();
    axis = wrap_dim(axis, data.dim());
    call.dtype = data.dtype(), call.what = segment_by(reduce);
    call.size = data.sizes()[axis], call.outer = call.inner = 1;
    for (std::int64_t d = 0; d < axis; ++d) call.outer *= data.sizes()[d];
    for (std::int64_t d = axis + 1; d < data.dim(); ++d) call.inner *= data.sizes()[d];
    bounds = row_major(by_length ? *lengths : *offsets, kLong);
    call.segments = bounds.sizes()[axis] - (by_length ? 0 : 1);
    if (by_length) bounds = ends_of(bounds);
    if (bounds.numel() > 0 && !runtime::is_capturing()) check(by_length, by_length && checked);
    call.bounds = static_cast<const std::int64_t*>(bounds.data_ptr());
  }
  std::int64_t results() const { return call.outer * call.segments * call.inner; }

 private:
  /// Running sums of lengths, behind a zero each.
  static Tensor ends_of(const Tensor& lengths) {
    DimVector sizes(lengths.sizes());
    ++sizes.back();
    Tensor ends = make_tensor(sizes, {}, kLong, lengths.device());
    fill_elements(ends, operand_of(Scalar(0), kLong));
    if (lengths.numel() > 0) copy_elements(ops::narrow(ends, -1, 1, sizes.back() - 1), ops::cumsum(lengths, -1));
    return ends;
  }
  void check(bool by_length, bool whole) const {
    auto number = [](const Tensor& t) { return t.item().to_int(); };
    if (call.segments > 0)
      TENON_CHECK(number(ops::min(ops::sub(ops::narrow(bounds, -1, 1, call.segments),
                                           ops::narrow(bounds, -1, 0, call.segments)))) >= 0,
                  ValueError,
                  by_length ? "lengths contains negative value!" : "segment_reduce(): offsets must not decrease");
    // In order by now, so the last ones are the largest.
    Tensor last = ops::select(bounds, -1, call.segments);
    TENON_CHECK(
        call.segments == 0 || (number(ops::min(bounds)) >= 0 && number(ops::max(last)) <= call.size), ValueError,
        "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe.");
    TENON_CHECK(
        !whole || number(ops::min(last)) == call.size, ValueError,
        "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe.");
  }
};
double neutral(Segment by) {
  const double infinity = std::numeric_limits<double>::infinity();
  switch (by) {
    case Segment::Product: return 1;
    case Segment::Largest: return -infinity;
    case Segment::Smallest: return infinity;
    default: return 0;
  }
}

void segment_reduce(const Tensor& data, std::string_view reduce, const MaybeTensor& lengths, const MaybeTensor&,
                    const MaybeTensor& offsets, std::int64_t axis, bool unsafe, const std::optional<Scalar>& initial,
                    const Tensor& out) {
  AutoDispatchBelowADInplaceOrView below;
  Segments s(data, reduce, lengths, offsets, axis, !unsafe);
  if (s.results() == 0) return;
  Tensor from = row_major(data);
  Result to(out, out.dtype());
  s.call.in = from.data_ptr(), s.call.out = to.data();
  s.call.start = initial ? initial->to_double() : neutral(s.call.what);
  s.call.undefined = s.call.what == Segment::Mean && !initial;
  if (!reduce_segments(s.call, runtime::current_stream())) not_implemented_for("_segment_reduce_cuda", data.dtype());
  runtime::check_launch("segment_reduce");
  to.done();
}
void segment_reduce_backward(const Tensor& grad, const Tensor& output, const Tensor& data, std::string_view reduce,
                             const MaybeTensor& lengths, const MaybeTensor& offsets, std::int64_t axis,
                             const std::optional<Scalar>& initial, const Tensor& out) {
  AutoDispatchBelowADInplaceOrView below;
  Segments s(data, reduce, lengths, offsets, axis, false);
  Result to(out, out.dtype());
  fill_elements(to.tensor(), operand_of(Scalar(0), out.dtype()));
  if (s.results() > 0) {
    Tensor from = row_major(data), results = row_major(output), grads = row_major(grad);
    s.call.in = from.data_ptr(), s.call.results = results.data_ptr(), s.call.grads = grads.data_ptr();
    s.call.out = to.data(), s.call.start = initial ? initial->to_double() : 1;
    if (!reduce_segments_back(s.call, runtime::current_stream()))
      not_implemented_for("_segment_reduce_backward_cuda", data.dtype());
    runtime::check_launch("segment_reduce");
  }
  to.done();
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(segment_reduce_base, CUDA, cuda::segment_reduce);
TENON_STRUCTURED_KERNEL(_segment_reduce_backward_base, CUDA, cuda::segment_reduce_backward);

}  // namespace tenon::ops
