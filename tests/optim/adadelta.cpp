// Adadelta, beside a transcription of its formulas to float64 in Python (numbers that PyTorch keeps as float32, so).
#include "support.hpp"

using namespace test;

TEST_CASE("Adadelta gives its formulas' numbers for every option", "[optim][adadelta]") {
  check<optim::Adadelta>(
      {}, {1.000949929648286, -2.004268867424909, 0.5011311994974222, 2.9967663705322694, -0.2517330927049526});
  check<optim::Adadelta>(
      {.lr = 0.5, .rho = 0.8, .eps = 1e-4, .weight_decay = 0.1},
      {0.9954188329407034, -1.9998476967079184, 0.4987199398960745, 2.9740792461654832, -0.25355161161970435});
  check<optim::Adadelta>({.lr = 20, .maximize = true}, {0.9810014070342795, -1.914622651501823, 0.47737601005155533,
                                                        3.0646725893546187, -0.2153381459009488});
}

TEST_CASE("options that Adadelta cannot take are refused by name", "[optim][adadelta]") {
  Tensor p = parameter(kFloat);
  CHECK_ERROR_CONTAINS(optim::Adadelta({p}, {.rho = 1.5}), ValueError, "Adadelta: option 'rho'");
}
