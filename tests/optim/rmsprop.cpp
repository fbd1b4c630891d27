// RMSprop beside PyTorch's.
#include "support.hpp"

using namespace test;

TEST_CASE("RMSprop gives PyTorch's numbers for every option", "[optim][rmsprop]") {
  check<optim::RMSprop>(
      {}, {1.0593594088653655, -2.144032852901947, 0.5336513447848034, 2.9053919183597428, -0.35994161227840304});
  check<optim::RMSprop>(
      {.lr = 0.05, .alpha = 0.9, .eps = 1e-06, .weight_decay = 0.02},
      {1.0705234206359995, -2.2049166825575375, 0.5405972801191158, 2.8107243205556705, -0.41552369998993166});
  check<optim::RMSprop>(
      {.lr = 0.05, .momentum = 0.8, .centered = true},
      {2.4778817220293585, -4.185810232037119, 0.9762870598721398, 1.915019879295652, -2.211252039599943});
  check<optim::RMSprop>(
      {.lr = 0.05, .alpha = 0.4, .centered = true, .maximize = true},
      {0.9429540603749874, -1.8145277875574506, 0.4768411404352747, 3.12908294904592, -0.11130017526611664});
}

TEST_CASE("RMSprop rounds as PyTorch does, so that the same spreads come out negative", "[optim][rmsprop]") {
  check_exact<optim::RMSprop>({.lr = 0.03, .alpha = 0.9, .weight_decay = 0.01, .centered = true},
                              {1.0791924f, -2.11620069f, 0.519821346f, 2.87444401f, -0.39805305f});
  check_exact<optim::RMSprop>({.lr = 0.03, .alpha = 0.4, .weight_decay = 0.01, .momentum = 0.8, .centered = true},
                              {1.06433296f, -2.46868277f, 0.350293338f, 2.63940787f, -0.879710436f});
}

TEST_CASE("options that RMSprop cannot take are refused by name", "[optim][rmsprop]") {
  Tensor p = parameter(kFloat);
  CHECK_ERROR_CONTAINS(optim::RMSprop({p}, {.alpha = -1}), ValueError, "RMSprop: option 'alpha'");
}
