// Registers the copies and the inverses of views.
#include <tenon/cpu/view_copy.hpp>
#include <tenon/cpu/view_scatter.hpp>
