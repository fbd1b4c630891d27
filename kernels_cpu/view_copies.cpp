// Registers the copies and the inverses of views, and their derivatives.
#include <tenon/autograd/derivatives/view_scatter.hpp>
#include <tenon/cpu/view_scatter.hpp>
