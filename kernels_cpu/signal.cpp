// Registers windows of signals and the transforms of their pieces.
#include <tenon/composite/stft.hpp>
#include <tenon/composite/windows.hpp>
