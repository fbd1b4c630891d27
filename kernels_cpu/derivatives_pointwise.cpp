// Registers the derivatives of the pointwise operators, and what keys do for operators without a kernel there.
#include <tenon/autograd/derivatives/fallbacks.hpp>
#include <tenon/autograd/derivatives/pointwise.hpp>
