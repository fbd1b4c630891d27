// Transformations of operator calls.
#include <tenon/transform/bodies/autocast.hpp>
#include <tenon/transform/bodies/functional_tensor.hpp>
#include <tenon/transform/bodies/functionalize.hpp>
#include <tenon/transform/bodies/schema_check.hpp>
