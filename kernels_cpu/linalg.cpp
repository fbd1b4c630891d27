// Registers products of matrices and what is made of them.
#include <tenon/cpu/linalg_ops_more.hpp>
