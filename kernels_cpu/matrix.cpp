// Registers norms, condition numbers, powers and exponentials of matrices.
#include <tenon/composite/matrix.hpp>
#include <tenon/cpu/matrix_exp.hpp>
