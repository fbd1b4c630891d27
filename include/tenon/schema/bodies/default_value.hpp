// Bodies of default values.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/schema/default_value.hpp>

namespace tenon::schema {

TENON_COLD_BODY std::string Constant::string() const {
  std::string value(decode_string(text, nullptr), '\0');
  decode_string(text, value.data());
  return value;
}

}  // namespace tenon::schema
