// Registers torch.fft.
#include <tenon/composite/fft.hpp>
#include <tenon/cpu/fft.hpp>
