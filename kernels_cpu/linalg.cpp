// Registers products of matrices and what is made of them.
#include <tenon/composite/matmul.hpp>
#include <tenon/cpu/products.hpp>
#include <tenon/cpu/triangles.hpp>
