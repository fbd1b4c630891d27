// Registers factorizations of matrices.
#include <tenon/cpu/factorization.hpp>
#include <tenon/cpu/orthogonal.hpp>
