// The limits of a dtype as text.
#pragma once
#include <cstdio>

#include <tenon/base/body.hpp>
#include <tenon/tensor/type_info.hpp>

namespace tenon {

TENON_COLD_BODY std::string to_string(const finfo& f) {
  char text[256];
  std::snprintf(text, sizeof text,
                "finfo(resolution=%g, min=%g, max=%g, eps=%g, smallest_normal=%g, tiny=%g, dtype=", f.resolution, f.min,
                f.max, f.eps, f.smallest_normal, f.tiny);
  return std::string(text).append(to_string(f.dtype)) + ")";
}
TENON_COLD_BODY std::string to_string(const iinfo& i) {
  char text[128];
  std::snprintf(text, sizeof text, "iinfo(min=%g, max=%g, dtype=", static_cast<double>(i.min),
                static_cast<double>(i.max));
  return std::string(text).append(to_string(i.dtype)) + ")";
}

}  // namespace tenon
