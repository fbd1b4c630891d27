// Rprop, beside a transcription of its formulas to float64 in Python (numbers that PyTorch keeps as float32, so).
#include "support.hpp"

using namespace test;

TEST_CASE("Rprop gives its formulas' numbers for every option", "[optim][rprop]") {
  check<optim::Rprop>({}, {1.016, -2.022, 0.505, 2.985, -0.266});
  check<optim::Rprop>({.lr = 0.1, .etas = {0.3, 1.5}, .step_sizes = {0.05, 0.12}}, {1.17, -2.22, 0.55, 2.85, -0.42});
  check<optim::Rprop>({.lr = 0.1, .maximize = true}, {0.84, -1.78, 0.45, 3.15, -0.09});
}

TEST_CASE("options that Rprop cannot take are refused by name", "[optim][rprop]") {
  Tensor p = parameter(kFloat);
  CHECK_ERROR_CONTAINS(optim::Rprop({p}, {.etas = {0.5, 0.9}}), ValueError, "Rprop: option 'etas'");
}
