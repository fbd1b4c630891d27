// Bodies of scalars.
#pragma once
#include <charconv>

#include <tenon/base/body.hpp>
#include <tenon/base/scalar.hpp>

namespace tenon {

namespace detail {
template <class T>
void append_shortest(std::string& out, T value) {
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}
TENON_COLD_BODY void append(std::string& out, double value) { append_shortest(out, value); }
TENON_COLD_BODY void append(std::string& out, float value) { append_shortest(out, value); }
}  // namespace detail

TENON_BODY std::string to_string(const Scalar& s) {
  switch (s.kind()) {
    case Scalar::Kind::Bool: return s.to<bool>() ? "True" : "False";
    case Scalar::Kind::Int: return std::to_string(s.to<std::int64_t>());
    case Scalar::Kind::UInt: return std::to_string(s.to<std::uint64_t>());
    case Scalar::Kind::Double: return concat(s.to<double>());
    default: {
      auto z = s.to<Complex<double>>();
      return concat("(", z.re, z.im < 0 ? "" : "+", z.im, "j)");
    }
  }
}

}  // namespace tenon
