// Registers products that are made of the basic ones.
#include <tenon/composite/tensor_products.hpp>
#include <tenon/cpu/tensor_products.hpp>
