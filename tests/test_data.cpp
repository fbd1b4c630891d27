#include "test_data.hpp"

std::string test_data(const std::string& file) { return TENON_TEST_DATA "/" + file; }
