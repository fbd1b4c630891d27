// Transformations of operator calls.
#pragma once

#include <tenon/transform/autocast.hpp>
#include <tenon/transform/functional_tensor.hpp>
#include <tenon/transform/functionalize.hpp>
#include <tenon/transform/schema_check.hpp>
