// Options are given all in order or all by name. GCC 12 once took the last for a list of numbers, the stride.
#include <tenon/nn.hpp>

// expect-error: Sizes<2
#ifdef FIXED
tenon::nn::Conv2d layer{.in_channels = 1, .out_channels = 4, .kernel_size = 3, .padding = 2};
#else
tenon::nn::Conv2d layer{1, 4, 3, {.padding = 2}};
#endif
