// Registers elementwise operators that are made of others, and what keys do for operators without a kernel there.
#include <tenon/autograd/derivatives/fallbacks.hpp>
#include <tenon/composite/activation.hpp>
#include <tenon/composite/conjugate.hpp>
#include <tenon/composite/elementwise.hpp>
#include <tenon/composite/lazy.hpp>
#include <tenon/composite/powers.hpp>
#include <tenon/composite/special.hpp>
#include <tenon/composite/zero_tensor.hpp>
