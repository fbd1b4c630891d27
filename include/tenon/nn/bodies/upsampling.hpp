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
  o.size = size;
  o.scale_factor = scale_factor;
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
