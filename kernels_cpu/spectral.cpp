// Registers eigenvalues and singular values.
#include <tenon/cpu/spectral.hpp>
#include <tenon/composite/spectral.hpp>
