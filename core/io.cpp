// Printing and files.
#include <tenon/io/bodies/arrow.hpp>
#include <tenon/io/bodies/dlpack.hpp>
#include <tenon/io/bodies/module_state.hpp>
#include <tenon/io/bodies/print.hpp>
#include <tenon/io/bodies/safetensors.hpp>
