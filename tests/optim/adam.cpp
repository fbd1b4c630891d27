// Adam and AdamW beside PyTorch's, and by hand.
#include "support.hpp"

using namespace test;

TEST_CASE("Adam gives PyTorch's numbers for every option", "[optim][adam]") {
  check<optim::Adam>(
      {}, {1.0024960471868456, -2.0025281328873192, 0.5009091684908612, 2.998286530682346, -0.25186704776772945});
  check<optim::Adam>(
      {.lr = 0.1, .betas = {0.8, 0.95}, .eps = 1e-06, .weight_decay = 0.1},
      {1.1709580965319226, -2.1268739159688, 0.5264470406086612, 2.7074883626641633, -0.4053794227426767});
  check<optim::Adam>({.lr = 0.1, .amsgrad = true}, {1.2496047186845503, -2.252800037328901, 0.5909168490861297,
                                                    2.8286604715123094, -0.4367047767729475});
  check<optim::Adam>(
      {.lr = 0.1, .betas = {0.3, 0.9}, .maximize = true},
      {0.9109205295635114, -1.824762277032122, 0.46658037606800273, 3.1254741213449746, -0.14053600733554983});
}

TEST_CASE("Adam and AdamW round as PyTorch does", "[optim][adam]") {
  check_exact<optim::Adam>({.lr = 0.03, .weight_decay = 0.01, .amsgrad = true},
                           {1.08704877f, -2.07022238f, 0.510315716f, 2.93505526f, -0.33205694f});
  check_exact<optim::Adam>({.lr = 0.03, .betas = {0.3, 0.9}, .weight_decay = 0.01},
                           {1.0218246f, -2.01957536f, 0.511676013f, 2.94371033f, -0.287943482f});
  check_exact<optim::AdamW>({.lr = 0.03}, {1.09064543f, -2.07773948f, 0.51329881f, 2.94656444f, -0.333276719f});
}

TEST_CASE("AdamW gives PyTorch's numbers for every option", "[optim][adam]") {
  check<optim::AdamW>(
      {}, {1.0024559941540356, -2.002448082058921, 0.5008891380377645, 2.9981665677922607, -0.2518569997745327});
  check<optim::AdamW>(
      {.lr = 0.1, .weight_decay = 0.2, .amsgrad = true},
      {1.1614013825142218, -2.0872873887628693, 0.546080098250044, 2.6026999926229113, -0.4078226749584773});
  check<optim::AdamW>(
      {.lr = 0.1, .betas = {0.7, 0.99}, .maximize = true},
      {0.7934594747254926, -1.7615707417346924, 0.4293244297703626, 3.1388090816354444, -0.08488586068243865});
}

TEST_CASE("Adam that decouples its weight decay is AdamW", "[optim][adam]") {
  check<optim::Adam>(
      {.lr = 0.1, .weight_decay = 0.2, .amsgrad = true, .decoupled_weight_decay = true},
      {1.1614013825142218, -2.0872873887628693, 0.546080098250044, 2.6026999926229113, -0.4078226749584773});
}

TEST_CASE("the first step of Adam has the length lr whatever the gradient", "[optim][adam]") {
  Tensor p = parameter(kDouble);
  optim::Adam adam({p}, {.lr = 0.25, .eps = 0});
  set_gradient(p, 0);
  adam.step();
  check_near(values(p), {1.25, -2.25, 0.75, 2.75, -0.5}, 1e-15);
}

TEST_CASE("options that Adam cannot take are refused by name", "[optim][adam]") {
  Tensor p = parameter(kFloat);
  CHECK_ERROR_CONTAINS(optim::Adam({p}, {.betas = {0.9, 1.0}}), ValueError,
                       "Adam: option 'betas': expected numbers in [0, 1), got 1");
  CHECK_ERROR_CONTAINS(optim::AdamW({p}, {.lr = -1}), ValueError, "AdamW: option 'lr'");
}
