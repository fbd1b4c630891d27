// Registers the windows of images as columns.
#include <tenon/cpu/columns.hpp>
