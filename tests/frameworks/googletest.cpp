// The adaptors for GoogleTest, in a program of it.
#include <tenon/testing/googletest.hpp>

#include <tenon/ops/arithmetic.hpp>
#include <tenon/testing/every_set.hpp>

namespace {
tenon::Tensor floats() { return tenon::testing::samples("aten::sigmoid")[0].arguments[0].to_tensor(); }
}  // namespace

TEST(Tenon, OperatorsPassByTheirSchemas) {
  TENON_EXPECT_OPCHECK("aten::mul.Tensor");
  TENON_EXPECT_OPCHECK("aten::mm", tenon::testing::SampleOptions{}, tenon::testing::OpcheckOptions{.gradients = false});
}

TEST(Tenon, TensorsThatDifferAreShown) {
  using tenon::testing::is_close;
  tenon::Tensor x = floats(), y = tenon::ops::add(x, x);
  EXPECT_TRUE(is_close(x, x));
  auto different = is_close(x, y);
  EXPECT_FALSE(different);
  EXPECT_NE(std::string(different.message()).find("Mismatched elements: 6 / 6"), std::string::npos);
  auto failed = tenon::testing::passes({"meta", "no kernel"});
  EXPECT_STREQ(failed.message(), "meta: no kernel");
}

int main(int argc, char** argv) {
  if (auto status = tenon::testing::run_in_every_set(argv)) return *status;
  ::testing::InitGoogleTest(&argc, argv);
  std::string set = tenon::cpu::to_string(tenon::cpu::chosen_capability());
  ::testing::Test::RecordProperty("instruction_set", set);
  std::printf("kernels: %s\n", set.c_str());
  return RUN_ALL_TESTS();
}
