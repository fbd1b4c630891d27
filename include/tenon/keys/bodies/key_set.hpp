// Bodies of key sets.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/keys/key_set.hpp>

namespace tenon {

TENON_COLD_BODY std::string to_string(KeySet set) {
  std::string out = "DispatchKeySet(";
  set.for_each([&, first = true](DispatchKey k) mutable {
    if (!first) out += ", ";
    first = false;
    out += to_string(k);
  });
  return out + ")";
}

}  // namespace tenon
