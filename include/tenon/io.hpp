// Printing and file formats.
#pragma once

#include <tenon/io/module_state.hpp>
#include <tenon/io/print.hpp>
#include <tenon/io/print_options.hpp>
#include <tenon/io/safetensors.hpp>
