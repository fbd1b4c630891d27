// What the package promises: headers that compile, and a version.
#include <cstdio>

#include <tenon/base.hpp>
#include <tenon/schema.hpp>
#include <tenon/version.hpp>

int main() {
  std::printf("tenon %d\n", TENON_VERSION);
  return TENON_VERSION > 0 && tenon::item_size(tenon::kDouble) == 8 ? 0 : 1;
}
