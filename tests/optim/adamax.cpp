// Adamax, beside a transcription of its formulas to float64 in Python (numbers that PyTorch keeps as float32, so).
#include "support.hpp"

using namespace test;

TEST_CASE("Adamax gives its formulas' numbers for every option", "[optim][adamax]") {
  check<optim::Adamax>(
      {}, {1.0041296736404164, -2.0042198171805494, 0.5019686778411847, 2.9969925008346543, -0.2532732856361806});
  check<optim::Adamax>(
      {.lr = 0.1, .betas = {0.8, 0.9}, .eps = 1e-4, .weight_decay = 0.1},
      {1.1608744813875675, -2.119733192460271, 0.5487687543599662, 2.7465275214494422, -0.3896359492497256});
  check<optim::Adamax>(
      {.lr = 0.1, .betas = {0.3, 0.999}, .maximize = true},
      {0.9017937462785068, -1.838458444852425, 0.4407357412303421, 3.1109712856597094, -0.14806731754085145});
}

TEST_CASE("options that Adamax cannot take are refused by name", "[optim][adamax]") {
  Tensor p = parameter(kFloat);
  CHECK_ERROR_CONTAINS(optim::Adamax({p}, {.betas = {0.9, 1.0}}), ValueError, "Adamax: option 'betas'");
}
