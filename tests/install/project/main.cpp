// A program of somebody else: it knows the installed package and nothing of this tree.
#include <cstdio>

#include <tenon/version.hpp>

#if __has_include(<tenon/tenon.hpp>)
#include <tenon/tenon.hpp>
#endif

int main() {
  std::printf("tenon %d\n", TENON_VERSION);
  return TENON_VERSION > 0 ? 0 : 1;
}
