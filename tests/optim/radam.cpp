// RAdam, beside a transcription of its formulas to float64 in Python (numbers that PyTorch keeps as float32, so).
#include "support.hpp"

using namespace test;

TEST_CASE("RAdam gives its formulas' numbers for every option", "[optim][radam]") {
  check<optim::RAdam>(
      {}, {1.0012896070040957, -2.000943344413816, 0.5001894325347731, 2.9990608405429793, -0.2504433444138163});
  check<optim::RAdam>(
      {.lr = 0.1, .betas = {0.8, 0.5}, .eps = 1e-4, .weight_decay = 0.1},
      {1.0781057143114976, -2.0098968024672845, 0.49581160668448676, 2.7934888831890086, -0.2797233714538876});
  check<optim::RAdam>(
      {.lr = 0.1, .betas = {0.9, 0.6}, .weight_decay = 0.2, .decoupled_weight_decay = true, .maximize = true},
      {0.7992237976172384, -1.7539314804439632, 0.443616864549486, 2.8568295974829843, -0.18830710044396323});
}

TEST_CASE("options that RAdam cannot take are refused by name", "[optim][radam]") {
  Tensor p = parameter(kFloat);
  CHECK_ERROR_CONTAINS(optim::RAdam({p}, {.eps = -1}), ValueError, "RAdam: option 'eps'");
}
