// Registers the rows of orthogonal polynomials, with their loops.
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/pointwise/polynomial.hpp>
