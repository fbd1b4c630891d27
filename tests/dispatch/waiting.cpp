// Waiting for what another thread registers.
#include <tenon/dispatch/waiting.hpp>

#include <chrono>
#include <thread>

#include "registry_support.hpp"

using namespace support;
using K = DispatchKey;

TEST_CASE("who waits for a definition goes on when another thread makes it", "[dispatch][waiting][threads]") {
  CHECK_FALSE(wait_for_def("_test::awaited", 0.01));
  std::optional<Library> m;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    m.emplace(fragment());
    m->impl("awaited", K::CPU, [](const Tensor&) {});
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    m->def("awaited(Tensor x) -> ()");
  });
  CHECK(wait_for_impl("_test::awaited", K::CPU));
  CHECK(wait_for_def("_test::awaited"));
  CHECK(Registry::get().find_schema("_test::awaited"));
  later.join();
  CHECK_FALSE(wait_for_impl("_test::awaited", K::CUDA, 0.01));
  CHECK_FALSE(wait_for_impl("_test::awaited", K::Undefined, 0.01));
  m.reset();
  CHECK_FALSE(wait_for_def("_test::awaited", 0.0));
}

TEST_CASE("a kernel whose schema is not inferred is not held against the operator's", "[dispatch][registry]") {
  Library m = fragment();
  m.def("unlike(Tensor x) -> ()");
  auto takes_two = [](const Tensor&, const Tensor&) {};
  CHECK_THROWS_AS(m.impl("unlike", K::CPU, takes_two), RegistrationError);
  m.impl("unlike", K::CPU, Kernel(takes_two).no_schema_inference());
  CHECK(rule("_test::unlike", K::CPU) == "kernel");
  CHECK_THROWS_AS(m.def("nameless", Kernel(takes_two).no_schema_inference()), RegistrationError);
}
