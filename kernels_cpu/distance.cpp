// Registers distances and similarity, with derivatives.
#include <tenon/autograd/derivatives/distance.hpp>
#include <tenon/cpu/distance.hpp>
