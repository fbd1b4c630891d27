// The derivatives of torch.fft.
#include <tenon/autograd/derivatives/fft.hpp>
