// Testing operators: comparing tensors, and checking an operator by its schema.
#pragma once

#include <tenon/testing/assert_close.hpp>
#include <tenon/testing/opcheck.hpp>
