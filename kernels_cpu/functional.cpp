// The functional forms of operators that overwrite a whole tensor.
#include <tenon/autograd/derivatives/functional.hpp>
#include <tenon/cpu/functional_ops.hpp>
