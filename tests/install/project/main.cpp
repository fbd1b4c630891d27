// A program of somebody else: it knows the installed package and nothing of this tree.
#include <cstdio>

#include <tenon/tenon.hpp>
#include <tenon/version.hpp>

int main() {
  std::printf("tenon %d\n", TENON_VERSION);
  return TENON_VERSION > 0 && tenon::to_string(tenon::Device("cuda:1")) == "cuda:1" ? 0 : 1;
}
