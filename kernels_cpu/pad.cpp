// Registers padding and repetition on the CPU, with derivatives.
#include <tenon/autograd/derivatives/pad.hpp>
#include <tenon/cpu/pad.hpp>
#include <tenon/cpu/repeat.hpp>
