// Registers attention and bilinear forms.
#include <tenon/composite/attention.hpp>
