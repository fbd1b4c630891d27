// The derivatives of pooling.
#include <tenon/autograd/derivatives/pooling.hpp>
