// Registers up- and downsampling, padding by reflection and by repeated edges, and their gradients on CUDA.
#include <cstring>
#include <vector>

#include <tenon/composite/pad_edges.hpp>
#include <tenon/composite/resample_taps.hpp>
#include <tenon/composite/upsample_shapes.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

using composite::Edge;
using composite::Sampling;
using Taps = composite::Taps<double>;
using composite::upsampling::Factor;

/// The taps of the transpose: what each element of the input gives.
Taps transposed(const Taps& t) {
  std::vector<std::vector<std::pair<std::int64_t, double>>> given(static_cast<std::size_t>(t.in));
  for (std::int64_t i = 0; i < t.out(); ++i)
    for (std::size_t k = t.first[static_cast<std::size_t>(i)]; k < t.first[static_cast<std::size_t>(i) + 1]; ++k)
      given[static_cast<std::size_t>(t.at[k])].emplace_back(i, t.weight[k]);
  Taps back;
  back.in = t.out();
  for (const auto& list : given) {
    for (auto [i, w] : list) back.add(i, w);
    back.end();
  }
  return back;
}
/// A row-major tensor with the dimension made of its taps.
Tensor applied(const char* name, const Tensor& x, std::int64_t dim, const Taps& taps) {
  DimVector sizes(x.sizes());
  TapsCall c{x.dtype(), 1, taps.in, taps.out(), 1, x.data_ptr(), nullptr, nullptr, nullptr, nullptr};
  for (std::int64_t d = 0; d < x.dim(); ++d)
    if (d != dim) (d < dim ? c.outer : c.inner) *= sizes[d];
  sizes[dim] = c.out;
  Tensor out = make_tensor(sizes, {}, x.dtype(), x.device());
  if (out.numel() == 0) return out;
  // The list of taps: words of 8 bytes.
  std::vector<std::int64_t> words;
  for (std::size_t f : taps.first) words.push_back(static_cast<std::int64_t>(f));
  words.insert(words.end(), taps.at.begin(), taps.at.end());
  std::size_t weights = words.size();
  words.resize(weights + taps.weight.size());
  if (!taps.weight.empty()) std::memcpy(words.data() + weights, taps.weight.data(), 8 * taps.weight.size());
  Tensor list = scratch_on(x.device(), static_cast<std::int64_t>(8 * words.size()));
  runtime::copy_to_device(list.data_ptr(), words.data(), 8 * words.size());
  auto* at = static_cast<std::int64_t*>(list.data_ptr());
  c.y = out.data_ptr(), c.first = at, c.at = at + taps.first.size();
  c.weight = reinterpret_cast<const double*>(at + weights);
  if (!apply_taps(c, runtime::current_stream())) not_implemented_for(name, c.dtype);
  runtime::check_launch(name);
  return out;
}

/// Resamples the spatial dimensions of `from` to those of `to`; backwards, from the sizes of `from` to those of `to`.
void resample(Sampling kind, bool back, bool align_corners, const Factor* factors, const Tensor& from,
              const Tensor& to) {
  if (to.numel() == 0) return;
  bool nearest = kind == Sampling::Nearest || kind == Sampling::NearestExact;
  const char* name = nearest ? "upsample_nearest_out_frame" : "upsample_out_frame";
  ScalarType dtype = from.dtype();
  if (!(from.is_floating_point() && has_arithmetic(dtype)) && !(nearest && dtype == kByte))
    not_implemented_for(name, dtype);
  Tensor x = row_major(from, dtype == kDouble ? kDouble : kFloat);
  for (std::int64_t d = from.dim() - 1; d >= 2; --d) {
    std::int64_t in = (back ? to : from).sizes()[d], out = (back ? from : to).sizes()[d];
    Taps taps;
    taps.in = in;
    if (dtype == kDouble) {
      taps = composite::taps_for<double>(kind, in, out, align_corners, factors[d - 2]);
    } else {
      auto narrow = composite::taps_for<float>(kind, in, out, align_corners, factors[d - 2]);
      taps.first = narrow.first, taps.at = narrow.at;
      taps.weight.assign(narrow.weight.begin(), narrow.weight.end());
    }
    x = applied(name, x, d, back ? transposed(taps) : taps);
  }
  copy_elements(to, x);
}

template <Edge How>
void pad_to(const char* name, bool back, IntArrayRef padding, const Tensor& from, const Tensor& to) {
  if (to.numel() == 0) return;
  const Tensor &narrow = back ? to : from, &wide = back ? from : to;
  Tensor x = row_major(from);
  for (std::size_t i = 0; i < padding.size() / 2; ++i) {
    std::int64_t d = from.dim() - 1 - static_cast<std::int64_t>(i), size = narrow.sizes()[d];
    Taps taps;
    taps.in = size;
    for (std::int64_t k = 0; k < wide.sizes()[d]; ++k) {
      std::int64_t place = k - padding[2 * i];
      if (How == Edge::Reflection) place = place < 0 ? -place : place >= size ? 2 * (size - 1) - place : place;
      taps.add(place, 1);  // repeats the edges
      taps.end();
    }
    x = applied(name, x, d, back ? transposed(taps) : taps);
  }
  copy_elements(to, x);
}
template <Edge How, int Dims>
void pad(const Tensor& self, IntArrayRef padding, const Tensor& out) {
  const char* name = composite::pad_name<How, Dims, false>();
  if (!has_arithmetic(self.dtype()) || self.dtype() == kBool) not_implemented_for(name, self.dtype());
  pad_to<How>(name, false, padding, self, out);
}
template <Edge How, int Dims>
void pad_backward(const Tensor& grad, const Tensor& self, IntArrayRef padding, const Tensor& out) {
  const char* name = composite::pad_name<How, Dims, true>();
  if (!has_arithmetic(self.dtype()) || !(self.is_floating_point() || self.is_complex()))
    not_implemented_for(name, self.dtype());
  fill_elements(out, operand_of(Scalar(0), out.dtype()));
  if (grad.numel() != 0) pad_to<How>(name, true, padding, grad, out);
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

#define TENON_INTERNAL_KERNELS(NAME, HOW, DIMS, ...)                                                          \
  TENON_STRUCTURED_KERNEL(                                                                                    \
      NAME##_base, CUDA,                                                                                      \
      (&composite::upsampling::resampling<&cuda::resample, composite::Sampling::HOW, __VA_ARGS__>::forward)); \
  TENON_STRUCTURED_KERNEL(                                                                                    \
      NAME##_backward_base, CUDA,                                                                             \
      (&composite::upsampling::resampling<&cuda::resample, composite::Sampling::HOW, __VA_ARGS__>::backward))
TENON_INTERNAL_RESAMPLINGS(TENON_INTERNAL_KERNELS);
#undef TENON_INTERNAL_KERNELS

#define TENON_INTERNAL_KERNELS(NAME, HOW, DIMS)                                      \
  TENON_STRUCTURED_KERNEL(NAME##_base, CUDA, cuda::pad<composite::Edge::HOW, DIMS>); \
  TENON_STRUCTURED_KERNEL(NAME##_backward_base, CUDA, cuda::pad_backward<composite::Edge::HOW, DIMS>)
TENON_INTERNAL_EDGE_PADS(TENON_INTERNAL_KERNELS);
#undef TENON_INTERNAL_KERNELS

}  // namespace tenon::ops
