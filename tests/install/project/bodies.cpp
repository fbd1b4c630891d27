// What a program that links no compiled part of the library has in one of its units.
#include <tenon/bodies.hpp>
