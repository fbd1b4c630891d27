// Registers recurrent networks.
#include <tenon/composite/recurrent.hpp>
