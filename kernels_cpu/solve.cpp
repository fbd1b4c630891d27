// Registers solutions of linear equations and determinants.
#include <tenon/cpu/solve_triangular.hpp>
#include <tenon/cpu/least_squares.hpp>
#include <tenon/composite/solve.hpp>
