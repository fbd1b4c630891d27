// Dropout by the operators of each kind.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/dropout.hpp>
#include <tenon/ops/dropout.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::detail {

TENON_BODY double checked_probability(double p) {
  TENON_CHECK(p >= 0 && p <= 1, ValueError, "dropout probability has to be between 0 and 1, but got ", p);
  return p;
}

TENON_BODY Tensor drop(DropoutKind kind, std::size_t rank, const Tensor& x, double p, bool training, bool inplace) {
  if (rank == 1)
    TENON_CHECK(x.dim() == 2 || x.dim() == 3, ValueError, "dropout1d: Expected 2D or 3D input, but received a ",
                x.dim(), "D input.");
  // PyTorch reads three dimensions of dropout2d as a batch of lines.
  if ((rank == 1 && x.dim() == 2) || (rank == 3 && x.dim() != 5)) {
    Tensor out = drop(kind, 0, ops::unsqueeze(x, 0), p, training, inplace);
    return inplace ? x : ops::squeeze(out, 0);
  }
  if (inplace) {
    Tensor written = x;
    switch (kind) {
      case DropoutKind::Elements: return ops::dropout_(written, p, training);
      case DropoutKind::Features: return ops::feature_dropout_(written, p, training);
      case DropoutKind::Alpha: return ops::alpha_dropout_(written, p, training);
      case DropoutKind::FeatureAlpha: return ops::feature_alpha_dropout_(written, p, training);
    }
  }
  switch (kind) {
    case DropoutKind::Elements: return ops::dropout(x, p, training);
    case DropoutKind::Features: return ops::feature_dropout(x, p, training);
    case DropoutKind::Alpha: return ops::alpha_dropout(x, p, training);
    case DropoutKind::FeatureAlpha: break;
  }
  return ops::feature_alpha_dropout(x, p, training);
}

TENON_BODY std::string describe_dropout(double p, bool inplace) {
  return Description().add("p", p).add("inplace", inplace).text;
}

}  // namespace tenon::nn::detail
