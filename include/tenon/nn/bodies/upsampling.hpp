// Resizing by the function interpolate.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/functional/sampling.hpp>
#include <tenon/nn/upsampling.hpp>

namespace tenon::nn {

TENON_BODY Tensor Upsample::operator()(const Tensor& x) const {
  Calling call(this);
  functional::InterpolateOptions o;
  o.mode = mode;
  o.align_corners = align_corners;
  o.recompute_scale_factor = recompute_scale_factor;
  std::size_t n = x.dim() > 2 ? static_cast<std::size_t>(x.dim() - 2) : 1;
  auto for_each = [n](auto list) {
    if (list.size() == 1) list.assign(n, list[0]);
    return list;
  };
  if (!size.empty()) o.size = for_each(size);
  if (!scale_factor.empty()) o.scale_factor = for_each(scale_factor);
  return call(functional::interpolate(x, o));
}

TENON_BODY std::string Upsample::extra_repr() const {
  Description d;
  if (size.size() == 1)
    d.add("size", size[0]);
  else if (!size.empty())
    d.add("size", IntArrayRef(size));
  if (scale_factor.size() == 1) {
    d.add("scale_factor", scale_factor[0]);
  } else if (!scale_factor.empty()) {
    Description factors;
    for (double factor : scale_factor) factors.value(factor);
    d.add("scale_factor", "(" + factors.text + ")");
  }
  return d.add("mode", "'" + mode + "'").text;
}

}  // namespace tenon::nn
