// Channels as places in an image, and in another order: made of views and one copy.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/pixels.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

/// The sizes in front of channels, rows and columns, then `tail`.
inline SymDimVector images_of(const Tensor& self, std::initializer_list<SymInt> tail) {
  SymDimVector sizes;
  for (std::int64_t d = 0; d < self.dim() - 3; ++d) sizes.push_back(self.sym_sizes()[static_cast<std::size_t>(d)]);
  for (const SymInt& size : tail) sizes.push_back(size);
  return sizes;
}
/// A tensor of `sizes` in the memory format of `self`, to which `self`, seen as `from` with its last dimensions in the
/// order `order`, is written through the view `to`.
inline Tensor reordered(const Tensor& self, const SymDimVector& sizes, const SymDimVector& from,
                        std::initializer_list<std::int64_t> order, const SymDimVector& to) {
  Tensor out = ops::empty(SymIntArrayRef(sizes), "dtype"_a = self.dtype(), "device"_a = self.device(),
                          "memory_format"_a = self.suggest_memory_format());
  DimVector dims;
  std::int64_t leading = static_cast<std::int64_t>(from.size() - order.size());
  for (std::int64_t d = 0; d < leading; ++d) dims.push_back(d);
  for (std::int64_t d : order) dims.push_back(leading + d);
  Tensor at = ops::view(out, SymIntArrayRef(to));
  ops::copy_(at, ops::permute(ops::reshape(self, SymIntArrayRef(from)), IntArrayRef(dims)));
  return out;
}
inline Tensor pixel_shuffle(const Tensor& self, std::int64_t r) {
  TENON_CHECK(self.dim() >= 3, ValueError,
              "pixel_shuffle expects input to have at least 3 dimensions, but got input with ", self.dim(),
              " dimension(s)");
  TENON_CHECK(r > 0, ValueError, "pixel_shuffle expects a positive upscale_factor, but got ", r);
  const SymInt c = self.sym_size(-3), h = self.sym_size(-2), w = self.sym_size(-1);
  TENON_CHECK(
      r <= INT32_MAX && c % (r * r) == 0, ValueError,
      "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)=",
      c, " is not divisible by ", r * r);
  AutoDispatchBelowADInplaceOrView guard;
  SymInt out = c / (r * r);
  return reordered(self, images_of(self, {out, h * r, w * r}), images_of(self, {out, r, r, h, w}), {0, 3, 1, 4, 2},
                   images_of(self, {out, h, r, w, r}));
}
inline Tensor pixel_unshuffle(const Tensor& self, std::int64_t r) {
  TENON_CHECK(self.dim() >= 3, ValueError,
              "pixel_unshuffle expects input to have at least 3 dimensions, but got input with ", self.dim(),
              " dimension(s)");
  TENON_CHECK(r > 0, ValueError, "pixel_unshuffle expects a positive downscale_factor, but got ", r);
  const SymInt c = self.sym_size(-3), h = self.sym_size(-2), w = self.sym_size(-1);
  TENON_CHECK(h % r == 0, ValueError,
              "pixel_unshuffle expects height to be divisible by downscale_factor, but input.size(-2)=", h,
              " is not divisible by ", r);
  TENON_CHECK(w % r == 0, ValueError,
              "pixel_unshuffle expects width to be divisible by downscale_factor, but input.size(-1)=", w,
              " is not divisible by ", r);
  AutoDispatchBelowADInplaceOrView guard;
  SymInt oh = h / r, ow = w / r;
  return reordered(self, images_of(self, {c * SymInt(r) * SymInt(r), oh, ow}), images_of(self, {c, oh, r, ow, r}),
                   {0, 2, 4, 1, 3}, images_of(self, {c, r, r, oh, ow}));
}
inline Tensor channel_shuffle(const Tensor& self, SymInt groups) {
  TENON_CHECK(self.dim() > 2, ValueError, "channel_shuffle expects input with > 2 dims, but got input with sizes ",
              self.sym_sizes());
  const SymInt c = self.sym_sizes()[1];
  TENON_CHECK(groups > 0, ValueError,
              "Number of groups to divide channels in must be positive. Value of groups:", groups);
  TENON_CHECK(c % groups == 0, ValueError, "Number of channels must be divisible by groups. Got ", c, " channels and ",
              groups, " groups.");
  AutoDispatchBelowADInplaceOrView guard;
  SymDimVector sizes(self.sym_sizes()), from(sizes), to(sizes);
  SymInt each = c / groups;
  from[1] = each;
  from.insert(1, groups);
  to[1] = groups;
  to.insert(1, each);
  Tensor out = ops::empty(SymIntArrayRef(sizes), "dtype"_a = self.dtype(), "device"_a = self.device(),
                          "memory_format"_a = self.suggest_memory_format());
  Tensor at = ops::view(out, SymIntArrayRef(to));
  ops::copy_(at, ops::transpose(ops::reshape(self, SymIntArrayRef(from)), 1, 2));
  return out;
}
inline Tensor native_channel_shuffle(const Tensor& self, SymInt groups) { return ops::channel_shuffle(self, groups); }

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  define_forms(m, ops::pixel_shuffle_base);
  define_forms(m, ops::pixel_unshuffle_base);
  define_forms(m, ops::channel_shuffle_base);
  m.def<ops::native_channel_shuffle_base>();
  m.impl<ops::pixel_shuffle_base, &pixel_shuffle>(all).impl<ops::pixel_unshuffle_base, &pixel_unshuffle>(all);
  m.impl<ops::channel_shuffle_base, &channel_shuffle>(all);
  m.impl<ops::native_channel_shuffle_base, &native_channel_shuffle>();
  implement_out_by_copy<ops::pixel_shuffle_base_op>(m, CallSite::now());
  implement_out_by_copy<ops::pixel_unshuffle_base_op>(m, CallSite::now());
  implement_out_by_copy<ops::channel_shuffle_base_op>(m, CallSite::now());
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_DERIVATIVE(pixel_shuffle_base, TENON_WRT((self), (grad, upscale_factor), pixel_unshuffle(grad, upscale_factor)));
TENON_DERIVATIVE(pixel_unshuffle_base,
                 TENON_WRT((self), (grad, downscale_factor), pixel_shuffle(grad, downscale_factor)));
TENON_DERIVATIVE(channel_shuffle_base, TENON_WRT((self), (grad, groups), channel_shuffle(grad, grad.size(1) / groups)));

}  // namespace tenon::ops
