// Registers views, with their copies, inverses and derivatives.
#include <tenon/view/complex.hpp>
#include <tenon/view/memory.hpp>
#include <tenon/view/part.hpp>
#include <tenon/view/shape.hpp>
#include <tenon/view/strided.hpp>
