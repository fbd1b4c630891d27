// The names of fields, cut out of the list that TENON_FIELDS keeps.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/fields.hpp>

namespace tenon::nn {

TENON_BODY std::string detail::nth_name(std::string_view names, std::size_t index) {
  if (names.empty()) return std::to_string(index);
  for (; index > 0; --index) names.remove_prefix(names.find(',') + 1);
  names = names.substr(0, names.find(','));
  while (!names.empty() && names.front() == ' ') names.remove_prefix(1);
  while (!names.empty() && names.back() == ' ') names.remove_suffix(1);
  return std::string(names);
}

}  // namespace tenon::nn
