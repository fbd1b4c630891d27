// The derivatives of normalisation.
#include <tenon/autograd/derivatives/normalization.hpp>
