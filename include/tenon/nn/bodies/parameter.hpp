// Descriptions of layers, in the words in which Python prints values.
#pragma once
#include <charconv>
#include <cmath>

#include <tenon/base/body.hpp>
#include <tenon/nn/parameter.hpp>

namespace tenon::nn {

namespace detail {
TENON_COLD_BODY void wrong_number_of_sizes(std::size_t expected, std::size_t got) {
  fail<ValueError>("expected one size or ", expected, " of them, got ", got);
}
/// The shortest text that reads back as the number: 0.1, 1e-05, 1.0.
inline std::string python_text(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  char buffer[40];
  double size = std::fabs(x);
  auto format = size != 0 && (size < 1e-4 || size >= 1e16) ? std::chars_format::scientific : std::chars_format::fixed;
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, x, format).ptr);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}
}  // namespace detail

TENON_BODY Description& Description::value(std::string_view word) {
  if (!text.empty()) text += ", ";
  text += word;
  return *this;
}
TENON_BODY Description& Description::add(std::string_view name, std::string_view word) {
  value(name);
  text += '=';
  text += word;
  return *this;
}
TENON_BODY Description& Description::value(double x) { return value(detail::python_text(x)); }
TENON_BODY Description& Description::value(std::int64_t n) { return value(std::to_string(n)); }
TENON_BODY Description& Description::add(std::string_view name, std::int64_t n) { return add(name, std::to_string(n)); }
TENON_BODY Description& Description::add(std::string_view name, double x) { return add(name, detail::python_text(x)); }
TENON_BODY Description& Description::add_or_none(std::string_view name, const std::optional<std::int64_t>& n) {
  return add(name, n ? std::to_string(*n) : std::string("None"));
}
TENON_BODY std::string Description::tuple(IntArrayRef sizes) {
  std::string list = "(";
  for (std::size_t i = 0; i < sizes.size(); ++i) list += (i ? ", " : "") + std::to_string(sizes[i]);
  return list + (sizes.size() == 1 ? ",)" : ")");
}
TENON_BODY Description& Description::add(std::string_view name, IntArrayRef sizes) { return add(name, tuple(sizes)); }
TENON_BODY Description& Description::add_short(std::string_view name, IntArrayRef sizes) {
  for (std::int64_t s : sizes)
    if (s != sizes[0]) return add(name, sizes);
  return add(name, sizes[0]);
}

}  // namespace tenon::nn
