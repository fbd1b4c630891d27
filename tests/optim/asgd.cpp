// ASGD, beside a transcription of its formulas to float64 in Python (numbers that PyTorch keeps as float32, so).
#include "support.hpp"

using namespace test;

TEST_CASE("ASGD gives its formulas' numbers for every option", "[optim][asgd]") {
  check<optim::ASGD>(
      {}, {1.00249598863061, -2.0049919845907276, 0.5012479971833648, 2.993738017009289, -0.24999899777192014});
  check<optim::ASGD>(
      {.lr = 0.1, .lambd = 0.5, .alpha = 0.6, .t0 = 1, .weight_decay = 0.1},
      {0.8059588415394987, -1.6196044140212058, 0.4060226880160742, 2.3124916702316263, -0.1949085130098035});
  check<optim::ASGD>({.lr = 0.1, .maximize = true}, {0.9749611255821362, -1.9499215322478907, 0.4874802788120901,
                                                     3.0623783175176627, -0.24999021772691574});
}

TEST_CASE("ASGD averages from the step t0 on", "[optim][asgd]") {
  Tensor p = parameter(kDouble);
  optim::ASGD asgd({p}, {.lr = 0.1, .lambd = 0.5, .alpha = 0.6, .t0 = 1, .weight_decay = 0.1});
  for (int k = 0; k < 4; ++k) {
    set_gradient(p, k);
    asgd.step();
  }
  for (const auto& [name, t] : asgd.state())
    if (name == "0.ax")
      check_near(
          values(t),
          {0.8538226179609504, -1.6668933505220593, 0.39354614386886744, 2.3982600565504044, -0.20668230042426394},
          1e-14);
}
