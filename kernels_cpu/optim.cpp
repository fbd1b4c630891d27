// Registers the optimisers' steps; the loops come from the instruction set chosen at start-up.
#include <tenon/composite/optim_copies.hpp>
#include <tenon/cpu/optim.hpp>
#include <tenon/cpu/optim_tenon.hpp>
