// Tensors whose memory is a file: what torch 2.15 reads, writes and refuses.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "../ops/support.hpp"

using namespace test;

namespace {
/// A file of the program's own, removed at the end.
struct Scratch {
  std::string name =
      (std::filesystem::temp_directory_path() / ("tenon_from_file_" + std::to_string(::getpid()))).string();
  explicit Scratch(int count = 0) {
    if (count == 0) return;
    std::ofstream out(name, std::ios::binary);
    for (int i = 0; i < count; ++i) {
      const auto x = static_cast<float>(i);
      out.write(reinterpret_cast<const char*>(&x), sizeof x);
    }
  }
  ~Scratch() { std::remove(name.c_str()); }
};
}  // namespace

TEST_CASE("a file is the memory of a tensor", "[composite][from_file]") {
  Scratch file(6);
  Tensor x = ops::from_file(file.name, false, 6);
  CHECK(values(x) == Numbers{0, 1, 2, 3, 4, 5});
  ops::fill_(x, 9);
  CHECK(values(ops::from_file(file.name, std::nullopt, 4)) == Numbers{0, 1, 2, 3});
  CHECK(ops::from_file(file.name, false, 3, "dtype"_a = kLong).dtype() == kLong);
  CHECK(ops::from_file(file.name).numel() == 0);
  CHECK_ERROR(ops::from_file(file.name, false, 8), ValueError,
              "file <" + file.name + "> size <24> is smaller than the required mapping size <32>");
  CHECK_ERROR(ops::from_file(file.name, false, 3, "pin_memory"_a = true), ValueError,
              "tensors constructed from a file cannot be pinned");
  CHECK_THROWS_AS(ops::from_file(file.name, false, -1), ValueError);
  CHECK_THROWS_AS(ops::resize_(ops::from_file(file.name, false, 3), {10}), ValueError);
  Tensor out = ops::empty({0});
  ops::from_file_base_out(file.name, false, 3, out);
  CHECK(values(out) == Numbers{0, 1, 2});
}
TEST_CASE("what is written to a shared file stays there", "[composite][from_file]") {
  Scratch file;
  CHECK_ERROR(ops::from_file(file.name, false, 6), FileError,
              "unable to open file <" + file.name + "> in read-only mode: No such file or directory (2)");
  {
    Tensor x = ops::from_file(file.name, true, 6);
    ops::fill_(x, 3);
  }
  CHECK(values(ops::from_file(file.name, true, 8)) == Numbers{3, 3, 3, 3, 3, 3, 0, 0});
  CHECK(std::filesystem::file_size(file.name) == 32);
  CHECK(ops::from_file(file.name, true, 2).numel() == 2);
  CHECK(std::filesystem::file_size(file.name) == 32);
}

TEST_CASE("W23: what another process writes into a shared file is seen, also through a view",
          "[composite][from_file]") {
  Scratch file;
  Tensor x = ops::from_file(file.name, true, 6), odd = x.slice(0, 1, 6, 2);
  ops::fill_(x, 1);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // No operator of many elements, since threads do not come along; no test of this process ends here.
    Tensor same = ops::from_file(file.name, true, 6);
    const bool seen = same.const_data_ptr<float>()[5] == 1;
    same.mutable_data_ptr<float>()[3] = 7;
    ::_exit(seen ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(values(odd) == Numbers{1, 7, 1});
  CHECK(values(x) == Numbers{1, 1, 1, 7, 1, 1});
}
