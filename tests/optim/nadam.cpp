// NAdam, beside a transcription of its formulas to float64 in Python (numbers that PyTorch keeps as float32, so).
#include "support.hpp"

using namespace test;

TEST_CASE("NAdam gives its formulas' numbers for every option", "[optim][nadam]") {
  check<optim::NAdam>(
      {}, {1.001425193383749, -2.00324648429754, 0.5008845442604639, 2.9976495365356985, -0.252310711883054});
  check<optim::NAdam>(
      {.lr = 0.1, .betas = {0.8, 0.95}, .eps = 1e-4, .weight_decay = 0.1, .momentum_decay = 0.1},
      {1.0128450932364443, -2.0852148140833937, 0.5006889029156549, 2.7575605560095497, -0.35391745356849297});
  check<optim::NAdam>(
      {.lr = 0.1, .weight_decay = 0.2, .decoupled_weight_decay = true, .maximize = true},
      {0.8588520103630622, -1.6916225380264243, 0.4195965508602614, 2.880292886005737, -0.12389718003464754});
}

TEST_CASE("options that NAdam cannot take are refused by name", "[optim][nadam]") {
  Tensor p = parameter(kFloat);
  CHECK_ERROR_CONTAINS(optim::NAdam({p}, {.momentum_decay = -1}), ValueError, "NAdam: option 'momentum_decay'");
}
