// The derivatives of factorizations and of solutions of linear equations.
#include <tenon/autograd/derivatives/factorization.hpp>
#include <tenon/autograd/derivatives/solve.hpp>
