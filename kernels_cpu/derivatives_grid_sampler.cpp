// The derivatives of sampling at the points of a grid.
#include <tenon/autograd/derivatives/grid_sampler.hpp>
