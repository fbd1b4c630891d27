// Where the files lie that tests read.
#pragma once
#include <string>

/// The path of a file in tests/data. The folder is known to one unit: a compiler's cache serves the others wherever the
/// tree lies.
std::string test_data(const std::string& file);
