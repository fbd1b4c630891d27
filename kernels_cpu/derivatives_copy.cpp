// Registers the derivatives of the copy operators.
#include <tenon/autograd/derivatives/copy.hpp>
