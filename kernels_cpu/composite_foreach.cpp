// Registers the operators over lists of tensors.
#include <tenon/composite/foreach.hpp>
