// Testing operators: comparing tensors, and checking an operator by its schema.
#pragma once

#include <tenon/testing/assert_close.hpp>
#include <tenon/testing/every_set.hpp>
#include <tenon/testing/fuzz.hpp>
#include <tenon/testing/loop_check.hpp>
#include <tenon/testing/opcheck.hpp>
#include <tenon/testing/opcheck_samples.hpp>
#include <tenon/testing/sample_tensor.hpp>
#include <tenon/testing/samples.hpp>
