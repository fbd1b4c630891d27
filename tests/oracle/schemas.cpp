// Parses and prints every schema of a file, which holds one in canonical form per line, and compares.
#include <cstdio>
#include <fstream>
#include <string>

#include <tenon/schema/function_schema.hpp>
#include <tenon/schema/print.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: schemas FILE\n");
    return 2;
  }
  std::ifstream file(argv[1]);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", argv[1]);
    return 2;
  }
  int passed = 0, failed = 0, number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty()) continue;
    std::string got;
    try {
      got = tenon::schema::to_string(tenon::schema::FunctionSchema::parse(line));
    } catch (const std::exception& error) { got = error.what(); }
    if (got == line) {
      ++passed;
    } else if (++failed <= 20) {
      std::printf("line %d\n  expected %s\n  got      %s\n", number, line.c_str(), got.c_str());
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed != 0 ? 0 : 1;
}
