// Registers recurrent networks.
#include <tenon/composite/recurrent.hpp>
#include <tenon/cpu/recurrent.hpp>
