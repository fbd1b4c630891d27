// Tensors, the signs of C++ between them, and tensors from numbers.
#include <tenon/ops/bodies/operators.hpp>
#include <tenon/ops/bodies/tensor_of.hpp>
