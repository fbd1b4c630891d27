// The derivatives of products that are no basic ones.
#include <tenon/autograd/derivatives/tensor_products.hpp>
