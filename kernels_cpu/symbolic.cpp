// Registers the operators for symbolic tensors.
#include <tenon/cpu/symbolic.hpp>
