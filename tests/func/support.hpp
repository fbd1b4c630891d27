// What the tests of function transforms share.
#pragma once
#include <string>
#include <vector>

#include <tenon/base/warning.hpp>
#include <tenon/func.hpp>
#include <tenon/tenon.hpp>
#include <tenon/ops/axes.hpp>

#include "../catch.hpp"

namespace test {

using namespace tenon;

/// Equal in shape, and in value up to rounding.
inline void check_close(const Tensor& got, const Tensor& expected) {
  REQUIRE(got.sizes() == expected.sizes());
  if (got.numel() != 0) CHECK(ops::max(ops::abs(ops::sub(got, expected))).item<double>() == Approx(0).margin(1e-9));
}
inline Tensor drawn(IntArrayRef sizes) { return ops::randn(sizes, "dtype"_a = kDouble); }

/// Warnings of this thread, kept.
struct Warnings {
  std::vector<std::string> texts;
  WarningGuard guard{[](const std::string& text, void* to) { static_cast<Warnings*>(to)->texts.push_back(text); },
                     this};
};

}  // namespace test
