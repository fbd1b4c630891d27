#include <tenon/base/component.hpp>

#include <tenon/base/error.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/tensor/create.hpp>

#include "catch.hpp"

using namespace tenon;

namespace {

/// The text of the error that a call ends with.
template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const NotImplementedError& e) { return e.what(); }
  return "no error";
}

}  // namespace

TEST_CASE("without the component no device cuda is there, and asking throws nothing", "[base][component]") {
  STATIC_REQUIRE(noexcept(cuda::is_available()));
  STATIC_REQUIRE(noexcept(cuda::version()));
  CHECK(cuda::is_available() == (cuda::device_count() > 0));
  CHECK(cuda::version().has_value() == cuda::is_built());
  if (!cuda::is_built()) CHECK_FALSE(cuda::is_available());
}

TEST_CASE("without the component every call with device cuda says what to configure", "[base][component]") {
  if (cuda::is_built()) return;
  std::string house = "this build has no CUDA component; configure with -Dcuda=enabled";
  CHECK(cuda::kNoComponent == house);
  Device device("cuda:0");
  CHECK_THAT(error_of([&] { ops::empty({2}, "device"_a = device); }), ContainsSubstring(house));
  CHECK_THAT(error_of([&] { ops::zeros({2}, "device"_a = Device("cuda")); }), ContainsSubstring(house));
  CHECK_THAT(error_of([&] { ops::arange(4, "device"_a = device); }), ContainsSubstring(house));
  Tensor t = make_tensor({2}, {}, kFloat);
  CHECK_THAT(error_of([&] { t.to(device, kFloat); }), ContainsSubstring(house));
  CHECK(error_of([&] { make_tensor({2}, {}, kFloat, device); }) == house);
  // A tensor over foreign memory can be made, and nothing computed with it.
  float memory[2] = {};
  Tensor foreign = from_blob(memory, {2}, {}, kFloat, nullptr, nullptr, device);
  CHECK_THAT(error_of([&] { ops::add(foreign, foreign); }), ContainsSubstring(house));
  CHECK_THAT(error_of([&] { ops::sum(foreign); }), ContainsSubstring(house));
}
