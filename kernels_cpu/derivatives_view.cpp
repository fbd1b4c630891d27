// Registers the derivatives of the view operators.
#include <tenon/autograd/derivatives/view.hpp>
