// Registers sampling at the points of a grid.
#include <tenon/composite/grid_sampler.hpp>
#include <tenon/cpu/grid_sampler.hpp>
