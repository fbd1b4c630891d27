// Models by name with weights from a folder.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <unistd.h>

#include <tenon/tenon.hpp>
#include <tenon/training/hub.hpp>

#include "../catch.hpp"

using namespace tenon;
namespace hub = tenon::training::hub;

namespace {

struct Net {
  nn::Linear in{3, 4}, out{4, 1};
  Tensor operator()(const Tensor& x) const { return out(in(x).relu()); }
  TENON_FIELDS(in, out)
};

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("tenon_hub" + std::to_string(::getpid()));
  Folder() { hub::set_dir((path / "deep").string()); }
  ~Folder() {
    hub::set_dir("");
    std::filesystem::remove_all(path);
  }
};

}  // namespace

TEST_CASE("a model is added, published and loaded by its name", "[training][hub]") {
  Folder folder;
  std::optional kept{hub::add("net-1.0", "two layers", [] { return Net{}; })};
  CHECK(hub::list() == std::vector<std::string>{"net-1.0"});
  CHECK(hub::help("net-1.0") == "two layers");
  CHECK(hub::weights_path("net-1.0") == (folder.path / "deep" / "net-1.0.safetensors").string());
  CHECK_ERROR_CONTAINS(hub::load("net-1.0"), FileError, "no weights of the model 'net-1.0' are there");

  Net trained;
  hub::publish("net-1.0", trained);
  Tensor x = ops::rand({5, 3});
  nn::AnyModule found = hub::load("net-1.0");
  CHECK(ops::equal(found(x), trained(x)));
  CHECK(ops::equal(hub::load_as<Net>("net-1.0")(x), trained(x)));
  CHECK_FALSE(ops::equal(hub::make("net-1.0")(x), trained(x)));
  CHECK_ERROR_CONTAINS(hub::load_as<nn::Linear>("net-1.0"), TypeError, "has another type");

  {
    auto other = hub::add("net-2", "wider", [] { return nn::Linear{3, 8}; });
    CHECK(hub::list() == std::vector<std::string>{"net-1.0", "net-2"});
    CHECK_ERROR_CONTAINS(hub::add("net-2", "", [] { return Net{}; }), ValueError, "a model named 'net-2' already");
    auto moved = std::move(other);
    CHECK(hub::list().size() == 2);
    CHECK_ERROR_CONTAINS(hub::help("net"), ValueError, "no model named 'net'; there are: net-1.0, net-2");
  }
  CHECK(hub::list().size() == 1);
  kept.reset();
  CHECK(hub::list().empty());
  CHECK_ERROR_CONTAINS(hub::make("net-1.0"), ValueError, "no model named 'net-1.0'; there are none");
}

TEST_CASE("names of models stay in the folder, weights must fit", "[training][hub]") {
  Folder folder;
  for (const char* name : {"", "..", "../net", "a/b", ".hidden", "sp ace"}) {
    CHECK_THROWS_AS(hub::add(name, "", [] { return Net{}; }), ValueError);
    CHECK_THROWS_AS(hub::publish(name, Net{}), ValueError);
    CHECK_THROWS_AS(hub::weights_path(name), ValueError);
  }
  auto kept = hub::add("net", "", [] { return Net{}; });
  hub::publish("net", nn::Linear{2, 2});
  CHECK_ERROR_CONTAINS(hub::load("net"), ValueError, "net.safetensors");
  std::ofstream(hub::weights_path("net")) << "no weights";
  CHECK_THROWS_AS(hub::load("net"), FileError);
}

TEST_CASE("the folder of weights is the program's, the environment's or the cache's", "[training][hub]") {
  auto before = [](const char* variable) {
    const char* text = std::getenv(variable);
    return text ? std::optional<std::string>(text) : std::nullopt;
  };
  auto own = before("TENON_HUB_DIR"), cache = before("XDG_CACHE_HOME");
  ::unsetenv("TENON_HUB_DIR");
  ::setenv("XDG_CACHE_HOME", "/cache", 1);
  CHECK(hub::dir() == "/cache/tenon/hub");
  ::setenv("TENON_HUB_DIR", "/models", 1);
  CHECK(hub::dir() == "/models");
  hub::set_dir("/mine");
  CHECK(hub::weights_path("net") == "/mine/net.safetensors");
  hub::set_dir("");
  CHECK(hub::dir() == "/models");
  own ? ::setenv("TENON_HUB_DIR", own->c_str(), 1) : ::unsetenv("TENON_HUB_DIR");
  cache ? ::setenv("XDG_CACHE_HOME", cache->c_str(), 1) : ::unsetenv("XDG_CACHE_HOME");
}
