// Modules in files.
#include <cstdio>
#include <filesystem>

#include <tenon/tenon.hpp>

#include "catch.hpp"

using namespace tenon;

namespace {
struct Net {
  nn::Linear first{4, 3};
  nn::Linear second{3, 2};
  TENON_FIELDS(first, second)
};
}  // namespace

TEST_CASE("a saved module is loaded again bit for bit, under its names", "[io][module_state]") {
  std::string path = (std::filesystem::temp_directory_path() / "tenon_module_state.safetensors").string();
  Net a, b;
  nn::save(a, path, {{"note", "test"}});
  CHECK(SafetensorsFile::open(path).metadata("note") == "test");
  CHECK(SafetensorsFile::open(path).find("second.bias") != nullptr);
  nn::load(b, path);
  for (std::size_t i = 0; i < 4; ++i) {
    Tensor x = nn::state(a)[i].second, y = nn::state(b)[i].second;
    for (std::int64_t k = 0; k < x.numel(); ++k) CHECK(x.data_ptr<float>()[k] == y.data_ptr<float>()[k]);
  }
  nn::Linear other{4, 3};
  CHECK_ERROR_CONTAINS(nn::load(other, path), ValueError, "load_state()");
  std::remove(path.c_str());
  CHECK_THROWS_AS(nn::load(b, path), FileError);
}
