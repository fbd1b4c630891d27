// The entry point of every unit test program, for Catch2 2, whose library has none.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
