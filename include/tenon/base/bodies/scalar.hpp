// Bodies of scalars.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/scalar.hpp>

namespace tenon {

TENON_BODY std::string to_string(const Scalar& s) {
  switch (s.kind()) {
    case Scalar::Kind::Bool: return s.to<bool>() ? "True" : "False";
    case Scalar::Kind::Int: return std::to_string(s.to<std::int64_t>());
    case Scalar::Kind::UInt: return std::to_string(s.to<std::uint64_t>());
    case Scalar::Kind::Double: return std::to_string(s.to<double>());
    default: {
      auto z = s.to<Complex<double>>();
      return "(" + std::to_string(z.re) + (z.im < 0 ? "" : "+") + std::to_string(z.im) + "j)";
    }
  }
}

}  // namespace tenon
