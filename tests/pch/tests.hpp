// What most units of the tests include, read by the compiler once for all of them.
#include <tenon/tenon.hpp>

#include "../catch.hpp"
