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
  CHECK(nn::load(other, path, false).missing_keys == std::vector<std::string>{"weight", "bias"});
  std::remove(path.c_str());
  CHECK_THROWS_AS(nn::load(b, path), FileError);
}

TEST_CASE("an optimiser is saved with its options, and loaded", "[io][module_state]") {
  std::string path = (std::filesystem::temp_directory_path() / "tenon_optimizer_state.safetensors").string();
  nn::Linear layer{2, 3};
  optim::Adam adam(nn::parameters(layer), {.lr = 0.25});
  layer(ops::ones({1, 2})).sum().backward();
  adam.step();
  nn::save(adam, path);
  CHECK(load_safetensors(path).size() == adam.state().size());
  optim::Adam again(nn::parameters(layer), {.lr = 0.5});
  nn::load(again, path);
  CHECK(again.groups()[0].options.lr == 0.25);
  CHECK(ops::equal(again.state()[0].second, adam.state()[0].second));
  CHECK_ERROR_CONTAINS(nn::load(layer, path), ValueError, "in file " + path);
  CHECK_ERROR_CONTAINS(nn::load(again, path, false), ValueError, "strict = false is for modules");
  std::remove(path.c_str());
}
