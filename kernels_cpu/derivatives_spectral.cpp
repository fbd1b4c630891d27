// The derivatives of eigenvalues, singular values and matrix exponentials.
#include <tenon/autograd/derivatives/spectral.hpp>
